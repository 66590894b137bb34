"""The nine kinds of clinical record in one table: rows, input, slot, line, and when it happened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from domain import (
    allergies,
    conditions,
    dewormings,
    diets,
    medications,
    observations,
    vaccinations,
    visits,
    weights,
)
from domain.errors import NotFound
from domain.record_columns import RecordColumns, RecordFields
from domain.slot_keys import slot_key
from memory.vocabulary import AttributeClass, Precision

Happened = tuple[date | datetime | None, Precision]


@dataclass(frozen=True, slots=True)
class RecordKind:
    """How one kind is stored and spoken of.

    name: the word of the API's path. slot: the attribute a row fills. line: the Chinese sentence of the mirror.
    happened: when it took place in the world, with its precision. safety: current rows belong on the safety card.
    """

    name: str
    label: str
    table: type[RecordColumns]
    fields: type[RecordFields]
    attribute_class: AttributeClass
    slot: Callable[[Any], str]
    line: Callable[[str, Any], str]
    happened: Callable[[Any], Happened]
    safety: bool = False

    def read(self, row: RecordColumns) -> RecordFields:
        """The kind's own fields of a row."""
        return self.fields.model_validate({name: getattr(row, name) for name in self.fields.model_fields})


def _on(name: str) -> Callable[[Any], Happened]:
    def happened(fields: Any) -> Happened:
        return getattr(fields, f"{name}_on"), Precision(getattr(fields, f"{name}_on_precision"))

    return happened


def _at(name: str) -> Callable[[Any], Happened]:
    def happened(fields: Any) -> Happened:
        return getattr(fields, name), Precision.DAY if getattr(fields, name) else Precision.UNKNOWN

    return happened


_OBSERVATION_SLOTS = {"symptom": "symptom", "lab": "lab"}

KINDS: Mapping[str, RecordKind] = {
    kind.name: kind
    for kind in (
        RecordKind(
            "allergies",
            "过敏",
            allergies.Allergy,
            allergies.AllergyFields,
            AttributeClass.ALLERGY,
            lambda fields: slot_key("allergy", fields.substance),
            allergies.line,
            _on("onset"),
            safety=True,
        ),
        RecordKind(
            "conditions",
            "疾病",
            conditions.Condition,
            conditions.ConditionFields,
            AttributeClass.CHRONIC_CONDITION,
            lambda fields: slot_key("condition", fields.name),
            conditions.line,
            _on("onset"),
            safety=True,
        ),
        RecordKind(
            "medications",
            "用药",
            medications.Medication,
            medications.MedicationFields,
            AttributeClass.MEDICATION,
            lambda fields: slot_key("medication", fields.product),
            medications.line,
            _on("started"),
            safety=True,
        ),
        RecordKind(
            "vaccinations",
            "疫苗",
            vaccinations.Vaccination,
            vaccinations.VaccinationFields,
            AttributeClass.VACCINE,
            lambda fields: slot_key("vaccine", fields.product),
            vaccinations.line,
            _on("given"),
        ),
        RecordKind(
            "dewormings",
            "驱虫",
            dewormings.Deworming,
            dewormings.DewormingFields,
            AttributeClass.DEWORMING,
            lambda fields: slot_key("deworming", fields.product),
            dewormings.line,
            _on("given"),
        ),
        RecordKind(
            "weights",
            "体重",
            weights.Weight,
            weights.WeightFields,
            AttributeClass.WEIGHT,
            lambda _fields: "weight",
            weights.line,
            _at("measured_at"),
        ),
        RecordKind(
            "visits",
            "就诊",
            visits.Visit,
            visits.VisitFields,
            AttributeClass.VISIT,
            lambda _fields: "visit",
            visits.line,
            _on("visited"),
        ),
        RecordKind(
            "observations",
            "观察",
            observations.Observation,
            observations.ObservationFields,
            AttributeClass.SYMPTOM,
            lambda fields: slot_key(_OBSERVATION_SLOTS.get(fields.code, "symptom"), fields.name),
            observations.line,
            _at("occurred_at"),
        ),
        RecordKind(
            "diets",
            "饮食",
            diets.Diet,
            diets.DietFields,
            AttributeClass.DIET_PREFERENCE,
            lambda fields: "diet.prescription" if fields.prescription else "diet.staple_food",
            diets.line,
            _on("started"),
        ),
    )
}

SAFETY_KINDS = tuple(kind for kind in KINDS.values() if kind.safety)


def kind_named(name: str) -> RecordKind:
    """Raises NotFound for a word that is no record kind."""
    try:
        return KINDS[name]
    except KeyError:
        raise NotFound("没有这种档案") from None
