"""How code asks for the database: a short read or a short write. Nobody calls `commit`."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from sqlmodel.ext.asyncio.session import AsyncSession


class Transactions(Protocol):
    """One unit of work each time. Nothing else may be awaited inside one: no model, no network, no engine."""

    def read(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A session for looking only; it is rolled back at the end."""
        ...

    def write(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A session that commits at the end of the block, and rolls back on any exception."""
        ...
