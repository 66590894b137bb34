"""Due dates follow the written rules: series of the young, late starts, lapses, yearly rabies, changes of product."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from domain.due_rules import (
    DewormingDose,
    Due,
    VaccineDose,
    next_dewormings,
    next_dose,
    next_vaccinations,
    read_vaccine,
    status_of,
)
from domain.knowledge.strict_yaml import load_yaml
from domain.knowledge.vaccines import load_vaccines

WORKED = load_yaml(
    "vaccine_due_dates.yaml",
    (Path(__file__).parent.parent / "knowledge" / "vaccine_due_dates.yaml").read_text(encoding="utf-8"),
)["test_vectors"]


@pytest.mark.parametrize("case", WORKED, ids=lambda case: f"{case['plan']}: {case['desc']}")
def test_a_worked_case_comes_out_as_a_vet_worked_it(case: dict[str, Any]) -> None:
    plan = load_vaccines().plans[case["plan"]]
    doses = [VaccineDose(date.fromisoformat(dose["date"]), plan.antigens, dose["type"]) for dose in case["doses"]]
    due = next_dose(plan, date.fromisoformat(case["birth"]), doses, date.fromisoformat(case["today"]))
    assert due is not None
    found = {"stage": due.stage, "earliest": due.earliest.isoformat(), "target": due.target.isoformat()}
    assert found == case["expect"]


def test_the_table_is_long_enough_to_rely_on() -> None:
    assert len({(case["plan"], case["desc"]) for case in WORKED}) >= 60


def of_group(due: tuple[Due, ...], group: str) -> Due:
    return next(item for item in due if item.group == group)


# species, birth, doses (product, date), today, group, expected target
BY_PRODUCT = [
    ("dog", "2026-03-01", [("卫佳伍", "2026-04-26"), ("卫佳伍", "2026-05-24")], "2026-05-25", "dog_core", "2026-06-21"),
    ("dog", "2026-03-01", [("卫佳伍", "2026-04-26"), ("优免康", "2026-05-24")], "2026-05-25", "dog_core", "2026-06-21"),
    ("dog", "2026-03-01", [("卫佳捌", "2026-05-03"), ("卫佳捌", "2026-05-24")], "2026-05-25", "lepto", "2027-05-24"),
    ("dog", "2022-03-01", [("狂犬疫苗", "2025-06-01")], "2026-05-20", "rabies", "2026-06-01"),
    ("dog", "2022-03-01", [("狂犬疫苗", "2023-06-01")], "2026-05-20", "rabies", "2024-06-01"),
    ("dog", "2022-03-01", [], "2026-05-20", "dog_core", "2026-05-20"),
    ("cat", "2026-03-02", [("妙三多", "2026-05-04"), ("妙三多", "2026-05-25")], "2026-05-26", "cat_core", "2026-06-22"),
    ("cat", "2023-06-01", [("妙三多", "2026-03-01"), ("妙三多", "2026-03-22")], "2026-04-01", "cat_core", "2027-03-22"),
    ("cat", "2023-06-01", [("妙三多", "2024-03-01"), ("妙三多", "2026-03-22")], "2026-04-01", "cat_core", "2026-04-19"),
    ("cat", "2026-01-10", [], "2026-02-01", "rabies", "2026-04-10"),
]


@pytest.mark.parametrize(("species", "birth", "given", "today", "group", "target"), BY_PRODUCT)
def test_the_owners_word_for_a_vaccine_leads_to_the_next_date(
    species: str, birth: str, given: list[tuple[str, str]], today: str, group: str, target: str
) -> None:
    doses = [dose for product, day in given if (dose := read_vaccine(product, date.fromisoformat(day)))]
    assert len(doses) == len(given)
    due = next_vaccinations(species, date.fromisoformat(birth), doses, date.fromisoformat(today))
    assert of_group(due, group).target == date.fromisoformat(target)


@pytest.mark.parametrize("word", ["犬三联", "联苗", "打了一针", "犬五联"])
def test_a_word_that_does_not_tell_what_was_given_completes_nothing(word: str) -> None:
    assert read_vaccine(word, date(2026, 5, 1)) is None


def test_a_vaccine_outside_the_core_is_not_pressed_on_anybody() -> None:
    assert {item.group for item in next_vaccinations("dog", date(2022, 1, 1), [], date(2026, 5, 1))} == {
        "dog_core",
        "rabies",
    }


def test_a_pet_of_unknown_age_is_taken_for_grown_up() -> None:
    first = read_vaccine("卫佳伍", date(2026, 5, 1))
    assert first is not None
    due = of_group(next_vaccinations("dog", None, [first], date(2026, 5, 2)), "dog_core")
    assert (due.stage, due.target) == ("older_second", date(2026, 5, 29))


def test_a_cat_that_goes_out_is_boosted_every_year() -> None:
    plan = load_vaccines().plans["wsava_cat_core"]
    doses = [VaccineDose(date(2024, 3, 1), plan.antigens, "mlv"), VaccineDose(date(2025, 3, 1), plan.antigens, "mlv")]
    low = next_dose(plan, date(2022, 1, 1), doses, date(2025, 4, 1))
    high = next_dose(plan, date(2022, 1, 1), doses, date(2025, 4, 1), high_risk=True)
    assert low is not None
    assert high is not None
    assert (low.target, high.target) == (date(2028, 3, 1), date(2026, 3, 1))


# species, birth, doses (product, date), today, high risk, group, expected target, rule
DEWORMING = [
    ("dog", "2022-01-01", [("超可信", "2026-05-10")], "2026-05-20", False, "internal", "2026-06-10", "product:超可信"),
    ("dog", "2022-01-01", [("超可信", "2026-05-10")], "2026-05-20", False, "external", "2026-06-10", "product:超可信"),
    ("dog", "2022-01-01", [("尼可信", "2026-05-31")], "2026-06-01", False, "external", "2026-06-30", "product:尼可信"),
    ("dog", "2022-01-01", [("贝卫多", "2026-05-10")], "2026-05-20", False, "external", "2026-08-02", "product:贝卫多"),
    ("dog", "2022-01-01", [("拜宠清", "2026-05-10")], "2026-05-20", False, "internal", "2026-08-10", "product:拜宠清"),
    ("dog", "2022-01-01", [("索来多", "2026-05-10")], "2026-05-20", False, "external", "2027-01-10", "product:索来多"),
    (
        "cat",
        "2022-01-01",
        [("尼可信", "2026-03-01"), ("大宠爱", "2026-05-10")],
        "2026-05-20",
        False,
        "external",
        "2026-06-10",
        "product:大宠爱",
    ),
    (
        "cat",
        "2022-01-01",
        [("体内驱虫", "2026-05-10")],
        "2026-05-20",
        False,
        "internal",
        "2026-08-10",
        "internal_adult_low",
    ),
    (
        "cat",
        "2022-01-01",
        [("体内驱虫", "2026-05-10")],
        "2026-05-20",
        True,
        "internal",
        "2026-06-10",
        "internal_adult_high",
    ),
    (
        "dog",
        "2026-03-01",
        [("体内驱虫", "2026-04-12")],
        "2026-04-13",
        False,
        "internal",
        "2026-04-26",
        "internal_puppy",
    ),
    (
        "dog",
        "2026-03-01",
        [("体内驱虫", "2026-05-24")],
        "2026-05-25",
        False,
        "internal",
        "2026-06-24",
        "internal_puppy",
    ),
    ("cat", "2026-03-01", [], "2026-03-10", False, "internal", "2026-03-22", "internal_kitten"),
    ("cat", "2020-03-01", [], "2026-03-10", False, "internal", "2026-03-10", "internal_adult_low"),
]


@pytest.mark.parametrize(("species", "birth", "given", "today", "high_risk", "group", "target", "rule"), DEWORMING)
def test_deworming_follows_the_product_and_else_age_and_risk(
    species: str,
    birth: str,
    given: list[tuple[str, str]],
    today: str,
    high_risk: bool,
    group: str,
    target: str,
    rule: str,
) -> None:
    doses = [DewormingDose(date.fromisoformat(day), product) for product, day in given]
    due = next_dewormings(species, date.fromisoformat(birth), doses, date.fromisoformat(today), high_risk)
    found = of_group(due, group)
    assert (found.target, found.rule) == (date.fromisoformat(target), rule)
    assert found.source


@pytest.mark.parametrize(
    ("target", "status"),
    [("2026-05-19", "overdue"), ("2026-05-20", "due_soon"), ("2026-06-19", "due_soon"), ("2026-06-20", "not_due")],
)
def test_the_status_of_a_date(target: str, status: str) -> None:
    assert status_of(date.fromisoformat(target), date(2026, 5, 20)) == status


@pytest.mark.parametrize(
    ("species", "product", "number", "group", "stage", "target"),
    [
        ("cat", "妙三多", None, "cat_core", "older_second", "2026-12-21"),
        ("cat", "妙三多", 1, "cat_core", "older_second", "2026-12-21"),
        ("cat", "妙三多", 2, "cat_core", "repeat", "2027-11-23"),
        ("cat", "妙三多", 3, "cat_core", "repeat", "2027-11-23"),
        ("dog", "卫佳捌", 2, "lepto", "repeat", "2027-11-23"),
        ("dog", "卫佳捌", None, "lepto", "primary_next", "2026-12-21"),
    ],
)
def test_a_dose_told_by_its_number_stands_for_those_before_it(
    species: str, product: str, number: int | None, group: str, stage: str, target: str
) -> None:
    dose = read_vaccine(product, date(2026, 11, 23), number=number)
    assert dose is not None
    due = of_group(next_vaccinations(species, date(2024, 5, 20), [dose], date(2026, 11, 30)), group)
    assert (due.stage, due.target) == (stage, date.fromisoformat(target))


@pytest.mark.parametrize(("number", "stage"), [(None, "primary_next"), (2, "repeat")])
def test_a_dose_after_a_numbered_one_is_the_next_of_the_series(number: int | None, stage: str) -> None:
    plan = load_vaccines().plans["app_default_dog_core"]
    early = VaccineDose(date(2026, 6, 29), plan.antigens, "mlv", number)
    late = VaccineDose(date(2026, 8, 17), plan.antigens, "mlv")
    due = next_dose(plan, date(2026, 4, 20), [early, late], date(2026, 8, 18))
    assert due is not None
    assert due.stage == stage
