"""Drugs and supplements a pet takes or took (FHIR MedicationStatement)."""

from datetime import date

from domain.record_columns import OptionalWords, RecordColumns, RecordFields, Words
from memory.vocabulary import Precision


class MedicationFields(RecordFields):
    """`product` as the owner names it; dose and frequency stay in words, nothing is computed from them."""

    product: Words
    ingredient: OptionalWords = None
    dose_text: OptionalWords = None
    frequency_text: OptionalWords = None
    started_on: date | None = None
    started_on_precision: Precision = Precision.UNKNOWN
    ended_on: date | None = None
    ended_on_precision: Precision = Precision.UNKNOWN
    reason: OptionalWords = None


class Medication(RecordColumns, table=True):
    __tablename__ = "medications"

    product: str
    ingredient: str | None = None
    dose_text: str | None = None
    frequency_text: str | None = None
    started_on: date | None = None
    started_on_precision: str = Precision.UNKNOWN.value
    ended_on: date | None = None
    ended_on_precision: str = Precision.UNKNOWN.value
    reason: str | None = None
    note: str | None = None


def line(name: str, fields: MedicationFields) -> str:
    """豆豆在吃速诺，一次半片，一天两次"""
    taking = "用过" if fields.ended_on else "在用"
    details = "，".join(part for part in (fields.frequency_text, fields.dose_text) if part)
    return f"{name}{taking}{fields.product}" + (f"，{details}" if details else "")
