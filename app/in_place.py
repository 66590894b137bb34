"""Sessions whose statements run where they are called, on the connection of the quick writes.

For short units of work on SQLite: no trip to a thread, and the pages that the quick statements of a turn have read are
still in the connection's cache. Nothing here waits, so a cancelled task never leaves one of these half done.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import create_async_engine
from sqlmodel.ext.asyncio.session import AsyncSession

from app.quick_sql import SqliteQuick, SqliteQuickDoor
from app.sqlite_driver import InPlaceConnection
from memory.appends import AppendingSession
from memory.prepared import QUICK


class InPlaceSessions:
    """Short sessions over the writer of `door`, one at a time: whoever begins one holds the lock of the writes."""

    def __init__(self, url: URL, door: SqliteQuickDoor) -> None:
        self._door = door
        self._engine = create_async_engine(url, async_creator=self._connection, pool_size=1, max_overflow=0)
        self._met = False  # whether the engine has looked at the database, which ends in a rollback

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncSession]:
        """One transaction: committed at the end of the block, rolled back on any exception."""
        if not self._met:
            async with self._engine.connect():
                self._met = True
        writer = await self._door.begin()
        session = AppendingSession(self._engine, expire_on_commit=False)
        session.info[QUICK] = SqliteQuick(lambda: writer)
        try:
            yield session
            if session.in_transaction():  # where only prebuilt statements ran, the session knows of none
                await session.commit()
            writer.commit()
        except BaseException:
            await session.rollback()
            writer.rollback()
            raise
        finally:
            if session.in_transaction():
                await session.close()
            session.expunge_all()

    async def close(self) -> None:
        await self._engine.dispose()

    async def _connection(self, *_given: object, **_named: object) -> InPlaceConnection:
        return InPlaceConnection(self._door.writer())
