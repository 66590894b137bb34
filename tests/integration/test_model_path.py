"""The whole way of a model turn on each database: tools, streams, embedding, late reading, what it costs."""

import asyncio
from typing import Any

import pytest
from fastapi import FastAPI

from app.container import Container
from app.settings import Settings
from domain.late_extraction import CALL_SECONDS, read_late
from domain.owners import Owner as PetOwner
from domain.owners import scope_of
from domain.token_use import Tokens, note_tokens
from jobs.sync_vectors import sync_vectors
from memory.prepared import quick_of
from tests.conftest import SignIn, with_model
from tests.factories import Owner
from tests.fakes.model_server import FakeModel, Reply, ToolCall
from tests.fakes.phone import hear, say
from tests.fakes.slow_assistant import SetClock
from tests.fakes.stub_embedder import DIMENSION

ODD = "豆豆近来偏爱蹲守鞋柜"
HABIT = "豆豆有个玩具叫小黄鸭"
HARD = 100_000  # tokens
CALLS = (
    ToolCall.of("search_memories", query="鞋柜", about="豆豆"),
    ToolCall.of("remember", about="豆豆", quote=ODD, topic="behavior"),
    ToolCall.of("create_schedule", about="豆豆", title="洗澡", quote="周六上午十点给豆豆洗澡"),
)


@pytest.fixture
def settings(settings: Settings, model: FakeModel) -> Settings:
    embeds: dict[str, Any] = {"embedder": "auto", "embedding_model": "m", "embedding_dimension": DIMENSION}
    return with_model(settings, model, daily_tokens_hard=HARD, **embeds)


@pytest.fixture
def container(app: FastAPI) -> Container:
    found: Container = app.state.container
    found.real_now = SetClock()
    return found


async def test_tools_streams_vectors_and_late_readings(container: Container, model: FakeModel, sign_in: SignIn) -> None:
    owner = await sign_in("lin")
    await owner.agree("model_provider")
    await owner.pet("豆豆")
    model.will(Reply.calls(*CALLS), Reply("它常去鞋柜那儿。"))
    heard = await hear(owner, f"{ODD}。周六上午十点给豆豆洗澡", "m-1")
    assert (heard[-1].data["mode"], len(model.of("chat")[-1].tool_results)) == ("model", len(CALLS))
    assert any("鞋柜" in one["content"] for one in heard[-1].data["memories"])
    assert "它常去鞋柜那儿。" in "".join(one.data["text"] for one in heard if one.name == "delta")
    quote = {"message": 1, "about": "豆豆", "kind": "behavior", "quote": HABIT, "name": "", "number": None}
    model.always(Reply.json({"facts": [{**quote, "negated": False}]}), lane="chore")  # both messages in one call
    read = await say(owner, HABIT, "m-2")
    await all_that_waits(container)
    told = await owner.get(f"/chat/turns/{read['turn_id']}")
    assert any("小黄鸭" in one["content"] for one in told["memories"])
    assert container.vector_index is not None
    assert await container.vector_index.count() >= 2
    assert len((await owner.get("/schedules"))["items"]) == 1
    await spend_the_day(container, owner, model)


async def all_that_waits(container: Container) -> None:
    """What the jobs do once everything is due."""
    clock = container.real_now
    assert isinstance(clock, SetClock)
    clock.pass_by(seconds=2 * CALL_SECONDS + 60)
    await asyncio.gather(read_late(container.extraction_parts()), sync_vectors(container.vector_parts()))
    await sync_vectors(container.vector_parts())


async def spend_the_day(container: Container, owner: Owner, model: FakeModel) -> None:
    """What was used is counted, and from the hard step on nobody asks the model."""
    used = (await owner.get("/me"))["usage_today"]["prompt_tokens"]
    assert used > 0
    async with container.database.write() as session:
        scope = scope_of(await session.get_one(PetOwner, owner.id))
        await note_tokens(await quick_of(session), scope, "reply", {"big": Tokens(HARD)}, container.real_now())
    assert (await owner.get("/me"))["usage_today"]["prompt_tokens"] == used + HARD
    asked = len(model.asked)
    assert (await say(owner, "豆豆怎么样", "m-3"))["mode"] == "basic"
    assert len(model.asked) == asked
