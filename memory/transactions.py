"""How code asks for the database: a short read or a short write. Nobody calls `commit`."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from sqlmodel.ext.asyncio.session import AsyncSession

from memory.prepared import Quick


class Transactions(Protocol):
    """One unit of work each time. Nothing else may be awaited inside one: no model, no network, no engine."""

    def read(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A session for looking only; it is rolled back at the end."""
        ...

    def write(self, *, short: bool = False) -> AbstractAsyncContextManager[AsyncSession]:
        """A session that commits at the end of the block, and rolls back on any exception.

        short: only a handful of statements by key, so that they may run on the event loop.
        """
        ...

    def quick_read(self) -> AbstractAsyncContextManager[Quick]:
        """Prebuilt reads by key, for the hot path."""
        ...

    def quick_scan(self) -> AbstractAsyncContextManager[Quick]:
        """Prebuilt reads that may touch many rows: they never hold the event loop."""
        ...

    def quick_write(self) -> AbstractAsyncContextManager[Quick]:
        """One transaction of prebuilt statements, for the hot path."""
        ...
