"""The rows recall reads, from SQL: keyword candidates and live memory items of one household.

Statements are plain Core: recall runs in every turn, and the object layer costs more than the database does. Each
method opens a read session of its own, because the arms of recall run side by side.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import Row, String, cast, func, select, text
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.decay import weight_now
from memory.fulltext import doc_tokens
from memory.items import MemoryItem
from memory.ranking import RecallItem
from memory.recall import KeywordCandidates
from memory.recurrence import falls_on
from memory.search_documents import COUNT_STATEMENT, FTS_STATEMENTS, MEMORY, candidates_query
from memory.visibility import live
from memory.vocabulary import AttributeClass, Kind, MemoryStatus

ReadSession = Callable[[], AbstractAsyncContextManager[AsyncSession]]

RECURRING_LIMIT = 50  # rows that repeat; a household has a handful
SAFETY_CLASSES = frozenset(
    {AttributeClass.ALLERGY.value, AttributeClass.CHRONIC_CONDITION.value, AttributeClass.MEDICATION.value}
)
"""Their memories do not decay (product contract)."""

_HAPPENED_AT = func.coalesce(col(MemoryItem.valid_from), col(MemoryItem.learned_at))
_COLUMNS = (
    *(col(MemoryItem.id), col(MemoryItem.subject), col(MemoryItem.topic), col(MemoryItem.attribute)),
    *(col(MemoryItem.attribute_class), col(MemoryItem.kind), col(MemoryItem.content), col(MemoryItem.status)),
    *(col(MemoryItem.valid_from), col(MemoryItem.learned_at), col(MemoryItem.confidence)),
    *(col(MemoryItem.weight_level), col(MemoryItem.last_evidence_at), col(MemoryItem.last_used_at)),
    *(col(MemoryItem.locked), col(MemoryItem.protected), col(MemoryItem.valid_from_precision)),
)


class SqlKeywordSource:
    """KeywordSource over the full-text index; `dialect` is the database's name in SQLAlchemy."""

    def __init__(self, read: ReadSession, dialect: str) -> None:
        self._read = read
        self._dialect = dialect
        self._candidates = text(FTS_STATEMENTS[dialect])

    async def candidates(self, household_id: str, tokens: Collection[str], limit: int) -> KeywordCandidates:
        """Lines of the household's memories with at least one of the tokens, newest first."""
        query = candidates_query(self._dialect, MEMORY, household_id, list(tokens))
        async with self._read() as session:
            connection = await session.connection()
            rows = (await connection.execute(self._candidates, {"query": query, "limit": limit})).all()
            counted = {"household_id": household_id, "kind": MEMORY}
            count = (await connection.execute(COUNT_STATEMENT, counted)).scalar_one()
        return KeywordCandidates([doc_tokens(row.doc_id, row.tokens.split(" ")[1:]) for row in rows], count)


class SqlLiveItems:
    """LiveItems over `memory_items`."""

    def __init__(self, read: ReadSession) -> None:
        self._read = read

    async def load(self, household_id: str, ids: Collection[str], now: datetime) -> list[RecallItem]:
        """The live ones among these ids."""
        rows = await self._rows(select(*_COLUMNS).where(live(household_id, now), col(MemoryItem.id).in_(list(ids))))
        return [_item(row, now) for row in rows]

    async def newest_ids(
        self, household_id: str, attribute_classes: Collection[str], now: datetime, limit: int
    ) -> list[str]:
        """Newest rows of these classes, by when it happened."""
        rows = await self._rows(
            select(col(MemoryItem.id))
            .where(live(household_id, now), col(MemoryItem.attribute_class).in_(list(attribute_classes)))
            .order_by(_HAPPENED_AT.desc())
            .limit(limit)
        )
        return [row.id for row in rows]

    async def dated_ids(self, household_id: str, first: date, last: date, now: datetime, limit: int) -> list[str]:
        """Rows that happened on the owner's days `first` to `last`, newest first."""
        start, end = _start_of(first, now), _start_of(last + timedelta(days=1), now)
        rows = await self._rows(
            select(col(MemoryItem.id))
            .where(live(household_id, now), col(MemoryItem.valid_from) >= start, col(MemoryItem.valid_from) < end)
            .order_by(col(MemoryItem.valid_from).desc())
            .limit(limit)
        )
        return [row.id for row in rows]

    async def ids_falling_on(self, household_id: str, now: datetime) -> list[str]:
        """Rows that repeat and fall on the owner's day of `now`."""
        rows = await self._rows(
            select(col(MemoryItem.id), col(MemoryItem.value))
            .where(live(household_id, now), cast(col(MemoryItem.value), String).like('%"recurrence"%'))
            .limit(RECURRING_LIMIT)
        )
        return [row.id for row in rows if falls_on(row.value.get("recurrence") or {}, now.date())]

    async def _rows(self, statement: Any) -> Sequence[Row[Any]]:
        async with self._read() as session:
            connection = await session.connection()
            return (await connection.execute(statement)).all()


def _start_of(day: date, now: datetime) -> datetime:
    return datetime.combine(day, time.min, now.tzinfo).astimezone(UTC)


def _item(row: Row[Any], now: datetime) -> RecallItem:
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
    )
