"""The database: engines for both set-ups, the two kinds of unit of work, and migrations.

SQLite runs in WAL mode with `synchronous=NORMAL`. A write begins with `BEGIN IMMEDIATE` (a deferred one loses updates
or fails when it upgrades its lock) on one connection, so writers of this process queue instead of polling for the lock;
reads have a small pool of their own. PostgreSQL uses one pool for both.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, event, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker, create_async_engine
from sqlmodel.ext.asyncio.session import AsyncSession

from app import sqlite_driver
from app.data_folder import PRIVATE_FILE, PRIVATE_FOLDER
from app.in_place import InPlaceSessions
from app.quick_sql import CHECKPOINT_PAGES, PostgresQuickDoor, SqliteQuickDoor
from app.write_health import WriteHealth
from memory.appends import AppendingSession, write_appended
from memory.archive_rows import write_marks
from memory.prepared import Quick
from memory.revision import raise_touched
from memory.traces import has_erased

SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA busy_timeout=10000",  # ms; another process (a command) may hold the lock for a moment
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",  # erased text is overwritten in the file
    "PRAGMA cache_size=-65536",  # 64 MiB
    "PRAGMA temp_store=MEMORY",  # sorting a handful of rows needs no file
    f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}",  # `checkpoint` does it off the event loop long before
)
SQLITE_READERS = 4  # with the writer: the pool of five that measured best
POSTGRES_POOL = 20


class DatabaseUnavailable(Exception):
    """The database cannot be opened; the message says what to do."""


class Database:
    """Both kinds of unit of work over one database. Make it with `open_database`, end it with `close`."""

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self.writes = WriteHealth()
        self.dialect = self.url.get_backend_name()
        if self.dialect == "sqlite":
            sqlite_driver.register()
            fast = self.url.set(drivername=sqlite_driver.DRIVER)
            self._reader = _sqlite_engine(fast, "BEGIN", SQLITE_READERS)
            self._writer = _sqlite_engine(fast, "BEGIN IMMEDIATE", 1)
            self._writing: AbstractAsyncContextManager[object] = (lock := asyncio.Lock())
            door = SqliteQuickDoor(self.url.database or "", SQLITE_PRAGMAS, lock, self.writes)
            self._quick: SqliteQuickDoor | PostgresQuickDoor = door
            self._in_place: InPlaceSessions | None = InPlaceSessions(fast, door)
        else:
            self._reader = self._writer = create_async_engine(
                self.url, pool_size=POSTGRES_POOL, max_overflow=0, pool_pre_ping=True
            )
            self._writing = nullcontext()
            self._in_place = None
            self._quick = PostgresQuickDoor(self._writer, self.writes)
        self._read_sessions = async_sessionmaker(self._reader, class_=AsyncSession, expire_on_commit=False)
        self._write_sessions = async_sessionmaker(self._writer, class_=AppendingSession, expire_on_commit=False)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        """A session for looking only."""
        async with self._read_sessions() as session:
            yield session

    @asynccontextmanager
    async def write(self, *, short: bool = False) -> AsyncIterator[AsyncSession]:
        """One transaction: committed at the end of the block, rolled back on any exception.

        short: a handful of statements by key; on SQLite they run where they are called.
        """
        async with self._writing:
            with self.writes.watch():
                async with self._opened(short) as session:
                    yield session
                    await session.flush()
                    await write_appended(session)
                    await write_marks(session)
                    await raise_touched(session)
        if has_erased(session):
            await self._quick.wipe()

    def _opened(self, short: bool) -> AbstractAsyncContextManager[AsyncSession]:
        if short and self._in_place is not None:
            return self._in_place.begin()
        return self._write_sessions.begin()

    def quick_read(self) -> AbstractAsyncContextManager[Quick]:
        """Prebuilt reads by key; see `memory.prepared`."""
        return self._quick.read()

    def quick_scan(self) -> AbstractAsyncContextManager[Quick]:
        """Prebuilt reads that may touch many rows, off the event loop."""
        return self._quick.scan()

    def quick_write(self) -> AbstractAsyncContextManager[Quick]:
        """One transaction of prebuilt statements."""
        return self._quick.write()

    async def checkpoint(self) -> None:
        """Keep SQLite's write-ahead log short; the scheduler calls it."""
        await self._quick.checkpoint()

    async def migrate(self) -> None:
        """Bring the schema to the newest version. Raises DatabaseUnavailable with advice."""
        try:
            async with self._writer.connect() as connection:
                await connection.run_sync(_upgrade)
        except (OSError, sqlite3.Error) as error:
            raise DatabaseUnavailable(_advice(self.url, error)) from error
        except Exception as error:
            if "sqlite3" in str(error) or "asyncpg" in str(error) or "Connect" in type(error).__name__:
                raise DatabaseUnavailable(_advice(self.url, error)) from error
            raise

    async def check(self) -> None:
        """Raises DatabaseUnavailable when the database does not answer, or has no tables yet."""
        try:
            async with self._reader.connect() as connection:
                await connection.execute(text("SELECT version_num FROM alembic_version"))
        except ProgrammingError as error:
            raise DatabaseUnavailable(
                f"The database at {self.url.host} has no tables yet. Run `pawsignal migrate` first."
            ) from error
        except (OSError, DBAPIError) as error:
            raise DatabaseUnavailable(_advice(self.url, error)) from error

    async def close(self) -> None:
        if self._in_place is not None:
            await self._in_place.close()
        self._quick.close()
        await self._reader.dispose()
        await self._writer.dispose()


def open_database(url: str) -> Database:
    """A database at an SQLAlchemy address (`sqlite+aiosqlite:///…` or `postgresql+asyncpg://…`).

    Raises DatabaseUnavailable when SQLite's folder cannot be made.
    """
    location = make_url(url)
    if location.get_backend_name() == "sqlite" and location.database and location.database != ":memory:":
        try:
            _make_private(Path(location.database))
        except OSError as error:
            raise DatabaseUnavailable(_advice(location, error)) from error
    return Database(url)


def _make_private(file: Path) -> None:
    """An empty file that only its user reads; SQLite gives its log and its index the same rights."""
    file.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    if not file.exists():
        file.touch(mode=PRIVATE_FILE)


def _sqlite_engine(url: URL, begin: str, size: int) -> AsyncEngine:
    engine = create_async_engine(
        url, pool_size=size, max_overflow=0, connect_args={"check_same_thread": False, "cached_statements": 512}
    )

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # we send BEGIN ourselves
        cursor = connection.cursor()
        for pragma in SQLITE_PRAGMAS:
            cursor.execute(pragma)
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def alembic_config() -> Config:
    """Alembic's configuration, found beside the package so that it works from any folder."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).resolve().parent.parent / "migrations"))
    return config


def _upgrade(connection: Connection) -> None:
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _advice(url: URL, error: BaseException) -> str:
    said = str(error).lower()
    if url.get_backend_name() != "sqlite":
        return f"The database at {url.host}:{url.port or 5432} does not answer. Is PAWSIGNAL_DATABASE_URL right?"
    if "full" in said or "no space" in said:
        return (
            f"The disk that holds {url.database} is full. Free some space, or set PAWSIGNAL_DATA_DIR to another disk."
        )
    if "locked" in said:
        return f"{url.database} is locked by another program. Stop it, or set PAWSIGNAL_DATA_DIR to another folder."
    if "readonly" in said or "permission" in said or "unable to open" in said:
        return f"{url.database} cannot be written. Check who owns the folder, or set PAWSIGNAL_DATA_DIR."
    if "not a database" in said or "malformed" in said:
        return f"{url.database} is damaged or no database of ours. Restore a backup, or set PAWSIGNAL_DATA_DIR."
    return f"{url.database} cannot be opened: {getattr(error, 'orig', None) or error}"
