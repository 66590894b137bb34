"""The FHIR document says what the records say: valid R4B, deterministic, and readable back."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from fhir.resources.R4B.bundle import Bundle

from domain.fhir import bundle_of
from domain.pets import Pet
from domain.record_columns import RecordColumns
from domain.record_kinds import KINDS
from domain.shares import SECTIONS
from domain.vet_record import VetRecord, assemble
from domain.vet_record_rows import RecordRows
from memory.scope import Scope
from miniprogram_api.examples import RECORD_INPUTS

NOW = datetime(2026, 3, 2, 2, tzinfo=UTC)
PET = "0197f0a2-6c1e-7b44-9c55-2f1d8a4e7b10"
SCOPE = Scope("home", "owner")


def row(kind: str, number: int = 1, status: str = "active", **fields: Any) -> RecordColumns:
    read = KINDS[kind].fields.model_validate({**RECORD_INPUTS[kind], **fields})
    place = list(KINDS).index(kind)
    return KINDS[kind].table(
        id=f"0197f0a3-11d0-7a02-8f3a-{place:04}{number:08}",
        household_id="home",
        pet_id=PET,
        attribute="x",
        status=status,
        source="owner",
        recorded_at=NOW,
        recorded_by="owner",
        **read.model_dump(),
    )


def record_of(*rows: tuple[str, RecordColumns], sections: Any = SECTIONS, **pet: Any) -> VetRecord:
    known = {"name": "豆豆", "species": "dog", "breed": "柯基", "sex": "male", "neutered": True} | pet
    history = {kind: [one for name, one in rows if name == kind] for kind in KINDS}
    read = RecordRows(
        pet=Pet(id=PET, household_id="home", created_at=NOW, **known),
        others=(),
        current={},
        recent=(),
        history=history,
        counts={},
    )
    return assemble(read, sections, SCOPE, NOW, quotes=True)


def resources(bundle: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [entry["resource"] for entry in bundle["entry"] if entry["resource"]["resourceType"] == kind]


def every_kind() -> VetRecord:
    return record_of(*((kind, row(kind)) for kind in KINDS), born_on=date(2021, 5, 1), born_on_precision="month")


def test_the_document_is_valid_r4b() -> None:
    Bundle.model_validate(bundle_of(every_kind()))


@pytest.mark.parametrize(
    ("kind", "fields", "status"),
    [
        (
            "allergies",
            {"reaction": None, "category": "drug", "criticality": "unknown", "onset_on": None},
            "provisional",
        ),
        ("allergies", {"verification_status": "refuted"}, "refuted"),
        ("conditions", {"clinical_status": "resolved", "ended_on": "2026-02-01"}, "ended"),
        ("conditions", {"clinical_status": "remission", "onset_on_precision": "year"}, "active"),
        ("medications", {"ended_on": "2026-02-25"}, "ended"),
        ("medications", {"started_on": None, "dose_text": None, "frequency_text": None, "reason": None}, "active"),
        ("vaccinations", {"given_on": None, "antigens": [], "reaction": "低烧"}, "active"),
        ("dewormings", {"target": None, "given_on_precision": "month"}, "active"),
        ("observations", {"negated": True, "value": None, "unit": None, "severity": "轻微"}, "active"),
        ("observations", {"code": "temperature", "name": "体温", "value": 39.2, "unit": "℃"}, "active"),
        ("weights", {"value": 12, "unit": "jin"}, "active"),
    ],
)
def test_every_state_of_a_row_is_valid_r4b(kind: str, fields: dict[str, Any], status: str) -> None:
    Bundle.model_validate(bundle_of(record_of((kind, row(kind, status=status, **fields)))))


def test_an_empty_record_does_not_say_that_there_is_nothing() -> None:
    bundle = bundle_of(record_of())
    Bundle.model_validate(bundle)
    sections = resources(bundle, "Composition")[0]["section"]
    assert {one["emptyReason"]["coding"][0]["code"] for one in sections} == {"notasked"}
    assert resources(bundle, "AllergyIntolerance") == []


def test_no_known_allergies_is_a_statement_of_its_own() -> None:
    bundle = bundle_of(record_of(no_known_allergies=True))
    Bundle.model_validate(bundle)
    assert resources(bundle, "AllergyIntolerance")[0]["code"]["coding"][0]["code"] == "716186003"


def test_the_same_record_gives_the_same_document() -> None:
    assert bundle_of(every_kind()) == bundle_of(every_kind())


def test_what_is_not_shared_is_withheld() -> None:
    bundle = bundle_of(
        record_of(*((kind, row(kind)) for kind in KINDS), sections=("alerts",), microchip="156000000001")
    )
    Bundle.model_validate(bundle)
    told = str(bundle)
    assert "鸡肉" in told
    assert "柯基" not in told
    assert "156000000001" not in told
    assert "速诺" not in told
    reasons = {one["title"]: one.get("emptyReason") for one in resources(bundle, "Composition")[0]["section"]}
    assert reasons["用药"]["coding"][0]["code"] == "withheld"


def test_the_owners_word_is_never_confirmed() -> None:
    allergy = resources(bundle_of(every_kind()), "AllergyIntolerance")[0]
    assert allergy["verificationStatus"]["coding"][0]["code"] == "unconfirmed"
    assert allergy["meta"]["tag"][0]["code"] == "owner"


def test_the_document_reads_back_as_the_records() -> None:
    bundle = bundle_of(every_kind())
    told = RECORD_INPUTS
    patient = resources(bundle, "Patient")[0]
    animal = {part["url"]: part["valueCodeableConcept"] for part in patient["extension"][0]["extension"]}
    assert (patient["name"][0]["text"], patient["gender"], patient["birthDate"]) == ("豆豆", "male", "2021-05")
    assert animal["species"]["coding"][0]["code"] == "448771007"
    assert animal["breed"]["text"] == "柯基"
    assert animal["genderStatus"]["coding"][0]["code"] == "neutered"

    allergy = resources(bundle, "AllergyIntolerance")[0]
    assert allergy["code"]["text"] == told["allergies"]["substance"]
    assert allergy["code"]["coding"][0]["code"] == "chicken"
    assert allergy["category"] == [told["allergies"]["category"]]
    assert allergy["criticality"] == told["allergies"]["criticality"]
    assert allergy["onsetDateTime"] == told["allergies"]["onset_on"]
    assert allergy["reaction"][0]["manifestation"][0]["text"] == told["allergies"]["reaction"]

    condition = resources(bundle, "Condition")[0]
    assert condition["code"]["text"] == f"{told['conditions']['name']} {told['conditions']['stage']}"
    assert condition["clinicalStatus"]["coding"][0]["code"] == told["conditions"]["clinical_status"]

    drug, wormer = resources(bundle, "MedicationStatement")
    assert drug["medicationCodeableConcept"]["text"] == told["medications"]["product"]
    assert drug["effectivePeriod"] == {"start": told["medications"]["started_on"]}
    assert drug["dosage"][0]["text"] == "一天两次，一次半片"
    assert drug["reasonCode"][0]["text"] == told["medications"]["reason"]
    assert (wormer["status"], wormer["effectiveDateTime"]) == ("completed", told["dewormings"]["given_on"])

    shot = resources(bundle, "Immunization")[0]
    assert shot["vaccineCode"]["text"] == told["vaccinations"]["product"]
    assert shot["occurrenceDateTime"] == told["vaccinations"]["given_on"]
    assert shot["lotNumber"] == told["vaccinations"]["lot_number"]
    assert shot["protocolApplied"][0]["targetDisease"][0]["text"] == "rabies"

    weight, sign = resources(bundle, "Observation")
    assert weight["valueQuantity"]["value"] == told["weights"]["value"]
    assert sign["code"]["text"] == told["observations"]["name"]
    assert sign["valueString"] == "2次"


def test_twelve_jin_are_six_kilograms() -> None:
    bundle = bundle_of(record_of(("weights", row("weights", value=12, unit="jin"))))
    assert resources(bundle, "Observation")[0]["valueQuantity"]["value"] == 6


def test_owners_words_cannot_break_the_markup() -> None:
    bundle = bundle_of(record_of(("allergies", row("allergies", substance="<script>alert(1)</script>&"))))
    Bundle.model_validate(bundle)
    assert "<script>" not in resources(bundle, "Composition")[0]["section"][0]["text"]["div"]


@pytest.mark.parametrize(("number", "said"), [(3, {"doseNumberPositiveInt": 3}), (None, {"doseNumberString": "不详"})])
def test_a_vaccination_says_which_dose_it_was(number: int | None, said: dict[str, object]) -> None:
    bundle = bundle_of(record_of(("vaccinations", row("vaccinations", dose_number=number, antigens=["FPV"]))))
    Bundle.model_validate(bundle)
    protocol = resources(bundle, "Immunization")[0]["protocolApplied"][0]
    assert {name: value for name, value in protocol.items() if name.startswith("dose")} == said
