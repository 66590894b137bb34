"""Illnesses as owners name them, the foods each should avoid, and prescription diets (`data/conditions.yaml`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from domain.knowledge.sheets import Row, open_sheet, read_origin


@dataclass(frozen=True, slots=True)
class FoodGroup:
    id: str
    name_zh: str
    terms: tuple[str, ...]
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class Condition:
    """avoid: ids of food groups; drug_rules: ids of the condition rules of `medications`; why: one Chinese clause."""

    id: str
    name_zh: str
    aliases: tuple[str, ...]
    chronic: bool
    avoid: tuple[str, ...]
    drug_rules: tuple[str, ...]
    why: str
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class PrescriptionDiet:
    id: str
    name_zh: str
    aliases: tuple[str, ...]
    for_conditions: tuple[str, ...]
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class ConditionSheet:
    conditions: Mapping[str, Condition]
    food_groups: Mapping[str, FoodGroup]
    diets: Mapping[str, PrescriptionDiet]
    brands: tuple[str, ...]


@cache
def load_conditions() -> ConditionSheet:
    """All conditions, food groups and diets, read once. Raises KnowledgeError with file and line."""
    return open_sheet("conditions.yaml").read(read_condition_sheet)


def read_condition_sheet(top: Row) -> ConditionSheet:
    top.only("meta", "food_groups", "conditions", "diets", "brands")
    groups = top.row("food_groups")
    food_groups = {name: _read_group(name, groups.row(name)) for name in groups.keys()}  # noqa: SIM118  (a Row)
    conditions = [_read_condition(row, food_groups) for row in top.rows("conditions")]
    diets = [_read_diet(row) for row in top.rows("diets")]
    return ConditionSheet(
        conditions={condition.id: condition for condition in conditions},
        food_groups=food_groups,
        diets={diet.id: diet for diet in diets},
        brands=top.texts("brands"),
    )


def _read_group(name: str, row: Row) -> FoodGroup:
    row.only("name_zh", "terms", "source", "confidence")
    return FoodGroup(name, row.text("name_zh"), row.texts("terms"), *read_origin(row))


def _read_condition(row: Row, food_groups: Mapping[str, FoodGroup]) -> Condition:
    row.only("id", "name_zh", "aliases", "chronic", "avoid", "drug_rules", "why", "source", "confidence")
    for position, group in enumerate(row.texts("avoid")):
        if group not in food_groups:
            raise row.error(f"no food group has the id {group}", "avoid", position)
    source, confidence = read_origin(row)
    return Condition(
        id=row.text("id"),
        name_zh=row.text("name_zh"),
        aliases=row.texts("aliases"),
        chronic=bool(row.raw("chronic")),
        avoid=row.texts("avoid"),
        drug_rules=row.texts("drug_rules"),
        why=row.text("why"),
        source=source,
        confidence=confidence,
    )


def _read_diet(row: Row) -> PrescriptionDiet:
    row.only("id", "name_zh", "aliases", "for_conditions", "source", "confidence")
    return PrescriptionDiet(
        row.text("id"), row.text("name_zh"), row.texts("aliases"), row.texts("for_conditions"), *read_origin(row)
    )
