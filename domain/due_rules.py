"""When the next vaccination and deworming are due: worked out from the rules of `vaccines.yaml`, never from a model.

Pure: birth, what was given, today in; dates out, each with the rule it follows and that rule's source. The vet's own
plan always goes before these reminders.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from dateutil.relativedelta import relativedelta

from domain.knowledge.lexicon import find_entities
from domain.knowledge.medications import Product, load_medications
from domain.knowledge.vaccines import DewormingRule, Plan, load_vaccines

Stage = Literal["start", "primary_next", "older_second", "first_booster", "repeat", "restart_ask_vet"]
Status = Literal["not_due", "due_soon", "overdue"]
Target = Literal["internal", "external"]

SOON_DAYS = 30  # what is due within a month is worth a reminder (rule 9 of vaccines.yaml)
BOOSTER_GAP_DAYS = 28  # the 26-week booster keeps four weeks to the dose before it (rule 5)
GROWN_WEEKS = 26  # up to here puppies and kittens follow the dense deworming steps (ESCCAP GL1)
DEFAULT_PLANS: dict[str, tuple[str, ...]] = {
    "dog": ("app_default_dog_core", "cn_rabies_dog", "cn_dog_lepto"),
    "cat": ("app_default_cat_core", "cn_rabies_cat", "wsava_cat_felv"),
}
GROUP_NAMES: dict[str, str] = {
    "dog_core": "犬核心疫苗（四联、八联等）",
    "cat_core": "猫核心疫苗（猫三联）",
    "rabies": "狂犬疫苗",
    "lepto": "钩端疫苗",
    "felv": "猫白血病疫苗",
    "internal": "体内驱虫",
    "external": "体外驱虫",
}


@dataclass(frozen=True, slots=True)
class VaccineDose:
    """antigens: codes of `vaccines.yaml` (CDV, RABIES, …). vaccine_type: mlv, inactivated, mlv_plus_inactivated.

    number: which dose of its series it was, where that is told (第三针); the ones before it need not be on record.
    """

    given_on: date
    antigens: frozenset[str]
    vaccine_type: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class DewormingDose:
    """product: as the owner names it; targets: what it is known to cover, empty = look the product up."""

    given_on: date
    product: str
    targets: frozenset[Target] = frozenset()


@dataclass(frozen=True, slots=True)
class Due:
    """earliest: from when it may be given; target: when it is due. rule and source say why. name_zh: what, in Chinese.

    "restart_ask_vet": the series lapsed so long that a vet has to say how to go on.
    """

    group: str
    name_zh: str
    stage: Stage
    earliest: date
    target: date
    rule: str
    source: str
    status: Status


def next_vaccinations(
    species: str, born_on: date | None, doses: Sequence[VaccineDose], today: date, high_risk: bool = False
) -> tuple[Due, ...]:
    """What is due next of each vaccine of the default plans, soonest first. born_on None: taken for grown up."""
    plans = load_vaccines().plans
    due = (next_dose(plans[name], born_on, doses, today, high_risk) for name in DEFAULT_PLANS.get(species, ()))
    return tuple(sorted((item for item in due if item), key=lambda item: item.target))


def next_dose(
    plan: Plan, born_on: date | None, doses: Sequence[VaccineDose], today: date, high_risk: bool = False
) -> Due | None:
    """The next dose of one plan; None for a non-core vaccine that was never begun (nobody is nagged into it)."""
    valid = _valid_doses(plan, born_on, doses, today)
    match plan.type:
        case "single_then_repeat":
            stage, earliest, target = _single(plan, born_on, valid, today, high_risk)
        case "fixed_doses":
            if not valid:
                return None
            stage, earliest, target = _fixed(plan, valid, today, high_risk)
        case "series_until_age":
            stage, earliest, target = _series(plan, born_on, valid, today, high_risk)
    return _due(plan.group, stage, earliest, target, plan.id, plan.source, today)


_Step = tuple[Stage, date, date]


def _valid_doses(plan: Plan, born_on: date | None, doses: Sequence[VaccineDose], today: date) -> list[VaccineDose]:
    """Doses that count: all antigens of the plan, not too young, not too soon after the one before."""
    valid: list[VaccineDose] = []
    for dose in sorted(doses, key=lambda dose: dose.given_on):
        if dose.given_on > today or not plan.antigens <= dose.antigens:
            continue
        if born_on and (dose.given_on - born_on).days < plan.min_valid_age_weeks * 7:
            continue
        if valid and (dose.given_on - valid[-1].given_on).days < plan.min_gap_days:
            continue
        valid.append(dose)
    return valid


def _single(plan: Plan, born_on: date | None, valid: Sequence[VaccineDose], today: date, high_risk: bool) -> _Step:
    if valid:
        return _repeat(plan, valid[-1].given_on, high_risk)
    if born_on is None:
        return "start", today, today
    earliest = born_on + timedelta(weeks=plan.start_weeks[0])
    target = born_on + relativedelta(months=plan.target_months) if plan.target_months else earliest
    return "start", earliest, max(target, earliest)


def _fixed(plan: Plan, valid: Sequence[VaccineDose], today: date, high_risk: bool) -> _Step:
    last = valid[-1].given_on
    if not _has_close_pair(valid, plan.primary_max_gap_weeks):
        return _after(last, plan.interval_weeks, "primary_next")
    if plan.restart_after_months and today > last + relativedelta(months=plan.restart_after_months):
        return "restart_ask_vet", today, today
    return _repeat(plan, last, high_risk)


def _series(plan: Plan, born_on: date | None, valid: Sequence[VaccineDose], today: date, high_risk: bool) -> _Step:
    if not valid:
        return _first_of_series(plan, born_on, today)
    first, last = valid[0].given_on, valid[-1].given_on
    finish = born_on + timedelta(weeks=plan.finish_weeks or 0) if born_on else None
    if finish and last < finish:
        return _towards_finish(plan, last, finish)
    if finish and first < finish and _doses_given(valid) < _doses_needed(plan, born_on, first):
        return _after(last, plan.interval_weeks, "primary_next")
    grown_start = finish is None or first >= finish
    if grown_start and _doses_given(valid) < plan.older_doses.get(valid[-1].vaccine_type, 1):
        return _after(last, plan.older_interval_weeks, "older_second")
    if _lacks_inactivated_pair(plan, valid):
        return _after(last, plan.older_interval_weeks, "older_second")
    booster = born_on + timedelta(weeks=plan.first_booster_weeks) if born_on and plan.first_booster_weeks else None
    if booster and first < booster and last < booster:
        target = max(booster, last + timedelta(days=BOOSTER_GAP_DAYS))
        return "first_booster", target, target
    return _repeat(plan, last, high_risk)


def _doses_given(valid: Sequence[VaccineDose]) -> int:
    """How many of the series were given: those on record, and those that came before a dose told by its number."""
    told = (dose.number + later for later, dose in enumerate(reversed(valid)) if dose.number)
    return max(len(valid), *told, 0)


def _first_of_series(plan: Plan, born_on: date | None, today: date) -> _Step:
    if born_on and today < born_on + timedelta(weeks=plan.start_weeks[1]):
        low, high = plan.start_weeks
        return "start", born_on + timedelta(weeks=low), born_on + timedelta(weeks=high)
    return "start", today, today


def _towards_finish(plan: Plan, last: date, finish: date) -> _Step:
    """The dose that ends the series is not given before the finishing age."""
    stage, earliest, target = _after(last, plan.interval_weeks, "primary_next")
    return (stage, earliest, max(earliest, finish)) if target >= finish else (stage, earliest, target)


def _doses_needed(plan: Plan, born_on: date | None, first: date) -> int:
    late = plan.late_start_weeks is not None and born_on and first >= born_on + timedelta(weeks=plan.late_start_weeks)
    return (plan.late_min_doses if late else plan.min_doses) or 1


def _lacks_inactivated_pair(plan: Plan, valid: Sequence[VaccineDose]) -> bool:
    """Killed vaccines protect only after two doses close together; a live one needs no pair."""
    if plan.inactivated_max_gap_weeks is None or any(dose.vaccine_type != "inactivated" for dose in valid):
        return False
    return not _has_close_pair(valid, plan.inactivated_max_gap_weeks)


def _has_close_pair(valid: Sequence[VaccineDose], max_gap_weeks: int | None) -> bool:
    limit = (max_gap_weeks or 0) * 7
    if any((dose.number or 1) > 1 for dose in valid):  # the one before it was given elsewhere, in good time
        return True
    return any((later.given_on - dose.given_on).days <= limit for dose, later in pairwise(valid))


def _after(last: date, weeks: tuple[int, int] | None, stage: Stage) -> _Step:
    low, high = weeks or (0, 0)
    return stage, last + timedelta(weeks=low), last + timedelta(weeks=high)


def _repeat(plan: Plan, last: date, high_risk: bool) -> _Step:
    months = plan.repeat_months_high_risk if high_risk and plan.repeat_months_high_risk else plan.repeat_months
    target = last + relativedelta(months=months)
    return "repeat", target, target


def _due(group: str, stage: Stage, earliest: date, target: date, rule: str, source: str, today: date) -> Due:
    return Due(group, GROUP_NAMES[group], stage, earliest, target, rule, source, status_of(target, today))


def status_of(target: date, today: date) -> Status:
    """overdue from the day after the target; due_soon within SOON_DAYS before it."""
    if target < today:
        return "overdue"
    return "due_soon" if (target - today).days <= SOON_DAYS else "not_due"


def read_vaccine(
    product: str, given_on: date, antigens: Sequence[str] = (), number: int | None = None
) -> VaccineDose | None:
    """A dose from the owner's word for it; None when the word does not tell for sure what was in it (ask).

    antigens: codes that stand on record, in any case; they count where the word does not tell.
    """
    sheet = load_vaccines()
    named = _vaccines_named(product)
    for item in sheet.products:
        if item.name in named:
            return VaccineDose(given_on, frozenset(item.antigens), item.vaccine_type, number)
    for term in sheet.generic_terms:
        if term.term in named and term.certainty == "high":
            return VaccineDose(
                given_on, frozenset(term.antigens), term.vaccine_type or _usual_type(term.antigens), number
            )
    written = {antigen.upper() for antigen in antigens}
    known = frozenset(code for code in sheet.diseases if code.upper() in written)
    return VaccineDose(given_on, known, _usual_type(tuple(known)), number) if known else None


@lru_cache(maxsize=1024)  # a record tells the same few products again and again
def _vaccines_named(product: str) -> frozenset[str]:
    return frozenset(match.entity_id for match in find_entities(product) if match.kind == "vaccine")


def _usual_type(antigens: Sequence[str]) -> str:
    """Rabies and leptospirosis vaccines are killed; the combined ones of dogs are live."""
    return "inactivated" if set(antigens) <= {"RABIES", "LEPTO", "FELV"} else "mlv"


def next_dewormings(
    species: str, born_on: date | None, doses: Sequence[DewormingDose], today: date, high_risk: bool = False
) -> tuple[Due, ...]:
    """When internal and external deworming are due next, soonest first.

    A product on record sets its own interval; otherwise the rule for age and risk (outdoors, raw food: monthly).
    """
    due = [_next_deworming(target, species, born_on, doses, today, high_risk) for target in _TARGETS]
    return tuple(sorted(due, key=lambda item: item.target))


_TARGETS: tuple[Target, ...] = ("internal", "external")


def _next_deworming(
    target: Target, species: str, born_on: date | None, doses: Sequence[DewormingDose], today: date, high_risk: bool
) -> Due:
    given = [dose for dose in doses if dose.given_on <= today and target in targets_of(dose)]
    last = max(given, key=lambda dose: dose.given_on, default=None)
    rule = _deworming_rule(target, species, born_on, today, high_risk)
    if last is None:
        start = _first_deworming(rule, born_on, today)
        return _due(target, "start", start, start, rule.id, rule.source, today)
    product = find_product(last.product)
    if rule.steps and born_on:
        after, why, source = last.given_on + _step_after(rule, born_on, last.given_on), rule.id, rule.source
    elif product and product.interval[1] in {"month", "week"}:
        after, why, source = last.given_on + _interval(product), f"product:{product.name}", product.source
    else:
        after, why, source = (
            last.given_on + relativedelta(months=rule.every[0] if rule.every else 1),
            rule.id,
            rule.source,
        )
    return _due(target, "repeat", after, after, why, source, today)


def find_product(said: str) -> Product | None:
    """The dewormer that the owner's words name."""
    products = load_medications().products
    named = (match.entity_id for match in find_entities(f"吃{said}") if match.kind == "dewormer")
    return next((products[name] for name in named if name in products), None)


def targets_of(dose: DewormingDose) -> frozenset[str]:
    """What a treatment covers, by itself or by its product; empty when nothing tells."""
    if dose.targets:
        return frozenset(dose.targets)
    product = find_product(dose.product)
    if product is not None:
        return frozenset(_TARGETS) if product.kind == "both_deworming" else frozenset({product.kind.split("_")[0]})
    return frozenset(target for target, words in (("internal", "内"), ("external", "外")) if words in dose.product)


def _interval(product: Product) -> relativedelta:
    count, unit, _ = product.interval
    return relativedelta(months=count) if unit == "month" else relativedelta(weeks=count)


def _deworming_rule(target: Target, species: str, born_on: date | None, today: date, high_risk: bool) -> DewormingRule:
    rules = {rule.id: rule for rule in load_vaccines().deworming}
    if target == "external":
        return rules["external_year_round"]
    if born_on and today < born_on + timedelta(weeks=GROWN_WEEKS):
        return rules["internal_kitten" if species == "cat" else "internal_puppy"]
    return rules["internal_adult_high" if high_risk else "internal_adult_low"]


def _first_deworming(rule: DewormingRule, born_on: date | None, today: date) -> date:
    if rule.steps and born_on:
        return max(today, born_on + timedelta(weeks=rule.steps[0][0]))
    return today


def _step_after(rule: DewormingRule, born_on: date, last: date) -> relativedelta:
    """The interval of the step that the last dose fell into; beyond the last step monthly."""
    weeks = (last - born_on).days // 7
    for low, high, every in _steps(rule):
        if low <= weeks < high:
            return every
    return relativedelta(months=1)


def _steps(rule: DewormingRule) -> Iterator[tuple[int, int, relativedelta]]:
    for low, high, every in rule.steps:
        count, unit = every.split(" ")
        weeks = unit.startswith("week")
        yield low, high, relativedelta(weeks=int(count)) if weeks else relativedelta(months=int(count))
