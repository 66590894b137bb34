"""The records of one pet as `insights` sees them, and as dated events of its timeline."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import ColumnElement, bindparam, exists, literal, select, union_all
from sqlmodel import col

from domain.insight_changes import insights
from domain.insight_signs import group_of
from domain.insights import Fact, Insight, Subject
from domain.observations import in_celsius
from domain.pets import Pet
from domain.record_columns import RecordFields
from domain.record_kinds import KINDS, RecordKind
from domain.weights import kilograms
from memory.items import MemoryItem
from memory.prepared import Quick, Statement, padded, whole_rows
from memory.scope import Scope
from memory.vocabulary import Precision

MOST_ROWS = 500  # of one kind; more than a year of daily notes
GONE = ("refuted", "superseded")  # what turned out wrong, or was replaced by a correction
_NAMES = ("name", "product", "food", "substance", "reason", "diagnosis", "clinic")
_TOPIC_OF_KIND = {
    "allergies": "medical",
    "conditions": "medical",
    "medications": "medical",
    "vaccinations": "prevention",
    "dewormings": "prevention",
    "weights": "growth",
    "visits": "medical",
    "diets": "diet",
}
_TOPIC_OF_SIGN = {"appetite": "diet", "elimination": "elimination", "activity": "behavior", "symptom": "health"}
_START = datetime.min.replace(tzinfo=UTC)
_PRECISE = (Precision.DAY.value, Precision.UNKNOWN.value)


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """One dated event. on: its local day, as exact as `precision` says. at: the instant, when it is known."""

    on: date
    precision: str
    at: datetime | None
    topic: str
    text: str
    record_kind: str
    record_id: str
    status: str


def _of_pet(kind: RecordKind) -> tuple[ColumnElement[bool], ...]:
    return (
        col(kind.table.household_id) == bindparam("household"),
        col(kind.table.pet_id) == bindparam("pet"),
        col(kind.table.deleted_at).is_(None),
    )


_KINDS_ON_RECORD = Statement(
    union_all(
        *(
            select(literal(kind.name).label("kind")).where(exists().where(*_of_pet(kind)).select_from(kind.table))
            for kind in KINDS.values()
        )
    )
)
_ROWS = [
    (kind, whole_rows(kind.table, *_of_pet(kind), order=col(kind.table.id).desc(), limit=MOST_ROWS))
    for kind in KINDS.values()
]
_MIRRORS = Statement(
    select(col(MemoryItem.record_id), col(MemoryItem.id)).where(
        col(MemoryItem.household_id) == bindparam("household"),
        col(MemoryItem.record_id).in_(bindparam("records", expanding=True)),
        col(MemoryItem.deleted_at).is_(None),
    )
)


async def insights_of(quick: Quick, scope: Scope, pet: Pet, now: datetime) -> Sequence[Insight]:
    """Findings over a pet's records, the most pressing first; none for a pet that is gone."""
    if pet.status != "active":
        return ()
    facts = [_fact(kind, row, scope) for kind, row in await _rows(quick, scope, pet) if row.status not in GONE]
    born = pet.born_on if pet.born_on_precision in (*_PRECISE, Precision.MONTH.value) else None
    return insights(Subject(pet.name, pet.species, born), facts, scope.local(now).date())


async def mirrors_of(quick: Quick, scope: Scope, record_ids: Sequence[str]) -> dict[str, str]:
    """The ids of the memories that mirror these records, by record id; deleted ones are left out."""
    if not record_ids:
        return {}
    rows = await quick.rows(_MIRRORS, {"household": scope.household_id, "records": padded(record_ids)})
    return {row.record_id: row.id for row in rows}


async def timeline_of(
    quick: Quick, scope: Scope, pet: Pet, since: date | None, until: date | None, topic: str | None
) -> list[TimelineEvent]:
    """Everything dated on record between two local days (both included), newest first."""
    events = [event for kind, row in await _rows(quick, scope, pet) for event in _events(kind, row, pet, scope)]
    told = [
        one
        for one in events
        if (since is None or one.on >= since)
        and (until is None or one.on <= until)
        and (topic is None or one.topic == topic)
    ]
    return sorted(told, key=lambda one: (one.on, one.at or _START, one.record_id), reverse=True)


async def _rows(quick: Quick, scope: Scope, pet: Pet) -> list[tuple[RecordKind, Any]]:
    """Kind by kind; most pets have records of a few kinds only."""
    asked = {"household": scope.household_id, "pet": pet.id}
    there = {row.kind for row in await quick.rows(_KINDS_ON_RECORD, asked)}
    on_record = [(kind, statement) for kind, statement in _ROWS if kind.name in there]
    return [(kind, row) for kind, statement in on_record for row in await quick.rows(statement, asked)]


def _fact(kind: RecordKind, row: Any, scope: Scope) -> Fact:
    name, fields = next((value for key in _NAMES if (value := getattr(row, key, None))), ""), kind.read(row)
    return Fact(
        kind=kind.name,
        id=row.id,
        on=_day(kind, row, fields, scope),
        text=kind.line("", fields),
        code=getattr(row, "code", ""),
        name=name,
        value=_measured(row) if kind.name == "observations" else None,
        kg=kilograms(row.value, row.unit) if kind.name == "weights" else None,
        negated=getattr(row, "negated", False),
        ended_on=getattr(row, "ended_on", None),
    )


def _day(kind: RecordKind, row: Any, fields: RecordFields, scope: Scope) -> date | None:
    """The local day of a record: exact ones only, a weighing or a sign without any on the day it was noted."""
    on, precision = _local(kind.happened(fields), scope)
    if on is None and kind.name in ("weights", "observations"):
        return scope.local(row.recorded_at).date()
    return on if precision in _PRECISE else None


def _events(kind: RecordKind, row: Any, pet: Pet, scope: Scope) -> list[TimelineEvent]:
    fields = kind.read(row)
    text, topic = kind.line(pet.name, fields), _topic(kind, row)
    on, precision = _local(kind.happened(fields), scope)
    at = next((value for key in ("measured_at", "occurred_at") if (value := getattr(row, key, None))), None)
    if on is None:
        return []
    events = [TimelineEvent(on, precision, at, topic, text, kind.name, row.id, row.status)]
    ended = getattr(row, "ended_on", None)
    if ended is not None and ended != on:
        name = next((value for key in _NAMES if (value := getattr(row, key, None))), "")
        events.append(
            TimelineEvent(
                ended, row.ended_on_precision, None, topic, f"{pet.name}的{name}结束", kind.name, row.id, row.status
            )
        )
    return events


def _measured(row: Any) -> float | None:
    """What an observation measured; a temperature in ℃, whatever it was told in."""
    value: float | None = row.value
    return in_celsius(value, row.unit) if value is not None and row.code == "temperature" else value


def _topic(kind: RecordKind, row: Any) -> str:
    if kind.name != "observations":
        return _TOPIC_OF_KIND[kind.name]
    return "medical" if row.code == "lab" else _TOPIC_OF_SIGN[group_of(row.code, row.name)[0]]


def _local(happened: Any, scope: Scope) -> tuple[date | None, str]:
    when, precision = happened
    if isinstance(when, datetime):
        return scope.local(when).date(), Precision.DAY.value
    return when, str(precision)
