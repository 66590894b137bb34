"""`record.json`: the shared record for other programs. docs/vet-record.md describes it; the version is in `schema`."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from domain.shares import SECTIONS, Section
from domain.vet_record import Row, VetRecord
from miniprogram_api.examples import AT, PET_ID, RECORD_ID
from miniprogram_api.vet_pages.words import LABELS, Words

SCHEMA = "pawsignal.vet-record/1"
RecordKindName = Literal[
    "allergies",
    "conditions",
    "medications",
    "vaccinations",
    "dewormings",
    "weights",
    "visits",
    "observations",
    "diets",
]
_ROW: dict[str, Any] = {
    "id": RECORD_ID,
    "kind": "allergies",
    "title": "鸡肉",
    "facts": {"reaction": "抓耳朵、起红疹", "criticality": "high"},
    "note": None,
    "on": "2025-11-02",
    "precision": "day",
    "status": "active",
    "source": "owner",
    "confidence": "stated",
    "recorded_on": "2025-11-02",
    "by": None,
    "ai_generated": False,
    "red_flag": None,
    "weight_kg": None,
    "evidence": [],
}
_RECORD: dict[str, Any] = {
    "schema": SCHEMA,
    "notice": LABELS["not_this"][0],
    "made_at": AT,
    "as_of": "2026-03-01",
    "ai_generated_text": False,
    "ai_label": None,
    "sections": list(SECTIONS),
    "quotes_shared": True,
    "pet": {
        "id": PET_ID,
        "name": "豆豆",
        "species": "dog",
        "species_name": None,
        "status": "active",
        "breed": "柯基",
        "sex": "male",
        "neutered": True,
        "born_on": "2021-05-01",
        "born_on_precision": "month",
        "microchip": None,
    },
    "no_known_allergies": False,
    "current": {"allergies": [_ROW]},
    "red_flags": [],
    "open_questions": [],
    "due": [],
    "history": {"allergies": [_ROW]},
    "counts": {"allergies": 1},
}


class QuoteOut(BaseModel):
    """text is null where the words speak of another pet."""

    text: str | None = None
    said_on: date
    source: str
    verified: bool
    by: str | None = None


class RowOut(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [_ROW]})

    id: str
    kind: RecordKindName
    title: str
    facts: dict[str, str | bool | date]
    note: str | None = None
    on: date | None = None
    precision: Literal["day", "month", "year", "unknown"]
    status: Literal["active", "provisional", "ended", "refuted", "superseded"]
    source: Literal["chat", "owner", "vet", "import", "system"]
    confidence: Literal["verified", "unverified", "doubtful", "stated"]
    recorded_on: date
    by: str | None = None
    ai_generated: bool
    red_flag: Literal["emergency", "urgent"] | None = None
    weight_kg: float | None = None
    evidence: list[QuoteOut]


class QuestionOut(BaseModel):
    id: str
    kind: Literal["change", "new_danger", "merge", "import"]
    section: Section
    about: str | None = None
    denies: bool
    on_record: bool
    asked_on: date


class VetDueOut(BaseModel):
    kind: Literal["vaccine", "deworming"]
    what: str
    due_on: date | None = None
    due_on_precision: Literal["day", "month"]
    status: Literal["overdue", "due", "upcoming"]
    rule_text: str
    source: str


class VetPetOut(BaseModel):
    id: str
    name: str
    species: str
    species_name: str | None = None
    status: str
    breed: str | None = None
    sex: str | None = None
    neutered: bool | None = None
    born_on: date | None = None
    born_on_precision: str
    microchip: str | None = None


class VetRecordOut(BaseModel):
    """What the share allows, no more. Lists are newest first, 500 of a kind; `counts` tells how many there are."""

    model_config = ConfigDict(populate_by_name=True, json_schema_extra={"examples": [_RECORD]})

    schema_: str = Field(alias="schema")
    notice: str
    made_at: datetime
    as_of: date | None = None
    ai_generated_text: bool
    ai_label: dict[str, Any] | None = None
    sections: list[Section]
    quotes_shared: bool
    pet: VetPetOut
    no_known_allergies: bool | None = None
    current: dict[str, list[RowOut]]
    red_flags: list[RowOut]
    open_questions: list[QuestionOut]
    due: list[VetDueOut]
    history: dict[str, list[RowOut]]
    counts: dict[str, int]


def shape(record: VetRecord, producer: str) -> VetRecordOut:
    """The record as `record.json` carries it. producer: who answers for generated words."""
    return VetRecordOut.model_validate(_told(record, producer))


def _told(record: VetRecord, producer: str) -> dict[str, Any]:
    label = record.ai_label(Words("zh").ai_lines, producer)
    return {
        "schema": SCHEMA,
        "notice": LABELS["not_this"][0],
        "made_at": record.made_at,
        "as_of": record.as_of,
        "ai_generated_text": record.has_ai_text,
        "ai_label": label.as_json() if label else None,
        "sections": record.sections,
        "quotes_shared": record.quotes_shared,
        "pet": VetPetOut.model_validate(record.identity, from_attributes=True),
        "no_known_allergies": record.no_known_allergies,
        "current": _rows_by_kind(record.current),
        "red_flags": [_row(row) for row in record.red_flags],
        "open_questions": [QuestionOut.model_validate(one, from_attributes=True) for one in record.questions],
        "due": [
            VetDueOut.model_validate(
                {
                    "kind": one.kind,
                    "what": one.what,
                    "due_on": one.due_on if one.has_a_day else None,
                    "due_on_precision": one.due_on_precision,
                    "status": one.status,
                    "rule_text": one.rule_text,
                    "source": one.source,
                }
            )
            for one in record.due
        ],
        "history": _rows_by_kind(record.history),
        "counts": record.counts,
    }


def _rows_by_kind(rows: Mapping[str, tuple[Row, ...]]) -> dict[str, list[RowOut]]:
    return {kind: [_row(row) for row in found] for kind, found in rows.items()}


def _row(row: Row) -> RowOut:
    return RowOut.model_validate(
        {
            **{name: getattr(row, name) for name in RowOut.model_fields if hasattr(row, name)},
            "facts": {fact.name: fact.value for fact in row.facts},
            "red_flag": row.flag,
            "evidence": [QuoteOut.model_validate(quote, from_attributes=True) for quote in row.quotes],
        }
    )
