"""The knowledge files are read with types, and a mistake in one stops the start with its file and line."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.knowledge.allergens import load_allergens, read_allergen_sheet
from domain.knowledge.checks import check_knowledge
from domain.knowledge.errors import KnowledgeError
from domain.knowledge.medications import load_medications, read_medication_sheet
from domain.knowledge.red_flags import read_red_flag_sheet
from domain.knowledge.sheets import Row, Sheet
from domain.knowledge.symptoms import read_symptom_sheet
from domain.knowledge.toxins import load_toxins, read_toxin_sheet
from domain.knowledge.vaccines import load_vaccines


def test_the_shipped_files_have_no_error() -> None:
    assert [finding for finding in check_knowledge() if finding.severity == "error"] == []


def test_knowledge_cannot_be_changed_after_loading() -> None:
    allergen = load_allergens().allergens[0]
    with pytest.raises(AttributeError):
        allergen.id = "other"  # type: ignore[misc]  # that it is refused is what we test


def test_every_product_is_made_of_known_drugs() -> None:
    sheet = load_medications()
    assert {ingredient for product in sheet.products.values() for ingredient in product.ingredients} <= set(sheet.drugs)


def test_a_species_without_a_rating_gets_the_worse_of_dog_and_cat() -> None:
    permethrin = next(toxin for toxin in load_toxins().toxins if toxin.id == "permethrin")
    assert permethrin.danger_for("dog").action == "call_now"
    assert permethrin.danger_for("rabbit").action == "vet_now"


def test_vaccine_plans_know_their_authority() -> None:
    assert load_vaccines().plans["cn_rabies_dog"].repeat_months == 12


BROKEN: list[tuple[str, Callable[[Row], Any], str, int, str]] = [
    ("a tab", read_symptom_sheet, "meta: {}\nsymptoms:\n\t- id: x\n", 3, "cannot start any token"),
    ("a missing source", read_symptom_sheet, "symptoms:\n- id: x\n  name_zh: 甲\n  aliases: [甲]\n", 2, "source"),
    (
        "a misspelt key",
        read_allergen_sheet,
        "allergens:\n- id: x\n  name_zh: 甲\n  alises: [乙]\n",
        4,
        "allergens.0.alises: unknown key",
    ),
    (
        "an unknown severity",
        read_toxin_sheet,
        "meta: {}\npet_name_collisions: {}\ntoxins:\n- id: x\n  name_zh: 甲\n  category: food\n  aliases: [甲]\n"
        "  species:\n    dog: {severity: awful, action: vet_now}\n  signs: []\n  owner: 乙\n  source: S\n"
        "  confidence: high\n",
        9,
        "expected one of lethal",
    ),
    (
        "an unknown ingredient",
        read_medication_sheet,
        "meta: {}\nbreed_rules: {}\nclass_condition_cautions: {}\nproducts:\n- name: 甲\n  ingredients:\n  - nothing\n",
        7,
        "no drug has the id nothing",
    ),
    ("half a pair", read_red_flag_sheet, "groups:\n- {id: x, title: 甲, urgency: soon}\n", 2, "source"),
]


@pytest.mark.parametrize(
    ("read", "text", "line", "problem"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN]
)
def test_a_mistake_is_blamed_on_its_line(read: Callable[[Row], Any], text: str, line: int, problem: str) -> None:
    with pytest.raises(KnowledgeError, match=r"broken\.yaml") as caught:
        Sheet("broken.yaml", text).read(read)
    assert caught.value.line == line
    assert problem in str(caught.value)
