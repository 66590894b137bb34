"""Below the API two households are apart as well: vectors, prompts, what a model's tools are told, and the logs."""

import io
import logging
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from fastapi import FastAPI

import app.vector_stores
from app.container import Container
from app.logging import configure_logging
from app.settings import Settings
from domain.owners import Owner as OwnerRow
from domain.tools.arguments import TOOLS, Arguments
from jobs.sync_vectors import sync_vectors
from tests.conftest import with_model
from tests.confusable_households import House, open_house
from tests.factories import sign_in_as
from tests.fakes.model_server import FakeModel, Reply, ToolCall
from tests.fakes.phone import say
from tests.fakes.stub_embedder import StubEmbedder, hashed
from tests.integration.test_api_isolation import WORDS, everything_of

END = "资料我都看过了。"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """Everything that is logged while the service runs, at the most talkative level."""
    stream, root = io.StringIO(), logging.getLogger()
    before, level = root.handlers[:], root.level
    configure_logging("DEBUG", stream)
    yield stream
    configure_logging("WARNING")
    root.handlers[:], root.level = before, level


@pytest.fixture
async def running(
    application: tuple[FastAPI, dict[str, Settings]],
    sqlite_template: Path,
    tmp_path: Path,
    model: FakeModel,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[FastAPI]:
    """The service with the vector engine in the process, an embedder that costs nothing, and a model."""

    async def stub(*_: object) -> StubEmbedder:
        return StubEmbedder()

    monkeypatch.setattr(app.vector_stores, "open_embedder", stub)
    shutil.copy(sqlite_template, tmp_path / "pawsignal.db")
    made, chosen = application
    settings = Settings(env="test", data_dir=tmp_path, requests_a_minute=1_000_000, _env_file=None)
    chosen["settings"] = with_model(settings, model)
    async with made.router.lifespan_context(made):
        yield made


@pytest.fixture
async def houses(running: FastAPI) -> AsyncIterator[tuple[House, House]]:
    """Theirs and mine, with vectors of all that is kept; mine lets a model answer."""
    clients = [httpx.AsyncClient(transport=httpx.ASGITransport(app=running), base_url="http://test") for _ in WORDS]
    owners = [await sign_in_as(client, name) for client, name in zip(clients, ("lin", "wang"), strict=True)]
    theirs, mine = [await open_house(running, owner, word) for owner, word in zip(owners, WORDS, strict=True)]
    await sync_vectors(running.state.container.vector_parts())
    await mine.owner.agree("model_provider")
    yield theirs, mine
    for client in clients:
        await client.aclose()


async def test_the_vectors_of_another_household_are_never_hit_however_near(
    running: FastAPI, houses: tuple[House, House]
) -> None:
    theirs, mine = houses
    container: Container = running.state.container
    index = container.vector_index
    assert index is not None
    lines = {row["id"]: row["content"] for row in (await theirs.owner.get("/memories", limit=100))["items"]}
    own = {row["id"] for row in (await mine.owner.get("/memories", limit=100))["items"]}
    home = (await _home_of(container, mine)), (await _home_of(container, theirs))
    assert set(await index.scroll_ids(home[1])) >= set(lines)
    for line_id, vector in zip(lines, hashed(list(lines.values())), strict=True):
        nearest = await index.search(home[1], list(map(float, vector)), 1)
        for subjects in (None, [theirs.ids["pet_id"]], ["owner", None]):
            hits = await index.search(home[0], list(map(float, vector)), 50, subjects)
            assert {hit.id for hit in hits} <= own, line_id
            assert all(hit.score <= nearest[0].score for hit in hits if theirs.word in lines[line_id])
    assert [hit.id for hit in await index.search(home[0], list(map(float, hashed(["豆豆"])[0])), 50)]


async def test_a_question_in_the_words_of_another_household_brings_nothing_of_theirs_into_a_prompt(
    houses: tuple[House, House], model: FakeModel
) -> None:
    theirs, mine = houses
    lines = [row["content"] for row in (await theirs.owner.get("/memories", limit=100))["items"]]
    for number, line in enumerate(lines):
        before = len(model.asked)
        answer = await say(mine.owner, f"{line.replace(theirs.word, '')}是怎么回事？", f"near-{number}")
        trace = await mine.owner.get(f"/chat/turns/{answer['turn_id']}/trace")
        prompts = "".join(one.words for one in model.asked[before:])
        assert prompts
        for text in (prompts, str(answer), str(trace)):
            assert not theirs.is_told_in(text), line


async def test_a_models_tools_reach_nothing_of_another_household(
    running: FastAPI, houses: tuple[House, House], model: FakeModel
) -> None:
    theirs, mine = houses
    before = await everything_of(running, theirs)
    number = 0
    for value in (theirs.word, theirs.ids["pet_id"], theirs.ids["memory_id"]):
        calls = [ToolCall.of(name, **_filled(kind, value)) for name, (kind, _) in TOOLS.items()]
        for call in calls:
            number += 1
            model.will(Reply.calls(call), Reply(END))
            answer = await say(mine.owner, "豆豆儿最近怎么样", f"tool-{number}")
            (result,) = model.of("chat")[-1].tool_results
            assert not _told(theirs, result, value), f"{call} → {result}"
            assert not _told(theirs, str(answer), value), f"{call} → {answer}"
    assert number == 3 * len(TOOLS)
    assert await everything_of(running, theirs) == before


async def test_the_logs_of_a_whole_run_hold_no_word_of_either(
    written: io.StringIO, houses: tuple[House, House], model: FakeModel
) -> None:
    theirs, mine = houses
    await say(mine.owner, f"{theirs.word}牌的绳结谁喜欢", "logged")
    await mine.owner.ask("GET", f"/pets/{theirs.ids['pet_id']}")
    await mine.owner.ask("GET", "/memories", params={"q": theirs.word})
    await mine.owner.ask("POST", "/memories", {"subject": theirs.ids["pet_id"], "content": mine.word})
    logged = written.getvalue()
    assert "/v1/chat/turns" in logged
    for house in houses:
        assert house.word not in logged
        assert "绳结" not in logged


async def _home_of(container: Container, house: House) -> str:
    async with container.transactions.read() as session:
        return (await session.get_one(OwnerRow, house.owner.id)).household_id


def _told(theirs: House, text: str, said: str) -> bool:
    """Whether a text tells of them more than what was said to it."""
    return theirs.is_told_in(text.replace(said, ""))


def _filled(kind: type[Arguments], value: str) -> dict[str, Any]:
    """Arguments of a tool that all ask for this value, as far as they take words."""
    filled: dict[str, Any] = {}
    for name, field in kind.model_fields.items():
        if not field.is_required() and name not in ("pet", "query"):
            continue
        words = get_args(field.annotation)
        if field.annotation in (str, str | None):
            filled[name] = value
        elif field.annotation in (float, int):
            filled[name] = 5
        elif field.annotation is bool:
            filled[name] = True
        else:
            filled[name] = str(words[0] if words else next(iter(field.annotation)))  # type: ignore[call-overload, arg-type]  # an enum
    return filled
