"""A move that is killed goes on where it stopped, in every phase; the command asks a service, or works itself."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

import app.commands.reindex
import app.container
import app.vector_stores
import jobs.move_vectors
from app.adapters.edge_vector_index import EdgeVectorIndex
from app.adapters.qdrant_vector_index import QdrantVectorIndex
from app.cli import main
from app.container import open_container
from app.data_folder import hold
from app.settings import Settings
from jobs.move_vectors import GRACE, LEASE
from memory.vector_moves import CollectionId, MoveState
from tests.factories import Owner, sign_in_as
from tests.fakes.model_server import FakeModel, Reply
from tests.fakes.model_server.asked import Asked
from tests.fakes.stub_embedder import DIMENSION
from tests.movers import NEW, OLD, Mover

LINES = ["豆豆特别怕打雷", "豆豆喜欢在公园里追松鼠", "豆豆每天早上六点散步", "豆豆不爱剪指甲"]
AFTER_GRACE = GRACE + timedelta(seconds=1)

Opened = Callable[[], Awaitable[None]]


@pytest.fixture
def settings(tmp_path: Path, model: FakeModel, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The embedded set-up with an endpoint that embeds; the same for the command line. The tests do the work."""
    pace(monkeypatch, 3600.0)
    monkeypatch.chdir(tmp_path)
    told: dict[str, Any] = {
        "PAWSIGNAL_ENV": "test",
        "PAWSIGNAL_DATA_DIR": str(tmp_path / "data"),
        "PAWSIGNAL_EMBEDDING_MODEL": OLD,
        "PAWSIGNAL_EMBEDDING_DIMENSION": str(DIMENSION),
        "OPENAI_BASE_URL": model.address,
    }
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    return Settings()


def pace(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """How often the background work is done."""
    for name in ("SYNC_VECTORS_SECONDS", "MOVE_VECTORS_SECONDS"):
        monkeypatch.setattr(app.container, name, seconds)


@asynccontextmanager
async def running(application: tuple[FastAPI, dict[str, Settings]], settings: Settings) -> AsyncIterator[FastAPI]:
    """The service on this folder."""
    made, chosen = application
    chosen["settings"] = settings
    async with made.router.lifespan_context(made):
        yield made


@asynccontextmanager
async def owner_of(service: FastAPI) -> AsyncIterator[Owner]:
    """Somebody whose memories the serving collection knows."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=service), base_url="http://test") as client:
        owner = await sign_in_as(client, "lin")
        await owner.agree("model_provider")
        pet = await owner.pet("豆豆")
        for line in LINES:
            await owner.post("/memories", {"subject": pet["id"], "content": line})
        await Mover(service.state.container).sync()
        yield owner


async def memory_ids(owner: Owner) -> set[str]:
    return {item["id"] for item in (await owner.get("/memories"))["items"]}


class Killed(BaseException):
    """What a kill looks like from inside: nothing catches it."""


PHASES: list[tuple[str, MoveState, Any, str]] = [
    ("before the empty collection is there", MoveState.FILLING, EdgeVectorIndex, "ensure"),
    ("with a page that is not noted", MoveState.FILLING, EdgeVectorIndex, "flush"),
    ("in the check", MoveState.FILLING, jobs.move_vectors, "fault_of"),
    ("in the switch", MoveState.CHECKED, jobs.move_vectors, "switch"),
    ("before the old one is dropped", MoveState.DROPPING, EdgeVectorIndex, "drop"),
    ("after the old one is dropped", MoveState.DROPPING, jobs.move_vectors, "settle_down"),
]


@pytest.mark.parametrize(("state", "where", "what"), [phase[1:] for phase in PHASES], ids=[one[0] for one in PHASES])
async def test_a_killed_move_goes_on(
    application: tuple[FastAPI, dict[str, Settings]], settings: Settings, state: MoveState, where: Any, what: str
) -> None:
    def killed(*_: object) -> None:
        raise Killed()

    async with running(application, settings) as service, owner_of(service) as owner:
        mover = Mover(service.state.container)
        await mover.ask()
        if state == MoveState.DROPPING:
            await mover.until(MoveState.SWITCHED)
            mover.clock.now += AFTER_GRACE
        await mover.until(state)
        await mover.container.follow_vectors()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(where, what, killed)
            with pytest.raises(Killed):
                await mover.until(MoveState.FAILED)
        await owner.delete(f"/memories/{min(await memory_ids(owner))}")
        ids = await memory_ids(owner)
        await mover.container.vectors.close()
        async with open_container(settings) as second:
            follower = Mover(second, mover.clock)
            if state != MoveState.DROPPING:
                await follower.until(MoveState.SWITCHED)
            await follower.sync()
            follower.clock.now += AFTER_GRACE
            await follower.until(MoveState.SETTLED)
            assert await follower.held(NEW) == ids
            assert [path.name for path in (settings.data_dir / "vectors").iterdir()] == [
                f"{follower.index(NEW).path.name}"  # type: ignore[attr-defined]  # the embedded engine has a folder
            ]


async def test_another_worker_takes_over_when_the_lease_is_over(
    application: tuple[FastAPI, dict[str, Settings]], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared: dict[str, QdrantVectorIndex] = {}

    async def one_server(collection: CollectionId, *_: object) -> QdrantVectorIndex:
        if collection.name not in shared:
            shared[collection.name] = QdrantVectorIndex(":memory:", collection.name, collection.dimension)
            await shared[collection.name].ensure()
        return shared[collection.name]

    monkeypatch.setattr(app.vector_stores, "_open_index", one_server)
    replicated = settings.model_copy(update={"qdrant_url": ":memory:"})
    async with (
        running(application, replicated) as service,
        owner_of(service) as owner,
        open_container(replicated) as other,
    ):
        first = Mover(service.state.container)
        second = Mover(other, first.clock)
        await first.ask()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(jobs.move_vectors, "page_of", _kill)
            with pytest.raises(Killed):
                await first.step()
        await second.step()
        assert (await second.row()).done == 0, "the first one still has the lease"
        first.clock.now += LEASE
        await second.until(MoveState.SWITCHED)
        assert service.state.container.vectors.serving.id.embedder == "endpoint:old"
        await first.sync()
        assert service.state.container.vectors.serving.id.embedder == "endpoint:new"
        assert await second.held(NEW) == await memory_ids(owner)


async def _kill(*_: object) -> None:
    raise Killed()


def alike(rows: list[Any]) -> list[Any]:
    return [{**row, "embedding": rows[0]["embedding"]} for row in rows]


async def test_the_command_asks_the_running_service_and_says_how_it_ended(
    application: tuple[FastAPI, dict[str, Settings]],
    settings: Settings,
    model: FakeModel,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def told(*command: str) -> tuple[int, str, str]:
        code = await asyncio.to_thread(main, ["reindex", *command])
        said = capsys.readouterr()
        return code, said.out, said.err

    pace(monkeypatch, 0.05)
    monkeypatch.setattr(app.commands.reindex, "LOOK_SECONDS", 0.02)
    with hold(settings.data_dir, "serve"):
        async with running(application, settings) as service, owner_of(service):
            service.state.container.real_now = app.container.machine_clock
            model.always(lambda asked: Reply(rows=alike) if asked.model == NEW else Reply(), lane="embeddings")
            code, _, err = await told("--to", "endpoint:new")
            assert (code, "sample_not_found" in err) == (3, True)
            model.always(Reply(), lane="embeddings")
            code, out, _ = await told("--to", "endpoint:new")
            assert (code, "new-11507a0e answers now" in out) == (0, True)
            assert (await told("--to", "endpoint:new"))[0] == 0
            code, _, err = await told("--to", "endpoint:third")
            assert (code, "move_running" in err) == (4, True)
            assert (await told("--to", "bark"))[0] == 2
            code, out, _ = await told()
            assert (code, "old-cba06b57 answers now" in out) == (0, True)


async def test_kill_9_in_the_middle_costs_nothing(
    application: tuple[FastAPI, dict[str, Settings]],
    settings: Settings,
    model: FakeModel,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with running(application, settings) as service, owner_of(service) as owner:
        ids = await memory_ids(owner)
    reached = asyncio.Event()

    def stuck(asked: Asked) -> Reply:
        if len(asked.body["input"]) < len(LINES):
            return Reply()
        reached.set()
        return Reply(wait=3600.0)

    model.always(stuck, lane="embeddings")
    command = [sys.executable, "-m", "app.cli", "reindex", "--to", "endpoint:new"]
    root = str(Path(__file__).parents[2])
    process = await asyncio.create_subprocess_exec(*command, env={**os.environ, "PYTHONPATH": root})
    await asyncio.wait_for(reached.wait(), 60)
    process.kill()
    await process.wait()
    model.always(Reply(), lane="embeddings")
    assert await asyncio.to_thread(main, ["reindex", "--to", "endpoint:new"]) == 0
    assert f"holds {len(ids)} memories" in capsys.readouterr().out
