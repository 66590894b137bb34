"""How owners point at one of their animals without its name (`data/pet_cues.yaml`)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from domain.knowledge.sheets import Row, open_sheet

Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class SpeciesWords:
    """`animal`: the animal itself; `thing`: food, gear or vaccines of that kind of animal."""

    animal: Pattern
    thing: Pattern


@dataclass(frozen=True, slots=True)
class Look:
    """Words that point at animals whose breed fits `breed`."""

    breed: Pattern
    words: Pattern


@dataclass(frozen=True, slots=True)
class OwnerWords:
    self: Pattern
    acts: Pattern
    about: Pattern
    things: Pattern
    places: Pattern


@dataclass(frozen=True, slots=True)
class PetCues:
    """All patterns work on folded text. `birth_order`: 老二 → 1; -1 is the last."""

    species: Mapping[str, SpeciesWords]
    not_meant: Pattern
    looks: tuple[Look, ...]
    colours: Mapping[str, Pattern]
    colour_phrase: Pattern
    other_relative: Pattern
    female: Pattern
    male: Pattern
    older: Pattern
    younger: Pattern
    bigger: Pattern
    smaller: Pattern
    fat: Pattern
    fat_in_memory: Pattern
    read_elsewhere: Pattern
    described: Pattern
    birth_order: Mapping[str, int]
    everyone: Pattern
    among: Pattern
    person: Pattern
    owner: OwnerWords


_PLAIN = (
    *("not_meant", "colour_phrase", "other_relative", "female", "male", "older", "younger", "bigger", "smaller"),
    *("fat", "fat_in_memory", "read_elsewhere", "described", "everyone", "among", "person"),
)


@cache
def load_pet_cues() -> PetCues:
    """All cues, read once. Raises KnowledgeError with file and line."""
    return open_sheet("pet_cues.yaml").read(read_pet_cues)


def read_pet_cues(top: Row) -> PetCues:
    """The cues of a sheet."""
    top.only("meta", "species", "looks", "colours", "birth_order", "owner", *_PLAIN)
    species, colours, order = top.row("species"), top.row("colours"), top.row("birth_order")
    owner = top.row("owner")
    return PetCues(
        species={name: _species(species.row(name)) for name in species.keys()},  # noqa: SIM118 - Row is no mapping
        looks=tuple(Look(_pattern(row, "breed"), _pattern(row, "words")) for row in top.rows("looks")),
        colours={name: _pattern(colours, name) for name in colours.keys()},  # noqa: SIM118 - Row is no mapping
        birth_order={name: int(order.number(name)) for name in order.keys()},  # noqa: SIM118 - Row is no mapping
        owner=OwnerWords(*(_pattern(owner, name) for name in ("self", "acts", "about", "things", "places"))),
        **{name: _pattern(top, name) for name in _PLAIN},
    )


def _species(row: Row) -> SpeciesWords:
    return SpeciesWords(_pattern(row, "animal"), _pattern(row, "thing"))


def _pattern(row: Row, key: str) -> Pattern:
    try:
        return re.compile(row.text(key))
    except re.error as error:
        raise row.error(f"not a regular expression: {error}", key) from error
