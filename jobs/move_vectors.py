"""Moves all memories to another embedder while the old collection answers, or makes the serving one again in its place.

The row in `memory.vector_moves` says what is to be done next; one worker at a time does a stretch of it, so a killed
one is followed by another where it stopped. What changes meanwhile comes through the outbox (`jobs/sync_vectors`).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from jobs.check_vectors import fault_of
from jobs.sync_vectors import BATCH, VectorParts, bring_in_line, differences, page_of, sync_vectors
from memory.errors import IndexUnavailable, MemoryFault
from memory.item_writes import FINDABLE
from memory.items import MemoryItem
from memory.outbox import waiting_rows
from memory.sqltypes import new_id
from memory.transactions import Transactions
from memory.vector_index import VectorIndex
from memory.vector_moves import (
    BESIDE_TOPIC,
    CollectionId,
    MoveState,
    ServingVectors,
    Wished,
    enter,
    feed_serving_again,
    forget_feeding_beside,
    hold_serving,
    read_serving,
    refresh,
    settle_down,
    switch,
    wish,
)

log = structlog.get_logger(__name__)

PAGES_A_STRETCH = 2  # of 64 memories: about a second of the local embedder, so that a stop never waits long
PASSAGES_AT_ONCE = 16  # one call of the local embedder: one core embeds, the other answers
LEASE = timedelta(minutes=5)  # real time; longer than a page of a slow endpoint, and than a check of a million memories
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=2), timedelta(minutes=1)  # after a failure, doubled each time
MOST_TRIES = 18  # in a row, some fifteen minutes of pauses; then the old collection goes on for good
GRACE = timedelta(minutes=10)  # the old collection stays so long: questions on their way, and a change of mind

EMBEDDER_MISSING = "embedder_missing"
CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class MoveParts:
    """What the job works with.

    follow: have open what the row says. serving, beside: the open collections; beside None when there is none here.
    alone: no other process can work on the move, so a lease of a dead one does not count.
    """

    transactions: Transactions
    follow: Callable[[], Awaitable[None]]
    serving: Callable[[], VectorParts]
    beside: Callable[[], VectorParts | None]
    real_now: Callable[[], datetime]
    worker: str = field(default_factory=new_id)
    alone: bool = False
    grace: timedelta = GRACE
    most_tries: int = MOST_TRIES


class Overtaken(Exception):
    """Somebody else has the move, or it has moved on: what was to be stored is stale."""


async def ask_for_move(transactions: Transactions, target: CollectionId | None, real_now: datetime) -> Wished:
    """File the wish for a move; None: for the serving collection to be made again. Anybody with the database may."""
    async with transactions.write() as session:
        row = await hold_serving(session)
        if row is None:
            return Wished.NOTHING
        query = select(func.count()).where(col(MemoryItem.status).in_(FINDABLE))
        total = (await session.exec(query)).one()
        session.add(row)
        return refresh(row, total, real_now) if target is None else wish(row, target, total, real_now)


async def cancel_move(transactions: Transactions, real_now: datetime) -> bool:
    """Stop a move that has not switched yet. Returns whether there was one."""
    async with transactions.write() as session:
        row = await hold_serving(session)
        if row is None or row.state not in (MoveState.FILLING, MoveState.CHECKED):
            return False
        enter(row, MoveState.FAILED, real_now, CANCELLED)
        session.add(row)
        return True


async def move_vectors(parts: MoveParts) -> bool:
    """Do a stretch of what is to be done, if nobody else does. Returns whether there is more to do at once."""
    await parts.follow()
    row = await _take(parts)
    if row is None:
        return False
    try:
        more = await _STEPS[MoveState(row.state)](parts, row)
        await _let_go(parts)
    except Overtaken:
        more = True
    except Exception as error:
        await _stumble(parts, row, error)
        more = False
    await parts.follow()
    return more


async def _take(parts: MoveParts) -> ServingVectors | None:
    """The row, leased to this worker; None when there is nothing to do, or another one does it, or it pauses."""
    now = parts.real_now()
    async with parts.transactions.read() as session:
        row = await read_serving(session)
    if row is None or not row.is_moving or _rests(parts, row, now):
        return None
    async with parts.transactions.write() as session:
        row = await hold_serving(session)
        if row is None or _rests(parts, row, now):
            return None
        row.worker, row.lease_until = parts.worker, now + LEASE
        session.add(row)
    return row


async def _let_go(parts: MoveParts) -> None:
    """Another worker may go on at once."""
    async with parts.transactions.write() as session:
        row = await hold_serving(session)
        if row is not None and row.worker == parts.worker:
            row.worker, row.lease_until = None, None
            session.add(row)


def _rests(parts: MoveParts, row: ServingVectors, now: datetime) -> bool:
    """Whether it is not this worker's turn: a pause (a lease of nobody's), a lease of another one, the grace."""
    if row.state == MoveState.SWITCHED and now < row.changed_at + parts.grace:
        return True
    if row.lease_until is None or row.lease_until <= now:
        return False
    return row.worker is None or not (parts.alone or row.worker == parts.worker)


async def _fill(parts: MoveParts, row: ServingVectors) -> bool:
    """Some pages of memories into the collection beside, which is empty at first; at the end it is checked."""
    target = parts.beside()
    if target is None or target.index is None:
        raise IndexUnavailable("the new collection is not open here")
    if target.embedder is None and parts.alone:
        return await _enter(parts, row, MoveState.FAILED, EMBEDDER_MISSING)
    if row.cursor is None and not row.filled:
        await target.index.drop()  # what an earlier move left there may have been deleted since
        await target.index.ensure()
        await _store(parts, row, cursor="")
    if not row.filled and not await _pages(parts, row, target, target.index):
        return True
    await sync_vectors(target)
    await target.index.forget_deleted()  # what was erased while it was embedded leaves the disk too
    fault = await fault_of(target)
    return await _enter(parts, row, MoveState.FAILED if fault else MoveState.CHECKED, fault)


async def _pages(parts: MoveParts, row: ServingVectors, target: VectorParts, index: VectorIndex) -> bool:
    """Bring some pages in line, and remember after each how far it went. Returns whether all are done."""
    for _ in range(PAGES_A_STRETCH):
        page = await page_of(target, row.cursor)
        if not page:
            await _store(parts, row, filled=True)
            return True
        for start in range(0, len(page), PASSAGES_AT_ONCE):
            await bring_in_line(target, page[start : start + PASSAGES_AT_ONCE])
        await index.flush()
        await _store(parts, row, cursor=page[-1], done=row.done + len(page))
    return False


async def _switch(parts: MoveParts, row: ServingVectors) -> bool:
    """Let the new collection answer. What it has not had yet, it gets as the serving one."""
    target = parts.beside()
    if target is None or target.index is None:
        raise IndexUnavailable("the new collection is not open here")
    await sync_vectors(target)
    async with parts.transactions.write() as session:
        held = await _hold(session, parts, row)
        if await waiting_rows(session, BESIDE_TOPIC) > BATCH:
            raise IndexUnavailable("the new collection is behind")
        await feed_serving_again(session, parts.real_now())
        switch(held, parts.real_now())
    log.info("vectors_switched", collection=held.serving_id.name)
    return False


async def _end_grace(parts: MoveParts, row: ServingVectors) -> bool:
    return await _enter(parts, row, MoveState.DROPPING)


async def _drop(parts: MoveParts, row: ServingVectors) -> bool:
    """Remove the collection that has no part any more, and what waits for it."""
    target = parts.beside()
    if target is None or target.index is None:
        raise IndexUnavailable("the old collection is not open here")
    await target.index.drop()
    async with parts.transactions.write() as session:
        held = await _hold(session, parts, row)
        await forget_feeding_beside(session)
        settle_down(held, parts.real_now())
    return False


async def _refresh(parts: MoveParts, row: ServingVectors) -> bool:
    """The serving collection once more from SQL; what SQL does not know is removed at the end."""
    serving = parts.serving()
    if serving.index is None or (serving.embedder is None and parts.alone):
        return await _enter(parts, row, MoveState.FAILED, EMBEDDER_MISSING)
    if not await _pages(parts, row, serving, serving.index):
        return True
    await serving.index.delete((await differences(serving)).extra)
    fault = await fault_of(serving)
    return await _enter(parts, row, MoveState.FAILED if fault else MoveState.SETTLED, fault)


_STEPS: dict[MoveState, Callable[[MoveParts, ServingVectors], Awaitable[bool]]] = {
    MoveState.FILLING: _fill,
    MoveState.CHECKED: _switch,
    MoveState.SWITCHED: _end_grace,
    MoveState.DROPPING: _drop,
    MoveState.FAILED: _drop,
    MoveState.REFRESHING: _refresh,
}


async def _hold(session: AsyncSession, parts: MoveParts, row: ServingVectors) -> ServingVectors:
    """The stored row, to be changed. Raises Overtaken when it is not the one this worker took."""
    held = await hold_serving(session)
    if held is None or (held.generation, held.worker) != (row.generation, parts.worker):
        raise Overtaken()
    session.add(held)
    return held


async def _store(parts: MoveParts, row: ServingVectors, **values: Any) -> None:
    """Keep how far it went, and the lease."""
    now = parts.real_now()
    async with parts.transactions.write() as session:
        held = await _hold(session, parts, row)
        for name, value in {
            "lease_until": now + LEASE,
            "progress_at": now,
            "tries": 0,
            "reason": None,
            **values,
        }.items():
            setattr(held, name, value)
            setattr(row, name, value)


async def _enter(parts: MoveParts, row: ServingVectors, state: MoveState, reason: str | None = None) -> bool:
    """The next state, which has more to do. Raises Overtaken."""
    async with parts.transactions.write() as session:
        enter(await _hold(session, parts, row), state, parts.real_now(), reason)
    (log.warning if reason else log.info)("vectors_move", state=state.value, reason=reason)
    return True


async def _stumble(parts: MoveParts, row: ServingVectors, error: Exception) -> None:
    """Pause, longer each time; after so many in a row the move is given up."""
    reason = error.code if isinstance(error, MemoryFault) else type(error).__name__
    log.warning("vectors_move_stumbled", state=row.state, reason=reason)
    now = parts.real_now()
    async with parts.transactions.write() as session:
        held = await hold_serving(session)
        if held is None or (held.generation, held.worker) != (row.generation, parts.worker):
            return
        session.add(held)
        held.tries += 1
        if held.state in _GIVEN_UP and held.tries >= parts.most_tries:
            enter(held, MoveState.FAILED, now, reason)
            return
        if held.state != MoveState.FAILED:
            held.reason = reason
        pause = min(FIRST_PAUSE * 2 ** min(held.tries - 1, 10), LONGEST_PAUSE)
        held.worker, held.lease_until = None, now + pause


_GIVEN_UP = (MoveState.FILLING, MoveState.CHECKED, MoveState.REFRESHING)
