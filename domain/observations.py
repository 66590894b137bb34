"""What an owner sees or measures: symptoms, appetite, elimination, activity, temperature, lab values."""

from datetime import datetime
from typing import Literal

from sqlmodel import Field

from domain.errors import Implausible
from domain.record_columns import OptionalWords, RecordColumns, RecordFields, Words
from memory.sqltypes import UtcDateTime

TEMPERATURE = "体温"
PLAUSIBLE_CELSIUS = (28.0, 44.0)  # a chilled newborn that lived; above it no dog, cat or rabbit does
PLAUSIBLE_A_MINUTE = (2.0, 900.0)  # from a sleeping tortoise's breaths to a small rodent's heart in fright
_COUNTED_A_MINUTE = ("心率", "心跳", "脉搏", "呼吸")
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
    """Raises Implausible for a temperature (℃ or ℉) or a rate a minute that no living animal has."""
    if fields.value is None:
        return
    if fields.code == "temperature":
        _require_between(
            in_celsius(fields.value, fields.unit),
            PLAUSIBLE_CELSIUS,
            f"{TEMPERATURE}{fields.value:g}{fields.unit or '℃'}",
        )
    elif fields.code == "lab" and fields.name.startswith(_COUNTED_A_MINUTE) and fields.unit in (None, "", "次"):
        _require_between(fields.value, PLAUSIBLE_A_MINUTE, f"{fields.name}{fields.value:g}{fields.unit or ''}")


def in_celsius(value: float, unit: str | None) -> float:
    """A temperature in ℃; `unit` as the owner wrote it, ℃ where none is told."""
    fahrenheit = (unit or "").strip().upper().lstrip("°") in ("F", "℉", "华氏度", "华氏")
    return round((value - 32) / 1.8, 1) if fahrenheit else value


def _require_between(value: float, bounds: tuple[float, float], told: str) -> None:
    if not bounds[0] <= value <= bounds[1]:
        raise Implausible(f"{told}看起来不太对，请核对单位和小数点")


def line(name: str, fields: ObservationFields) -> str:
    """豆豆没有呕吐 / 咪咪体温39.2℃ / 咪咪肌酐偏高"""
    number = "" if fields.value is None else f"{fields.value:g}{fields.unit or ''}"
    number = number or (fields.severity or "" if fields.code == "lab" else "")
    denial = "没有" if fields.negated else ""
    return f"{name}{denial}{fields.name}{number}"
