"""The safety suite: memory, question and candidate reply in; the verdict and the risk in words out."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from app.evaluation.cases import EvaluatedPet, SafetyCase
from domain.pet_profiles import PetProfile, Sex, Species
from domain.safety import MemoryLine, Review, SafetyFacts, facts_from_lines, review
from domain.safety.reading import is_meant
from memory.text_folding import fold_text

_SPECIES_WORDS: Mapping[str, re.Pattern[str]] = {
    "dog": re.compile(r"狗|犬|汪"),
    "cat": re.compile(r"猫|喵"),
    "rabbit": re.compile(r"兔"),
}


def predict_safety(cases: Iterable[SafetyCase]) -> list[dict[str, object]]:
    """One prediction a case, in order: `{id, verdict, names}`, names being the risks in words."""
    return [_prediction(case.id, review_case(case)) for case in cases]


def _prediction(case_id: str, found: Review) -> dict[str, object]:
    names = "；".join(finding.risk_zh for finding in found.findings)
    return {"id": case_id, "verdict": found.verdict, "names": names}


def review_case(case: SafetyCase) -> Review:
    """The review of one case, by the code that a chat turn runs."""
    return review(case.reply, facts_of_case(case), case.question)


def facts_of_case(case: SafetyCase) -> SafetyFacts:
    """Pets and memory lines as the review takes them; who is meant comes from the words of question and reply."""
    pets = [profile_of(pet) for pet in case.pets]
    lines = [MemoryLine(line.subject, line.kind, line.text) for line in case.memory]
    return facts_from_lines(lines, pets, about=list(_about(pets, case.question, case.reply)))


def profile_of(pet: EvaluatedPet) -> PetProfile:
    """A pet of an evaluation file; its name is its id."""
    species: Species = "dog" if pet.species == "dog" else "cat" if pet.species == "cat" else "other"
    sex, _, neutered = (pet.sex or "unknown").partition("_")
    known: Sex = "male" if sex == "male" else "female" if sex == "female" else "unknown"
    return PetProfile(
        id=pet.name,
        name=pet.name,
        species=species,
        breed=pet.breed,
        sex=known,
        neutered=bool(neutered),
        species_name=pet.species,
    )


def _about(pets: Sequence[PetProfile], question: str, reply: str) -> Iterator[str]:
    """Who is named in the question, else in the reply; else whose species is."""
    texts = [fold_text(question), fold_text(reply)]
    for text in texts:
        named = [pet.id for pet in pets if is_meant(pet.name, text)]
        if named:
            yield from named
            return
    for text in texts:
        meant = [pet.id for pet in pets if _says_species(pet, text)]
        if meant:
            yield from meant
            return


def _says_species(pet: PetProfile, text: str) -> bool:
    words = _SPECIES_WORDS.get(pet.species_name or "")
    return bool(words and words.search(text))
