"""What the pure parts need to know of a pet and of the talk so far: plain values, no rows, no session."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

Species = Literal["dog", "cat", "other"]
Sex = Literal["male", "female", "unknown"]

SPECIES_LABELS: dict[str, str] = {"dog": "狗", "cat": "猫", "other": "宠物"}


@dataclass(frozen=True, slots=True)
class PetProfile:
    """One pet of the household, as pure code sees it. `born_on` may be exact or only a year or month."""

    id: str
    name: str
    species: Species
    nicknames: tuple[str, ...] = ()
    breed: str | None = None
    sex: Sex = "unknown"
    neutered: bool | None = None
    born_on: date | None = None
    species_name: str | None = None
    status: Literal["active", "memorial", "lost", "rehomed"] = "active"


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """An earlier message of the same conversation, oldest first in a sequence. place: how many came before it."""

    role: Literal["user", "assistant"]
    text: str
    at: datetime | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A stored line about a subject that helps to tell pets apart ("爱爬人脸" belongs to 咪咪)."""

    subject: str | None
    attribute: str
    content: str


@dataclass(frozen=True, slots=True)
class Utterance:
    """One owner message with what is needed to understand it. `now` is aware, in the owner's time zone."""

    text: str
    now: datetime
    pets: Sequence[PetProfile]
    owner_name: str | None = None
    history: Sequence[SaidBefore] = ()
    focus_pet_id: str | None = None  # the pet of the page the owner writes from, or the talk's current one
    known: Sequence[KnownFact] = ()


def described(pet: PetProfile) -> str:
    """Whom a memory is about, as it stands in front of an embedded line: species, breed, name ("猫 布偶 咪咪")."""
    species = (pet.species_name or SPECIES_LABELS["other"]) if pet.species == "other" else SPECIES_LABELS[pet.species]
    return " ".join(part for part in (species, pet.breed, pet.name) if part)
