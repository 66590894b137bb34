"""Drugs, products and what must not meet: species, breed, condition, another drug (`data/medications.yaml`).

There is no dose in this file and none may be read out of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from domain.knowledge.sheets import Row, open_sheet, read_origin

Level = Literal["contraindicated", "caution", "monitor"]
_LEVELS: dict[str, Level] = {"contraindicated": "contraindicated", "caution": "caution", "monitor": "monitor"}


@dataclass(frozen=True, slots=True)
class Drug:
    """vet_only_for: species for which only a vet may choose it; forbidden_for: never for that species.

    not_this: other drugs that hold one of its names (肝泰乐 is no 泰乐).
    """

    id: str
    name_zh: str
    aliases: tuple[str, ...]
    classes: tuple[str, ...]
    use: str
    allowed_for: tuple[str, ...]
    vet_only_for: tuple[str, ...]
    forbidden_for: tuple[str, ...]
    breed_cautions: tuple[str, ...]
    condition_cautions: tuple[str, ...]
    allergy_class: str | None
    prescription: str
    source: str
    confidence: str
    not_this: tuple[str, ...] = ()

    @property
    def is_over_the_counter(self) -> bool:
        return self.prescription.startswith("OTC")


@dataclass(frozen=True, slots=True)
class Product:
    """interval: (n, unit, type); unit month | week | vet (as directed, n = 0)."""

    name: str
    aliases: tuple[str, ...]
    ingredients: tuple[str, ...]
    label_for: tuple[str, ...]
    route: str
    kind: str
    interval: tuple[int, str, str]
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class Interaction:
    """`a` and `b` are class or drug ids."""

    a: str
    b: str
    level: Level
    message: str
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class ConditionRule:
    id: str
    text: str
    aliases: tuple[str, ...]
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class BreedRule:
    id: str
    name_zh: str
    rule: str
    aliases: tuple[str, ...]
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class MedicationSheet:
    drugs: Mapping[str, Drug]
    products: Mapping[str, Product]
    class_names: Mapping[str, str]
    class_words: Mapping[str, tuple[str, ...]]
    interactions: tuple[Interaction, ...]
    class_condition_cautions: Mapping[str, tuple[str, ...]]
    condition_rules: Mapping[str, ConditionRule]
    breed_rules: Mapping[str, BreedRule]
    alias_collisions: tuple[str, ...]
    unverified_products: tuple[str, ...]

    def cautions_of(self, drug: Drug) -> frozenset[str]:
        """Condition ids against this drug, its own and those of its classes."""
        of_classes = (condition for name in drug.classes for condition in self.class_condition_cautions.get(name, ()))
        return frozenset(drug.condition_cautions).union(of_classes)


@cache
def load_medications() -> MedicationSheet:
    """All drugs, products and rules, read once. Raises KnowledgeError with file and line."""
    return open_sheet("medications.yaml").read(read_medication_sheet)


def read_medication_sheet(top: Row) -> MedicationSheet:
    top.only(
        *("meta", "classes", "drugs", "products", "unverified_products", "interactions", "no_known_interaction"),
        *("class_condition_cautions", "class_condition_note", "breed_rules", "condition_rules"),
    )
    drugs = {drug.id: drug for drug in map(_read_drug, top.rows("drugs"))}
    cautions = top.row("class_condition_cautions")
    breeds = top.row("breed_rules")
    return MedicationSheet(
        drugs=drugs,
        products={product.name: product for product in (_read_product(row, drugs) for row in top.rows("products"))},
        class_names={row.text("id"): row.text("name_zh") for row in top.rows("classes")},
        class_words={row.text("id"): row.texts("aliases") for row in top.rows("classes")},
        interactions=tuple(_read_interaction(row) for row in top.rows("interactions")),
        class_condition_cautions={name: cautions.texts(name) for name in cautions.keys()},  # noqa: SIM118  (a Row)
        condition_rules={rule.id: rule for rule in map(_read_condition, top.rows("condition_rules"))},
        breed_rules={name: _read_breed(name, breeds.row(name)) for name in breeds.keys()},  # noqa: SIM118  (a Row)
        alias_collisions=top.row("meta").texts("alias_collisions"),
        unverified_products=tuple(row.text("name") for row in top.rows("unverified_products")),
    )


def _read_drug(row: Row) -> Drug:
    row.only(
        *("id", "name_zh", "name_en", "aliases", "classes", "use", "species_allowed", "species_contraindicated"),
        *("species_vet_only", "breed_cautions", "condition_cautions", "cautions", "prescription", "allergy_class"),
        *("note", "not_this", "source", "confidence"),
    )
    source, confidence = read_origin(row)
    return Drug(
        id=row.text("id"),
        name_zh=row.text("name_zh"),
        aliases=(row.text("name_en"), *row.texts("aliases")),
        classes=row.texts("classes"),
        use=row.text("use"),
        allowed_for=row.texts("species_allowed"),
        vet_only_for=row.texts("species_vet_only"),
        forbidden_for=row.texts("species_contraindicated"),
        breed_cautions=row.texts("breed_cautions"),
        condition_cautions=row.texts("condition_cautions"),
        allergy_class=row.text("allergy_class") if row.has("allergy_class") else None,
        prescription=row.text("prescription"),
        source=source,
        confidence=confidence,
        not_this=row.texts("not_this"),
    )


def _read_product(row: Row, drugs: Mapping[str, Drug]) -> Product:
    row.only(
        *("name", "aliases", "ingredients", "species_label", "route", "interval", "kind", "note"),
        *("source", "confidence"),
    )
    for position, ingredient in enumerate(row.texts("ingredients")):
        if ingredient not in drugs:
            raise row.error(f"no drug has the id {ingredient}", "ingredients", position)
    source, confidence = read_origin(row)
    interval = row.row("interval")
    return Product(
        name=row.text("name"),
        aliases=row.texts("aliases"),
        ingredients=row.texts("ingredients"),
        label_for=row.texts("species_label"),
        route=row.text("route"),
        kind=row.text("kind"),
        interval=(interval.whole("every"), interval.text("unit"), interval.text("type")),
        source=source,
        confidence=confidence,
    )


def _read_interaction(row: Row) -> Interaction:
    row.only("a", "b", "level", "msg", "source", "confidence")
    source, confidence = read_origin(row)
    return Interaction(row.text("a"), row.text("b"), row.choice("level", _LEVELS), row.text("msg"), source, confidence)


def _read_condition(row: Row) -> ConditionRule:
    row.only("id", "text", "aliases", "source", "confidence")
    return ConditionRule(row.text("id"), row.text("text"), row.texts("aliases"), *read_origin(row))


def _read_breed(name: str, row: Row) -> BreedRule:
    aliases = row.texts("aliases") + row.texts("breeds")
    return BreedRule(name, row.text("zh"), row.text("rule"), aliases, *read_origin(row))
