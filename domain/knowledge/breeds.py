"""Breeds: their names, adult weight and the risks they carry (`data/vitals.yaml`)."""

from dataclasses import dataclass
from functools import cache

from domain.knowledge.sheets import Row, open_sheet, read_origin


@dataclass(frozen=True, slots=True)
class Breed:
    """adult_weight_kg: (low, high), only to ask about an implausible weight, never to judge fatness."""

    id: str
    name_zh: str
    aliases: tuple[str, ...]
    species: str
    adult_weight_kg: tuple[float, float]
    flags: tuple[str, ...]
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class BreedSheet:
    breeds: tuple[Breed, ...]
    flag_names: dict[str, str]

    def find(self, said: str | None) -> Breed | None:
        """The breed that an owner's word names, exactly or as the longest name inside it."""
        if not said:
            return None
        return max(
            (breed for breed in self.breeds if _length_of_name_in(breed, said)),
            key=lambda breed: _length_of_name_in(breed, said),
            default=None,
        )


def _length_of_name_in(breed: Breed, said: str) -> int:
    folded = said.lower()
    return max((len(name) for name in (breed.name_zh, *breed.aliases) if name.lower() in folded), default=0)


@cache
def load_breeds() -> BreedSheet:
    """All breeds, read once. Raises KnowledgeError with file and line."""
    return open_sheet("vitals.yaml").read(read_breed_sheet)


def read_breed_sheet(top: Row) -> BreedSheet:
    top.only(
        *("meta", "vitals", "life_stages", "weight_change", "bcs", "mcs", "size_classes", "breed_flags", "breeds"),
    )
    flag_names = {row.text("id"): row.text("name_zh") for row in top.rows("breed_flags")}
    return BreedSheet(tuple(_read_breed(row, flag_names) for row in top.rows("breeds")), flag_names)


def _read_breed(row: Row, flag_names: dict[str, str]) -> Breed:
    row.only("id", "name_zh", "aliases", "species", "size", "adult_weight_kg", "flags", "note", "source", "confidence")
    for position, flag in enumerate(row.texts("flags")):
        if flag not in flag_names:
            raise row.error(f"no breed flag has the id {flag}", "flags", position)
    source, confidence = read_origin(row)
    match row.raw("adult_weight_kg"):
        case [int() | float() as low, int() | float() as high]:
            weight = (float(low), float(high))
        case _:
            raise row.error("expected [low, high]", "adult_weight_kg")
    return Breed(
        id=row.text("id"),
        name_zh=row.text("name_zh"),
        aliases=row.texts("aliases"),
        species=row.text("species"),
        adult_weight_kg=weight,
        flags=row.texts("flags"),
        source=source,
        confidence=confidence,
    )
