"""Reading what a vet is shown: the rows of one pet that its share allows, newest first, and no memory at all.

Every query filters by household and pet. Rows that were superseded or deleted are history of the data, not of the
animal, and stay out.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ARRAY, Integer, String, any_, bindparam, func, literal, union_all
from sqlmodel import col, select

from domain.due_dates import DueDate, due_of_pets
from domain.errors import UnknownPet
from domain.health_records import CURRENT
from domain.pets import Pet
from domain.record_kinds import KINDS, SAFETY_KINDS, RecordKind
from domain.weight_line import WEIGHTS
from memory.confirmations import Confirmation
from memory.items import EvidenceRow
from memory.prepared import Quick, Statement, by_dialect, padded, whole_rows
from memory.scope import Scope
from memory.settlement import has_lapsed
from memory.sqltypes import UtcDateTime
from memory.vocabulary import ConfirmationStatus

YEAR = timedelta(days=365)
RED_FLAG_DAYS = timedelta(days=14)
MAX_CURRENT = 60  # allergies, illnesses or drugs in force; more is an error of the data
MAX_RECENT = 60  # observations of the last fortnight that are looked at for red flags
IDS_A_QUERY = 512  # evidence is asked for; both databases take far longer lists, and no statement grows for ever
BEGINNING = datetime(1900, 1, 1, tzinfo=UTC)  # before anything an owner can enter
MAX_WEIGHINGS = 366  # one a day for a year
_IN_FORCE = ("observations", WEIGHTS)  # beside the safety kinds, whose newest are read by themselves
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

    pet: Any
    others: tuple[str, ...]
    current: Mapping[str, Sequence[Any]]
    recent: Sequence[Any]
    history: Mapping[str, Sequence[Any]]
    counts: Mapping[str, int]
    weighings: Sequence[Weighing] = ()
    questions: Sequence[Any] = ()
    due: Sequence[DueDate] = ()
    evidence: Mapping[str, Sequence[Any]] = field(default_factory=dict)


def _mine(table: Any) -> tuple[Any, ...]:
    return (
        col(table.household_id) == bindparam("household"),
        col(table.pet_id) == bindparam("pet"),
        col(table.deleted_at).is_(None),
    )


def _when(table: Any) -> Any:
    return func.coalesce(col(table.valid_from), col(table.recorded_at), type_=UtcDateTime())


def _rows_of(kind: RecordKind, statuses: Sequence[str]) -> Statement:
    """Rows since a time, newest first, a part of them."""
    table = kind.table
    columns = table.__table__.columns  # type: ignore[attr-defined]  # SQLModel's stub hides it
    query = select(*columns).where(
        *_mine(table), col(table.status).in_(statuses), _when(table) > bindparam("since", type_=UtcDateTime())
    )
    newest = query.order_by(_when(table).desc(), col(table.id).desc())
    return Statement(newest.limit(bindparam("most", type_=Integer)).offset(bindparam("begin", type_=Integer)))


def _count_all() -> Statement:
    counts = [
        select(literal(kind.name, String).label("kind"), func.count().label("rows"))
        .select_from(kind.table)
        .where(*_mine(kind.table), col(kind.table.status).in_(_SHOWN))
        for kind in KINDS.values()
    ]
    return Statement(union_all(*counts))


_CURRENT_ROWS = {kind.name: _rows_of(kind, CURRENT) for kind in KINDS.values() if kind.safety or kind.name in _IN_FORCE}
_ALL_ROWS = {kind.name: _rows_of(kind, _SHOWN) for kind in KINDS.values()}
_COUNTS = _count_all()
_PETS = whole_rows(Pet, col(Pet.household_id) == bindparam("household"), order=col(Pet.id))
_QUESTIONS = whole_rows(
    Confirmation,
    col(Confirmation.household_id) == bindparam("household"),
    col(Confirmation.subject) == bindparam("pet"),
    col(Confirmation.status) == ConfirmationStatus.PENDING.value,
    order=col(Confirmation.id).desc(),
)


def _said_of(among: Any) -> Statement:
    """Ids are unique across kinds, so the kinds are not asked for: nine times as many look-ups. `_evidence` sorts."""
    home = col(EvidenceRow.household_id) == bindparam("household")
    return whole_rows(EvidenceRow, home, among, col(EvidenceRow.counts).is_(True))


_EVIDENCE = (
    _said_of(col(EvidenceRow.target_id).in_(bindparam("targets", expanding=True))),
    _said_of(col(EvidenceRow.target_id) == any_(bindparam("targets", type_=ARRAY(String)))),
)
"""For SQLite, and for PostgreSQL, which reads one array sooner than a hundred parameters."""


@dataclass(frozen=True, slots=True)
class _Reader:
    """One look at one pet."""

    quick: Quick
    mine: Mapping[str, str]

    async def current(self, kind: str, most: int, since: datetime = BEGINNING) -> Sequence[Any]:
        return await self.quick.rows(_CURRENT_ROWS[kind], {**self.mine, "since": since, "most": most, "begin": 0})

    async def history(self, kind: str, wanted: Wanted) -> Sequence[Any]:
        """Newest first. Where nothing is young enough the latest one there is stands for all."""
        since = wanted.since or BEGINNING
        part = {**self.mine, "since": since, "most": wanted.limit, "begin": wanted.offset}
        found = await self.quick.rows(_ALL_ROWS[kind], part)
        if found or wanted.since is None:
            return found
        return await self.quick.rows(_ALL_ROWS[kind], {**part, "since": BEGINNING, "most": 1, "begin": 0})


async def read_rows(
    quick: Quick,
    scope: Scope,
    pet_id: str,
    kinds: Set[str],
    wanted: Mapping[str, Wanted],
    now: datetime,
    *,
    quotes: bool,
    summary: bool = True,
) -> RecordRows:
    """The rows of one pet. kinds: those the share allows at all; wanted: whose history is asked for. summary: also
    what is in force, recent, open and due.

    Raises UnknownPet when the pet is gone.
    """
    pets = await quick.rows(_PETS, {"household": scope.household_id})
    pet = next((one for one in pets if one.id == pet_id), None)
    if pet is None:
        raise UnknownPet()
    reader = _Reader(quick, {"household": scope.household_id, "pet": pet_id})
    history = {name: await reader.history(name, part) for name, part in wanted.items() if name in kinds}
    rows = RecordRows(
        pet=pet,
        others=tuple(name for one in pets if one.id != pet_id for name in (one.name, *one.nicknames) if name),
        current={},
        recent=(),
        history=history,
        counts={row.kind: row.rows for row in await quick.rows(_COUNTS, reader.mine) if row.kind in kinds},
    )
    if summary:
        rows = await _with_summary(reader, rows, scope, kinds, now, curve=WEIGHTS in wanted)
    shown = (*rows.current.values(), rows.recent, *history.values())
    ids = [row.id for part in shown for row in part]
    return replace(rows, evidence=await _evidence(quick, scope, ids)) if quotes else rows


async def _with_summary(
    reader: _Reader, rows: RecordRows, scope: Scope, kinds: Set[str], now: datetime, *, curve: bool
) -> RecordRows:
    """The same with what stands on the first screen, and the weight curve."""
    quick, pet = reader.quick, rows.pet
    current = {kind.name: await reader.current(kind.name, MAX_CURRENT) for kind in SAFETY_KINDS if kind.name in kinds}
    recent = await reader.current("observations", MAX_RECENT, now - RED_FLAG_DAYS)
    weighings = await reader.current(WEIGHTS, MAX_WEIGHINGS, now - YEAR) if curve and WEIGHTS in kinds else ()
    return replace(
        rows,
        current=current,
        recent=recent,
        weighings=[Weighing(row.valid_from or row.recorded_at, row.value, row.unit) for row in weighings],
        questions=[row for row in await quick.rows(_QUESTIONS, reader.mine) if not has_lapsed(row.lapses_at, now)],
        due=(await due_of_pets(quick, scope, [pet], now)).get(pet.id, ()) if "vaccinations" in kinds else (),
    )


async def _evidence(quick: Quick, scope: Scope, ids: Sequence[str]) -> Mapping[str, Sequence[Any]]:
    """What was said, by the id of what it is about, oldest first."""
    found: dict[str, list[Any]] = {}
    targets = sorted(set(ids))
    for begin in range(0, len(targets), IDS_A_QUERY):
        asked = {"household": scope.household_id, "targets": padded(targets[begin : begin + IDS_A_QUERY])}
        for row in await quick.rows(by_dialect(_EVIDENCE, quick), asked):
            found.setdefault(row.target_id, []).append(row)
    return {target: sorted(rows, key=lambda row: (row.said_at, row.id)) for target, rows in found.items()}
