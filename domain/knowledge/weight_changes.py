"""How much a weight may change before somebody should look (`data/vitals.yaml`, weight_change)."""

from dataclasses import dataclass
from functools import cache

from domain.knowledge.sheets import Row, open_sheet, read_origin

_DIRECTIONS = {"loss": "loss", "gain": "gain", "any": "any"}
_SPECIES = {"dog": ("dog",), "cat": ("cat",), "dog_cat": ("dog", "cat")}
_AGES: dict[str, tuple[int, int | None]] = {
    "": (0, None),
    ">10岁": (120, None),
    "成年": (12, None),
    "成年且非增重计划/非怀孕": (12, None),
    "1-6月龄": (1, 7),
}
"""Months of age, from and before, for the words of the sheet; rules for a plan of losing weight are none of these."""


@dataclass(frozen=True, slots=True)
class WeightRule:
    """A change of at least min_pct within window_days. months: ages it is for, (from, before), None = no end.

    level: vet_soon, vet_24_72h, within_24h or review_diet.
    """

    id: str
    species: tuple[str, ...]
    direction: str
    window_days: int
    min_pct: float
    months: tuple[int, int | None]
    level: str
    source: str


@cache
def load_weight_rules() -> tuple[WeightRule, ...]:
    """The rules with a window, read once. Raises KnowledgeError with file and line."""
    return open_sheet("vitals.yaml").read(read_weight_rules)


def read_weight_rules(top: Row) -> tuple[WeightRule, ...]:
    return tuple(
        _read(row) for row in top.rows("weight_change") if row.has("window_days") and row.text("applies", "") in _AGES
    )


def _read(row: Row) -> WeightRule:
    source, _ = read_origin(row)
    return WeightRule(
        id=row.text("id"),
        species=row.choice("species", _SPECIES),
        direction=row.choice("direction", _DIRECTIONS),
        window_days=row.whole("window_days"),
        min_pct=row.number("min_pct"),
        months=_AGES[row.text("applies", "")],
        level=row.text("level"),
        source=source,
    )
