"""Vaccinations given to a pet (FHIR Immunization)."""

from datetime import date

from sqlmodel import Field

from domain.record_columns import OptionalWords, RecordColumns, RecordFields, Words
from memory.sqltypes import Json
from memory.vocabulary import Precision

MAX_DOSE_NUMBER = 9  # no series is longer; 第12针 is a slip


class VaccinationFields(RecordFields):
    product: Words
    antigens: list[str] = Field(default_factory=list, max_length=12)
    given_on: date | None = None
    given_on_precision: Precision = Precision.UNKNOWN
    dose_number: int | None = Field(default=None, ge=1, le=MAX_DOSE_NUMBER)
    lot_number: OptionalWords = None
    clinic: OptionalWords = None
    reaction: OptionalWords = None


class Vaccination(RecordColumns, table=True):
    __tablename__ = "vaccinations"

    product: str
    antigens: list[str] = Field(default_factory=list, sa_type=Json)
    given_on: date | None = None
    given_on_precision: str = Precision.UNKNOWN.value
    dose_number: int | None = None
    lot_number: str | None = None
    clinic: str | None = None
    reaction: str | None = None
    note: str | None = None


def line(name: str, fields: VaccinationFields) -> str:
    """豆豆打了狂犬疫苗（打后低烧）"""
    reaction = f"（{fields.reaction}）" if fields.reaction else ""
    return f"{name}打了{fields.product}{reaction}"
