"""Phase 5, decay: what has lost its weight or its time goes to the archive, and what faded for a week goes for good.

What is due and where it goes is the nightly upgrade's to say (`memory.upgrade.judge`); a night does the same early for
an owner who was here, and tells the diary. Nothing is looked at whose `review_at` has not come.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.items import MemoryItem
from memory.scope import Scope
from memory.upgrade import DEFAULT_RULES, Move, Standing, UpgradeRules, Verdict, judge, standing_of
from memory.vocabulary import MemoryStatus

FADING_FOR = timedelta(days=7)  # product contract: shown as marked for deletion that long
MOST_DUE = 500  # rows of one run, the longest due first


@dataclass(frozen=True, slots=True)
class Departure:
    """One line and where it goes."""

    line: Standing
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Departures:
    """What leaves: its weight is gone, its time is over, or it was marked for deletion a week ago (ids)."""

    faded: tuple[Departure, ...] = ()
    over: tuple[Departure, ...] = ()
    removed: tuple[str, ...] = ()


def plan_departures(
    due: Sequence[Standing],
    removable: Collection[str],
    now: datetime,
    left_alone: Collection[str] = (),
    rules: UpgradeRules = DEFAULT_RULES,
) -> Departures:
    """What leaves of what is due. left_alone: lines that the owner brought back from an earlier departure."""
    judged = [Departure(one, judge(one, now, rules)) for one in due if one.id not in left_alone]
    return Departures(
        faded=tuple(one for one in judged if one.verdict.move is Move.FADED),
        over=tuple(one for one in judged if one.verdict.move is Move.ENDED),
        removed=tuple(sorted(removable)),
    )


async def due_lines(session: AsyncSession, scope: Scope, now: datetime) -> list[Standing]:
    """Lines of this owner that must be looked at by now, the longest due first."""
    rows = await session.exec(
        select(MemoryItem)
        .where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.owner_id) == scope.owner_id,
            col(MemoryItem.review_at) <= now,
        )
        .order_by(col(MemoryItem.review_at), col(MemoryItem.id))
        .limit(MOST_DUE)
    )
    return [standing_of(item) for item in rows.all()]


async def removable_ids(session: AsyncSession, scope: Scope, now: datetime) -> list[str]:
    """Guesses of this owner that were marked for deletion a week ago."""
    rows = await session.exec(
        select(MemoryItem.id).where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.owner_id) == scope.owner_id,
            col(MemoryItem.status) == MemoryStatus.FADING.value,
            col(MemoryItem.locked).is_(False),
            col(MemoryItem.protected).is_(False),
            col(MemoryItem.expires_at) <= now,
        )
    )
    return list(rows.all())
