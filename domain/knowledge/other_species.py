"""What rabbits, guinea pigs, hamsters and birds must not get (`data/other_species.yaml`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from domain.knowledge.sheets import Row, open_sheet, read_origin


@dataclass(frozen=True, slots=True)
class Avoided:
    terms: tuple[str, ...]
    why: str
    source: str
    confidence: str


@cache
def load_other_species() -> Mapping[str, tuple[Avoided, ...]]:
    """Species id → what it must not get, read once. Raises KnowledgeError with file and line."""
    return open_sheet("other_species.yaml").read(read_other_species_sheet)


def read_other_species_sheet(top: Row) -> Mapping[str, tuple[Avoided, ...]]:
    top.only("meta", "species")
    return {row.text("id"): tuple(_read_avoided(item) for item in row.rows("avoid")) for row in top.rows("species")}


def _read_avoided(row: Row) -> Avoided:
    row.only("terms", "why", "source", "confidence")
    return Avoided(row.texts("terms"), row.text("why"), *read_origin(row))
