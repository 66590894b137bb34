"""Both halves of memory's numbers, read one after the other: what is stored, and what the newest turns say."""

from datetime import datetime

from app.database import Database
from domain.kpis import TurnNumbers, turn_numbers
from memory.kpis import StoreNumbers, store_numbers


async def measure(database: Database, since: datetime, now: datetime) -> tuple[StoreNumbers, TurnNumbers]:
    """The numbers of a window."""
    async with database.read() as session:
        return await store_numbers(session, since, now), await turn_numbers(session, since, now)
