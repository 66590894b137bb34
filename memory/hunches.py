"""What is only suspected: things that happened together several times, and choices that repeat. Evidence and counts.

A hunch never enters recall. It waits in the owner's weekly review; kept, or repeated often enough, it becomes a belief
that names its premises. When a source is withdrawn it is counted anew and goes stale below the least count.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlmodel import Field, SQLModel, col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.errors import NotFound
from memory.scope import Scope
from memory.sqltypes import Json, UtcDateTime, new_id

FOLLOWS, REPEATS = "follows", "repeats"
WAITING, TAKEN_UP, KEPT, DISMISSED, STALE = "waiting", "taken_up", "kept", "dismissed", "stale"

WITHIN_DAYS = 3  # an upset stomach follows its cause within days, not weeks
LEAST = 3  # times; two may be chance
LEAST_SHARE = 0.6  # of the causes that were followed by the effect
LIFT = 2.0  # times as often as the effect comes about anyway
ONE_OCCASION = timedelta(days=7)  # a change of food told three days running is one change
TAKEN_UP_FROM = 4  # days on which a choice was told: from then on it is a belief without being asked about


@dataclass(frozen=True, slots=True)
class Happening:
    """Something dated about one pet. key: what counts as the same thing; label: how it is called in a sentence."""

    id: str
    key: str
    label: str
    topic: str
    attribute: str
    day: date


@dataclass(frozen=True, slots=True)
class Found:
    """A hunch as the rows have it now. sources: ids of the memories it rests on."""

    kind: str
    key: str
    text: str
    count: int
    sources: tuple[str, ...]
    attribute: str
    topic: str


class Hunch(SQLModel, table=True):
    """One hunch about one pet; `key` tells it from the others. `memory_id`: the belief that was made of it."""

    __tablename__ = "hunches"
    __table_args__ = (
        Index("ux_hunches_key", "household_id", "subject", "key", unique=True),
        Index("ix_hunches_status", "household_id", "status"),
    )

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str
    subject: str
    key: str
    kind: str
    attribute: str
    topic: str
    text: str
    count: int
    sources: list[str] = Field(default_factory=list, sa_type=Json)
    status: str = WAITING
    memory_id: str | None = None
    found_at: datetime = Field(sa_type=UtcDateTime)
    changed_at: datetime = Field(sa_type=UtcDateTime)


def what_follows(
    name: str, causes: Sequence[Happening], effects: Sequence[Happening], least: int = LEAST
) -> Iterator[Found]:
    """「豆豆换粮后三天内软便 ×3」 for every pair that happened together often enough, and more often than by chance."""
    by_effect = _by_key(effects)
    for cause_key, told in _by_key(causes).items():
        occasions = _occasions(told)
        for effect_key, felt in by_effect.items():
            pairs = [(one, after) for one in occasions if (after := _first_after(one, felt)) is not None]
            share = len(pairs) / len(occasions)
            if len(pairs) < least or share < LEAST_SHARE or share < LIFT * _by_chance(felt, occasions):
                continue
            yield Found(
                kind=FOLLOWS,
                key=f"{FOLLOWS}:{cause_key}>{effect_key}",
                text=f"{name}{told[0].label}后三天内{felt[0].label} ×{len(pairs)}",
                count=len(pairs),
                sources=tuple(dict.fromkeys(one.id for pair in pairs for one in pair)),
                attribute=felt[0].attribute,
                topic=felt[0].topic,
            )


def what_repeats(name: str, choices: Sequence[Happening], least: int = LEAST) -> Iterator[Found]:
    """「豆豆经常吃牛肉冻干」 for a choice that was told on several days."""
    for key, told in _by_key(choices).items():
        days = {one.day for one in told}
        if len(days) >= least:
            yield Found(
                kind=REPEATS,
                key=f"{REPEATS}:{key}",
                text=f"{name}经常{told[0].label}",
                count=len(days),
                sources=tuple(dict.fromkeys(one.id for one in told)),
                attribute=told[0].attribute,
                topic=told[0].topic,
            )


async def hunches_about(session: AsyncSession, scope: Scope, subject: str) -> dict[str, Hunch]:
    """All that is or was suspected of one pet, by key."""
    rows = await session.exec(
        select(Hunch).where(col(Hunch.household_id) == scope.household_id, col(Hunch.subject) == subject)
    )
    return {row.key: row for row in rows.all()}


async def waiting_hunches(session: AsyncSession, scope: Scope) -> Sequence[Hunch]:
    """What waits for the owner's look, the most often seen first."""
    rows = await session.exec(
        select(Hunch)
        .where(col(Hunch.household_id) == scope.household_id, col(Hunch.status).in_((WAITING, STALE)))
        .order_by(col(Hunch.count).desc(), col(Hunch.id))
    )
    return rows.all()


async def hunch_of(session: AsyncSession, scope: Scope, hunch_id: str) -> Hunch:
    """One of this household. Raises NotFound."""
    row = (
        await session.exec(
            select(Hunch).where(col(Hunch.household_id) == scope.household_id, col(Hunch.id) == hunch_id)
        )
    ).one_or_none()
    if row is None:
        raise NotFound()
    return row


async def forget_hunches(session: AsyncSession, scope: Scope, memory_ids: Collection[str]) -> None:
    """Forget what was made from these memories; what the rest still shows is found again."""
    rows = await session.exec(select(Hunch).where(col(Hunch.household_id) == scope.household_id))
    gone = [row.id for row in rows.all() if not set(memory_ids).isdisjoint([*row.sources, row.memory_id])]
    if gone:
        await session.exec(delete(Hunch).where(col(Hunch.id).in_(gone)))


def forget_hunches_about(scope: Scope, subject: str) -> Any:
    """The statement that forgets all hunches about a pet."""
    return delete(Hunch).where(col(Hunch.household_id) == scope.household_id, col(Hunch.subject) == subject)


def _by_key(happenings: Sequence[Happening]) -> dict[str, list[Happening]]:
    found: dict[str, list[Happening]] = defaultdict(list)
    for one in sorted(happenings, key=lambda one: (one.day, one.id)):
        found[one.key].append(one)
    return found


def _occasions(told: Sequence[Happening]) -> list[Happening]:
    """One entry an occasion, however often it was told of."""
    occasions: list[Happening] = []
    for one in told:
        if not occasions or one.day - occasions[-1].day >= ONE_OCCASION:
            occasions.append(one)
    return occasions


def _first_after(cause: Happening, effects: Sequence[Happening]) -> Happening | None:
    return next((one for one in effects if 0 <= (one.day - cause.day).days <= WITHIN_DAYS), None)


def _by_chance(effects: Sequence[Happening], occasions: Sequence[Happening]) -> float:
    """How likely the effect falls into any such window: its days over the days looked at, times the window."""
    days = [one.day for one in (*effects, *occasions)]
    span = (max(days) - min(days)).days + WITHIN_DAYS + 1
    return min(1.0, len({one.day for one in effects}) * (WITHIN_DAYS + 1) / span)
