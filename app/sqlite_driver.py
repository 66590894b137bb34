"""SQLite through aiosqlite with one trip to its thread for each statement, where the stock adapter makes four.

The stock adapter opens a cursor, executes, fetches and closes in separate trips; under load the trips, not SQLite, are
the cost of a statement (`python -m bench.chat_turns` shows both). Rows are fetched whole in the same trip, which is
what the stock adapter does too. Registered as `sqlite+onehop`.
"""

import collections
import sqlite3
from collections.abc import Callable
from typing import Any

from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
    AsyncAdapt_aiosqlite_dbapi,
    SQLiteDialect_aiosqlite,
)
from sqlalchemy.util.concurrency import await_

DRIVER = "sqlite+onehop"

_Result = tuple[Any, int, int | None, list[Any]]


class OneHopCursor(AsyncAdapt_aiosqlite_cursor):
    """A DB-API cursor whose real cursor lives and dies inside one call on the connection's thread."""

    __slots__ = ("_last",)

    def __init__(self, adapt_connection: Any) -> None:
        self._adapt_connection = adapt_connection
        self._connection = adapt_connection._connection
        self._rows = collections.deque()
        self._last: tuple[Any, int, int | None] = (None, -1, None)

    @property
    def description(self) -> Any:
        return self._last[0]

    @property
    def rowcount(self) -> int:
        return self._last[1]

    @property
    def lastrowid(self) -> Any:
        return self._last[2]

    def execute(self, operation: Any, parameters: Any = None) -> Any:
        """Run one statement and keep its rows."""
        return self._trip(_execute, operation, parameters or ())

    def executemany(self, operation: Any, seq_of_parameters: Any) -> Any:
        """Run one statement for each set of parameters."""
        return self._trip(_execute_many, operation, seq_of_parameters)

    def close(self) -> None:
        """Drop the rows; the real cursor is closed already."""
        self._rows.clear()

    async def _async_soft_close(self) -> None:
        return None

    def _trip(self, work: Any, operation: Any, parameters: Any) -> "OneHopCursor":
        connection = self._connection
        try:
            *last, rows = await_(connection._execute(work, connection._conn, operation, parameters))
        except Exception as error:
            self._adapt_connection._handle_exception(error)
        self._last = (last[0], last[1], last[2])
        self._rows = collections.deque(rows)
        return self


def _execute(connection: sqlite3.Connection, operation: str, parameters: Any) -> _Result:
    cursor = connection.execute(operation, parameters)
    rows = cursor.fetchall() if cursor.description else []
    result = (cursor.description, cursor.rowcount, cursor.lastrowid, rows)
    cursor.close()
    return result


def _execute_many(connection: sqlite3.Connection, operation: str, parameters: Any) -> _Result:
    cursor = connection.executemany(operation, parameters)
    result: _Result = (None, cursor.rowcount, cursor.lastrowid, [])
    cursor.close()
    return result


class OneHopConnection(AsyncAdapt_aiosqlite_connection):
    """The stock connection with our cursor."""

    __slots__ = ()

    _cursor_cls = OneHopCursor


class InPlaceConnection:
    """What of an aiosqlite connection the adapter uses, without a thread: everything runs where it is called.

    For short units of work by key, on a connection that somebody else opens and closes.
    """

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._conn = self._connection = raw
        self.isolation_level = raw.isolation_level

    async def create_function(self, *given: Any, **named: Any) -> None:
        self._conn.create_function(*given, **named)

    async def _execute(self, work: Callable[..., Any], *given: Any) -> Any:
        return work(*given)

    async def commit(self) -> None:
        self._conn.commit()

    async def rollback(self) -> None:
        self._conn.rollback()

    async def close(self) -> None:
        """Whoever opened the connection closes it."""

    def stop(self) -> None:
        """Whoever opened the connection closes it."""


class OneHopDbapi(AsyncAdapt_aiosqlite_dbapi):
    """The stock DB-API module, handing out our connections."""

    def connect(self, *arg: Any, **kw: Any) -> OneHopConnection:
        stock = super().connect(*arg, **kw)
        return OneHopConnection(self, stock._connection)


class OneHopDialect(SQLiteDialect_aiosqlite):
    """`sqlite+onehop`."""

    supports_statement_cache = True

    @classmethod
    def import_dbapi(cls) -> OneHopDbapi:
        stock = SQLiteDialect_aiosqlite.import_dbapi()
        return OneHopDbapi(stock.aiosqlite, stock.sqlite)


def register() -> None:
    """Make `sqlite+onehop://` known to SQLAlchemy."""
    registry.register("sqlite.onehop", __name__, "OneHopDialect")
