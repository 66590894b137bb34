"""Allergies and intolerances of a pet (FHIR AllergyIntolerance)."""

from datetime import date
from typing import Literal

from sqlmodel import Field

from domain.record_columns import OptionalWords, RecordColumns, RecordFields, Words
from memory.vocabulary import Precision


class AllergyFields(RecordFields):
    """`substance` in the owner's words; `criticality` is how dangerous a contact may get."""

    substance: Words
    category: Literal["food", "drug", "environment", "other"] = "other"
    reaction: OptionalWords = None
    criticality: Literal["low", "high", "unknown"] = "unknown"
    verification_status: Literal["unconfirmed", "confirmed", "refuted"] = "unconfirmed"
    onset_on: date | None = None
    onset_on_precision: Precision = Precision.UNKNOWN


class Allergy(RecordColumns, table=True):
    __tablename__ = "allergies"

    substance: str
    category: str = "other"
    reaction: str | None = None
    criticality: str = "unknown"
    verification_status: str = "unconfirmed"
    onset_on: date | None = None
    onset_on_precision: str = Precision.UNKNOWN.value
    note: str | None = Field(default=None)


def line(name: str, fields: AllergyFields) -> str:
    """豆豆对鸡肉过敏（抓耳朵、起红疹）"""
    reaction = f"（{fields.reaction}）" if fields.reaction else ""
    return f"{name}对{fields.substance}过敏{reaction}"
