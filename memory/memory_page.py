"""The page on which an owner sees and steers every memory: list, search, edit, lock, snooze, history.

Nothing here knows what a record is beyond its name: editing the mirror of one is refused, deleting is `domain`'s.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, bindparam, func, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.archive_rows import mark_archive
from memory.errors import Mirrored, NotFound, StaleVersion
from memory.fulltext import bm25_scores, corpus_stats, tokenize
from memory.item_writes import add_item, revise_item
from memory.items import MemoryItem, MemoryVersion
from memory.prepared import quick_of, whole_rows
from memory.scope import Scope
from memory.search_documents import MEMORY, find_candidates
from memory.signals import count_signal
from memory.table_rows import Read, read
from memory.topics import Topic
from memory.visibility import SERVED, VISIBLE
from memory.vocabulary import (
    OWNER_SUBJECT,
    AttributeClass,
    Certainty,
    Kind,
    MemoryStatus,
    MemoryType,
    Risk,
    SignalKind,
    Source,
    Tier,
    Upgrade,
)

MOST_OF_OWNER = 10  # lines of one slot
WRITTEN, EDITED, LOCKED, UNLOCKED, SNOOZED = "owner_wrote", "owner_edited", "owner_locked", "owner_unlocked", "snoozed"
MAX_CANDIDATES = 500  # lines that share a word with a search, newest first, before they are ranked


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """What a list is narrowed to. `status` None means everything the owner sees as living memory.

    subject: "owner", a pet id, or "unassigned". deleted_since: real time; what was deleted earlier is not listed.
    """

    subject: str | None = None
    tier: str | None = None
    topic: str | None = None
    status: str | None = None
    source: str | None = None
    deleted_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class OwnWords:
    """A memory the owner writes by hand."""

    subject: str | None
    content: str
    topic: Topic
    tier: Tier = Tier.LONG
    attribute_class: AttributeClass = AttributeClass.OTHER
    weight_level: int = 2
    value: Mapping[str, Any] = field(default_factory=dict)


UNASSIGNED = "unassigned"
"""How a filter asks for memories whose subject is unclear."""


async def item_of(session: AsyncSession, scope: Scope, item_id: str, *, deleted: bool = False) -> MemoryItem:
    """One memory of this household, whatever became of it; deleted ones only when asked for. Raises NotFound."""
    item = (
        await session.exec(
            select(MemoryItem).where(col(MemoryItem.household_id) == scope.household_id, col(MemoryItem.id) == item_id)
        )
    ).one_or_none()
    if item is None or (item.status == MemoryStatus.DELETED.value and not deleted):
        raise NotFound()
    return item


async def list_items(
    session: AsyncSession, scope: Scope, wanted: MemoryFilter, limit: int, before: str | None
) -> Sequence[MemoryItem]:
    """Memories, newest first; `before` is the id to go on from."""
    query = select(MemoryItem).where(*_conditions(scope, wanted))
    if before is not None:
        query = query.where(col(MemoryItem.id) < before)
    return (await session.exec(query.order_by(col(MemoryItem.id).desc()).limit(limit))).all()


async def search_items(
    session: AsyncSession, scope: Scope, wanted: MemoryFilter, question: str, offset: int, limit: int
) -> Sequence[MemoryItem]:
    """Memories that share words with `question`, best first (BM25), from position `offset` on."""
    ranked = await _ranked_ids(session, scope, question)
    if not ranked:
        return []
    rows = await session.exec(select(MemoryItem).where(*_conditions(scope, wanted), col(MemoryItem.id).in_(ranked)))
    order = {item_id: place for place, item_id in enumerate(ranked)}
    return sorted(rows.all(), key=lambda item: order[item.id])[offset : offset + limit]


async def count_hits(session: AsyncSession, scope: Scope, items: Sequence[MemoryItem], now: datetime) -> None:
    """Count that a search the owner asked for returned these: once a memory and local day."""
    for item in sorted(items, key=lambda one: one.id):
        await count_signal(await quick_of(session), scope, item.id, SignalKind.HIT, _day_key(scope, now), now)


async def view_item(session: AsyncSession, scope: Scope, item_id: str, now: datetime) -> MemoryItem:
    """Count that the owner opened this memory (once a local day) and return it. Raises NotFound."""
    item = await item_of(session, scope, item_id)
    if await count_signal(await quick_of(session), scope, item_id, SignalKind.VIEWED, _day_key(scope, now), now):
        await session.refresh(item)
    return item


def own_item(scope: Scope, words: OwnWords, risk: Risk, now: datetime) -> MemoryItem:
    """What the owner wrote, not stored yet: a protected fact that never moves or fades on its own."""
    return MemoryItem(
        household_id=scope.household_id,
        owner_id=scope.owner_id,
        subject=words.subject,
        attribute=words.attribute_class.value,
        attribute_class=words.attribute_class.value,
        value=dict(words.value),
        content=words.content,
        topic=words.topic.value,
        memory_type=_memory_type(words).value,
        risk=risk.value,
        weight_level=words.weight_level,
        confidence=1.0,
        tier=words.tier.value,
        source=Source.OWNER.value,
        protected=True,
        learned_at=now,
        last_evidence_at=now,
    )


def keep_own_item(session: AsyncSession, scope: Scope, item: MemoryItem, real_now: datetime) -> MemoryItem:
    """Store what `own_item` made."""
    return add_item(session, item, scope.owner_id, WRITTEN, real_now)


async def edit_item(
    session: AsyncSession,
    scope: Scope,
    item_id: str,
    given: Mapping[str, Any],
    version: int | None,
    now: datetime,
    real_now: datetime,
) -> MemoryItem:
    """Replace content, topic or subject by the owner's own word, as a new version; a guess becomes a fact by it.

    Raises NotFound, Mirrored (details name the record), StaleVersion.
    """
    item = await item_of(session, scope, item_id)
    if item.record_id is not None:
        raise Mirrored(record_kind=item.record_kind, record_id=item.record_id, pet_id=item.subject)
    if version is not None and version != item.version:
        raise StaleVersion(current_version=item.version)
    mark_archive(session, item, now, takes_away=True)  # where it stood; where it goes is marked with its version
    for name, value in given.items():
        setattr(item, name, value)
    if "content" in given:
        _make_own(item, now)
    return await revise_item(session, item, scope.owner_id, EDITED, now, real_now)


async def lock_item(
    session: AsyncSession, scope: Scope, item_id: str, locked: bool, now: datetime, real_now: datetime
) -> MemoryItem:
    """Protect a memory from moving and fading, or let it go again; mirrors too. Raises NotFound."""
    item = await item_of(session, scope, item_id)
    if item.locked == locked:
        return item
    item.locked = locked
    return await revise_item(session, item, scope.owner_id, LOCKED if locked else UNLOCKED, now, real_now)


async def snooze_item(
    session: AsyncSession, scope: Scope, item_id: str, until: datetime | None, now: datetime, real_now: datetime
) -> MemoryItem:
    """Do not bring this up until then; None ends it. The same again changes nothing. Raises NotFound."""
    item, until = await item_of(session, scope, item_id), until and until.astimezone(UTC)
    if item.snoozed_until == until:
        return item
    item.snoozed_until = until
    return await revise_item(session, item, scope.owner_id, SNOOZED, now, real_now)


async def history_of(session: AsyncSession, scope: Scope, item_id: str) -> Sequence[MemoryVersion]:
    """Every version of a memory, oldest first. Raises NotFound."""
    await item_of(session, scope, item_id)
    rows = await session.exec(
        select(MemoryVersion)
        .where(col(MemoryVersion.household_id) == scope.household_id, col(MemoryVersion.item_id) == item_id)
        .order_by(col(MemoryVersion.version))
    )
    return rows.all()


async def count_by_source(session: AsyncSession, scope: Scope) -> Mapping[str, int]:
    """How many living memories came from each source."""
    rows = await session.exec(
        select(MemoryItem.source, func.count())
        .where(*_conditions(scope, MemoryFilter()))
        .group_by(col(MemoryItem.source))
    )
    return dict(rows.all())


async def core_items(session: AsyncSession, scope: Scope, subject: str) -> Sequence[MemoryItem]:
    """What stands on one card, oldest first; the owner's card is that of the owner who asks."""
    card = {"household": scope.household_id, "subject": subject}
    if subject == OWNER_SUBJECT:
        return await read(session, _OWNERS_CARD, card | {"owner": scope.owner_id})
    return await read(session, _CARD, card)


async def owner_items(session: AsyncSession, scope: Scope, attributes: Collection[str]) -> Sequence[MemoryItem]:
    """The served lines of the owner who asks in these slots, newest first; a few are enough."""
    rows = await session.exec(
        select(MemoryItem)
        .where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.owner_id) == scope.owner_id,
            col(MemoryItem.subject) == OWNER_SUBJECT,
            col(MemoryItem.attribute).in_(attributes),
            col(MemoryItem.status).in_(SERVED),
        )
        .order_by(col(MemoryItem.id).desc())
        .limit(MOST_OF_OWNER)
    )
    return rows.all()


_ON_CARD = (
    col(MemoryItem.household_id) == bindparam("household"),
    col(MemoryItem.subject) == bindparam("subject"),
    col(MemoryItem.tier) == Tier.CORE.value,
    or_(*(col(MemoryItem.status) == word for word in SERVED)),
)
_CARD = Read(MemoryItem, whole_rows(MemoryItem, *_ON_CARD, order=col(MemoryItem.id)))
_OWNERS_CARD = Read(
    MemoryItem,
    whole_rows(MemoryItem, *_ON_CARD, col(MemoryItem.owner_id) == bindparam("owner"), order=col(MemoryItem.id)),
)


def _conditions(scope: Scope, wanted: MemoryFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [col(MemoryItem.household_id) == scope.household_id]
    if wanted.status is None:
        conditions.append(col(MemoryItem.status).in_(VISIBLE))
    else:
        conditions.append(col(MemoryItem.status) == wanted.status)
    if wanted.deleted_since is not None:
        conditions.append(or_(col(MemoryItem.deleted_at).is_(None), col(MemoryItem.deleted_at) >= wanted.deleted_since))
    if wanted.subject is not None:
        unclear = col(MemoryItem.subject).is_(None)
        conditions.append(unclear if wanted.subject == UNASSIGNED else col(MemoryItem.subject) == wanted.subject)
    for name in ("tier", "topic", "source"):
        value = getattr(wanted, name)
        if value is not None:
            conditions.append(col(getattr(MemoryItem, name)) == value)
    mine = or_(col(MemoryItem.subject).is_(None), col(MemoryItem.subject) != OWNER_SUBJECT)
    conditions.append(or_(mine, col(MemoryItem.owner_id) == scope.owner_id))
    return conditions


async def _ranked_ids(session: AsyncSession, scope: Scope, question: str) -> list[str]:
    tokens = list(dict.fromkeys(tokenize(question)))
    if not tokens:
        return []
    docs, count = await find_candidates(await quick_of(session), MEMORY, scope.household_id, tokens, MAX_CANDIDATES)
    scores = bm25_scores(tokens, docs, corpus_stats(docs, count))
    return sorted(scores, key=lambda item_id: (-scores[item_id], item_id))


def _make_own(item: MemoryItem, now: datetime) -> None:
    item.source, item.protected, item.confidence = Source.OWNER.value, True, 1.0
    item.certainty, item.upgrade, item.value = Certainty.PLAIN.value, Upgrade.NONE.value, {}
    item.kind = Kind.FACT.value if item.kind == Kind.BELIEF.value else item.kind
    item.expires_at = None
    item.last_evidence_at = max(item.last_evidence_at, now)
    if item.tier == Tier.SHORT.value:
        item.tier = Tier.LONG.value
    if item.status in (MemoryStatus.CANDIDATE.value, MemoryStatus.PROVISIONAL.value, MemoryStatus.FADING.value):
        item.status = MemoryStatus.ACTIVE.value


def _memory_type(words: OwnWords) -> MemoryType:
    return MemoryType.PROCEDURAL if words.attribute_class is AttributeClass.PREFERENCE else MemoryType.SEMANTIC


def _day_key(scope: Scope, now: datetime) -> str:
    return scope.local(now).date().isoformat()
