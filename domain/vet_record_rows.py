"""Reading what a vet is shown: the rows of one pet that its share allows, newest first, and no memory at all.

Every query filters by household and pet. Rows that were superseded or deleted are history of the data, not of the
animal, and stay out.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import String, and_, func, literal, or_, union_all
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.confirming import open_confirmations
from domain.due_dates import DueDate, due_of
from domain.errors import UnknownPet
from domain.health_records import CURRENT
from domain.pets import Pet, pets_of
from domain.record_columns import RecordColumns
from domain.record_kinds import KINDS, RecordKind
from domain.weights import Weight
from memory.confirmations import Confirmation
from memory.items import EvidenceRow
from memory.scope import Scope

YEAR = timedelta(days=365)
RED_FLAG_DAYS = timedelta(days=14)
MAX_CURRENT = 60  # allergies, illnesses or drugs in force; more is an error of the data
MAX_RECENT = 60  # observations of the last fortnight that are looked at for red flags
MAX_WEIGHINGS = 366  # one a day for a year
_SHOWN = (*CURRENT, "ended", "refuted")


@dataclass(frozen=True, slots=True)
class Wanted:
    """How much of one kind is read: at most `limit` rows from `offset`, those since `since` (None: all there are)."""

    limit: int
    offset: int = 0
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Weighing:
    """One point of the weight curve."""

    at: datetime
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class RecordRows:
    """Everything read for one record. counts: how many rows of a kind there are at all, and in force.

    others: names of the household's other pets, which no line may carry. weighings: of the last year, newest first.
    """

    pet: Pet
    others: tuple[str, ...]
    current: Mapping[str, Sequence[RecordColumns]]
    recent: Sequence[RecordColumns]
    history: Mapping[str, Sequence[RecordColumns]]
    counts: Mapping[str, int]
    weighings: Sequence[Weighing] = ()
    questions: Sequence[Confirmation] = ()
    due: Sequence[DueDate] = ()
    evidence: Mapping[str, Sequence[EvidenceRow]] = field(default_factory=dict)


async def read_rows(
    session: AsyncSession,
    scope: Scope,
    pet_id: str,
    kinds: Collection[str],
    wanted: Mapping[str, Wanted],
    now: datetime,
    *,
    quotes: bool,
) -> RecordRows:
    """The rows of one pet. kinds: those the share allows at all; wanted: whose history is asked for.

    Raises UnknownPet when the pet is gone.
    """
    pets = await pets_of(session, scope)
    pet = next((one for one in pets if one.id == pet_id), None)
    if pet is None:
        raise UnknownPet()
    mine = [KINDS[name] for name in KINDS if name in kinds]
    current = {kind.name: await _current(session, scope, pet_id, kind) for kind in mine if kind.safety}
    recent = await _recent(session, scope, pet_id, now)
    history = {
        name: await _history(session, scope, pet_id, KINDS[name], part)
        for name, part in wanted.items()
        if name in kinds
    }
    rows = [row for part in (*current.values(), recent, *history.values()) for row in part]
    return RecordRows(
        pet=pet,
        others=tuple(name for one in pets if one.id != pet_id for name in (one.name, *one.nicknames) if name),
        current=current,
        recent=recent,
        history=history,
        counts=await _counts(session, scope, pet_id, mine),
        weighings=await _weighings(session, scope, pet_id, now) if "weights" in wanted and "weights" in kinds else (),
        questions=await open_confirmations(session, scope, now, pet_id),
        due=await due_of(session, scope, pet, now) if "vaccinations" in kinds else (),
        evidence=await _evidence(session, scope, [row.id for row in rows]) if quotes else {},
    )


def _mine(table: Any, scope: Scope, pet_id: str) -> Any:
    return and_(
        col(table.household_id) == scope.household_id, col(table.pet_id) == pet_id, col(table.deleted_at).is_(None)
    )


def _when(table: Any) -> Any:
    return func.coalesce(col(table.valid_from), col(table.recorded_at), type_=table.__table__.c.recorded_at.type)


async def _current(session: AsyncSession, scope: Scope, pet_id: str, kind: RecordKind) -> Sequence[RecordColumns]:
    table = kind.table
    query = select(table).where(_mine(table, scope, pet_id), col(table.status).in_(CURRENT))
    return (await session.exec(query.order_by(_when(table).desc(), col(table.id).desc()).limit(MAX_CURRENT))).all()


async def _recent(session: AsyncSession, scope: Scope, pet_id: str, now: datetime) -> Sequence[RecordColumns]:
    table = KINDS["observations"].table
    query = select(table).where(
        _mine(table, scope, pet_id), col(table.status).in_(CURRENT), _when(table) > now - RED_FLAG_DAYS
    )
    return (await session.exec(query.order_by(_when(table).desc(), col(table.id).desc()).limit(MAX_RECENT))).all()


async def _history(
    session: AsyncSession, scope: Scope, pet_id: str, kind: RecordKind, wanted: Wanted
) -> Sequence[RecordColumns]:
    """Newest first. Where nothing is young enough the latest one there is stands for all."""
    table = kind.table
    query = select(table).where(_mine(table, scope, pet_id), col(table.status).in_(_SHOWN))
    newest = query.order_by(_when(table).desc(), col(table.id).desc())
    part = newest if wanted.since is None else newest.where(_when(table) > wanted.since)
    found: Sequence[RecordColumns] = (await session.exec(part.limit(wanted.limit).offset(wanted.offset))).all()
    return found or ((await session.exec(newest.limit(1))).all() if wanted.since is not None else ())


async def _weighings(session: AsyncSession, scope: Scope, pet_id: str, now: datetime) -> list[Weighing]:
    """Plain values, for a curve needs no more: a year of weighings, the newest of each that fit."""
    when = _when(Weight)
    query = (
        select(when, col(Weight.value), col(Weight.unit))
        .where(_mine(Weight, scope, pet_id), col(Weight.status).in_(CURRENT), when > now - YEAR)
        .order_by(when.desc(), col(Weight.id).desc())
        .limit(MAX_WEIGHINGS)
    )
    return [Weighing(at, value, unit) for at, value, unit in (await session.exec(query)).all()]


async def _counts(session: AsyncSession, scope: Scope, pet_id: str, kinds: Sequence[RecordKind]) -> Mapping[str, int]:
    """Rows by kind name; those in force of a safety kind by `kind:current`."""
    parts = []
    for kind in kinds:
        mine = and_(_mine(kind.table, scope, pet_id), col(kind.table.status).in_(_SHOWN))
        parts.append(select(literal(kind.name, String).label("kind"), func.count().label("rows")).where(mine))
    if not parts:
        return {}
    rows = await session.exec(union_all(*parts))  # type: ignore[call-overload]  # the stub knows single selects only
    return dict(rows.all())


async def _evidence(session: AsyncSession, scope: Scope, ids: Sequence[str]) -> Mapping[str, Sequence[EvidenceRow]]:
    found: dict[str, list[EvidenceRow]] = {}
    if not ids:
        return found
    rows = await session.exec(
        select(EvidenceRow)
        .where(
            col(EvidenceRow.household_id) == scope.household_id,
            or_(*(col(EvidenceRow.target_kind) == name for name in KINDS)),
            col(EvidenceRow.target_id).in_(sorted(set(ids))),
            col(EvidenceRow.counts),
        )
        .order_by(col(EvidenceRow.said_at), col(EvidenceRow.id))
    )
    for row in rows.all():
        found.setdefault(row.target_id, []).append(row)
    return found
