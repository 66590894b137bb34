"""One clinical row as one FHIR R4 resource. Pure: a row in, a resource out.

The owner's word is never `confirmed`: only what a vet wrote whom the owner knows is. A date nobody knows is left out,
or written as words where FHIR demands one.
"""

from collections.abc import Callable, Mapping

from domain.fhir_codes import LOINC, OWN, UCUM, Json, allergen_coding, coding, concept, drug_coding, hl7
from domain.vet_record import Row

CURRENT = ("active", "provisional")
_CATEGORIES = {"food": "food", "drug": "medication", "environment": "environment"}
_OBSERVATION_CATEGORIES = {"temperature": "vital-signs", "lab": "laboratory", "activity": "activity"}
_UNKNOWN_DATE = "日期不详"
AI_ASSERTED = coding("http://terminology.hl7.org/CodeSystem/v3-ObservationValue", "AIAST", "AI生成")


def resource_of(row: Row, pet: str) -> Json:
    """The resource of a row, about the animal with this full url; visits and diets have none. Raises KeyError."""
    made = _MAKERS[row.kind](row, pet)
    notes = [row.note] if row.note else []
    told = [{"text": note} for note in [*notes, *(quote.text for quote in row.quotes if quote.text)]]
    shared = {"note": [*made.get("note", []), *told]} if told or "note" in made else {}
    return {"resourceType": made["resourceType"], "id": row.id, "meta": {"tag": _tags(row)}, **made, **shared}


def has_resource(kind: str) -> bool:
    """Whether rows of this kind become resources; the others stand in their section's text."""
    return kind in _MAKERS


def dated(row: Row) -> str | None:
    """2026-03-01, 2026-03 or 2026, as exact as it is known."""
    if row.on is None or row.precision == "unknown":
        return None
    return {"year": f"{row.on:%Y}", "month": f"{row.on:%Y-%m}"}.get(row.precision, row.on.isoformat())


def reference(url: str) -> Json:
    """A reference inside the Bundle."""
    return {"reference": url}


def _fact(row: Row, name: str) -> str | None:
    return next((str(fact.value) for fact in row.facts if fact.name == name), None)


def _tags(row: Row) -> list[Json]:
    tags = [coding(f"{OWN}:source", row.source), coding(f"{OWN}:confidence", row.confidence)]
    return [*tags, AI_ASSERTED] if row.ai_generated else tags


def _given(**parts: object) -> Json:
    return {name: part for name, part in parts.items() if part is not None}


def _certainty(row: Row) -> str:
    if row.status == "refuted":
        return "refuted"
    return "confirmed" if row.confidence == "verified" else "unconfirmed"


def _allergy(row: Row, pet: str) -> Json:
    category, reaction = _CATEGORIES.get(_fact(row, "category") or ""), _fact(row, "reaction")
    claimed = {"note": [{"text": "主人称已确诊"}]} if _fact(row, "verification_status") == "confirmed" else {}
    return claimed | _given(
        resourceType="AllergyIntolerance",
        clinicalStatus=hl7("allergyintolerance-clinical", "active" if row.status in CURRENT else "inactive"),
        verificationStatus=hl7("allergyintolerance-verification", _certainty(row)),
        category=[category] if category else None,
        criticality=_fact(row, "criticality") or "unable-to-assess",
        code=concept(row.title, allergen_coding(row.title)),
        patient=reference(pet),
        onsetDateTime=dated(row),
        recordedDate=row.recorded_on.isoformat(),
        reaction=[{"manifestation": [concept(reaction)]}] if reaction else None,
    )


def _condition(row: Row, pet: str) -> Json:
    ended = _fact(row, "ended_on")
    told = _fact(row, "clinical_status") or "active"
    status = "resolved" if told == "active" and (ended or row.status not in CURRENT) else told
    return _given(
        resourceType="Condition",
        clinicalStatus=hl7("condition-clinical", status),
        verificationStatus=hl7("condition-ver-status", _certainty(row)),
        category=[hl7("condition-category", "problem-list-item")],
        code=concept(row.title),
        subject=reference(pet),
        onsetDateTime=dated(row),
        abatementDateTime=ended,
        recordedDate=row.recorded_on.isoformat(),
    )


def _medication(row: Row, pet: str) -> Json:
    ended, reason = _fact(row, "ended_on"), _fact(row, "reason")
    dosage = "，".join(part for part in (_fact(row, "frequency_text"), _fact(row, "dose_text")) if part)
    status = "active" if row.status in CURRENT and not ended else "stopped"
    return _given(
        resourceType="MedicationStatement",
        status="entered-in-error" if row.status == "refuted" else status,
        medicationCodeableConcept=concept(row.title, drug_coding(row.title)),
        subject=reference(pet),
        effectivePeriod=_given(start=dated(row), end=ended) or None,
        dateAsserted=row.recorded_on.isoformat(),
        reasonCode=[concept(reason)] if reason else None,
        dosage=[{"text": dosage}] if dosage else None,
    )


def _deworming(row: Row, pet: str) -> Json:
    target = _fact(row, "target")
    return _given(
        resourceType="MedicationStatement",
        status="completed",
        category=concept("驱虫", coding(f"{OWN}:deworming", target) if target else None),
        medicationCodeableConcept=concept(row.title, drug_coding(row.title)),
        subject=reference(pet),
        effectiveDateTime=dated(row),
        dateAsserted=row.recorded_on.isoformat(),
    )


def _immunization(row: Row, pet: str) -> Json:
    when, antigens, reaction = dated(row), _fact(row, "antigens"), _fact(row, "reaction")
    clinic, number = _fact(row, "clinic"), _fact(row, "dose_number")
    diseases = [concept(name) for name in (antigens or "").split("、") if name]
    return _given(
        resourceType="Immunization",
        status="completed",
        vaccineCode=concept(row.title),
        patient=reference(pet),
        occurrenceDateTime=when,
        occurrenceString=None if when else _UNKNOWN_DATE,
        recorded=row.recorded_on.isoformat(),
        primarySource=row.confidence == "verified",
        lotNumber=_fact(row, "lot_number"),
        performer=[{"actor": {"display": clinic}}] if clinic else None,
        protocolApplied=[_protocol(diseases, number)] if diseases or number else None,
        note=[{"text": f"接种后反应：{reaction}"}] if reaction else None,
    )


def _protocol(diseases: list[Json], number: str | None) -> Json:
    """FHIR R4 Immunization.protocolApplied, where the dose number is required."""
    dose = {"doseNumberPositiveInt": int(number)} if number else {"doseNumberString": "不详"}
    return _given(targetDisease=diseases or None, **dose)


def _weight(row: Row, pet: str) -> Json:
    value = {"value": row.weight_kg, "unit": "kg", "system": UCUM, "code": "kg"}
    return _observation(row, pet, "vital-signs", concept(row.title, coding(LOINC, "29463-7", "Body weight"))) | {
        "valueQuantity": value
    }


def _seen(row: Row, pet: str) -> Json:
    kind, measured = _fact(row, "code") or "symptom", _fact(row, "measured")
    known = coding(LOINC, "8310-5", "Body temperature") if kind == "temperature" else None
    code = concept(row.title, known, coding(f"{OWN}:observation", kind))
    severity = _fact(row, "result") or _fact(row, "severity")
    made = _observation(row, pet, _OBSERVATION_CATEGORIES.get(kind, "survey"), code)
    value: Json = {"valueString": measured} if measured else {"valueBoolean": not row.denied}
    return made | value | ({"interpretation": [concept(severity)]} if severity else {})


def _observation(row: Row, pet: str, category: str, code: Json) -> Json:
    return _given(
        resourceType="Observation",
        status="entered-in-error" if row.status == "refuted" else "final",
        category=[hl7("observation-category", category)],
        code=code,
        subject=reference(pet),
        effectiveDateTime=dated(row),
    )


_MAKERS: Mapping[str, Callable[[Row, str], Json]] = {
    "allergies": _allergy,
    "conditions": _condition,
    "medications": _medication,
    "vaccinations": _immunization,
    "dewormings": _deworming,
    "weights": _weight,
    "observations": _seen,
}
