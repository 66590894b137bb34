"""One writer at a time for what a household remembers: decisions on a slot are taken one after the other."""

from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession

_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended(:household_id, 0))")


async def wait_for_turn(session: AsyncSession, household_id: str) -> None:
    """Hold the household's memory until the transaction ends.

    SQLite writes one transaction at a time anyway (`BEGIN IMMEDIATE`), so only PostgreSQL takes a lock.
    """
    if session.get_bind().dialect.name == "postgresql":
        connection = await session.connection()
        await connection.execute(_LOCK, {"household_id": household_id})
