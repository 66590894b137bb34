"""The two real `memory.prepared.Quick`: SQLite straight through the driver, PostgreSQL through SQLAlchemy.

On SQLite a prebuilt statement by key takes some ten microseconds, a trip to another thread and back a hundred, so these
run where they are called. What can wait does not run on the event loop: taking the write lock while another process
holds it, and checkpoints of the write-ahead log.
"""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, suppress
from typing import Any

from sqlalchemy import Dialect
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.ext.asyncio import AsyncEngine

from app.write_health import WriteHealth
from memory.prepared import ConnectionQuick, Params, Statement

SQLITE = SQLiteDialect_aiosqlite(paramstyle="qmark")
BUSY_SECONDS = 10.0  # how long to wait for another process that holds the write lock
SCANNERS = 3  # connections for searches; more only take turns on the machine's cores
SLOW_SECONDS = 0.002  # of CPU time; a statement that takes longer than this on average never holds the event loop
REMEMBERED_RUNS = 20  # how many quick runs it takes to be trusted again after a slow one
CHECKPOINT_BUSY_MS = 200  # how long an emptying of the log waits for readers, and writers for it
CHECKPOINT_PAGES = 20_000  # 80 MB of log: only if nobody calls `checkpoint` for so long does a commit do it itself


class SqliteQuick:
    """`Quick` over one raw connection; every statement finishes before the call returns."""

    dialect_name = "sqlite"

    def __init__(self, connection: sqlite3.Connection, dialect: Dialect) -> None:
        self._connection = connection
        self._dialect = dialect

    async def rows(self, statement: Statement, params: Params) -> list[Any]:
        compiled = statement.compiled(self._dialect)
        return compiled.read(self._connection.execute(*compiled.bound(params)).fetchall())

    async def run(self, statement: Statement, params: Params) -> int:
        return self._connection.execute(*statement.compiled(self._dialect).bound(params)).rowcount

    async def run_many(self, statement: Statement, params: Sequence[Params]) -> None:
        compiled = statement.compiled(self._dialect)
        self._connection.executemany(compiled.text, [compiled.bind(one) for one in params])


class SqliteScan:
    """`Quick` for reading only. A statement that has been quick lately runs in place, any other in the scan pool.

    `spent` holds for each statement how long it took, lately and on average, in seconds of its thread's CPU: by the
    clock it would also pay for whoever else works on the machine, and in the pool for its turn at the interpreter, so
    that on a busy machine every statement would seem slow and stay in the pool, where it costs several times as much.
    """

    dialect_name = "sqlite"

    def __init__(
        self,
        connection: sqlite3.Connection,
        dialect: Dialect,
        pool: ThreadPoolExecutor,
        spent: dict[Statement, float],
    ) -> None:
        self._connection = connection
        self._dialect = dialect
        self._pool = pool
        self._spent = spent

    async def rows(self, statement: Statement, params: Params) -> list[Any]:
        compiled = statement.compiled(self._dialect)
        sql, values = compiled.bound(params)
        lately = self._spent.get(statement, SLOW_SECONDS)
        if lately < SLOW_SECONDS:
            found, took = self._timed(sql, values)
        else:
            found, took = await asyncio.get_running_loop().run_in_executor(self._pool, self._timed, sql, values)
        self._spent[statement] = max(took, lately + (took - lately) / REMEMBERED_RUNS)
        return compiled.read(found)

    async def run(self, statement: Statement, params: Params) -> int:
        raise TypeError("a scan only reads")

    async def run_many(self, statement: Statement, params: Sequence[Params]) -> None:
        raise TypeError("a scan only reads")

    def _timed(self, sql: str, values: tuple[Any, ...]) -> tuple[list[Any], float]:
        begun = time.thread_time()
        found = self._connection.execute(sql, values).fetchall()
        return found, time.thread_time() - begun


class SqliteQuickDoor:
    """Opens quick reads and writes on a SQLite file: one raw connection each, writes one at a time.

    `writing` is shared with whoever else writes in this process, so that writers queue instead of polling.
    """

    def __init__(self, path: str, pragmas: Sequence[str], writing: asyncio.Lock, health: WriteHealth) -> None:
        self._health = health
        self._path = path
        self._pragmas = tuple(pragmas)
        self._writing = writing
        self._dialect = SQLITE
        self._reader: sqlite3.Connection | None = None
        self._scanners: asyncio.LifoQueue[sqlite3.Connection] = asyncio.LifoQueue()
        self._scanners_made = 0
        self._spent: dict[Statement, float] = {}
        self._pool = ThreadPoolExecutor(SCANNERS, thread_name_prefix="sqlite-scan")
        self._writer: sqlite3.Connection | None = None
        self._to_wipe = False  # the log holds erased text

    @asynccontextmanager
    async def read(self) -> AsyncIterator[SqliteQuick]:
        """Reads outside any transaction: each statement sees the last commit."""
        self._reader = self._reader or self._connect()
        yield SqliteQuick(self._reader, self._dialect)

    @asynccontextmanager
    async def scan(self) -> AsyncIterator[SqliteScan]:
        """Reads outside any transaction, in a thread: for what may touch many rows."""
        if self._scanners.empty() and self._scanners_made < SCANNERS:
            self._scanners_made += 1
            self._scanners.put_nowait(self._connect())
        scanner = await self._scanners.get()
        try:
            yield SqliteScan(scanner, self._dialect, self._pool, self._spent)
        finally:
            self._scanners.put_nowait(scanner)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[SqliteQuick]:
        """One transaction: committed at the end of the block, rolled back on any exception."""
        async with self._writing:
            with self._health.watch():
                writer = self._writer = self._writer or self._connect()
                await _begin(writer)
                try:
                    yield SqliteQuick(writer, self._dialect)
                    writer.commit()
                except BaseException:
                    writer.rollback()  # a commit that fails may leave its transaction open, and with it the lock
                    raise

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
        self._pool.shutdown(wait=True)
        idle = [self._scanners.get_nowait() for _ in range(self._scanners.qsize())]
        for connection in (self._reader, self._writer, *idle):
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
    if writer.in_transaction:  # left open by a write that was cancelled while it waited for the lock
        writer.rollback()
    writer.execute("PRAGMA busy_timeout=0")
    try:
        writer.execute("BEGIN IMMEDIATE")
        return
    except sqlite3.OperationalError:
        writer.execute(f"PRAGMA busy_timeout={int(BUSY_SECONDS * 1000)}")
    await asyncio.to_thread(writer.execute, "BEGIN IMMEDIATE")
