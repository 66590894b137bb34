"""New ids for rows that come from elsewhere: the same row always gets the same id, and order by id is kept. Pure."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_KEPT_HEX, _HEX = 24, 32  # of a UUIDv7: the time of its making and the counter within a millisecond come first


def derived_id(household_id: str, old: str) -> str:
    """The id that the row `old` has in this household: its place in time is kept, the rest depends on both."""
    rest = hashlib.sha256(f"{household_id}/{old}".encode()).hexdigest()[: _HEX - _KEPT_HEX]
    return str(UUID(hex=UUID(old).hex[:_KEPT_HEX] + rest))


def is_id(value: object) -> bool:
    """Whether this is an id as we write them."""
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def translated(value: Any, ids: Mapping[str, str]) -> Any:
    """The same value with every known id replaced, also inside lists, objects and their keys."""
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, list):
        return [translated(one, ids) for one in value]
    if isinstance(value, dict):
        return {ids.get(key, key): translated(one, ids) for key, one in value.items()}
    return value
