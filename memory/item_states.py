"""The whole state of a memory row as JSON, and putting a kept state back without losing what was counted since."""

from datetime import datetime
from typing import Any

from memory.items import MemoryItem
from memory.sqltypes import UtcDateTime

SIGNALS = ("cited", "viewed", "hit")
CLOCKS = ("last_evidence_at", "last_used_at")  # move forward with use; a later use is kept

_NEVER_BACK = frozenset({"id", "household_id", "owner_id", "version", *SIGNALS, *CLOCKS})


def state_of(item: MemoryItem) -> dict[str, Any]:
    """Every column of the row, times as ISO text."""
    return item.model_dump(mode="json")


def put_back(item: MemoryItem, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Let `item` be again what it was at `before`. after: what the change that is taken back had made of it.

    Signals that its owner has given since stay counted; the version goes on counting.
    """
    for name, kept in before.items():
        if name not in _NEVER_BACK:
            setattr(item, name, time_of(kept) if name in _TIMES else kept)
    for name in SIGNALS:
        setattr(item, name, getattr(item, name) - (after[name] - before[name]))
    for name in CLOCKS:
        now, left = getattr(item, name), time_of(after[name])
        setattr(item, name, time_of(before[name]) if now == left else now)


def time_of(kept: str | None) -> datetime | None:
    """A time as a state keeps it."""
    return datetime.fromisoformat(kept) if kept else None


_TIMES = frozenset(
    column.name
    for column in MemoryItem.__table__.columns  # type: ignore[attr-defined]  # SQLModel's stub hides it
    if isinstance(column.type, UtcDateTime)
)
