"""Moving to another embedder while the service answers: nothing is lost, nothing deleted comes back, no pause."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI

import app.container
from app.settings import Settings
from jobs.finish_erasures import finish_erasures
from jobs.look_at_photos import look_at_photos
from jobs.move_vectors import GRACE, cancel_move
from jobs.sync_vectors import sync_vectors
from memory.vector_index import VectorPoint
from memory.vector_moves import MoveState, Wished
from tests.conftest import SignIn, on_sqlite, with_model
from tests.factories import Owner
from tests.fakes.model_server import FakeModel, Reply
from tests.fakes.model_server.asked import Asked
from tests.fakes.phone import say
from tests.fakes.stub_embedder import DIMENSION
from tests.movers import NEW, OLD, THIRD, Mover

TOLD = "豆豆特别怕打雷"
WRITTEN = ["豆豆喜欢在公园里追松鼠", "豆豆每天早上六点散步", "豆豆不爱剪指甲"]
AFTER_GRACE = GRACE + timedelta(seconds=1)
PAUSE = timedelta(minutes=2)


@pytest.fixture
def settings(settings: Settings, model: FakeModel, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """An endpoint embeds, with two models; the service starts with the old one. The tests do the background work."""
    for name in ("SYNC_VECTORS_SECONDS", "MOVE_VECTORS_SECONDS"):
        monkeypatch.setattr(app.container, name, 3600.0)
    embeds: dict[str, Any] = {"embedder": "auto", "embedding_model": OLD, "embedding_dimension": DIMENSION}
    return with_model(settings, model, **embeds).model_copy(update={"model": ""})


@pytest.fixture
def mover(request: pytest.FixtureRequest) -> Mover:
    opened: FastAPI = request.getfixturevalue("app")
    return Mover(opened.state.container)


@pytest.fixture
async def owner(mover: Mover, sign_in: SignIn) -> Owner:
    """Somebody who has told some things, which the old collection knows."""
    owner = await sign_in("lin")
    await owner.agree("model_provider")
    pet = await owner.pet("豆豆")
    await say(owner, TOLD, "told")
    for line in WRITTEN:
        await owner.post("/memories", {"subject": pet["id"], "content": line})
    await mover.sync()
    return owner


async def memory_ids(owner: Owner) -> set[str]:
    return {item["id"] for item in (await owner.get("/memories"))["items"]}


def only_for(asked_model: str, reply: Reply) -> Callable[[Asked], Reply]:
    """One model of the endpoint answers like this, the other as always."""
    return lambda asked: reply if asked.model == asked_model else Reply()


async def test_a_move_fills_checks_switches_and_drops_the_old_one(mover: Mover, owner: Owner, model: FakeModel) -> None:
    ids, old = await memory_ids(owner), mover.index(OLD)
    assert await mover.held(OLD) == ids
    assert await mover.ask() == Wished.FILED
    await mover.until(MoveState.SWITCHED)
    assert await mover.held(NEW) == await mover.held(OLD) == ids
    asked = len(model.asked)
    assert "打雷" in (await say(owner, "豆豆怕什么", "q-1"))["text"]
    assert {one.model for one in model.asked[asked:]} == {NEW}
    mover.clock.now += AFTER_GRACE
    await mover.until(MoveState.SETTLED)
    assert not old.path.exists()  # type: ignore[attr-defined]  # the embedded engine has a folder
    assert await mover.held(NEW) == ids


@on_sqlite
@pytest.mark.parametrize("state", [MoveState.FILLING, MoveState.CHECKED, MoveState.SWITCHED])
async def test_what_is_said_and_deleted_meanwhile_reaches_both(mover: Mover, owner: Owner, state: MoveState) -> None:
    await mover.ask()
    await mover.until(state)
    gone = min(await memory_ids(owner))
    await owner.delete(f"/memories/{gone}")
    await say(owner, "豆豆最喜欢吃南瓜", "m-new")
    await mover.sync()
    ids = await memory_ids(owner)
    assert gone not in ids
    assert await mover.held(OLD) == ids
    await mover.until(MoveState.SWITCHED)
    await mover.sync()
    assert await mover.held(OLD) == await mover.held(NEW) == ids
    mover.clock.now += AFTER_GRACE
    await mover.until(MoveState.SETTLED)
    assert await mover.held(NEW) == ids


@on_sqlite
async def test_every_question_on_the_way_is_answered_by_meaning(mover: Mover, owner: Owner, model: FakeModel) -> None:
    moved = asyncio.Event()

    async def ask_on(who: int) -> list[str]:
        texts: list[str] = []
        while not moved.is_set():
            texts.append((await say(owner, "豆豆怕什么", f"q-{who}-{len(texts)}"))["text"])
        return texts

    asking = asyncio.create_task(ask_on(1))
    await mover.ask()
    await mover.until(MoveState.SWITCHED)
    mover.clock.now += AFTER_GRACE
    await mover.until(MoveState.SETTLED)
    moved.set()
    texts = await asking
    assert texts
    assert all("打雷" in text for text in texts)


@on_sqlite
async def test_a_worker_that_has_not_looked_yet_costs_no_memory(mover: Mover, owner: Owner) -> None:
    parts = mover.container.vector_parts()
    await mover.ask()
    await mover.until(MoveState.SWITCHED)
    await say(owner, "豆豆最喜欢吃南瓜", "m-new")
    mover.clock.pass_by(seconds=70)
    assert await sync_vectors(parts) == 0, "its work counts for nothing"
    await mover.sync()
    assert await mover.held(NEW) == await mover.held(OLD) == await memory_ids(owner)


@on_sqlite
async def test_going_back_within_the_grace_fills_nothing(mover: Mover, owner: Owner, model: FakeModel) -> None:
    await mover.ask()
    await mover.until(MoveState.SWITCHED)
    asked = len(model.asked)
    assert await mover.ask(OLD) == Wished.FILED
    row = await mover.until(MoveState.SWITCHED)
    assert (row.serving_id.embedder, row.done) == ("endpoint:old", len(WRITTEN) + 1)
    assert len(model.asked[asked:]) == 1, "the sample, in one request"
    mover.clock.now += AFTER_GRACE
    await mover.until(MoveState.SETTLED)
    assert await mover.held(OLD) == await memory_ids(owner)


def alike(rows: list[Any]) -> list[Any]:
    return [{**row, "embedding": rows[0]["embedding"]} for row in rows]


@on_sqlite
async def test_a_new_embedder_that_finds_nothing_does_not_get_to_answer(
    mover: Mover, owner: Owner, model: FakeModel
) -> None:
    model.always(only_for(NEW, Reply(rows=alike)), lane="embeddings")
    await mover.ask()
    row = await mover.until(MoveState.FAILED)
    assert (row.reason, row.serving_id.embedder, row.beside) == ("sample_not_found", "endpoint:old", None)
    assert "打雷" in (await say(owner, "豆豆怕什么", "q-1"))["text"]
    model.always(Reply(), lane="embeddings")
    assert await mover.ask() == Wished.FILED
    await mover.until(MoveState.SWITCHED)


@on_sqlite
async def test_a_collection_that_loses_a_memory_does_not_get_to_answer(
    mover: Mover, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = max(await memory_ids(owner))
    await mover.ask()
    await mover.container.follow_vectors()
    index = mover.index(NEW)
    upsert = index.upsert

    async def forgetful(points: list[VectorPoint]) -> None:
        await upsert([point for point in points if point.id != lost])

    monkeypatch.setattr(index, "upsert", forgetful)
    row = await mover.until(MoveState.FAILED)
    assert (row.reason, row.serving_id.embedder) == ("count_differs", "endpoint:old")


@on_sqlite
async def test_a_second_wish_joins_or_is_refused(mover: Mover, owner: Owner) -> None:
    assert await mover.ask(OLD) == Wished.SERVES
    assert await mover.ask(NEW) == Wished.FILED
    assert await mover.ask(NEW) == Wished.JOINED
    assert await mover.ask(THIRD) == Wished.BUSY
    assert await mover.refresh() == Wished.BUSY
    await mover.until(MoveState.SWITCHED)
    assert await mover.ask(NEW) == Wished.JOINED
    assert await mover.ask(THIRD) == Wished.BUSY


@on_sqlite
async def test_a_move_that_is_cancelled_leaves_the_old_one(mover: Mover, owner: Owner) -> None:
    await mover.ask()
    await mover.until(MoveState.CHECKED)
    assert await cancel_move(mover.container.database, mover.clock())
    assert await mover.ask() == Wished.CLEARING
    row = await mover.until(MoveState.FAILED)
    assert (row.reason, row.serving_id.embedder, row.beside) == ("cancelled", "endpoint:old", None)
    assert not await cancel_move(mover.container.database, mover.clock())


@on_sqlite
async def test_a_new_embedder_that_is_away_holds_nothing_back_and_is_waited_for(
    mover: Mover, owner: Owner, model: FakeModel
) -> None:
    model.always(only_for(NEW, Reply.error(400)), lane="embeddings")
    await mover.ask()
    await mover.step()
    assert (await mover.row()).reason == "embedder_unavailable"
    await say(owner, "豆豆最喜欢吃南瓜", "m-new")
    await mover.sync()
    ids = await memory_ids(owner)
    assert await mover.held(OLD) == ids
    model.always(Reply(), lane="embeddings")
    await mover.until(MoveState.SWITCHED, pausing=PAUSE)
    await mover.sync(PAUSE)
    assert await mover.held(NEW) == ids


@on_sqlite
async def test_a_new_embedder_that_stays_away_is_given_up(mover: Mover, owner: Owner, model: FakeModel) -> None:
    model.always(only_for(NEW, Reply.error(400)), lane="embeddings")
    await mover.ask()
    for _ in range(3):
        await mover.step(most_tries=3)
        mover.clock.now += PAUSE
    row = await mover.until(MoveState.FAILED)
    assert (row.reason, row.beside) == ("embedder_unavailable", None)


@on_sqlite
async def test_owners_without_consent_have_no_vector_in_the_new_one(
    mover: Mover, owner: Owner, sign_in: SignIn, model: FakeModel
) -> None:
    shy = await sign_in("shy")
    await shy.pet("团子", "cat")
    await say(shy, "团子特别怕吸尘器", "m-1")
    await mover.sync()
    await mover.ask()
    await mover.until(MoveState.CHECKED)
    assert await mover.held(NEW) == await memory_ids(owner)
    await owner.agree("model_provider", granted=False)
    await mover.sync()
    assert await mover.held(NEW) == await mover.held(OLD) == set()
    await mover.until(MoveState.SWITCHED)
    assert not model.heard("吸尘器")


@on_sqlite
@pytest.mark.parametrize("state", [MoveState.FILLING, MoveState.CHECKED, MoveState.SWITCHED])
async def test_an_account_that_is_closed_is_gone_when_both_have_let_go(
    mover: Mover, owner: Owner, state: MoveState
) -> None:
    await mover.ask()
    await mover.until(state)
    await mover.container.follow_vectors()
    await owner.ask("DELETE", "/me")
    await sync_vectors(mover.container.vector_parts())
    assert await finish_erasures(mover.container.erasure_parts()) == 0, "the collection beside has not heard of it"
    await mover.sync()
    await look_at_photos(mover.container.photo_parts())
    done = await finish_erasures(mover.container.erasure_parts())
    assert (await mover.held(OLD), await mover.held(NEW)) == (set(), set())
    if state == MoveState.FILLING:
        assert done == 0, "a page may have been read before"
        await mover.until(MoveState.CHECKED)
        done = await finish_erasures(mover.container.erasure_parts())
    assert done == 1


@on_sqlite
async def test_the_serving_collection_is_made_again_in_its_place(mover: Mover, owner: Owner) -> None:
    ids = await memory_ids(owner)
    await mover.index(OLD).delete(ids)
    assert await mover.refresh() == Wished.FILED
    assert await mover.refresh() == Wished.JOINED
    row = await mover.until(MoveState.SETTLED)
    assert (await mover.held(OLD), row.done) == (ids, len(ids))
