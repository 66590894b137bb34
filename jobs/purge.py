"""What was deleted goes for good once it cannot be restored any more, and what has had its time goes with it.

Safe to run anywhere, any time, in any number: each batch is one transaction that deletes what is due by then.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.owner_deletes import RESTORABLE_FOR
from domain.owners import SignInSession
from domain.record_kinds import KINDS, RecordKind
from domain.record_versions import RecordVersion
from memory.appends import append
from memory.confirmations import Confirmation
from memory.evidence import MEMORY
from memory.item_writes import VECTOR_TOPIC
from memory.items import EvidenceRow, MemoryItem
from memory.outbox import OutboxRow
from memory.search_documents import SearchDocument
from memory.summaries import withdraw
from memory.traces import leave_no_trace
from memory.transactions import Transactions

BATCH = 200  # rows a transaction: a few milliseconds of the write lock
SESSIONS_KEPT = timedelta(days=1)  # after its end, for whoever looks into why a phone was signed out

Step = Callable[[AsyncSession, datetime], Awaitable[int]]
"""One batch of one kind, in its transaction: how many rows went; less than BATCH means that no more are due."""


@dataclass(frozen=True, slots=True)
class PurgeParts:
    """What the job works with. also: batches of what other floors keep for a time."""

    transactions: Transactions
    real_now: Callable[[], datetime]
    also: Sequence[Step] = ()


async def purge(parts: PurgeParts) -> int:
    """Delete all that is due. Returns how many rows went, those that hang on them not counted."""
    gone = 0
    for step in (_purge_memories, *map(_purge_of, KINDS.values()), _purge_sessions, *parts.also):
        went = BATCH
        while went >= BATCH:
            async with parts.transactions.write() as session:
                went = await step(session, parts.real_now())
            gone += went
    return gone


async def _purge_memories(session: AsyncSession, real_now: datetime) -> int:
    """Deleted memories with their evidence, questions, words and vectors; versions and signals follow by key."""
    rows = (await session.exec(_due(MemoryItem, real_now))).all()
    ids = [row.id for row in rows]
    if not ids:
        return 0
    for household_id in sorted({row.household_id for row in rows}):
        await withdraw(session, household_id, ids)
    for row in rows:
        append(
            session,
            OutboxRow,
            household_id=row.household_id,
            topic=VECTOR_TOPIC,
            key=row.id,
            created_at=real_now,
            available_at=real_now,
        )
    questions = or_(col(Confirmation.candidate_id).in_(ids), col(Confirmation.established_id).in_(ids))
    for statement in (
        _evidence(MEMORY, ids),
        delete(Confirmation).where(questions),
        delete(SearchDocument).where(col(SearchDocument.doc_id).in_(ids)),
        delete(MemoryItem).where(col(MemoryItem.id).in_(ids)),
    ):
        await session.exec(statement)
    leave_no_trace(session)
    return len(ids)


def _purge_of(kind: RecordKind) -> Step:
    async def purge_records(session: AsyncSession, real_now: datetime) -> int:
        """Deleted records of one kind with their versions and evidence."""
        ids = [row.id for row in (await session.exec(_due(kind.table, real_now))).all()]
        if not ids:
            return 0
        for statement in (
            _evidence(kind.name, ids),
            delete(RecordVersion).where(col(RecordVersion.record_id).in_(ids)),
            delete(kind.table).where(col(kind.table.id).in_(ids)),
        ):
            await session.exec(statement)
        leave_no_trace(session)
        return len(ids)

    return purge_records


async def _purge_sessions(session: AsyncSession, real_now: datetime) -> int:
    """Sign-in sessions that ended a day ago."""
    table, ended = SignInSession, real_now - SESSIONS_KEPT
    over = or_(col(table.expires_at) < ended, col(table.revoked_at) < ended)
    ids = (await session.exec(select(table.id).where(over).limit(BATCH))).all()
    await session.exec(delete(table).where(col(table.id).in_(ids)))
    return len(ids)


def _due(table: Any, real_now: datetime) -> Any:
    too_late = real_now - RESTORABLE_FOR
    return select(table.id, table.household_id).where(col(table.deleted_at) < too_late).limit(BATCH)


def _evidence(target_kind: str, ids: Sequence[str]) -> Any:
    return delete(EvidenceRow).where(col(EvidenceRow.target_kind) == target_kind, col(EvidenceRow.target_id).in_(ids))
