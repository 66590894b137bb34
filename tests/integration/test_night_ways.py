"""Nights through the API: what did not fit a turn, what only the owner may merge, the diary and its undo."""

import random
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI

from app.database import Database
from app.options import night_parts_of
from jobs.consolidate import ConsolidateParts, consolidate_owner
from memory.vocabulary import Certainty, MemoryStatus
from tests.conftest import on_sqlite
from tests.factories import Json, Owner, problem
from tests.fakes.phone import say
from tests.homes import MONDAY, Home, claim, open_home
from tests.nights import agree, dreams, keep, live_set, sleep

EVENING = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SignIn = Callable[..., Awaitable[Owner]]


async def night(app: FastAPI, owner: Owner, now: datetime) -> str | None:
    container = app.state.container
    parts = night_parts_of(container.settings, container.database, container.keys)
    return await consolidate_owner(ConsolidateParts(parts, lambda: now), owner.id)


async def lines(owner: Owner) -> list[Json]:
    found: list[Json] = (await owner.get("/memories", limit=100))["items"]
    return found


MANY_HABITS = "豆豆怕打雷，怕吸尘器，怕吹风机，怕鞭炮，爱玩网球，爱玩绳结，喜欢趴沙发"


async def test_what_did_not_fit_its_turn_is_kept_at_night(owner: Owner, app: FastAPI) -> None:
    await owner.pet("豆豆")
    answer = await say(owner.at(EVENING), MANY_HABITS)
    left_out = [one["content"] for one in answer["memories"] if one["outcome"] == "refused"]
    assert left_out
    before = len(await lines(owner))
    assert await night(app, owner, EVENING + DAY / 2) == "done"
    assert len(await lines(owner)) == before + len(left_out)
    assert set(left_out) <= {one["content"] for one in await lines(owner)}
    (dream,) = (await owner.get("/dreams"))["items"]
    assert [line["what"] for line in dream["lines"]] == ["learned"]
    await night(app, owner, EVENING + DAY)
    assert len(await lines(owner)) == before + len(left_out)


async def test_a_deleted_memory_is_not_learned_again_at_night(owner: Owner, app: FastAPI) -> None:
    await owner.pet("豆豆")
    answer = await say(owner.at(EVENING), MANY_HABITS)
    kept = next(one for one in answer["memories"] if one["outcome"] == "added")
    await owner.delete(f"/memories/{kept['memory_id']}")
    await night(app, owner, EVENING + DAY / 2)
    assert kept["content"] not in {one["content"] for one in await lines(owner)}


async def two_own_lines(owner: Owner, app: FastAPI) -> tuple[Json, list[Json]]:
    """The owner wrote the same thing twice; after the night there is a question about it."""
    pet = await owner.pet("豆豆")
    own = [
        await owner.at(EVENING).post("/memories", {"subject": pet["id"], "content": "豆豆洗澡怕吹风机", "topic": topic})
        for topic in ("behavior", "lifestyle")
    ]
    await say(owner, "今天天气不错")
    assert await night(app, owner, EVENING + DAY / 2) == "done"
    (question,) = (await owner.at(EVENING + DAY).get("/confirmations", status="pending"))["items"]
    assert question["kind"] == "merge"
    return question, own


async def test_two_lines_of_the_owners_own_become_one_only_when_the_owner_agrees(owner: Owner, app: FastAPI) -> None:
    question, own = await two_own_lines(owner, app)
    assert len(await lines(owner)) == 2
    answered = await owner.post(f"/confirmations/{question['id']}/answer", {"answer": "accept"})
    assert answered["status"] == "accepted"
    (left,) = await lines(owner)
    assert left["content"] == own[0]["content"]
    again = await owner.post(f"/confirmations/{question['id']}/answer", {"answer": "accept"})
    assert again["status"] == "accepted"
    refused = await owner.ask("POST", f"/confirmations/{question['id']}/answer", {"answer": "keep"})
    assert problem(refused) == (409, "already_answered")


async def test_lines_the_owner_keeps_apart_are_not_asked_about_again(owner: Owner, app: FastAPI) -> None:
    question, _ = await two_own_lines(owner, app)
    await owner.post(f"/confirmations/{question['id']}/answer", {"answer": "keep"})
    await say(owner.at(EVENING + 2 * DAY), "豆豆怕打雷", "m-2")
    await night(app, owner, EVENING + 2 * DAY + DAY / 2)
    assert len(await lines(owner)) == 3
    assert (await owner.get("/confirmations", status="pending"))["items"] == []


async def test_a_night_is_read_and_taken_back_through_the_api(owner: Owner, app: FastAPI, sign_in: SignIn) -> None:
    await owner.pet("豆豆")
    await say(owner.at(EVENING), MANY_HABITS)
    before = [(one["content"], one["status"], one["tier"]) for one in await lines(owner)]
    await night(app, owner, EVENING + DAY / 2)
    (dream,) = (await owner.get("/dreams"))["items"]
    assert dream["undoable"] is True
    assert (await owner.get(f"/dreams/{dream['id']}"))["lines"] == dream["lines"]
    stranger = await sign_in("wang")
    assert problem(await stranger.ask("POST", f"/dreams/{dream['id']}/undo")) == (404, "not_found")
    for _ in range(2):
        undone = await owner.post(f"/dreams/{dream['id']}/undo")
        assert (undone["status"], undone["undoable"]) == ("undone", False)
    after = [(one["content"], one["status"], one["tier"]) for one in await lines(owner)]
    assert sorted(after) == sorted(before)


async def test_a_change_after_the_night_makes_the_undo_unsafe(owner: Owner, app: FastAPI) -> None:
    await owner.pet("豆豆")
    await say(owner.at(EVENING), MANY_HABITS)
    await night(app, owner, EVENING + DAY / 2)
    (dream,) = (await owner.get("/dreams"))["items"]
    learned = dream["lines"][0]["memory_ids"][0]
    await owner.put(f"/memories/{learned}", {"content": "豆豆只喜欢趴旧沙发"})
    assert problem(await owner.ask("POST", f"/dreams/{dream['id']}/undo")) == (409, "undo_unsafe")


THINGS = [
    "怕打雷",
    "怕吹风机",
    "又软又香的窝最喜欢",
    "又香又软的窝最喜欢",
    "最喜欢又软又香的窝",
    "爱玩绳结",
    "爱玩绳结和网球",
]


@on_sqlite
@pytest.mark.parametrize("seed", range(6))
async def test_a_life_of_nights_never_loses_a_memory(database: Database, seed: int) -> None:
    home, dice, now = await open_home(database), random.Random(seed), MONDAY
    await agree(home)
    made: set[str] = set()
    locked = await keep(home, "煤球怕打雷", "behavior:locked", locked=True)
    for step in range(12):
        now += timedelta(days=dice.choice((1, 2, 9, 30)))
        for number in range(dice.randrange(1, 4)):
            await _something_said(home, dice, now, f"{step}-{number}")
        ended = await sleep(home, now + DAY / 2)
        assert ended in ("done", "stopped")
        before = await live_set(home)
        await sleep(home, now + DAY / 2)
        assert await live_set(home) == before, "a second run changes nothing"
        made |= await _all_accounted_for(home, made)
        held = next(item for item in await home.items() if item.id == locked.id)
        assert (held.status, held.tier, held.locked) == ("active", "short", True)
    assert await dreams(home)


async def _something_said(home: Home, dice: random.Random, now: datetime, name: str) -> None:
    pet, thing = dice.choice(home.pets), dice.choice(THINGS)
    match dice.randrange(4):
        case 0:
            await keep(home, f"煤球{thing}", f"behavior:{name}", learned_at=now, last_evidence_at=now)
        case 1:
            guess = claim(pet, f"behavior:{thing}", f"{pet.name}好像{thing}", certainty=Certainty.HEDGED)
            await home.say(guess, at=now)
        case 2:
            denied = claim(pet, f"behavior:{thing}", f"{pet.name}不{thing}", negated=True, certainty=Certainty.HEDGED)
            await home.say(denied, at=now)
        case _:
            event = {"kind": "event", "weight_level": 1, "learned_at": now, "last_evidence_at": now}
            await keep(home, f"煤球追了{name}只蝴蝶", f"activity:{name}", **event)


async def _all_accounted_for(home: Home, before: set[str]) -> set[str]:
    """Every row there ever was is live, waiting, archived, fading, replaced by one that is, or removed after fading."""
    rows = {item.id: item for item in await home.items()}
    assert before <= set(rows)
    for item in rows.values():
        if item.status == MemoryStatus.DELETED.value:
            assert item.status_before == MemoryStatus.FADING.value
        if item.status == MemoryStatus.SUPERSEDED.value and (item.reason or "").startswith("merged into "):
            assert (item.reason or "").removeprefix("merged into ") in rows
    return set(rows)
