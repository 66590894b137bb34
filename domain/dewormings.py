"""Deworming treatments, inside and outside."""

from datetime import date
from typing import Literal

from domain.record_columns import RecordColumns, RecordFields, Words
from memory.vocabulary import Precision

_TARGET_WORDS = {"internal": "体内驱虫", "external": "体外驱虫", "both": "内外同驱", None: "驱虫"}


class DewormingFields(RecordFields):
    """`target` is None while the owner did not say and the product does not tell."""

    product: Words
    target: Literal["internal", "external", "both"] | None = None
    given_on: date | None = None
    given_on_precision: Precision = Precision.UNKNOWN


class Deworming(RecordColumns, table=True):
    __tablename__ = "dewormings"

    product: str
    target: str | None = None
    given_on: date | None = None
    given_on_precision: str = Precision.UNKNOWN.value
    note: str | None = None


def line(name: str, fields: DewormingFields) -> str:
    """豆豆做了体外驱虫，用的大宠爱"""
    kind = _TARGET_WORDS[fields.target]
    return f"{name}做了{kind}" + (f"，用的{fields.product}" if fields.product not in (kind, "驱虫") else "")
