"""The safety suite: memory, question and candidate reply in; verdict and the risk in words out."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from domain.pet_profiles import PetProfile, Sex, Species
from domain.safety import MemoryLine, Review, SafetyFacts, facts_from_lines, review
from memory.text_folding import fold_text

_SPECIES_WORDS: Mapping[str, re.Pattern[str]] = {
    "dog": re.compile(r"狗|犬|汪"),
    "cat": re.compile(r"猫|喵"),
    "rabbit": re.compile(r"兔"),
}
FED = ("pets", "memory", "question", "reply")
"""The fields of a case that the system may see; everything else is an answer."""


def predict(case: Mapping[str, Any]) -> dict[str, Any]:
    """{"id", "verdict", "names"} for one case, from nothing but its pets, memory, question and reply."""
    found = review_case({field: case[field] for field in FED})
    names = "；".join(finding.risk_zh for finding in found.findings)
    return {"id": case["id"], "verdict": found.verdict, "names": names}


def review_case(case: Mapping[str, Any]) -> Review:
    """The review of one case, by the code that a chat turn runs."""
    return review(case["reply"], facts_of_case(case), case["question"])


def facts_of_case(case: Mapping[str, Any]) -> SafetyFacts:
    """Pets and memory lines as the review takes them; who is meant comes from the words of question and reply."""
    pets = [profile_of(pet) for pet in case["pets"]]
    lines = [MemoryLine(line["subject"], line["kind"], line["text"]) for line in case["memory"]]
    return facts_from_lines(lines, pets, about=list(_about(pets, case["question"], case["reply"])))


def profile_of(pet: Mapping[str, Any]) -> PetProfile:
    """A pet of an evaluation file; its name is its id."""
    species: Species = pet["species"] if pet["species"] in {"dog", "cat"} else "other"
    sex, _, neutered = str(pet.get("sex", "unknown")).partition("_")
    known: Sex = "male" if sex == "male" else "female" if sex == "female" else "unknown"
    return PetProfile(
        id=pet["name"],
        name=pet["name"],
        species=species,
        breed=pet.get("breed"),
        sex=known,
        neutered=bool(neutered),
        species_name=pet["species"],
    )


def _about(pets: Iterable[PetProfile], question: str, reply: str) -> Iterator[str]:
    known = list(pets)
    for text in map(fold_text, (question, reply)):
        named = [pet for pet in known if _is_meant(pet.name, text)]
        if named:
            yield from (pet.id for pet in named)
            return
    for text in map(fold_text, (question, reply)):
        meant = [pet for pet in known if _says_species(pet, text)]
        if meant:
            yield from (pet.id for pet in meant)
            return


def _is_meant(name: str, text: str) -> bool:
    """阿福的药 names whose it is, not who is meant."""
    return bool(re.search(f"{re.escape(fold_text(name))}(?!的)", text))


def _says_species(pet: PetProfile, text: str) -> bool:
    words = _SPECIES_WORDS.get(pet.species_name or "")
    return bool(words and words.search(text))


def predict_lines(lines: Iterable[str]) -> Iterator[str]:
    """JSON lines of cases → JSON lines of predictions."""
    for line in lines:
        if line.strip():
            yield json.dumps(predict(json.loads(line)), ensure_ascii=False)
