"""Open questions as a vet sees them: what stands on record, what the new statement says, and who has to settle it.

The line of the new statement is rendered from its slot and typed value, as a record's line would be; memory's own
prose is never shown. Pure.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from domain.attributes import spec_of
from domain.knowledge.allergens import load_allergens
from domain.shares import Section
from domain.vet_other_pets import OtherPets
from memory.confirmations import Confirmation
from memory.personal_numbers import mask_numbers
from memory.scope import Scope
from memory.vocabulary import AttributeClass

_SECTIONS: Mapping[AttributeClass, Section] = {
    AttributeClass.ALLERGY: "alerts",
    AttributeClass.CHRONIC_CONDITION: "conditions",
    AttributeClass.MEDICATION: "medications",
    AttributeClass.VACCINE: "prevention",
    AttributeClass.DEWORMING: "prevention",
    AttributeClass.WEIGHT: "growth",
    AttributeClass.VISIT: "visits",
    AttributeClass.SYMPTOM: "observations",
    AttributeClass.DIET_PREFERENCE: "diet",
}
_PROFILE = ("neutered", "species", "sex", "birth_date", "age", "microchip")
_NAMES = ("substance_name", "product", "name", "food", "text", "brand", "ingredient", "substance")


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """kind: change, new_danger, merge or import. section: whose record it would change. about: what it is about, in
    the record's words, None when nothing typed tells. denies: the new statement says that it does not hold (any more).
    on_record: whether something stands on record meanwhile."""

    id: str
    kind: str
    section: str
    about: str | None
    denies: bool
    on_record: bool
    asked_on: date


def question_of(
    confirmation: Confirmation, sections: Collection[str], scope: Scope, others: OtherPets
) -> OpenQuestion | None:
    """The question for a vet; None when it is about a part that is not shared."""
    section = _section(confirmation.attribute)
    if section is None or section not in sections:
        return None
    new, old = confirmation.new, confirmation.old
    about = _named((old or {}).get("value")) or _named(new.get("value"))
    return OpenQuestion(
        id=confirmation.id,
        kind=confirmation.kind,
        section=section,
        about=others.without(mask_numbers(about)) if about else None,
        denies=bool(new.get("negated")),
        on_record=old is not None,
        asked_on=scope.local(confirmation.asked_again_at or confirmation.created_at).date(),
    )


def _section(attribute: str) -> str | None:
    if attribute in _PROFILE:
        return "identity"
    return _SECTIONS.get(spec_of(attribute).attribute_class)


def _named(value: Any) -> str | None:
    if not isinstance(value, Mapping):
        return None
    held = next((str(value[name]) for name in _NAMES if value.get(name)), None)
    allergen = load_allergens().find(held) if held else None
    held = allergen.name_zh if allergen else held
    number = value.get("number")
    if number is not None:
        return f"{held or ''}{number:g}{value.get('unit') or ''}"
    return held
