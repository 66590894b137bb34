"""Every write to a memory item goes through here: row, version, full-text row and vector stay together.

A written item is looked at by the next nightly upgrade (`review_at`).
"""

from datetime import datetime
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.appends import append, append_object
from memory.archive_rows import mark_archive
from memory.items import EvidenceRow, MemoryItem, MemoryVersion
from memory.outbox import OutboxRow
from memory.revision import touch
from memory.search_documents import MEMORY, SearchDocument, document_of, forget_documents
from memory.vocabulary import MemoryStatus, Tier

SYSTEM = "system"  # who changes what no person changes; it moves lines and never takes anything away
VECTOR_TOPIC = "vector"  # outbox: bring the vector of item `key` in line with its row

FINDABLE = (
    MemoryStatus.ACTIVE.value,
    MemoryStatus.PROVISIONAL.value,
    MemoryStatus.CANDIDATE.value,
    MemoryStatus.ARCHIVED.value,
    MemoryStatus.FADING.value,
)

STILL_TRUE = (MemoryStatus.ACTIVE.value, MemoryStatus.PROVISIONAL.value, MemoryStatus.ARCHIVED.value)
"""What the machine moves between these takes nothing away from what an archive has told."""

SNAPSHOT_FIELDS = (
    "content",
    "value",
    "negated",
    "certainty",
    "subject",
    "attribute",
    "topic",
    "kind",
    "tier",
    "status",
    "locked",
    "confidence",
    "weight_level",
    "source",
    "protected",
    "upgrade",
)
SNAPSHOT_TIMES = ("expires_at", "snoozed_until")


def add_item(session: AsyncSession, item: MemoryItem, changed_by: str, reason: str, real_now: datetime) -> MemoryItem:
    """Store a new item as version 1, findable by words at once and by vector when the outbox is drained."""
    if item.tier == Tier.CORE.value:
        touch(session, item.household_id)
    item.review_at = item.learned_at
    if item.tier == Tier.LONG.value:
        mark_archive(session, item, item.learned_at, takes_away=False)
    append_object(session, item)
    _keep_version(session, item, changed_by, reason, item.learned_at)
    _make_findable(session, item, real_now)
    return item


async def revise_item(
    session: AsyncSession, item: MemoryItem, changed_by: str, reason: str, now: datetime, real_now: datetime
) -> MemoryItem:
    """Keep the item's changed fields as its next version. The caller has set the new values already.

    now: domain time, for the version; real_now: for the outbox.
    """
    item.version += 1
    if item.status not in FINDABLE and item.retired_at is None:
        item.retired_at = now
    item.review_at = now
    touch(session, item.household_id)
    mark_archive(session, item, now, takes_away=changed_by != SYSTEM or item.status not in STILL_TRUE)
    session.add(item)
    _keep_version(session, item, changed_by, reason, now)
    await forget_documents(session, [item.id])
    _make_findable(session, item, real_now)
    return item


def add_evidence(
    session: AsyncSession, target_kind: str, target_id: str, said: EvidenceRow, target_item: MemoryItem | None = None
) -> None:
    """Attach one piece of evidence; `said` is filled but for its target."""
    said.target_kind, said.target_id = target_kind, target_id
    append_object(session, said)
    if target_item is not None:
        target_item.last_evidence_at = max(target_item.last_evidence_at, said.said_at)
        session.add(target_item)


async def queue_vectors_of(session: AsyncSession, owner_id: str, real_now: datetime) -> None:
    """Have the vectors of everything an owner told brought in line: what may be embedded of it has changed."""
    found = await session.exec(
        select(MemoryItem.id, MemoryItem.household_id).where(
            col(MemoryItem.owner_id) == owner_id, col(MemoryItem.status).in_(FINDABLE)
        )
    )
    for item_id, household_id in found.all():
        _queue_vector(session, item_id, household_id, real_now)


def snapshot_of(item: MemoryItem) -> dict[str, Any]:
    """What a version keeps of an item."""
    kept = {name: getattr(item, name) for name in SNAPSHOT_FIELDS}
    for name in SNAPSHOT_TIMES:
        at = getattr(item, name)
        kept[name] = at and at.isoformat()
    return kept


def _keep_version(session: AsyncSession, item: MemoryItem, changed_by: str, reason: str, at: datetime) -> None:
    append(
        session,
        MemoryVersion,
        item_id=item.id,
        version=item.version,
        household_id=item.household_id,
        snapshot=snapshot_of(item),
        changed_by=changed_by,
        reason=reason,
        at=at,
    )


def _make_findable(session: AsyncSession, item: MemoryItem, real_now: datetime) -> None:
    """Its words at once, its vector when the outbox is worked off; a row that must not be found loses its vector."""
    if item.status in FINDABLE:
        append(session, SearchDocument, **document_of(MEMORY, item.id, item.household_id, item.content))
    _queue_vector(session, item.id, item.household_id, real_now)


def _queue_vector(session: AsyncSession, item_id: str, household_id: str, real_now: datetime) -> None:
    append(
        session,
        OutboxRow,
        household_id=household_id,
        topic=VECTOR_TOPIC,
        key=item_id,
        created_at=real_now,
        available_at=real_now,
    )
