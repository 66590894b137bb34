"""Phase 1, collect: what has been said and learned since the last night. It reads, and changes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, func, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.consolidation.lines import NightLine, night_line
from memory.item_writes import SYSTEM
from memory.items import EvidenceRow, MemoryItem, MemoryVersion
from memory.messages import Conversation, Message
from memory.scope import Scope
from memory.visibility import SERVED
from memory.vocabulary import OWNER_SUBJECT, MemoryStatus, Outcome

MOST_MESSAGES = 1000  # of one night, oldest first; the next night goes on from there
MOST_LINES = 20_000  # lines of one household that are compared; well above the ceilings of its layers

NEW_LINE = (Outcome.ADDED.value, Outcome.CANDIDATE.value, Outcome.PROVISIONAL.value)
STANDING = (*SERVED, MemoryStatus.FADING.value)


@dataclass(frozen=True, slots=True)
class HeardMessage:
    """One message of the owner, and how many new lines its first reading made."""

    id: str
    conversation_id: str
    text: str
    said_at: datetime
    lines_made: int
    pet_id: str | None = None


@dataclass(frozen=True, slots=True)
class News:
    """What a night starts from. last_id: None when nothing was said; last_talk_at: when the owner last spoke."""

    messages: tuple[HeardMessage, ...]
    lines: tuple[NightLine, ...]
    fresh: frozenset[str]  # lines learned, changed or confirmed since the last night
    last_id: str | None
    last_talk_at: datetime | None
    changed: frozenset[str | None] = frozenset()  # subjects of lines that somebody changed by hand

    @property
    def touched(self) -> frozenset[str | None]:
        """Subjects about which something is new, or was put right or taken away."""
        return frozenset(line.subject for line in self.lines if line.id in self.fresh) | self.changed


async def collect(session: AsyncSession, scope: Scope, after_id: str | None, since: datetime | None) -> News:
    """Everything of this owner after message `after_id` and instant `since`; None is the beginning."""
    messages = await _messages(session, scope, after_id, since)
    items = await standing_items(session, scope)
    made = await _lines_made(session, scope, [message.id for message in messages])
    changed = await _changed_since(session, scope, since) if since is not None else {}
    fresh = frozenset(item.id for item in items if since is None or _moved_at(item) > since or item.id in changed)
    return News(
        messages=tuple(
            HeardMessage(row.id, row.conversation_id, row.text, row.said_at, made.get(row.id, 0), row.pet_id)
            for row in messages
        ),
        lines=tuple(night_line(item, scope) for item in items),
        fresh=fresh,
        last_id=messages[-1].id if messages else None,
        last_talk_at=await last_talk(session, scope),
        changed=frozenset(changed.values()),
    )


async def standing_items(session: AsyncSession, scope: Scope) -> Sequence[MemoryItem]:
    """Lines that are served or fading: all about pets, and those about this owner; oldest first."""
    mine = or_(
        col(MemoryItem.subject).is_(None),
        col(MemoryItem.subject) != OWNER_SUBJECT,
        col(MemoryItem.owner_id) == scope.owner_id,
    )
    rows = await session.exec(
        select(MemoryItem)
        .where(col(MemoryItem.household_id) == scope.household_id, col(MemoryItem.status).in_(STANDING), mine)
        .order_by(col(MemoryItem.id))
        .limit(MOST_LINES)
    )
    return rows.all()


async def last_talk(session: AsyncSession, scope: Scope) -> datetime | None:
    """When the owner last said something; None for never."""
    rows = await session.exec(
        select(func.max(Conversation.last_at)).where(col(Conversation.owner_id) == scope.owner_id)
    )
    return rows.one()


async def talk_times(session: AsyncSession, scope: Scope, limit: int) -> list[datetime]:
    """When the owner's newest conversations began and ended."""
    rows = await session.exec(
        select(Conversation.started_at, Conversation.last_at)
        .where(col(Conversation.owner_id) == scope.owner_id)
        .order_by(col(Conversation.last_at).desc())
        .limit(limit)
    )
    return [moment for row in rows.all() for moment in row]


async def _messages(
    session: AsyncSession, scope: Scope, after_id: str | None, since: datetime | None
) -> Sequence[Message]:
    talks = select(Conversation.id).where(col(Conversation.owner_id) == scope.owner_id)
    if since is not None:
        talks = talks.where(col(Conversation.last_at) > since)
    query = select(Message).where(
        col(Message.household_id) == scope.household_id,
        col(Message.owner_id) == scope.owner_id,
        col(Message.role) == "user",
        col(Message.conversation_id).in_(talks),
    )
    if after_id is not None:
        query = query.where(col(Message.id) > after_id)
    return (await session.exec(query.order_by(col(Message.id)).limit(MOST_MESSAGES))).all()


async def _changed_since(session: AsyncSession, scope: Scope, since: datetime) -> dict[str, str | None]:
    """Lines of any standing that were last changed after `since`, and not by the machine; their subjects by id."""
    rows = await session.exec(
        select(MemoryItem.id, MemoryItem.subject)
        .join(MemoryVersion, col(MemoryVersion.item_id) == col(MemoryItem.id))
        .where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.version) > 1,
            col(MemoryVersion.version) == col(MemoryItem.version),
            col(MemoryVersion.changed_by) != SYSTEM,
            col(MemoryVersion.at) > since,
        )
    )
    return dict(rows.all())


async def _lines_made(session: AsyncSession, scope: Scope, message_ids: Sequence[str]) -> dict[str, int]:
    if not message_ids:
        return {}
    rows = await session.exec(
        select(EvidenceRow.message_id, func.count(func.distinct(EvidenceRow.target_id)))
        .where(
            col(EvidenceRow.household_id) == scope.household_id,
            col(EvidenceRow.message_id).in_(message_ids),
            col(EvidenceRow.target_kind) == "memory",
            col(EvidenceRow.outcome).in_(NEW_LINE),
        )
        .group_by(col(EvidenceRow.message_id))
    )
    return {message_id: count for message_id, count in rows.all() if message_id}


def _moved_at(item: MemoryItem) -> datetime:
    return max(item.learned_at, item.last_evidence_at)
