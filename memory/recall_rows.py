"""The rows recall reads, from SQL: keyword candidates and live memory items of one household.

Recall runs in every turn, so the statements are prebuilt (`memory.prepared`), and SQLite is told which index to use:
left to itself it reads every live row to find sixty by their keys. Searches may touch many rows and run off the
event loop; rows by key are read where they are asked for.
"""

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import BindParameter, bindparam, func, literal_column, select
from sqlmodel import col

from memory.decay import weight_now
from memory.items import RECURRING, MemoryItem
from memory.prepared import Statement, padded
from memory.ranking import RecallItem
from memory.recall import KeywordCandidates
from memory.recurrence import falls_on
from memory.search_documents import MEMORY, find_candidates
from memory.transactions import Transactions
from memory.visibility import SAFETY_CLASSES, live, remembered
from memory.vocabulary import Kind, MemoryStatus

RECURRING_LIMIT = 50  # rows that repeat; a household has a handful

_HAPPENED_AT = func.coalesce(col(MemoryItem.valid_from), col(MemoryItem.learned_at))
_COLUMNS = (
    *(col(MemoryItem.id), col(MemoryItem.subject), col(MemoryItem.topic), col(MemoryItem.attribute)),
    *(col(MemoryItem.attribute_class), col(MemoryItem.kind), col(MemoryItem.content), col(MemoryItem.status)),
    *(col(MemoryItem.valid_from), col(MemoryItem.learned_at), col(MemoryItem.confidence)),
    *(col(MemoryItem.weight_level), col(MemoryItem.last_evidence_at), col(MemoryItem.last_used_at)),
    *(col(MemoryItem.locked), col(MemoryItem.protected), col(MemoryItem.valid_from_precision)),
)


_LIVE = live(bindparam("household"), bindparam("now"))
_REMEMBERED = remembered(bindparam("household"), bindparam("now"))
_DATED = Statement(
    select(col(MemoryItem.id))
    .where(_REMEMBERED, col(MemoryItem.valid_from) >= bindparam("start"), col(MemoryItem.valid_from) < bindparam("end"))
    .order_by(col(MemoryItem.valid_from).desc())
    .limit(bindparam("most"))
    .with_hint(MemoryItem, "INDEXED BY ix_memory_items_dated", "sqlite")
)
_FALLING = Statement(
    select(col(MemoryItem.id), col(MemoryItem.value))
    .where(_LIVE, literal_column(RECURRING))
    .limit(RECURRING_LIMIT)
    .with_hint(MemoryItem, "INDEXED BY ix_memory_items_recurring", "sqlite")  # it would read every live row
)


class SqlKeywordSource:
    """KeywordSource over the full-text index."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    async def candidates(self, household_id: str, tokens: Collection[str], limit: int) -> KeywordCandidates:
        """Lines of the household's memories with at least one of the tokens, newest first."""
        async with self._transactions.quick_scan() as quick:
            docs, count = await find_candidates(quick, MEMORY, household_id, list(tokens), limit)
        return KeywordCandidates(docs, count)


class SqlLiveItems:
    """LiveItems over `memory_items`."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    async def load(self, household_id: str, ids: Collection[str], now: datetime) -> list[RecallItem]:
        """Those among these ids that are live, or faded into their archive."""
        asked = padded(list(ids))
        params = {"household": household_id, "now": now, **{f"id_{n}": one for n, one in enumerate(asked)}}
        async with self._transactions.quick_read() as quick:
            rows = await quick.rows(_by_ids(len(asked)), params)
        return [_item(row, now) for row in rows]

    async def newest_ids(
        self, household_id: str, attribute_classes: Collection[str], now: datetime, limit: int
    ) -> list[str]:
        """Newest rows of these classes, by when it happened."""
        asked = padded(list(attribute_classes))
        classes = {f"class_{n}": one for n, one in enumerate(asked)}
        params = {"household": household_id, "now": now, "most": limit, **classes}
        async with self._transactions.quick_scan() as quick:
            return [row.id for row in await quick.rows(_newest(len(asked)), params)]

    async def dated_ids(self, household_id: str, first: date, last: date, now: datetime, limit: int) -> list[str]:
        """Rows that happened on the owner's days `first` to `last`, newest first."""
        start, end = _start_of(first, now), _start_of(last + timedelta(days=1), now)
        params = {"household": household_id, "now": now, "start": start, "end": end, "most": limit}
        async with self._transactions.quick_scan() as quick:
            return [row.id for row in await quick.rows(_DATED, params)]

    async def ids_falling_on(self, household_id: str, now: datetime) -> list[str]:
        """Rows that repeat and fall on the owner's day of `now`."""
        async with self._transactions.quick_read() as quick:
            rows = await quick.rows(_FALLING, {"household": household_id, "now": now})
        return [row.id for row in rows if falls_on(row.value.get("recurrence") or {}, now.date())]


@lru_cache(maxsize=16)
def _by_ids(count: int) -> Statement:
    ids: list[BindParameter[str]] = [bindparam(f"id_{number}") for number in range(count)]
    by_key = select(*_COLUMNS).where(_REMEMBERED, col(MemoryItem.id).in_(ids))
    return Statement(by_key.with_hint(MemoryItem, "INDEXED BY sqlite_autoindex_memory_items_1", "sqlite"))


@lru_cache(maxsize=16)
def _newest(count: int) -> Statement:
    classes: list[BindParameter[str]] = [bindparam(f"class_{number}") for number in range(count)]
    return Statement(
        select(col(MemoryItem.id))
        .where(_LIVE, col(MemoryItem.attribute_class).in_(classes))
        .order_by(_HAPPENED_AT.desc())
        .limit(bindparam("most"))
        .with_hint(MemoryItem, "INDEXED BY ix_memory_items_class", "sqlite")
    )


def _start_of(day: date, now: datetime) -> datetime:
    return datetime.combine(day, time.min, now.tzinfo).astimezone(UTC)


def _item(row: Any, now: datetime) -> RecallItem:
    happened: datetime = row.valid_from or row.learned_at
    idle = now - max(row.last_evidence_at, row.last_used_at or row.last_evidence_at)
    exempt = row.locked or row.protected or row.attribute_class in SAFETY_CLASSES
    return RecallItem(
        id=row.id,
        subject=row.subject,
        topic=row.topic,
        attribute=row.attribute,
        attribute_class=row.attribute_class,
        kind=row.kind,
        content=row.content,
        happened_on=happened.astimezone(now.tzinfo).date(),
        confidence=row.confidence,
        weight_now=weight_now(row.weight_level, Kind(row.kind), idle.total_seconds() / 86_400, exempt=exempt),
        provisional=row.status == MemoryStatus.PROVISIONAL.value,
        happened_at=row.valid_from,
        precision=row.valid_from_precision,
        learned_at=row.learned_at,
        archived=row.status == MemoryStatus.ARCHIVED.value,
    )
