"""Code systems of the FHIR document: HL7's, LOINC, and our own where veterinary medicine has none. Pure.

An own code is given only where our lists know the thing; the owner's words always stand beside it as `text`.
"""

from typing import Any

from domain.knowledge.allergens import load_allergens
from domain.knowledge.breeds import load_breeds
from domain.knowledge.medications import load_medications
from domain.slot_keys import slot_key

Json = dict[str, Any]

HL7 = "http://terminology.hl7.org/CodeSystem"
LOINC = "http://loinc.org"
SNOMED = "http://snomed.info/sct"
UCUM = "http://unitsofmeasure.org"
OWN = "urn:pawsignal:fhir"
_SPECIES = {"dog": ("448771007", "Canis lupus familiaris"), "cat": ("448169003", "Felis catus")}


def concept(text: str | None = None, *codings: Json | None) -> Json:
    """A CodeableConcept of the words and of the codings that there are."""
    given = [coding for coding in codings if coding is not None]
    return ({"coding": given} if given else {}) | ({"text": text} if text else {})


def coding(system: str, code: str, display: str | None = None) -> Json:
    """One Coding."""
    return {"system": system, "code": code} | ({"display": display} if display else {})


def hl7(system: str, code: str) -> Json:
    """A concept of one of HL7's own code systems."""
    return concept(None, coding(f"{HL7}/{system}", code))


def species_coding(species: str) -> Json | None:
    """SNOMED CT's organism for a dog or a cat."""
    known = _SPECIES.get(species)
    return coding(SNOMED, *known) if known else None


def breed_coding(breed: str) -> Json | None:
    """Our own breed code."""
    known = load_breeds().find(breed)
    return coding(f"{OWN}:pet-breed", known.id) if known else None


def allergen_coding(substance: str) -> Json | None:
    """Our own allergen code, or that of the drug."""
    key = slot_key("allergy", substance).partition(":")[2]
    allergen = load_allergens().find(key)
    return coding(f"{OWN}:pet-allergen", allergen.id) if allergen else _drug(key)


def drug_coding(product: str) -> Json | None:
    """Our own code of the active ingredient."""
    return _drug(slot_key("medication", product).partition(":")[2])


def _drug(key: str) -> Json | None:
    return coding(f"{OWN}:pet-drug", key) if key in load_medications().drugs else None
