"""Erasing an account: everything of a household that is one owner's is gone in one transaction; engines follow it.

The bare household row stays until the work that follows (vectors, files) is done, then purge takes it too. The next
sign-in of the same person makes a new owner.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, insert
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.owners import Household, Owner
from memory.item_writes import VECTOR_TOPIC
from memory.items import MemoryItem
from memory.outbox import OutboxRow
from memory.revision import touch
from memory.sqltypes import new_id
from memory.traces import leave_no_trace

KEPT_TABLES = frozenset({"households", "outbox", "owners"})  # the shell, the work that follows, and what goes last
BATCH = 200  # households a transaction


async def erase_account(session: AsyncSession, owner: Owner, real_now: datetime) -> None:
    """Erase all rows of the owner's household, then the owner with sessions, consents, grants and pushes.

    Tables are found by their `household_id`, so that a new one is never forgotten; what hangs on them goes by key.
    """
    home = owner.household_id
    await _forget_vectors(session, home, real_now)
    for table in reversed(SQLModel.metadata.sorted_tables):
        if "household_id" in table.columns and table.name not in KEPT_TABLES:
            await session.exec(delete(table).where(table.columns["household_id"] == home))
    await session.exec(delete(Owner).where(col(Owner.household_id) == home))
    touch(session, home)
    leave_no_trace(session)


async def forget_empty_households(session: AsyncSession, _real_now: datetime) -> int:
    """Delete the shells of erased accounts once nothing has to follow any more."""
    followed = select(OutboxRow.id).where(col(OutboxRow.household_id) == col(Household.id)).exists()
    lived_in = select(Owner.id).where(col(Owner.household_id) == col(Household.id)).exists()
    ids = (await session.exec(select(Household.id).where(~followed, ~lived_in).limit(BATCH))).all()
    if ids:
        await session.exec(delete(Household).where(col(Household.id).in_(ids)))
    return len(ids)


async def households_left(session: AsyncSession) -> int:
    """How many shells still wait for what follows."""
    lived_in = select(Owner.id).where(col(Owner.household_id) == col(Household.id)).exists()
    return (await session.exec(select(func.count()).select_from(Household).where(~lived_in))).one()


async def _forget_vectors(session: AsyncSession, household_id: str, real_now: datetime) -> None:
    """Work that waits for this household is moot; instead every vector has to go."""
    await session.exec(delete(OutboxRow).where(col(OutboxRow.household_id) == household_id))
    ids = (await session.exec(select(MemoryItem.id).where(col(MemoryItem.household_id) == household_id))).all()
    rows: list[dict[str, Any]] = [
        {
            "id": new_id(),
            "household_id": household_id,
            "topic": VECTOR_TOPIC,
            "key": item_id,
            "payload": {},
            "created_at": real_now,
            "available_at": real_now,
            "attempts": 0,
        }
        for item_id in ids
    ]
    if rows:
        await session.exec(insert(OutboxRow), params=rows)
