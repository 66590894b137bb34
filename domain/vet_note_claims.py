"""The statements of a vet's note, in the shape that the owner's talk is weighed in. Pure.

What the form lists (allergies, illnesses, drugs) becomes a claim as it stands. Free text is read by the rules that read
an owner's messages, and only for what makes later answers more careful; the visit itself is a record of its own.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from domain.attributes import spec_of
from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance
from domain.slot_keys import slot_key
from domain.vet_note_fields import VetNoteFields
from memory.claims import Claim, Evidence
from memory.vocabulary import SpeechAct

_FREE_TEXT = ("diagnosis", "treatment", "note")
_LABELS = {"reason": "主诉", "diagnosis": "诊断", "treatment": "处理", "note": "备注"}


def text_of(fields: VetNoteFields) -> str:
    """The note as one text, a line each; claims quote these lines."""
    lines = [f"{label}：{value}" for name, label in _LABELS.items() if (value := getattr(fields, name))]
    lines += [quote for quote, *_ in _listed(fields)]
    if fields.next_on:
        lines.append(f"复诊：{fields.next_on.isoformat()}")
    return "\n".join(lines)


def claims_of(fields: VetNoteFields, pet: PetProfile, at: datetime) -> tuple[Claim, ...]:
    """What the note states about dangers; `at` is local time. The form's own lists come first and win their slot."""
    text = text_of(fields)
    found = {
        (claim.attribute, claim.negated): claim
        for claim in (*_read(fields, pet, at, text), *(_claim(pet, text, *one) for one in _listed(fields)))
    }
    return tuple(found.values())


def _listed(fields: VetNoteFields) -> Iterator[tuple[str, str, Mapping[str, Any], bool]]:
    """Quote, slot, value and denial of everything that stands in a list."""
    for allergy in fields.allergies:
        reaction = f"（{allergy.reaction}）" if allergy.reaction else ""
        value = {"substance_name": allergy.substance} | ({"reaction": allergy.reaction} if allergy.reaction else {})
        yield f"对{allergy.substance}过敏{reaction}", slot_key("allergy", allergy.substance), value, False
    for substance in fields.not_allergic_to:
        yield f"对{substance}不过敏", slot_key("allergy", substance), {"substance_name": substance}, True
    for name in fields.conditions:
        yield f"有{name}", slot_key("condition", name), {"name": name}, False
    for drug in fields.medications_started:
        details = "，".join(part for part in (drug.frequency_text, drug.dose_text) if part)
        value = drug.model_dump(exclude_none=True)
        quote = f"在用{drug.product}" + (f"，{details}" if details else "")
        yield quote, slot_key("medication", drug.product), value, False
    for product in fields.medications_stopped:
        yield f"停用{product}", slot_key("medication", product), {"product": product}, True


def _claim(pet: PetProfile, text: str, quote: str, attribute: str, value: Mapping[str, Any], negated: bool) -> Claim:
    spec = spec_of(attribute)
    start = text.index(quote)
    return Claim(
        subject=pet.id,
        attribute=attribute,
        attribute_class=spec.attribute_class,
        topic=spec.topic,
        content=f"{pet.name}{quote}",
        evidence=Evidence(quote, start, start + len(quote)),
        value=value,
        negated=negated,
        act=SpeechAct.DECISION if negated else SpeechAct.STATEMENT,
        kind=spec.kind,
        memory_type=spec.memory_type,
        weight_level=spec.weight_level,
    )


def _read(fields: VetNoteFields, pet: PetProfile, at: datetime, text: str) -> Iterator[Claim]:
    """Guarding statements of the free text, grounded in the whole note."""
    for name in _FREE_TEXT:
        said = getattr(fields, name)
        if not said:
            continue
        for claim in extract(Utterance(said, at, (pet,), focus_pet_id=pet.id)).claims:
            if spec_of(claim.attribute).guards and claim.subject == pet.id and claim.evidence.quote in text:
                yield claim
