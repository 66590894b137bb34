"""Diagnosed or suspected conditions of a pet (FHIR Condition)."""

from datetime import date
from typing import Literal

from domain.record_columns import OptionalWords, RecordColumns, RecordFields, Words
from memory.vocabulary import Precision

_STATUS_WORDS = {"active": "", "remission": "（缓解期）", "resolved": "（已痊愈）"}


class ConditionFields(RecordFields):
    """`stage` as the vet wrote it ("IRIS 2期")."""

    name: Words
    stage: OptionalWords = None
    clinical_status: Literal["active", "remission", "resolved"] = "active"
    onset_on: date | None = None
    onset_on_precision: Precision = Precision.UNKNOWN
    ended_on: date | None = None
    ended_on_precision: Precision = Precision.UNKNOWN


class Condition(RecordColumns, table=True):
    __tablename__ = "conditions"

    name: str
    stage: str | None = None
    clinical_status: str = "active"
    onset_on: date | None = None
    onset_on_precision: str = Precision.UNKNOWN.value
    ended_on: date | None = None
    ended_on_precision: str = Precision.UNKNOWN.value
    note: str | None = None


def line(name: str, fields: ConditionFields) -> str:
    """咪咪有慢性肾病 IRIS 2期"""
    stage = f" {fields.stage}" if fields.stage else ""
    return f"{name}有{fields.name}{stage}{_STATUS_WORDS[fields.clinical_status]}"
