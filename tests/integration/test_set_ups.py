"""The same talk in each set-up of the vector engine: Qdrant in the process, and the prescribed client's local mode."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

import app.vector_stores
from app.container import Container
from app.settings import Settings
from jobs.sync_vectors import rebuild, sync_vectors
from tests.factories import Owner, sign_in_as
from tests.fakes.phone import hear, say
from tests.fakes.stub_embedder import StubEmbedder


@pytest.fixture(params=["", ":memory:"], ids=["in the process", "the client's local mode"])
async def running(
    request: pytest.FixtureRequest,
    application: tuple[FastAPI, dict[str, Settings]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[FastAPI]:
    """The whole service with a vector engine, and an embedder that costs nothing."""

    async def stub(*_: object) -> StubEmbedder:
        return StubEmbedder()

    monkeypatch.setattr(app.vector_stores, "open_embedder", stub)
    made, chosen = application
    chosen["settings"] = Settings(env="test", data_dir=tmp_path, qdrant_url=request.param, _env_file=None)
    async with made.router.lifespan_context(made):
        yield made


@pytest.fixture
async def lin(running: FastAPI) -> AsyncIterator[Owner]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=running), base_url="http://test") as client:
        yield await sign_in_as(client, "lin")


async def test_a_talk_is_remembered_found_and_forgotten(running: FastAPI, lin: Owner) -> None:
    container: Container = running.state.container
    index = container.vector_index
    assert index is not None
    dog, cat = await lin.pet("豆豆", "dog"), await lin.pet("团子", "cat")
    taught = [
        (await say(lin, text, f"m-{number}"))["memories"][0]
        for number, text in enumerate(["豆豆特别怕打雷", "团子特别怕吸尘器", "豆豆对鸡肉过敏"])
    ]
    await sync_vectors(container.vector_parts())
    ids = {memory["memory_id"] for memory in taught}
    assert set(await index.scroll_ids(None)) == ids

    heard = await hear(lin, "豆豆怕什么", "q-1")
    assert "打雷" in heard[-1].data["text"]
    assert "吸尘器" not in heard[-1].data["text"]
    assert taught[0]["memory_id"] in [cited["memory_id"] for cited in heard[-1].data["citations"]]

    await lin.delete(f"/pets/{cat['id']}")
    await sync_vectors(container.vector_parts())
    assert set(await index.scroll_ids(None)) == ids - {taught[1]["memory_id"]}
    assert await rebuild(container.vector_parts()) == 2
    assert (await lin.get("/pets"))["items"] == [dog]


async def test_the_service_says_that_it_is_ready(running: FastAPI, lin: Owner) -> None:
    ready = (await lin.client.get("/readyz")).json()
    assert (ready["status"], ready["parts"]["vector_index"]["state"]) == ("ready", "ok")


async def test_an_index_that_lost_everything_is_made_again_from_sql(running: FastAPI, lin: Owner) -> None:
    container: Container = running.state.container
    assert container.vector_index is not None
    await lin.pet("豆豆", "dog")
    learned = {memory["memory_id"] for memory in (await say(lin, "豆豆特别怕打雷"))["memories"]}
    await sync_vectors(container.vector_parts())
    await container.vector_index.delete(learned)
    assert await rebuild(container.vector_parts()) == 1
    assert set(await container.vector_index.scroll_ids(None)) == learned
