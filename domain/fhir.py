"""A shared record as an HL7 FHIR R4 document Bundle. Pure and deterministic: the same record gives the same document.

Shaped after the International Patient Summary, whose conformance it does not claim: it is written for people. Where
FHIR has no veterinary code the words stand in `text`, beside a code of our own where our lists know one. A part that
was not shared says `withheld`; one without entries says that nobody asked, never that there is nothing.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from uuid import NAMESPACE_URL, uuid5

from domain.ai_labels import IS, MAY_BE, PRODUCER, AiLabel, Certainty
from domain.fhir_codes import LOINC, OWN, SNOMED, Json, breed_coding, coding, concept, hl7, species_coding
from domain.fhir_resources import AI_ASSERTED, dated, has_resource, reference, resource_of
from domain.vet_record import Identity, Row, VetRecord

PRODUCT = "宠爱信号 PawSignal"
MEDIA_TYPE = "application/fhir+json"
WITHOUT_ENTRIES = datetime(1970, 1, 1, tzinfo=UTC)  # the time of a record that nothing was ever entered in
_ANIMAL = "http://hl7.org/fhir/StructureDefinition/patient-animal"
_ABSENT = "http://hl7.org/fhir/StructureDefinition/data-absent-reason"
_GENDERS = "http://hl7.org/fhir/animal-genderstatus"
_XHTML = "http://www.w3.org/1999/xhtml"
_SECTIONS: tuple[tuple[str, str, str | None, tuple[str, ...]], ...] = (
    ("alerts", "过敏与不耐受", "48765-2", ("allergies",)),
    ("medications", "用药", "10160-0", ("medications",)),
    ("conditions", "问题列表", "11450-4", ("conditions",)),
    ("prevention", "免疫与驱虫", "11369-6", ("vaccinations", "dewormings")),
    ("growth", "体征", "8716-3", ("weights",)),
    ("observations", "症状与检查", "30954-2", ("observations",)),
    ("visits", "就诊", None, ("visits",)),
    ("diet", "饮食", "29762-2", ("diets",)),
)
"""Part of the share, title, LOINC code of the IPS section, record kinds."""

_AI_LINES: dict[Certainty, str] = {
    IS: "带 AIAST 标签的条目由人工智能整理（AI 生成）。",
    MAY_BE: "来自聊天的条目由程序整理，可能含人工智能生成（AI 生成）的文字。",
}


def document_of(record: VetRecord, producer: str = PRODUCER) -> str:
    """The Bundle as JSON text. producer: who answers for generated words."""
    return json.dumps(bundle_of(record, producer), ensure_ascii=False)


def bundle_of(record: VetRecord, producer: str = PRODUCER) -> Json:
    """Composition first, then the animal, what compiled the document, and every clinical resource."""
    pet = f"urn:uuid:{record.identity.id}"
    device = _own_uuid("device")
    clinical = [(f"urn:uuid:{row.id}", resource_of(row, pet)) for row in _rows(record) if has_resource(row.kind)]
    if _knows_none(record):
        clinical.append((_no_allergy_url(record), _no_known_allergy(record, pet)))
    label = record.ai_label(_AI_LINES, producer)
    composition = _composition(record, pet, device, label)
    entries = [
        (_own_uuid(f"composition:{record.identity.id}:{','.join(record.sections)}"), composition),
        (pet, _patient(record.identity)),
        (device, {"resourceType": "Device", "deviceName": [{"name": PRODUCT, "type": "user-friendly-name"}]}),
        *clinical,
    ]
    return {
        "resourceType": "Bundle",
        **({"meta": {"extension": [{"url": f"{OWN}:aigc", "valueString": label.metadata}]}} if label else {}),
        "identifier": {
            "system": "urn:ietf:rfc:3986",
            "value": _own_uuid(f"bundle:{record.identity.id}:{_time(record)}"),
        },
        "type": "document",
        "timestamp": _time(record),
        "entry": [{"fullUrl": url, "resource": resource} for url, resource in entries],
    }


def _rows(record: VetRecord) -> Iterable[Row]:
    return (row for _, _, _, kinds in _SECTIONS for kind in kinds for row in record.history.get(kind, ()))


def _own_uuid(name: str) -> str:
    return f"urn:uuid:{uuid5(NAMESPACE_URL, f'urn:pawsignal:{name}')}"


def _time(record: VetRecord) -> str:
    """When the newest entry was made: a record that has not changed is the same document."""
    return (record.entered_at or WITHOUT_ENTRIES).astimezone(UTC).isoformat(timespec="milliseconds")


def _composition(record: VetRecord, pet: str, device: str, label: AiLabel | None) -> Json:
    told = {"text": _narrative([label.text])} if label else {}
    tags = {"meta": {"tag": [AI_ASSERTED]}} if record.has_ai_text else {}
    return {
        "resourceType": "Composition",
        **tags,
        **told,
        "status": "final",
        "type": concept(None, coding(LOINC, "60591-5", "Patient summary Document")),
        "subject": reference(pet),
        "date": _time(record),
        "author": [reference(device)],
        "title": f"{record.identity.name} 宠物健康摘要",
        "section": [_section(record, *section) for section in _SECTIONS],
    }


def _section(record: VetRecord, part: str, title: str, code: str | None, kinds: Sequence[str]) -> Json:
    rows = [row for kind in kinds for row in record.history.get(kind, ())]
    section: Json = {"title": title} | ({"code": concept(None, coding(LOINC, code))} if code else {})
    if not record.shows(part):
        return section | _nothing("withheld", "主人没有分享这一部分")
    if part == "alerts" and _knows_none(record):
        told = _narrative(["主人确认：没有已知过敏"])
        return section | {"text": told, "entry": [reference(_no_allergy_url(record))]}
    if not rows:
        return section | _nothing("notasked", "没有记录（不等于没有）")
    entries = [reference(f"urn:uuid:{row.id}") for row in rows if has_resource(row.kind)]
    return section | {"text": _narrative(map(_line, rows))} | ({"entry": entries} if entries else {})


def _nothing(reason: str, told: str) -> Json:
    return {"text": _narrative([told]), "emptyReason": hl7("list-empty-reason", reason)}


def _narrative(lines: Iterable[str]) -> Json:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return {"status": "generated", "div": f'<div xmlns="{_XHTML}"><ul>{items}</ul></div>'}


def _line(row: Row) -> str:
    facts = "，".join(str(fact.value) for fact in row.facts if isinstance(fact.value, str) and not fact.is_code)
    told = "，".join(part for part in (row.title, facts, row.note) if part)
    return f"{dated(row) or '日期不详'} {'未见：' if row.denied else ''}{told}"


def _knows_none(record: VetRecord) -> bool:
    return bool(record.no_known_allergies) and not record.history.get("allergies")


def _no_allergy_url(record: VetRecord) -> str:
    return _own_uuid(f"no-known-allergy:{record.identity.id}")


def _no_known_allergy(record: VetRecord, pet: str) -> Json:
    return {
        "resourceType": "AllergyIntolerance",
        "meta": {"tag": [coding(f"{OWN}:source", "owner"), coding(f"{OWN}:confidence", "stated")]},
        "clinicalStatus": hl7("allergyintolerance-clinical", "active"),
        "verificationStatus": hl7("allergyintolerance-verification", "unconfirmed"),
        "code": concept("没有已知过敏", coding(SNOMED, "716186003", "No known allergy")),
        "patient": reference(pet),
    }


def _patient(who: Identity) -> Json:
    chip = {"type": concept("芯片号", coding("http://terminology.hl7.org/CodeSystem/v2-0203", "MCN"))}
    return {
        "resourceType": "Patient",
        "id": who.id,
        "extension": [{"url": _ANIMAL, "extension": _animal(who)}],
        "identifier": [
            {"system": f"{OWN}:pet", "value": who.id},
            *([chip | {"value": who.microchip}] if who.microchip else []),
        ],
        "name": [{"use": "usual", "text": who.name, "given": [who.name]}],
        **({"gender": who.sex} if who.sex else {}),
        **({"deceasedBoolean": True} if who.status == "memorial" else {}),
        **_birth(who),
    }


def _birth(who: Identity) -> Json:
    if who.born_on is None:
        return {"_birthDate": {"extension": [{"url": _ABSENT, "valueCode": "unknown"}]}}
    exact = {"year": f"{who.born_on:%Y}", "month": f"{who.born_on:%Y-%m}"}
    return {"birthDate": exact.get(who.born_on_precision, who.born_on.isoformat())}


def _animal(who: Identity) -> list[Json]:
    parts = [("species", concept(who.species_name or _SPECIES_WORDS[who.species], species_coding(who.species)))]
    if who.breed:
        parts.append(("breed", concept(who.breed, breed_coding(who.breed))))
    if who.sex is not None:
        told = "unknown" if who.neutered is None else "neutered" if who.neutered else "intact"
        parts.append(("genderStatus", concept(None, coding(_GENDERS, told))))
    return [{"url": name, "valueCodeableConcept": value} for name, value in parts]


_SPECIES_WORDS = {"dog": "犬", "cat": "猫", "other": "其他"}
