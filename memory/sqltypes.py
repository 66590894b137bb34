"""Column types both databases treat alike, and the ids of everything that is stored.

SQLite gives naive times back and has no JSON type of its own; these types make the difference invisible.
"""

import json
from datetime import UTC, datetime
from typing import Any

import uuid_utils
from sqlalchemy import BigInteger, Dialect, Text, TypeDecorator


def new_id() -> str:
    """A UUIDv7 as text: stable for life, and ordered by the real time of its making."""
    return str(uuid_utils.uuid7())


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC instant, kept as whole microseconds since 1970: sorts and compares alike on every database."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Raises ValueError on a naive time: a time without a zone is a fault of the caller."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time must be aware")
        delta = value - _EPOCH
        return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        return None if value is None else datetime.fromtimestamp(value / 1_000_000, UTC)


class Json(TypeDecorator[Any]):
    """JSON as text, readable Chinese, keys in the order given."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
