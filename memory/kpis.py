"""How well memory does, in numbers an operator can watch: size, growth, staleness, conflicts, what rose and why not.

Counts are derived from rows each time, so they cannot drift from them. No text and no id leaves this module.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.items import MemoryItem, MemoryVersion
from memory.messages import Message
from memory.upgrade import Move
from memory.visibility import SERVED
from memory.vocabulary import MemoryStatus

STALE_AFTER = timedelta(days=180)  # neither used nor heard of again that long
_MOVES = tuple(move.value for move in Move)


@dataclass(frozen=True, slots=True)
class StoreNumbers:
    """What memory holds now, and what happened to it since the window began.

    tiers: served memories by tier. active_days: days on which a household spoke, summed over households.
    """

    tiers: Mapping[str, int]
    archived: int
    candidates: int
    stale: int
    learned: int
    moves: Mapping[str, int]
    active_households: int
    active_days: int

    @property
    def served(self) -> int:
        return sum(self.tiers.values())

    @property
    def growth_per_active_day(self) -> float:
        return self.learned / max(1, self.active_days)

    @property
    def size_per_active_household(self) -> float:
        return self.served / max(1, self.active_households)

    @property
    def stale_rate(self) -> float:
        return self.stale / max(1, self.served)

    @property
    def conflict_rate(self) -> float:
        return self.candidates / max(1, self.served)

    @property
    def promotions(self) -> int:
        return self.moves.get(Move.PROMOTED.value, 0) + self.moves.get(Move.CLIMBED.value, 0)


async def store_numbers(session: AsyncSession, since: datetime, now: datetime) -> StoreNumbers:
    """Count over all households."""
    by_status = await _grouped(session, MemoryItem.status)
    households, days = await _activity(session, since, now)
    touched_at = func.coalesce(col(MemoryItem.last_used_at), col(MemoryItem.last_evidence_at))
    return StoreNumbers(
        tiers=await _grouped(session, MemoryItem.tier, col(MemoryItem.status).in_(SERVED)),
        archived=by_status.get(MemoryStatus.ARCHIVED.value, 0),
        candidates=by_status.get(MemoryStatus.CANDIDATE.value, 0),
        stale=await _count(session, col(MemoryItem.status).in_(SERVED), touched_at < now - STALE_AFTER),
        learned=await _count(session, col(MemoryItem.learned_at) >= since, col(MemoryItem.learned_at) <= now),
        moves=await _moves(session, since, now),
        active_households=households,
        active_days=days,
    )


async def _grouped(session: AsyncSession, column: object, *conditions: object) -> dict[str, int]:
    query = select(column, func.count()).where(*conditions).group_by(column)  # type: ignore[call-overload]
    return dict((await session.exec(query)).all())


async def _count(session: AsyncSession, *conditions: object) -> int:
    query = select(func.count()).select_from(MemoryItem).where(*conditions)  # type: ignore[arg-type]
    return int((await session.exec(query)).one())


async def _moves(session: AsyncSession, since: datetime, now: datetime) -> dict[str, int]:
    query = (
        select(MemoryVersion.reason, func.count())
        .where(col(MemoryVersion.reason).in_(_MOVES), col(MemoryVersion.at) >= since, col(MemoryVersion.at) <= now)
        .group_by(col(MemoryVersion.reason))
    )
    return dict((await session.exec(query)).all())


async def _activity(session: AsyncSession, since: datetime, now: datetime) -> tuple[int, int]:
    """How many households spoke in the window, and on how many days (UTC) altogether."""
    days = (
        select(col(Message.household_id).label("home"), func.date(col(Message.said_at)).label("day"))
        .where(col(Message.role) == "user", col(Message.said_at) >= since, col(Message.said_at) <= now)
        .distinct()
        .subquery()
    )
    query = select(func.count(func.distinct(days.c.home)), func.count()).select_from(days)
    households, active = (await session.exec(query)).one()
    return int(households), int(active)
