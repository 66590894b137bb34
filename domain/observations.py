"""What an owner sees or measures: symptoms, appetite, elimination, activity, temperature, lab values."""

from datetime import datetime
from typing import Literal

from sqlmodel import Field

from domain.record_columns import OptionalWords, RecordColumns, RecordFields, Words
from memory.sqltypes import UtcDateTime

ObservationCode = Literal["symptom", "appetite", "elimination", "activity", "temperature", "lab"]


class ObservationFields(RecordFields):
    """`name` in the owner's words ("吐黄水两次"); `negated` means it was looked for and not there."""

    code: ObservationCode
    name: Words
    value: float | None = None
    unit: OptionalWords = None
    severity: OptionalWords = None
    negated: bool = False
    occurred_at: datetime | None = None


class Observation(RecordColumns, table=True):
    __tablename__ = "observations"

    code: str
    name: str
    value: float | None = None
    unit: str | None = None
    severity: str | None = None
    negated: bool = False
    occurred_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    note: str | None = None


def line(name: str, fields: ObservationFields) -> str:
    """豆豆没有呕吐 / 咪咪体温39.2℃"""
    number = "" if fields.value is None else f"{fields.value:g}{fields.unit or ''}"
    denial = "没有" if fields.negated else ""
    return f"{name}{denial}{fields.name}{number}"
