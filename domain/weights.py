"""Weighings: a time series, never merged, kept in the unit the owner used."""

from datetime import datetime
from decimal import Decimal
from typing import Literal

from sqlmodel import Field

from domain.errors import Implausible
from domain.pet_profiles import Species
from domain.record_columns import RecordColumns, RecordFields
from memory.sqltypes import UtcDateTime

Unit = Literal["kg", "g", "jin"]
KG_PER_UNIT: dict[str, Decimal] = {"kg": Decimal(1), "g": Decimal("0.001"), "jin": Decimal("0.5")}
UNIT_WORDS: dict[str, str] = {"kg": "kg", "g": "克", "jin": "斤"}
PLAUSIBLE_KG: dict[Species, tuple[float, float]] = {
    "dog": (
        0.05,
        120.0,
    ),  # a newborn toy breed; the heaviest mastiffs on record stay near 155, beyond any ordinary scale
    "cat": (0.05, 20.0),  # a newborn kitten; beyond any but a record-breaking cat
    "other": (0.005, 1000.0),
}


class WeightFields(RecordFields):
    """One weighing. `measured_at` is aware; None means when it was said."""

    value: float = Field(gt=0, lt=1_000_000)
    unit: Unit = "kg"
    measured_at: datetime | None = None


class Weight(RecordColumns, table=True):
    __tablename__ = "weights"

    value: float
    unit: str = "kg"
    measured_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    note: str | None = None


def kilograms(value: float, unit: str) -> float:
    """The weight in kg. 12 斤 are 6 kg."""
    return float(Decimal(str(value)) * KG_PER_UNIT[unit])


def require_plausible(value: float, unit: str, species: Species) -> None:
    """Raises Implausible for a weight no such animal has; the owner is asked rather than believed."""
    low, high = PLAUSIBLE_KG[species]
    weight = kilograms(value, unit)
    if not low <= weight <= high:
        raise Implausible(f"{value:g}{UNIT_WORDS[unit]}看起来不太像它的体重，请核对单位和小数点")


def line(name: str, fields: WeightFields) -> str:
    """豆豆体重12.3kg"""
    return f"{name}体重{fields.value:g}{UNIT_WORDS[fields.unit]}"
