"""A value of a file as its column takes it. Pure.

A file is written by a stranger: a value of another type, a text that a database or an answer cannot hold and a number
out of all measure would be found much later, by whoever reads the row. They are refused here.
"""

import math
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from functools import cache
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Column, Table, TypeDecorator
from sqlmodel import SQLModel

from domain.record_columns import EARLIEST_YEAR, LATEST_YEAR
from memory.sqltypes import Json, UtcDateTime

MAX_TEXT, MAX_JSON_CHARS = 20_000, 400_000  # of one column
MAX_LEVELS = 16  # of lists and objects in one column; ours nest four deep
MAX_NUMBER, MAX_WHOLE = 1e12, 1_000_000_000  # a column of whole numbers has 32 bits
FIRST_YEAR, END_YEAR = 1990, 2100  # of instants

_FAULTS = (TypeError, ValueError, OverflowError)


class BadRow(Exception):
    """A row that cannot be what we wrote; `reason` says why, in the owner's language."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def column_value(column: "Column[Any]", value: Any) -> Any:
    """The value, of the type that the column has. Raises BadRow."""
    if value is None:
        if not column.nullable:
            raise BadRow(f"{column.name} 是空的")
        return None
    try:
        if isinstance(column.type, Json):
            return _json(column, value)
        return _TYPES[_type_of(column)](value)
    except _FAULTS as fault:
        raise BadRow(f"{column.name} 的内容不对") from fault


def require_types(table: Table, row: Mapping[str, Any]) -> None:
    """What a row says is of the types of its columns, missing or not. Raises BadRow."""
    for column in table.columns:
        if row.get(column.name) is not None:
            column_value(column, row[column.name])


def instant(value: Any) -> datetime:
    """An aware time of these years. Raises ValueError, TypeError."""
    at = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    if at.tzinfo is None or not FIRST_YEAR <= at.year < END_YEAR:
        raise ValueError("not an instant of this time")
    return at


def _type_of(column: "Column[Any]") -> str:
    if isinstance(column.type, UtcDateTime):
        return "instant"
    kind = column.type.impl_instance if isinstance(column.type, TypeDecorator) else column.type
    return kind.python_type.__name__


def _json(column: "Column[Any]", value: Any) -> Any:
    if _length(value, MAX_LEVELS) > MAX_JSON_CHARS:
        raise ValueError("too long")
    return _adapter(column.table.name, column.name).validate_python(value, strict=True)


@cache
def _adapter(table: str, column: str) -> TypeAdapter[Any]:
    """What the model of the table says of a column."""
    models = {mapper.local_table: mapper.class_ for mapper in SQLModel._sa_registry.mappers}
    model: type[SQLModel] = models[SQLModel.metadata.tables[table]]
    return TypeAdapter(model.model_fields[column].annotation or Any)


def _length(value: Any, levels: int) -> int:
    """About how long the JSON is. Raises ValueError for what nests too deep or can be neither stored nor answered."""
    if levels == 0:
        raise ValueError("it nests too deep")
    if isinstance(value, str):
        return len(_text(value))
    if isinstance(value, list):
        return sum(1 + _length(one, levels - 1) for one in value)
    if isinstance(value, dict):
        return sum(1 + len(_text(key)) + _length(one, levels - 1) for key, one in value.items())
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("no number of ours")
    return 1 if value is None or isinstance(value, bool | float) else len(str(_number(value)))


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT or "\x00" in value:
        raise ValueError("no text of ours")
    value.encode()
    return value


def _number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -MAX_NUMBER < value < MAX_NUMBER:
        raise ValueError("no number of ours")
    return value


def _whole(value: Any) -> int:
    number = _number(value)
    if not float(number).is_integer() or abs(number) > MAX_WHOLE:
        raise ValueError("no whole number of ours")
    return int(number)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("neither yes nor no")
    return value


def _day(value: Any) -> date:
    day = date.fromisoformat(value)
    if not EARLIEST_YEAR <= day.year <= LATEST_YEAR:
        raise ValueError("not a day of this time")
    return day


_TYPES: dict[str, Callable[[Any], Any]] = {
    "instant": instant,
    "str": _text,
    "int": _whole,
    "float": _number,
    "bool": _flag,
    "date": _day,
    "time": time.fromisoformat,
}
