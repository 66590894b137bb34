"""The two real `memory.prepared.Quick`: SQLite straight through the driver, PostgreSQL through SQLAlchemy.

On SQLite a prebuilt statement by key takes some ten microseconds, a trip to another thread and back a hundred, so these
run where they are called. What can wait does not run on the event loop: taking the write lock while another process
holds it, and checkpoints of the write-ahead log.
"""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, nullcontext, suppress
from typing import Any

from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler
from sqlalchemy.ext.asyncio import AsyncEngine

from app.write_health import WriteHealth
from memory.prepared import ConnectionQuick, Params, Statement


class _QuickCompiler(SQLiteCompiler):
    """Writes hints into the FROM (`with_hint(table, "INDEXED BY …", "sqlite")`), and fixed words as words.

    A word that is bound (`status = ?`) and stands in the condition of some partial index makes SQLite plan the
    statement anew whenever it is run, which takes five times as long as running it.
    """

    def get_from_hint_text(self, table: Any, text: str | None) -> str | None:
        return text

    def visit_bindparam(self, bindparam: Any, *given: Any, **more: Any) -> Any:
        if isinstance(bindparam.value, str) and not bindparam.required:
            more["literal_binds"] = True
        return super().visit_bindparam(bindparam, *given, **more)  # type: ignore[no-untyped-call]  # SQLAlchemy's gap


class _QuickSqlite(SQLiteDialect_aiosqlite):
    statement_compiler = _QuickCompiler
    supports_statement_cache = True


SQLITE = _QuickSqlite(paramstyle="qmark")
BUSY_SECONDS = 10.0  # how long to wait for another process that holds the write lock
SCANNERS = 3  # connections for searches; more only take turns on the machine's cores
SLOW_SECONDS = 0.002  # of CPU time; a statement that takes longer than this on average never holds the event loop
REMEMBERED_RUNS = 20  # how many quick runs it takes to be trusted again after a slow one
CHECKPOINT_BUSY_MS = 200  # how long an emptying of the log waits for readers, and writers for it
CHECKPOINT_PAGES = 20_000  # 80 MB of log: only if nobody calls `checkpoint` for so long does a commit do it itself


class SqliteQuick:
    """`Quick` on a raw connection; every statement finishes before the call returns.

    connection: asked for each statement, because a reader may find that somebody has begun to write meanwhile.
    """

    dialect_name = "sqlite"

    def __init__(self, connection: Callable[[], sqlite3.Connection]) -> None:
        self._connection = connection

    async def rows(self, statement: Statement, params: Params) -> list[Any]:
        compiled = statement.compiled(SQLITE)
        return compiled.read(self._connection().execute(*compiled.bound(params)).fetchall())

    async def run(self, statement: Statement, params: Params) -> int:
        return self._connection().execute(*statement.compiled(SQLITE).bound(params)).rowcount

    async def run_many(self, statement: Statement, params: Sequence[Params]) -> None:
        compiled = statement.compiled(SQLITE)
        self._connection().executemany(compiled.text, [compiled.bind(one) for one in params])


class SqliteScan:
    """`Quick` for reading only. A statement that has been quick lately runs in place, any other in the scan pool.

    `spent` holds for each statement how long it took, lately and on average, in seconds of its thread's CPU: by the
    clock it would also pay for whoever else works on the machine, and in the pool for its turn at the interpreter, so
    that on a busy machine every statement would seem slow and stay in the pool, where it costs several times as much.
    """

    dialect_name = "sqlite"

    def __init__(
        self, at_hand: Callable[[], sqlite3.Connection], pool: "ScanPool", spent: dict[Statement, float]
    ) -> None:
        self._at_hand = at_hand
        self._pool = pool
        self._spent = spent

    async def rows(self, statement: Statement, params: Params) -> list[Any]:
        compiled = statement.compiled(SQLITE)
        sql, values = compiled.bound(params)
        lately = self._spent.get(statement, SLOW_SECONDS)
        if lately < SLOW_SECONDS:
            found, took = _timed(self._at_hand(), sql, values)
        else:
            found, took = await self._pool.timed(sql, values)
        self._spent[statement] = max(took, lately + (took - lately) / REMEMBERED_RUNS)
        return compiled.read(found)

    async def run(self, statement: Statement, params: Params) -> int:
        raise TypeError("a scan only reads")

    async def run_many(self, statement: Statement, params: Sequence[Params]) -> None:
        raise TypeError("a scan only reads")


class ScanPool:
    """Threads with a connection each, for searches that would hold the event loop."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._idle: asyncio.LifoQueue[sqlite3.Connection] = asyncio.LifoQueue()
        self._made = 0
        self._threads = ThreadPoolExecutor(SCANNERS, thread_name_prefix="sqlite-scan")

    async def timed(self, sql: str, values: tuple[Any, ...]) -> tuple[list[Any], float]:
        """All rows, and the seconds of CPU they took."""
        if self._idle.empty() and self._made < SCANNERS:
            self._made += 1
            self._idle.put_nowait(self._connect())
        connection = await self._idle.get()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, _timed, connection, sql, values)
        finally:
            self._idle.put_nowait(connection)

    def close(self) -> None:
        """Wait for what still runs, then close the connections that are idle."""
        self._threads.shutdown(wait=True)
        for _ in range(self._idle.qsize()):
            self._idle.get_nowait().close()


def _timed(connection: sqlite3.Connection, sql: str, values: tuple[Any, ...]) -> tuple[list[Any], float]:
    begun = time.thread_time()
    found = connection.execute(sql, values).fetchall()
    return found, time.thread_time() - begun


class SqliteQuickDoor:
    """Opens quick reads and writes on a SQLite file, writes one at a time.

    `writing` is shared with whoever else writes in this process, so that writers queue instead of polling. A commit
    empties the page cache of every connection but its own, and a turn commits four times: so while nobody writes,
    reads go through the writer's connection, whose pages are still there.
    """

    def __init__(self, path: str, pragmas: Sequence[str], writing: asyncio.Lock, health: WriteHealth) -> None:
        self._health = health
        self._path = path
        self._pragmas = tuple(pragmas)
        self._writing = writing
        self._reader: sqlite3.Connection | None = None
        self._scan_pool = ScanPool(self._connect)
        self._spent: dict[Statement, float] = {}
        self._writer: sqlite3.Connection | None = None
        self._to_wipe = False  # the log holds erased text

    def read(self) -> AbstractAsyncContextManager[SqliteQuick]:
        """Reads outside any transaction: each statement sees the last commit."""
        return nullcontext(SqliteQuick(self._at_hand))

    def scan(self) -> AbstractAsyncContextManager[SqliteScan]:
        """Reads outside any transaction, in a thread where they are slow: for what may touch many rows."""
        return nullcontext(SqliteScan(self._at_hand, self._scan_pool, self._spent))

    @asynccontextmanager
    async def write(self) -> AsyncIterator[SqliteQuick]:
        """One transaction: committed at the end of the block, rolled back on any exception."""
        async with self._writing:
            with self._health.watch():
                writer = await self.begin()
                try:
                    yield SqliteQuick(lambda: writer)
                    writer.commit()
                except BaseException:
                    writer.rollback()  # a commit that fails may leave its transaction open, and with it the lock
                    raise

    async def begin(self) -> sqlite3.Connection:
        """The writer's connection with a transaction begun, for somebody who holds `writing` and ends it."""
        await _begin(self.writer())
        return self.writer()

    def writer(self) -> sqlite3.Connection:
        """The connection of the writes, opened at its first use."""
        self._writer = self._writer or self._connect()
        return self._writer

    def _at_hand(self) -> sqlite3.Connection:
        """The writer's connection while nobody writes, else one of the readers' own."""
        if not self._writing.locked():
            return self.writer()
        self._reader = self._reader or self._connect()
        return self._reader

    async def checkpoint(self) -> None:
        """Move what the write-ahead log holds into the file, off the event loop."""
        if not self._to_wipe:
            await asyncio.to_thread(self._checkpoint)
            return
        async with self._writing:
            await asyncio.to_thread(self._wipe)

    async def wipe(self) -> None:
        """After an erasure: what its text left in the full-text index and in the log is overwritten.

        A reader may keep the log in use just then, or the disk be full; every later checkpoint tries again.
        """
        self._to_wipe = True
        with suppress(sqlite3.OperationalError):
            await self.checkpoint()

    def close(self) -> None:
        self._scan_pool.close()
        for connection in (self._reader, self._writer):
            if connection is not None:
                connection.close()
        self._reader = self._writer = None

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=512
        )
        for pragma in self._pragmas:
            connection.execute(pragma)
        return connection

    def _checkpoint(self) -> None:
        with closing(self._connect()) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _wipe(self) -> None:
        with closing(self._connect()) as connection:
            connection.execute("INSERT INTO search_fts(search_fts) VALUES ('optimize')")
            connection.execute(f"PRAGMA busy_timeout={CHECKPOINT_BUSY_MS}")
            in_use, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._to_wipe = bool(in_use)


class PostgresQuickDoor:
    """Opens quick reads and writes on a pool of SQLAlchemy connections."""

    def __init__(self, engine: AsyncEngine, health: WriteHealth) -> None:
        self._engine = engine
        self._health = health

    @asynccontextmanager
    async def read(self) -> AsyncIterator[ConnectionQuick]:
        """Reads in a transaction that is rolled back."""
        async with self._engine.connect() as connection:
            yield ConnectionQuick(connection)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[ConnectionQuick]:
        """One transaction: committed at the end of the block, rolled back on any exception."""
        with self._health.watch():
            async with self._engine.begin() as connection:
                yield ConnectionQuick(connection)

    def scan(self) -> AbstractAsyncContextManager[ConnectionQuick]:
        """The same as `read`: nothing here holds the event loop."""
        return self.read()

    async def checkpoint(self) -> None:
        """PostgreSQL does this by itself."""

    async def wipe(self) -> None:
        """PostgreSQL's vacuum does this by itself."""

    def close(self) -> None:
        """The engine is closed by its owner."""


async def _begin(writer: sqlite3.Connection) -> None:
    """Take the write lock: at once when it is free, waiting in a thread when another process holds it."""
    writer.execute("PRAGMA busy_timeout=0")
    try:
        writer.execute("BEGIN IMMEDIATE")
        return
    except sqlite3.OperationalError:
        pass  # asked again below, where waiting holds nobody up
    finally:
        writer.execute(f"PRAGMA busy_timeout={int(BUSY_SECONDS * 1000)}")
    await _begin_in_a_thread(writer)


async def _begin_in_a_thread(writer: sqlite3.Connection) -> None:
    """Raises OperationalError when the lock does not come free. Nobody has the connection before the thread is done."""
    waiting = asyncio.ensure_future(asyncio.to_thread(writer.execute, "BEGIN IMMEDIATE"))
    try:
        await asyncio.shield(waiting)
    except asyncio.CancelledError:
        await asyncio.wait([waiting])
        if waiting.exception() is None:
            writer.rollback()
        raise
