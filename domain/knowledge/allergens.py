"""Allergens of dogs and cats, and the words by which food, products and drugs carry them (`data/allergens.yaml`)."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from domain.knowledge.sheets import Row, open_sheet, read_origin

Category = Literal["food", "drug", "environment"]
Decision = Literal["vet_diet_only", "treat_as_contains", "caution_ask_vet"]

_CATEGORIES: dict[str, Category] = {"food": "food", "drug": "drug", "environment": "environment"}
_DECISIONS: dict[str, Decision] = {
    "vet_diet_only": "vet_diet_only",
    "treat_as_contains": "treat_as_contains",
    "caution_ask_vet": "caution_ask_vet",
}


@dataclass(frozen=True, slots=True)
class SpecialTerms:
    """Words that need a decision of their own ("水解鸡肉" is acceptable only as the vet's diet)."""

    terms: tuple[str, ...]
    decision: Decision
    reason: str


@dataclass(frozen=True, slots=True)
class Allergen:
    """aliases name it, `contains` are foods, products or drugs with it, `may_contain` depend on the label,
    `not_contains` only look like it, `single_chars` count where no longer word covers the character."""

    id: str
    name_zh: str
    category: Category
    aliases: tuple[str, ...]
    single_chars: str
    contains: tuple[str, ...]
    may_contain: tuple[str, ...]
    special: tuple[SpecialTerms, ...]
    not_contains: tuple[str, ...]
    cross_reactive: tuple[tuple[str, str], ...]
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class AllergenSheet:
    """traps: look-alikes; groups: words for several allergens at once (海鲜 → fish, crustacean, mollusc)."""

    allergens: tuple[Allergen, ...]
    traps: tuple[str, ...]
    groups: tuple[tuple[str, tuple[str, ...]], ...]

    def find(self, allergen_id: str) -> Allergen | None:
        return next((allergen for allergen in self.allergens if allergen.id == allergen_id), None)


@cache
def load_allergens() -> AllergenSheet:
    """All allergens, read once. Raises KnowledgeError with file and line."""
    return open_sheet("allergens.yaml").read(read_allergen_sheet)


def read_allergen_sheet(top: Row) -> AllergenSheet:
    top.only("meta", "global_traps", "groups", "allergens")
    return AllergenSheet(
        allergens=tuple(_read_allergen(row) for row in top.rows("allergens")),
        traps=tuple(row.text("term") for row in top.rows("global_traps")),
        groups=tuple((row.text("term"), row.texts("allergens")) for row in top.rows("groups")),
    )


def _read_allergen(row: Row) -> Allergen:
    row.only(
        *("id", "name_zh", "category", "species", "commonness", "aliases", "single_char", "contains", "may_contain"),
        *("special", "not_contains", "cross_reactive", "source", "confidence", "notes", "breed_predisposition"),
    )
    source, confidence = read_origin(row)
    return Allergen(
        id=row.text("id"),
        name_zh=row.text("name_zh"),
        category=row.choice("category", _CATEGORIES),
        aliases=row.texts("aliases"),
        single_chars=row.text("single_char", default=""),
        contains=row.texts("contains"),
        may_contain=row.texts("may_contain"),
        special=tuple(_read_special(special) for special in row.rows("special")),
        not_contains=tuple(trap.text("term") for trap in row.rows("not_contains")),
        cross_reactive=tuple((cross.text("with"), cross.text("level")) for cross in row.rows("cross_reactive")),
        source=source,
        confidence=confidence,
    )


def _read_special(row: Row) -> SpecialTerms:
    row.only("terms", "decision", "reason")
    return SpecialTerms(row.texts("terms"), row.choice("decision", _DECISIONS), row.text("reason"))
