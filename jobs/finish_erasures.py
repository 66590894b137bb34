"""The end of an erasure: once rows and vectors are deleted, the engine clears them from its disk, and it is done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, update
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.account_erasure import Erasure, erasures_to_finish, forget_empty_households
from memory.transactions import Transactions
from memory.vector_index import VectorIndex
from memory.vector_moves import MoveState, read_serving


@dataclass(frozen=True, slots=True)
class ErasureParts:
    """What the job works with; no indexes when the service runs on keywords only."""

    transactions: Transactions
    indexes: Sequence[VectorIndex]
    real_now: Callable[[], datetime]


async def finish_erasures(parts: ErasureParts) -> int:
    """Finish what can be finished. Returns how many erasures are done now. Safe to run anywhere, any time."""
    async with parts.transactions.write() as session:
        await forget_empty_households(session, parts.real_now())
        page_began = await _page_began(session)
        erasures = await erasures_to_finish(session)
        waiting = [one.id for one in erasures if page_began is None or one.asked_at < page_began]
    if not waiting:
        return 0
    for index in parts.indexes:
        await index.forget_deleted()
    async with parts.transactions.write() as session:
        finished = update(Erasure).where(col(Erasure.id).in_(waiting)).values(done_at=parts.real_now())
        await session.exec(finished)
    return len(waiting)


async def _page_began(session: AsyncSession) -> datetime | None:
    """Since when a collection is being filled with what it read before; None when none is.

    What was erased after that may be among it, and leaves the collection when the page is done.
    """
    row = await read_serving(session)
    filling = row is not None and row.state in (MoveState.FILLING, MoveState.REFRESHING) and not row.filled
    return row.progress_at if row is not None and filling else None
