"""What is due for a pet: its vaccination and deworming records, read and put to the rules of `due_rules`.

Active dogs and cats only. A dose without a day, or one that does not tell what was in it, gives no date; while there is
one, nothing is called never begun.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Literal

from sqlalchemy import bindparam, or_
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.due_rules import (
    GROWN_WEEKS,
    DewormingDose,
    Due,
    Stage,
    Target,
    VaccineDose,
    next_dewormings,
    next_vaccinations,
    read_vaccine,
    targets_of,
)
from domain.due_words import is_deworming, rule_in_words, what_is_due
from domain.health_records import CURRENT
from domain.pets import Pet
from domain.record_kinds import KINDS, RecordKind
from memory.prepared import Quick, Statement, padded, quick_of, whole_rows
from memory.scope import Scope
from memory.vocabulary import Precision

DueKind = Literal["vaccine", "deworming"]
DueStatus = Literal["overdue", "due", "upcoming"]
RestsOn = Literal["dose", "age", "nothing"]

LAPSED_DAYS = 42  # after six weeks a second dose no longer completes the first one (rules 4b and 7 of vaccines.yaml)
CARED_FOR = ("dog", "cat")  # species the rules are written for
_DAY_KNOWN = (Precision.DAY.value, Precision.UNKNOWN.value)  # a form that gives a date need not say how exact it is
_NEAR_ENOUGH = (*_DAY_KNOWN, Precision.MONTH.value)
_STATUS: dict[str, DueStatus] = {"overdue": "overdue", "due_soon": "due", "not_due": "upcoming"}
_TARGETS: dict[str | None, frozenset[Target]] = {
    "internal": frozenset({"internal"}),
    "external": frozenset({"external"}),
    "both": frozenset({"internal", "external"}),
}


@dataclass(frozen=True, slots=True)
class DueDate:
    """One thing due on a local date.

    status: due within `due_rules.SOON_DAYS`. rests_on: the dose before it, a young pet's age, or nothing on record
    (then it is due by default, and may well have been given). lapsed: so long over that a vet has to say how to go on,
    or that somebody forgot to write it down. rule: its id; rule_text: the same in Chinese.
    """

    kind: DueKind
    what: str
    stage: Stage
    earliest_on: date
    due_on: date
    due_on_precision: Literal["day", "month"]
    status: DueStatus
    rests_on: RestsOn
    lapsed: bool
    rule: str
    rule_text: str
    source: str

    @property
    def has_a_day(self) -> bool:
        """Whether the day itself means something, so that it may be brought up."""
        return self.rests_on != "nothing" and not self.lapsed


def _of_pets(kind: RecordKind) -> Statement:
    table = kind.table
    return whole_rows(
        table,
        col(table.household_id) == bindparam("household"),
        col(table.pet_id).in_(bindparam("pets", expanding=True)),
        or_(*(col(table.status) == word for word in CURRENT)),
        col(table.deleted_at).is_(None),
        order=col(table.id),
    )


_VACCINATIONS, _DEWORMINGS = _of_pets(KINDS["vaccinations"]), _of_pets(KINDS["dewormings"])


async def due_of(session: AsyncSession, scope: Scope, pet: Pet, now: datetime) -> Sequence[DueDate]:
    """What is due for one pet, soonest first; nothing for a pet that is gone or no dog or cat."""
    return (await due_of_pets(await quick_of(session), scope, [pet], now)).get(pet.id, ())


async def due_of_pets(
    quick: Quick, scope: Scope, pets: Sequence[Pet], now: datetime
) -> Mapping[str, Sequence[DueDate]]:
    """The same for several pets in two reads, by pet id in the order of `pets`."""
    cared_for = [pet for pet in pets if pet.status == "active" and pet.species in CARED_FOR]
    if not cared_for:
        return {}
    asked = {"household": scope.household_id, "pets": padded([pet.id for pet in cared_for])}
    shots, wormings = await quick.rows(_VACCINATIONS, asked), await quick.rows(_DEWORMINGS, asked)
    today = scope.local(now).date()
    return {
        pet.id: work_out(
            pet,
            [row for row in shots if row.pet_id == pet.id],
            [row for row in wormings if row.pet_id == pet.id],
            today,
        )
        for pet in cared_for
    }


def work_out(pet: Pet, vaccinations: Sequence[Any], dewormings: Sequence[Any], today: date) -> tuple[DueDate, ...]:
    """Rows of one pet in, due dates out, soonest first."""
    born_on = pet.born_on if pet.born_on_precision in _NEAR_ENOUGH else None
    due = _next(pet.species, born_on, vaccinations, dewormings, today)
    to_the_day = _to_the_day(vaccinations), _to_the_day(dewormings)
    exact = set(due if to_the_day == (vaccinations, dewormings) else _next(pet.species, born_on, *to_the_day, today))
    return tuple(_due_date(one, born_on, today, sure=one in exact) for one in sorted(due, key=lambda one: one.target))


def _to_the_day(rows: Sequence[Any]) -> list[Any]:
    """A due date that stays the same with these alone is sure to the day."""
    return [row for row in rows if row.given_on_precision in _DAY_KNOWN]


def _next(
    species: str, born_on: date | None, vaccinations: Sequence[Any], dewormings: Sequence[Any], today: date
) -> list[Due]:
    doses = [_vaccine(row) for row in vaccinations]
    treatments = [_treatment(row) for row in dewormings]
    vaccines = next_vaccinations(species, born_on, [dose for dose in doses if dose], today)
    wormers = next_dewormings(species, born_on, [dose for dose in treatments if dose], today)
    return [*_begun(vaccines, None in doses), *_begun(wormers, None in treatments)]


def _begun(due: Sequence[Due], unclear: bool) -> list[Due]:
    """Without what would be the first of its kind while an unclear dose may have been just that."""
    return [one for one in due if not (unclear and one.stage == "start")]


def _vaccine(row: Any) -> VaccineDose | None:
    return read_vaccine(row.product, row.given_on, row.antigens, row.dose_number) if _is_dated(row) else None


def _treatment(row: Any) -> DewormingDose | None:
    if not _is_dated(row):
        return None
    dose = DewormingDose(row.given_on, row.product, _TARGETS.get(row.target, frozenset()))
    return dose if targets_of(dose) else None


def _is_dated(row: Any) -> bool:
    return row.given_on is not None and row.given_on_precision in _NEAR_ENOUGH


def _due_date(due: Due, born_on: date | None, today: date, *, sure: bool) -> DueDate:
    return DueDate(
        kind="deworming" if is_deworming(due) else "vaccine",
        what=what_is_due(due),
        stage=due.stage,
        earliest_on=due.earliest,
        due_on=due.target,
        due_on_precision="day" if sure else "month",
        status=_STATUS[due.status],
        rests_on=_rests_on(due, born_on, today),
        lapsed=_has_lapsed(due, today),
        rule=due.rule,
        rule_text=rule_in_words(due),
        source=due.source,
    )


def _rests_on(due: Due, born_on: date | None, today: date) -> RestsOn:
    if due.stage != "start":
        return "dose"
    return "age" if born_on and today < born_on + timedelta(weeks=GROWN_WEEKS) else "nothing"


def _has_lapsed(due: Due, today: date) -> bool:
    in_series = due.stage in ("primary_next", "older_second")
    return due.stage == "restart_ask_vet" or (in_series and today > due.target + timedelta(days=LAPSED_DAYS))
