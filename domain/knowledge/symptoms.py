"""What owners call the signs they see, and one name for each (`data/symptoms.yaml`)."""

from dataclasses import dataclass
from functools import cache

from domain.knowledge.sheets import Row, open_sheet, read_origin


@dataclass(frozen=True, slots=True)
class Symptom:
    id: str
    name_zh: str
    aliases: tuple[str, ...]
    not_this: tuple[str, ...]
    source: str
    confidence: str


@cache
def load_symptoms() -> tuple[Symptom, ...]:
    """All symptoms, read once. Raises KnowledgeError with file and line."""
    return open_sheet("symptoms.yaml").read(read_symptom_sheet)


def symptom_named(symptom_id: str) -> str | None:
    """What a sign is called in a record: 跛行 for limping; None for one that the sheet does not hold."""
    return _names().get(symptom_id)


@cache
def _names() -> dict[str, str]:
    return {symptom.id: symptom.name_zh for symptom in load_symptoms()}


def read_symptom_sheet(top: Row) -> tuple[Symptom, ...]:
    top.only("meta", "symptoms")
    return tuple(_read_symptom(row) for row in top.rows("symptoms"))


def _read_symptom(row: Row) -> Symptom:
    row.only("id", "name_zh", "aliases", "not_this", "source", "confidence")
    source, confidence = read_origin(row)
    return Symptom(
        id=row.text("id"),
        name_zh=row.text("name_zh"),
        aliases=row.texts("aliases"),
        not_this=row.texts("not_this"),
        source=source,
        confidence=confidence,
    )
