"""Drugs and supplements a pet takes or took (FHIR MedicationStatement)."""

from datetime import date

from domain.dates import local_date_text
from domain.record_columns import OptionalWords, RecordColumns, RecordFields, Words
from memory.vocabulary import Precision

_SPANS = ("天", "日", "晚", "早", "周", "月", "小时")


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
    """豆豆在用速诺，一天两次，一次半片; 豆豆用速诺到2026年12月6日, true before that day and after it."""
    details = _dosing(fields.frequency_text or "", fields.dose_text or "")
    if fields.ended_on is None:
        told = f"{name}在用{fields.product}"
    elif fields.ended_on_precision == Precision.DAY:
        told = f"{name}用{fields.product}到{local_date_text(fields.ended_on, Precision.DAY)}"
    else:
        told = f"{name}用过{fields.product}"
    return f"{told}，{details}" if details else told


def _dosing(frequency: str, dose: str) -> str:
    """一天两次，一次半片; 每天半片: a bare span of time runs on into the amount."""
    return f"{frequency}{'' if frequency.endswith(_SPANS) or not dose else '，'}{dose}" if frequency else dose
