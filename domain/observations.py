"""What an owner sees or measures: symptoms, appetite, elimination, activity, temperature, lab values."""

from datetime import datetime
from typing import Literal

from sqlmodel import Field

from domain.errors import Implausible
from domain.record_columns import OptionalWords, RecordColumns, RecordFields, Words
from memory.sqltypes import UtcDateTime

PLAUSIBLE_CELSIUS = (28.0, 44.0)  # a chilled newborn that lived; above it no dog, cat or rabbit does
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


def require_plausible_reading(fields: ObservationFields) -> None:
    """Raises Implausible for a body temperature that no living animal has; the unit may be ℃ or ℉."""
    if fields.code != "temperature" or fields.value is None:
        return
    unit = (fields.unit or "").strip().upper().lstrip("°")
    celsius = (fields.value - 32) / 1.8 if unit in ("F", "℉", "华氏度") else fields.value
    if not PLAUSIBLE_CELSIUS[0] <= celsius <= PLAUSIBLE_CELSIUS[1]:
        raise Implausible(f"体温{fields.value:g}{fields.unit or '℃'}看起来不太对，请核对单位和小数点")


def line(name: str, fields: ObservationFields) -> str:
    """豆豆没有呕吐 / 咪咪体温39.2℃"""
    number = "" if fields.value is None else f"{fields.value:g}{fields.unit or ''}"
    denial = "没有" if fields.negated else ""
    return f"{name}{denial}{fields.name}{number}"
