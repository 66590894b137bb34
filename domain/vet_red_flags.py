"""Which recent observations a vet must see first: those that triage would send an owner to a clinic for. Pure."""

from datetime import date
from functools import lru_cache

from domain.pet_profiles import PetProfile
from domain.triage import triage

GRAVE = ("emergency", "urgent")


def red_flag_level(words: str, pet: PetProfile, today: date) -> str | None:
    """emergency (now) or urgent (within a day) for an observation in these words; None for all others."""
    return _level(words, pet.species, pet.sex, pet.born_on, today)


@lru_cache(maxsize=2048)  # the same few signs come again and again, and a page asks for dozens
def _level(words: str, species: str, sex: str, born_on: date | None, today: date) -> str | None:
    profile = PetProfile("pet", "它", species, sex=sex, born_on=born_on)  # type: ignore[arg-type]  # from a profile
    levels = [alert.level for alert in triage(words, (profile,), "pet", today)]
    return next((level for level in GRAVE if level in levels), None)
