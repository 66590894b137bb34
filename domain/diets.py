"""What a pet eats."""

from datetime import date

from domain.dates import local_date_text
from domain.record_columns import OptionalWords, RecordColumns, RecordFields, Words
from memory.vocabulary import Precision


class DietFields(RecordFields):
    """`prescription` marks a therapeutic diet: changing it is a medical decision."""

    food: Words
    brand: OptionalWords = None
    amount: OptionalWords = None
    frequency: OptionalWords = None
    prescription: bool = False
    started_on: date | None = None
    started_on_precision: Precision = Precision.UNKNOWN
    ended_on: date | None = None
    ended_on_precision: Precision = Precision.UNKNOWN


class Diet(RecordColumns, table=True):
    __tablename__ = "diets"

    food: str
    brand: str | None = None
    amount: str | None = None
    frequency: str | None = None
    prescription: bool = False
    started_on: date | None = None
    started_on_precision: str = Precision.UNKNOWN.value
    ended_on: date | None = None
    ended_on_precision: str = Precision.UNKNOWN.value
    note: str | None = None


def line(name: str, fields: DietFields) -> str:
    """豆豆吃皇家低敏粮（处方粮），一天两顿; 豆豆吃处方粮到2026年6月15日, true before that day and after it."""
    brand = fields.brand if fields.brand and fields.brand not in fields.food else ""
    label = "（处方粮）" if fields.prescription and "处方" not in fields.food else ""
    details = "，".join(part for part in (fields.frequency, fields.amount) if part)
    to_a_day = fields.ended_on is not None and fields.ended_on_precision == Precision.DAY
    verb = "以前吃" if fields.ended_on is not None and not to_a_day else "吃"
    until = f"到{local_date_text(fields.ended_on, Precision.DAY)}" if fields.ended_on is not None and to_a_day else ""
    return f"{name}{verb}{brand}{fields.food}{label}{until}" + (f"，{details}" if details else "")
