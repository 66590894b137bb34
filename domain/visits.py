"""Visits to a clinic."""

from datetime import date

from domain.record_columns import OptionalWords, RecordColumns, RecordFields
from memory.vocabulary import Precision


class VisitFields(RecordFields):
    clinic: OptionalWords = None
    reason: OptionalWords = None
    diagnosis: OptionalWords = None
    treatment: OptionalWords = None
    visited_on: date | None = None
    visited_on_precision: Precision = Precision.UNKNOWN
    next_on: date | None = None
    next_on_precision: Precision = Precision.UNKNOWN


class Visit(RecordColumns, table=True):
    __tablename__ = "visits"

    clinic: str | None = None
    reason: str | None = None
    diagnosis: str | None = None
    treatment: str | None = None
    visited_on: date | None = None
    visited_on_precision: str = Precision.UNKNOWN.value
    next_on: date | None = None
    next_on_precision: str = Precision.UNKNOWN.value
    note: str | None = None


def line(name: str, fields: VisitFields) -> str:
    """豆豆去阳光医院看诊：呕吐，诊断肠胃炎，输液两天"""
    where = f"去{fields.clinic}看诊" if fields.clinic else "看了医生"
    diagnosis = f"诊断{fields.diagnosis}" if fields.diagnosis else None
    told = "，".join(part for part in (fields.reason, diagnosis, fields.treatment, fields.note) if part)
    return f"{name}{where}" + (f"：{told}" if told else "")
