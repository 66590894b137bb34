"""What all tests share: a database of each kind, the app on it, and owners who are signed in.

`database` runs a test on SQLite and on a real PostgreSQL; `app` and `client` come on top of it. Tests that do not
care which database they run on ask for `sqlite_database`, or mark themselves with `@on_sqlite`.
"""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlmodel import SQLModel

import app.tables  # every table is known, so every table is emptied
from app.container import open_container
from app.database import Database, open_database
from app.logging import configure_logging
from app.main import create_app
from app.settings import Settings
from tests.chromium import chromium_line
from tests.factories import Owner, sign_in_as
from tests.fakes.model_server import FakeModel, running_model
from tests.postgres_server import URL_VARIABLE, postgres_server, postgres_there

LET_GO = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
EMPTY = (
    "SET session_replication_role = replica",  # no foreign keys while everything goes: a few ms instead of a TRUNCATE
    *(f"DELETE FROM {table.name}" for table in SQLModel.metadata.sorted_tables),  # noqa: S608  # names of our own tables
)

DATABASES = ["sqlite", *(["postgresql"] if postgres_there() else [])]
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

SignIn = Callable[..., Awaitable[Owner]]


def pytest_report_header() -> list[str]:
    """Which databases the tests ran on, and which browser."""
    if postgres_there():
        return ["databases: SQLite and PostgreSQL", chromium_line()]
    return [f"databases: SQLite only (no `postgres` in PATH and no {URL_VARIABLE})", chromium_line()]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Continuous integration must have both databases. Only warnings are logged while tests run."""
    configure_logging("WARNING")
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.verbosity < 0:  # a quiet run hides the header, and must not hide this
        for line in pytest_report_header():
            reporter.write_line(line)
    if os.environ.get("CI") == "true" and not postgres_there():
        pytest.exit(f"CI needs PostgreSQL: install `postgres` or set {URL_VARIABLE}", returncode=1)


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads the settings of the person who runs it."""
    for name in list(os.environ):
        if name.startswith(("PAWSIGNAL_", "OPENAI_", "WECHAT_")) and name != URL_VARIABLE:
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of one server for the whole run, with a migrated template database."""
    with postgres_server() as address:
        yield address


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file, copied for each test."""
    path = tmp_path_factory.mktemp("template") / "pawsignal.db"
    _apart(_migrate(f"sqlite+aiosqlite:///{path}"))
    return path


@pytest.fixture(scope="session")
def postgres_database(postgres: str) -> Iterator[str]:
    """The address of a migrated database, emptied after each test."""
    name = f"pawsignal_{uuid4().hex[:8]}"
    _apart(_administer(postgres, f"CREATE DATABASE \"{name}\" ENCODING 'UTF8' TEMPLATE template0"))
    address = make_url(postgres).set(database=name).render_as_string(hide_password=False)
    _apart(_migrate(address))
    yield address
    _apart(_administer(postgres, f'DROP DATABASE "{name}" WITH (FORCE)'))


@pytest.fixture(params=DATABASES)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a migrated, empty database."""
    if request.param == "sqlite":
        template: Path = request.getfixturevalue("sqlite_template")
        shutil.copy(template, tmp_path / "pawsignal.db")
        yield f"sqlite+aiosqlite:///{tmp_path / 'pawsignal.db'}"
        return
    address: str = request.getfixturevalue("postgres_database")
    yield address
    _apart(_administer(address, LET_GO, *EMPTY))


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """An open database of each kind."""
    opened = open_database(database_url)
    yield opened
    await opened.close()


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    """Settings of a test service: keywords only, no model, no WeChat."""
    return Settings(
        env="test",
        data_dir=tmp_path,
        database_url=database_url,
        embedder="none",
        requests_a_minute=1_000_000,  # tests are faster than phones
        _env_file=None,
    )


@pytest.fixture
async def model() -> AsyncIterator[FakeModel]:
    """A model server that does what the test tells it to; the service asks it when its settings are `with_model`."""
    async with running_model() as running:
        yield running


def with_model(settings: Settings, model: FakeModel, **more: Any) -> Settings:
    """Settings with this model behind the service, and a patience that tests have."""
    patience = {"model_connect_seconds": 0.5, "model_read_seconds": 0.5, "model_deadline_seconds": 5.0}
    asked = {"openai_base_url": model.address, "openai_api_key": SecretStr("sk-test"), "model": "big"}
    return settings.model_copy(update={**patience, **asked, "small_model": "small", **more})


@pytest.fixture(scope="session")
def application() -> tuple[FastAPI, dict[str, Settings]]:
    """One application for the whole run (building a hundred routes takes longer than most tests), and its settings.

    Each test opens it with a container of its own, on a database of its own.
    """
    chosen: dict[str, Settings] = {}
    made = create_app(Settings(env="test", _env_file=None), lambda _settings: open_container(chosen["settings"]))
    return made, chosen


@pytest.fixture
async def app(application: tuple[FastAPI, dict[str, Settings]], settings: Settings) -> AsyncIterator[FastAPI]:
    """The running application; its parts stand in `app.state.container`."""
    made, chosen = application
    chosen["settings"] = settings
    async with made.router.lifespan_context(made):
        yield made


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody who is not signed in; paths are relative to the root (`/v1/pets`)."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test") as opened:
        yield opened


@pytest.fixture
async def sign_in(app: FastAPI) -> AsyncIterator[SignIn]:
    """`await sign_in("lin")` gives an Owner whose client carries the token."""
    opened: list[httpx.AsyncClient] = []

    async def enter(name: str = "lin", *, consent: bool = True) -> Owner:
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test")
        opened.append(client)
        return await sign_in_as(client, name, consent=consent)

    yield enter
    for client in opened:
        await client.aclose()


@pytest.fixture
async def owner(sign_in: SignIn) -> Owner:
    """One owner who is signed in and has agreed to long-term memory."""
    return await sign_in("lin")


def _apart(work: Coroutine[Any, Any, None]) -> None:
    """Run to the end in a loop and thread of its own: fixtures may be asked for inside a running loop."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


async def _migrate(address: str) -> None:
    database = open_database(address)
    await database.migrate()
    await database.close()


async def _administer(address: str, *statements: str) -> None:
    engine = create_async_engine(address, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        for statement in statements:
            await connection.execute(text(statement))
    await engine.dispose()
