"""Food and chews made for dogs of another size: a large dog's kibble is not for a small one, nor vice versa."""

import re
from collections.abc import Iterator

from domain.knowledge.breeds import load_breeds
from domain.pet_profiles import PetProfile
from domain.safety.facts import PetFacts, SafetyFacts
from domain.safety.findings import Finding
from domain.safety.memory_lines import ADULT_MONTHS
from domain.safety.reading import Reading
from domain.safety.stance import Stance

SMALL_BELOW_KG, LARGE_FROM_KG = 10.0, 25.0  # grown weight (vitals.yaml, size_classes); between them either may do

_FOOD = r"[^,]{0,5}(?:粮|罐|主食|配方|饭|磨牙|咬胶|洁齿|骨头|零食|款|吃的|食)"
_FOR_LARGE = re.compile(rf"(?:大|巨|超大)型(?:品种)?(?:的)?(?:犬|狗)?(?:的|用|专用)?{_FOOD}")
_FOR_SMALL = re.compile(rf"(?:小型(?:品种)?(?:的)?(?:犬|狗)?|迷你(?:犬|型)?|玩具犬)(?:的|用|专用)?{_FOOD}")
_WEIGHT = re.compile(r"体重\D{0,2}(\d+(?:\.\d+)?)(kg|公斤|千克|斤)")


def find_size_risks(reading: Reading, facts: SafetyFacts) -> Iterator[Finding]:
    """Recommended food for large dogs where a small one would get it, and for small ones where a large one would."""
    for position, clause in enumerate(reading.clauses):
        endorsed = clause is reading.verdict_clause and reading.endorsed is Stance.RECOMMENDS
        talk = f"{clause.text},{reading.question}" if endorsed else clause.text
        if not endorsed and clause.verdict is not Stance.RECOMMENDS:
            continue
        for pet in reading.takers[position] or facts.concerned:
            risk = size_risk(talk, pet.profile, _grown_kg(pet))
            if risk:
                yield Finding("food_size", risk, clause.start, clause.end)


def size_risk(talk: str, pet: PetProfile, grown_kg: float | None) -> str:
    """Why food that is spoken of does not fit a dog of this size; "" when it does, or nothing is known."""
    if pet.species != "dog" or grown_kg is None:
        return ""
    if grown_kg < SMALL_BELOW_KG and _FOR_LARGE.search(talk) and not _FOR_SMALL.search(talk):
        return f"{pet.name}是小型犬，大型犬的粮和咬胶颗粒大、配方也不一样，不合适"
    if grown_kg >= LARGE_FROM_KG and _FOR_SMALL.search(talk) and not _FOR_LARGE.search(talk):
        return f"{pet.name}是大型犬，小型犬的粮和咬胶太小，容易整吞，不合适"
    return ""


def breed_kg(pet: PetProfile) -> float | None:
    """The middle of the breed's grown weight; None for an unknown breed or another species."""
    breed = load_breeds().find(pet.breed)
    return None if breed is None or breed.species != pet.species else sum(breed.adult_weight_kg) / 2


def _grown_kg(pet: PetFacts) -> float | None:
    """What it weighs once it is grown: by its own weight, else by its breed."""
    grown = pet.age_months is None or pet.age_months >= ADULT_MONTHS
    for line in pet.lines:
        if grown and pet.age_months is not None and (found := _WEIGHT.search(line)):
            return float(found[1]) * (0.5 if found[2] == "斤" else 1.0)
    return breed_kg(pet.profile)
