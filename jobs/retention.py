"""What is kept for a time only: streams of turns, the reasons behind answers, prompts, pushes, the access log.

Safe to run anywhere, any time, in any number: each batch is one transaction. `docs/privacy.md` tells the times.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import delete, null, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.access_log import Access
from domain.inbox import InboxMessage
from domain.pushes import Push
from domain.turns import Turn, TurnEvent
from memory.traces import leave_no_trace
from memory.transactions import Transactions

BATCH = 200  # rows (of events: turns) a transaction: a few milliseconds of the write lock
RUNNING = "running"


@dataclass(frozen=True, slots=True)
class Kept:
    """How long each class of data stays."""

    turn_events: timedelta
    traces: timedelta
    inbox: timedelta
    pushes: timedelta
    access_log: timedelta


@dataclass(frozen=True, slots=True)
class RetentionParts:
    """What the job works with."""

    transactions: Transactions
    real_now: Callable[[], datetime]
    kept: Kept


async def forget_old(parts: RetentionParts) -> int:
    """Delete all that has had its time. Returns how many rows (of events: turns) it was."""
    now, kept = parts.real_now(), parts.kept
    gone = await _in_batches(parts, partial(_events, before=now - kept.turn_events))
    gone += await _in_batches(parts, partial(_traces, before=now - kept.traces))
    for table, since, span in (
        (InboxMessage, "created_at", kept.inbox),
        (Push, "made_at", kept.pushes),
        (Access, "at", kept.access_log),
    ):
        gone += await _in_batches(parts, partial(_rows, table=table, since=since, before=now - span))
    return gone


async def _in_batches(parts: RetentionParts, step: Callable[[AsyncSession], Any]) -> int:
    gone, went = 0, BATCH
    while went >= BATCH:
        async with parts.transactions.write() as session:
            went = await step(session)
        gone += went
    return gone


async def _events(session: AsyncSession, before: datetime) -> int:
    """The stream of a turn that ended; its answer stays, and a phone that asks gets it whole."""
    ended = select(Turn.id).where(col(Turn.started_at) < before, col(Turn.status) != RUNNING)
    query = select(TurnEvent.turn_id).where(col(TurnEvent.turn_id).in_(ended)).distinct().limit(BATCH)
    ids = (await session.exec(query)).all()
    if ids:
        await session.exec(delete(TurnEvent).where(col(TurnEvent.turn_id).in_(ids)))
        leave_no_trace(session)
    return len(ids)


async def _traces(session: AsyncSession, before: datetime) -> int:
    """Why each line of a context was there."""
    query = select(Turn.id).where(col(Turn.started_at) < before, col(Turn.trace).is_not(None)).limit(BATCH)
    ids = (await session.exec(query)).all()
    if ids:
        await session.exec(update(Turn).where(col(Turn.id).in_(ids)).values(trace=null()))
        leave_no_trace(session)
    return len(ids)


async def _rows(session: AsyncSession, table: Any, since: str, before: datetime) -> int:
    old = select(table.id).where(col(getattr(table, since)) < before).limit(BATCH)
    ids = (await session.exec(old)).all()
    if ids:
        await session.exec(delete(table).where(col(table.id).in_(ids)))
        leave_no_trace(session)
    return len(ids)
