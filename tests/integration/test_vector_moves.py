"""Moving to another embedder while the service answers: nothing is lost, nothing deleted comes back, no pause."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi import FastAPI

import app.container
from app.adapters.openai_embedder import embedder_name
from app.container import Container
from app.embedders import ENDPOINT
from app.settings import Settings
from jobs.move_vectors import GRACE, ask_for_move, move_vectors
from memory.vector_index import VectorIndex
from memory.vector_moves import CollectionId, MoveState, ServingVectors, Wished, read_serving
from tests.conftest import SignIn, on_sqlite, with_model
from tests.factories import Owner
from tests.fakes.model_server import FakeModel
from tests.fakes.phone import say
from tests.fakes.slow_assistant import SetClock
from tests.fakes.stub_embedder import DIMENSION

pytestmark = on_sqlite

OLD, NEW = "old", "new"
TOLD = ["豆豆特别怕打雷", "豆豆对鸡肉过敏", "豆豆喜欢在公园里追松鼠"]
TARGET = CollectionId(f"{ENDPOINT}{NEW}", embedder_name(NEW), DIMENSION)
BACK = CollectionId(f"{ENDPOINT}{OLD}", embedder_name(OLD), DIMENSION)


@pytest.fixture
def settings(settings: Settings, model: FakeModel, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """An endpoint embeds, with two models; the service starts with the old one. The tests do the background work."""
    for name in ("SYNC_VECTORS_SECONDS", "MOVE_VECTORS_SECONDS"):
        monkeypatch.setattr(app.container, name, 3600.0)
    embeds: dict[str, Any] = {"embedder": "auto", "embedding_model": OLD, "embedding_dimension": DIMENSION}
    return with_model(settings, model, **embeds).model_copy(update={"model": ""})


@dataclass
class Mover:
    """The background work of a process, a step at a time."""

    container: Container
    clock: SetClock = field(default_factory=SetClock)

    def __post_init__(self) -> None:
        self.container.real_now = self.clock

    async def sync(self) -> None:
        """What is due for the collections is worked off, also what was put off."""
        self.clock.pass_by(seconds=70)
        await self.container.sync_vectors()

    async def ask(self, target: CollectionId | None = TARGET) -> Wished:
        return await ask_for_move(self.container.database, target, self.clock())

    async def step(self) -> bool:
        return await move_vectors(self.container.move_parts())

    async def until(self, state: MoveState) -> None:
        """Step by step to a state."""
        for _ in range(20):
            if (await self.row()).state == state:
                return
            await self.step()
        raise AssertionError(f"never {state}: {await self.row()}")

    async def row(self) -> ServingVectors:
        async with self.container.database.read() as session:
            row = await read_serving(session)
        assert row is not None
        return row

    def index(self, name: str) -> VectorIndex:
        """The open collection of a model."""
        opened = (self.container.vectors.serving, self.container.vectors.beside)
        (found,) = [one.index for one in opened if one is not None and one.id.name == embedder_name(name)]
        return found

    async def held(self, name: str) -> set[str]:
        return set(await self.index(name).scroll_ids(None))


@pytest.fixture
async def mover(app: FastAPI) -> AsyncIterator[Mover]:
    return Mover(app.state.container)


@pytest.fixture
async def owner(mover: Mover, sign_in: SignIn) -> Owner:
    """Somebody who has told three things, which the old collection knows."""
    owner = await sign_in("lin")
    await owner.agree("model_provider")
    await owner.pet("豆豆")
    for number, text in enumerate(TOLD):
        await say(owner, text, f"told-{number}")
    await mover.sync()
    return owner


async def memory_ids(owner: Owner) -> set[str]:
    return {item["id"] for item in (await owner.get("/memories"))["items"]}


async def test_a_move_fills_checks_switches_and_drops_the_old_one(mover: Mover, owner: Owner, model: FakeModel) -> None:
    ids = await memory_ids(owner)
    old = mover.index(OLD)
    assert await mover.held(OLD) == ids
    assert await mover.ask() == Wished.FILED
    await mover.until(MoveState.SWITCHED)
    assert await mover.held(NEW) == ids == await mover.held(OLD)
    asked = len(model.asked)
    assert "打雷" in (await say(owner, "豆豆怕什么", "q-1"))["text"]
    assert {one.model for one in model.asked[asked:]} == {NEW}
    mover.clock.pass_by(seconds=GRACE.total_seconds() + 1)
    await mover.until(MoveState.SETTLED)
    assert not old.path.exists()  # type: ignore[attr-defined]  # the embedded engine has a folder
    assert await mover.held(NEW) == ids
