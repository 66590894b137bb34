"""Column types both databases treat alike, and the ids of everything that is stored.

SQLite gives naive times back and has no JSON type of its own; these types make the difference invisible.
"""

import json
from datetime import UTC, datetime
from typing import Any

import uuid_utils
from sqlalchemy import TIMESTAMP, Dialect, String, Text, TypeDecorator
from sqlalchemy.types import TypeEngine

_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def new_id() -> str:
    """A UUIDv7 as text: stable for life, and ordered by the real time of its making."""
    return str(uuid_utils.uuid7())


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC instant: `timestamptz` on PostgreSQL, fixed-width ISO text (which sorts as time does) on SQLite."""

    impl = String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name == "postgresql":
            return dialect.type_descriptor(TIMESTAMP(timezone=True))
        return dialect.type_descriptor(String(27))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | str | None:
        """Raises ValueError on a naive time: a time without a zone is a fault of the caller."""
        return None if value is None else _as_utc(value) if dialect.name == "postgresql" else _as_text(value)

    def bind_processor(self, dialect: Dialect) -> Any:
        """On SQLite with nothing in between: a turn stores some thirty times, and reads more."""
        return super().bind_processor(dialect) if dialect.name == "postgresql" else _as_text

    def result_processor(self, dialect: Dialect, coltype: Any) -> Any:
        return super().result_processor(dialect, coltype) if dialect.name == "postgresql" else _from_text

    def process_result_value(self, value: datetime | str | None, dialect: Dialect) -> datetime | None:
        if isinstance(value, str):
            return datetime.fromisoformat(value)
        return None if value is None else value.astimezone(UTC)


def _as_utc(value: datetime) -> datetime:
    if value.tzinfo is None:
        raise ValueError("a stored time must be aware")
    return value if value.tzinfo is UTC else value.astimezone(UTC)


def _as_text(value: datetime | None) -> str | None:
    return None if value is None else f"{_as_utc(value).isoformat(timespec='microseconds')[:26]}Z"


def _from_text(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


class Json(TypeDecorator[Any]):
    """JSON as text, readable Chinese, keys in the order given."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else _as_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)
