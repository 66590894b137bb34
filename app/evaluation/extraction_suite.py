"""The extraction suite: blind messages in, what a chat turn would learn from them out, in the evaluation's format."""

from collections.abc import Iterable
from datetime import date

from app.evaluation.cases import EvaluatedPet, ExtractionCase
from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Sex, Species, Utterance
from memory.claims import Claim
from memory.vocabulary import Certainty

_SPECIES: dict[str, Species] = {"dog": "dog", "cat": "cat"}
_SEXES: dict[str, Sex] = {"male": "male", "female": "female"}
_TIMED = ("time", "times", "recurrence")


def predict_extraction(cases: Iterable[ExtractionCase]) -> list[dict[str, object]]:
    """One prediction a case, in order: `{id, memories, clarify}`."""
    return [_predict(case) for case in cases]


def _predict(case: ExtractionCase) -> dict[str, object]:
    said = extract(utterance_of(case))
    return {"id": case.id, "memories": [memory_of(claim) for claim in said.claims], "clarify": said.clarify}


def utterance_of(case: ExtractionCase) -> Utterance:
    """The message as the product gets it; a pet's name serves as its id."""
    return Utterance(
        text=case.text,
        now=case.now,
        pets=tuple(profile_of(pet) for pet in case.pets),
        owner_name=case.owner_name,
        history=tuple(SaidBefore(turn.role, turn.text) for turn in case.history),
    )


def profile_of(pet: EvaluatedPet) -> PetProfile:
    """A pet of a case as pure code sees it; `female_neutered` is a sex and a state."""
    sex, _, state = (pet.sex or "").partition("_")
    species = _SPECIES.get(pet.species, "other")
    return PetProfile(
        id=pet.name,
        name=pet.name,
        species=species,
        breed=pet.breed,
        sex=_SEXES.get(sex, "unknown"),
        neutered=(state == "neutered") if sex else None,
        born_on=_born_on(pet.birth),
        species_name=pet.species if species == "other" else None,
    )


def _born_on(birth: str | None) -> date | None:
    """The first day that "2021", "2021-03" or "2021-03-14" allows."""
    if not birth:
        return None
    year, month, day = ([int(part) for part in birth.split("-")] + [1, 1])[:3]
    return date(year, month, day)


def memory_of(claim: Claim) -> dict[str, object]:
    """A claim as the evaluation compares it."""
    value = {key: claim.value[key] for key in ("number", "unit", *_TIMED) if key in claim.value}
    return {
        "subject": claim.subject,
        "topic": str(claim.topic),
        "kind": str(claim.attribute_class),
        "text": claim.content,
        "negated": claim.negated,
        "uncertain": claim.certainty is not Certainty.PLAIN,
        **({"value": value} if value else {}),
        **({"date": claim.occurred_on.isoformat()} if claim.occurred_on else {}),
    }
