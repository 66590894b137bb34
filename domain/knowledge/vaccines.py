"""Vaccine products, what they protect against, and the plans that tell the next date (`data/vaccines.yaml`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from domain.knowledge.sheets import Row, open_sheet, read_origin

PlanType = Literal["series_until_age", "single_then_repeat", "fixed_doses"]
_PLAN_TYPES: dict[str, PlanType] = {
    "series_until_age": "series_until_age",
    "single_then_repeat": "single_then_repeat",
    "fixed_doses": "fixed_doses",
}


@dataclass(frozen=True, slots=True)
class VaccineProduct:
    name: str
    aliases: tuple[str, ...]
    species: tuple[str, ...]
    antigens: tuple[str, ...]
    vaccine_type: str
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class GenericVaccine:
    """How owners say it ("犬五联"); only certainty `high` may complete a plan without asking."""

    term: str
    antigens: tuple[str, ...]
    certainty: str
    vaccine_type: str | None
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class Plan:
    """One authority's plan. Ages and intervals in weeks, repeats in calendar months; None = no such rule."""

    id: str
    authority: str
    species: tuple[str, ...]
    group: str
    antigens: frozenset[str]
    type: PlanType
    start_weeks: tuple[int, int]
    interval_weeks: tuple[int, int] | None
    finish_weeks: int | None
    min_doses: int | None
    late_start_weeks: int | None
    late_min_doses: int | None
    older_interval_weeks: tuple[int, int] | None
    older_doses: Mapping[str, int]
    min_valid_age_weeks: int
    min_gap_days: int
    first_booster_weeks: int | None
    inactivated_max_gap_weeks: int | None
    primary_max_gap_weeks: int | None
    restart_after_months: int | None
    target_months: int | None
    repeat_months: int
    repeat_months_high_risk: int | None
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class DewormingRule:
    """every: (n, "month") or None where `steps` or the product decide; steps: (from_weeks, to_weeks, every_days)."""

    id: str
    species: tuple[str, ...]
    kind: str
    applies: str
    schedule: str
    every: tuple[int, str] | None
    steps: tuple[tuple[int, int, str], ...]
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class VaccineSheet:
    diseases: Mapping[str, str]
    products: tuple[VaccineProduct, ...]
    generic_terms: tuple[GenericVaccine, ...]
    plans: Mapping[str, Plan]
    deworming: tuple[DewormingRule, ...]


@cache
def load_vaccines() -> VaccineSheet:
    """All vaccines, plans and deworming rules, read once. Raises KnowledgeError with file and line."""
    return open_sheet("vaccines.yaml").read(read_vaccine_sheet)


def read_vaccine_sheet(top: Row) -> VaccineSheet:
    top.only("meta", "diseases", "products", "generic_terms", "plans", "spacing", "deworming", "law")
    diseases = top.row("diseases")
    return VaccineSheet(
        diseases={code: diseases.text(code) for code in diseases.keys()},  # noqa: SIM118  (a Row is no dict)
        products=tuple(_read_product(row) for row in top.rows("products")),
        generic_terms=tuple(_read_generic(row) for row in top.rows("generic_terms")),
        plans={plan.id: plan for plan in map(_read_plan, top.rows("plans"))},
        deworming=tuple(_read_deworming(row) for row in top.rows("deworming")),
    )


def _read_product(row: Row) -> VaccineProduct:
    row.only(
        *("name", "aliases", "species", "antigens", "vaccine_type", "min_age_weeks_label", "label_repeat", "maker"),
        *("registration", "note", "source", "confidence"),
    )
    source, confidence = read_origin(row)
    return VaccineProduct(
        name=row.text("name"),
        aliases=row.texts("aliases"),
        species=row.texts("species"),
        antigens=row.texts("antigens"),
        vaccine_type=row.text("vaccine_type"),
        source=source,
        confidence=confidence,
    )


def _read_generic(row: Row) -> GenericVaccine:
    row.only("term", "antigens", "certainty", "note", "vaccine_type", "source", "confidence")
    source, confidence = read_origin(row)
    return GenericVaccine(
        term=row.text("term"),
        antigens=row.texts("antigens"),
        certainty=row.text("certainty"),
        vaccine_type=row.text("vaccine_type") if row.has("vaccine_type") else None,
        source=source,
        confidence=confidence,
    )


def _read_plan(row: Row) -> Plan:
    row.only(
        *("id", "authority", "species", "group", "antigens_required", "core", "type", "start_weeks", "interval_weeks"),
        *("finish_weeks", "min_doses", "older_interval_weeks", "min_valid_age_weeks", "min_gap_days", "older_doses"),
        *("first_booster_weeks", "repeat_months", "repeat_type", "source", "confidence", "note"),
        *("inactivated_max_gap_weeks", "repeat_months_high_risk", "primary_max_gap_weeks", "restart_after_months"),
        *("late_start_weeks", "late_min_doses", "target_months"),
    )
    source, confidence = read_origin(row)
    start = _read_range(row, "start_weeks")
    if start is None:
        raise row.error("expected {min, max}", "start_weeks")
    older = row.row("older_doses") if row.has("older_doses") else None
    return Plan(
        id=row.text("id"),
        authority=row.text("authority"),
        species=species_of(row.text("species")),
        group=row.text("group"),
        antigens=frozenset(row.texts("antigens_required")),
        type=row.choice("type", _PLAN_TYPES),
        start_weeks=start,
        interval_weeks=_read_range(row, "interval_weeks"),
        finish_weeks=_read_whole(row, "finish_weeks"),
        min_doses=_read_whole(row, "min_doses"),
        late_start_weeks=_read_whole(row, "late_start_weeks"),
        late_min_doses=_read_whole(row, "late_min_doses"),
        older_interval_weeks=_read_range(row, "older_interval_weeks"),
        older_doses={kind: older.whole(kind) for kind in older.keys()} if older else {},  # noqa: SIM118  (a Row)
        min_valid_age_weeks=row.whole("min_valid_age_weeks"),
        min_gap_days=row.whole("min_gap_days"),
        first_booster_weeks=_read_whole(row, "first_booster_weeks"),
        inactivated_max_gap_weeks=_read_whole(row, "inactivated_max_gap_weeks"),
        primary_max_gap_weeks=_read_whole(row, "primary_max_gap_weeks"),
        restart_after_months=_read_whole(row, "restart_after_months"),
        target_months=_read_whole(row, "target_months"),
        repeat_months=row.whole("repeat_months"),
        repeat_months_high_risk=_read_whole(row, "repeat_months_high_risk"),
        source=source,
        confidence=confidence,
    )


def _read_deworming(row: Row) -> DewormingRule:
    row.only("id", "species", "kind", "applies", "schedule", "steps", "every", "source", "confidence", "note")
    source, confidence = read_origin(row)
    every = row.row("every") if row.has("every") else None
    return DewormingRule(
        id=row.text("id"),
        species=species_of(row.text("species")),
        kind=row.text("kind"),
        applies=row.text("applies"),
        schedule=row.text("schedule"),
        every=(every.whole("n"), every.text("unit")) if every else None,
        steps=tuple(
            (step.whole("from_weeks"), step.whole("to_weeks"), step.text("every")) for step in row.rows("steps")
        ),
        source=source,
        confidence=confidence,
    )


def _read_range(row: Row, key: str) -> tuple[int, int] | None:
    return (row.row(key).whole("min"), row.row(key).whole("max")) if row.has(key) else None


def _read_whole(row: Row, key: str) -> int | None:
    value: Any = row.raw(key)
    return None if value is None else row.whole(key)


def species_of(word: str) -> tuple[str, ...]:
    """ "dog_cat" → both."""
    return tuple(word.split("_"))
