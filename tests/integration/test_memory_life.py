"""A memory's life through the API: it is said, used, rises to the card, and fades when nobody needs it."""

from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI

from app.container import Container
from jobs.upgrade_memory import upgrade_due, upgrade_now
from tests.conftest import SignIn, on_sqlite
from tests.factories import Json, Owner, problem

MORNING = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)  # 09:00 in Shanghai
DAY = timedelta(days=1)
TOY = "豆豆最喜欢玩绳结"


async def say(owner: Owner, text: str, at: datetime) -> Json:
    owner.at(at)
    turn: Json = await owner.post("/chat/turns", {"text": text, "client_msg_id": f"{at.isoformat()}{text}"})
    assert turn["status"] == "done", turn
    return turn


async def night(app: FastAPI, at: datetime) -> dict[str, int]:
    container: Container = app.state.container
    return dict((await upgrade_due(container.upgrade_parts(), at)).upgraded.moves)


async def only_memory(owner: Owner, **wanted: str) -> Json:
    items = (await owner.get("/memories", **wanted))["items"]
    assert len(items) == 1, items
    found: Json = items[0]
    return found


async def test_what_replies_keep_citing_rises_to_the_card(app: FastAPI, owner: Owner) -> None:
    pet = await owner.pet()
    await say(owner, TOY, MORNING)
    said = await only_memory(owner, tier="short")
    for day in (1, 2, 3):
        turn = await say(owner, "豆豆喜欢玩什么？", MORNING + day * DAY)
        assert [one["memory_id"] for one in turn["citations"]] == [said["id"]], turn["text"]
    assert (await owner.get(f"/memories/{said['id']}"))["signals"] == {"cited": 3, "viewed": 0, "hit": 0}
    assert (await owner.get(f"/memories/{said['id']}/why"))["next"]["what"] == "core"
    assert await night(app, MORNING + 3 * DAY) == {}  # used after the last night: it waits for the next one
    assert await night(app, MORNING + 4 * DAY) == {"promoted": 1}
    card = await owner.get(f"/pets/{pet['id']}/card")
    assert [line["memory_id"] for line in card["items"]] == [said["id"]]
    assert (await owner.get(f"/memories/{said['id']}/history"))["items"][-1]["reason"] == "promoted"
    assert await night(app, MORNING + 4 * DAY) == {}


async def test_a_reply_that_does_not_use_a_memory_counts_nothing(owner: Owner) -> None:
    await owner.pet()
    await say(owner, TOY, MORNING)
    await say(owner, "谢谢你", MORNING + DAY)
    assert (await only_memory(owner))["signals"] == {"cited": 0, "viewed": 0, "hit": 0}


async def test_opening_and_searching_count_once_a_local_day(owner: Owner) -> None:
    await owner.pet()
    await say(owner, TOY, MORNING)
    item = await only_memory(owner)
    late = datetime(2026, 3, 3, 15, 59, tzinfo=UTC)  # 23:59 in Shanghai
    for at in (late - timedelta(hours=5), late, late + timedelta(minutes=2)):
        owner.at(at)
        await owner.post(f"/memories/{item['id']}/view")
        await owner.get("/memories", q="绳结")
    assert (await owner.get(f"/memories/{item['id']}"))["signals"] == {"cited": 0, "viewed": 2, "hit": 2}


async def test_an_unused_memory_is_watched_and_goes_to_its_archive_at_the_end(app: FastAPI, owner: Owner) -> None:
    await owner.pet()
    await say(owner, TOY, MORNING)
    item = await only_memory(owner)
    assert await night(app, MORNING + DAY) == {}
    watched = await owner.get(f"/memories/{item['id']}")
    assert (watched["tier"], watched["upgrade"]) == ("short", "pending")
    why = await owner.at(MORNING + DAY).get(f"/memories/{item['id']}/why")
    assert why["next"]["what"] == "long"
    assert why["next"]["when"].endswith("03:30:00+08:00")
    told = datetime.fromisoformat(why["next"]["when"])
    assert await night(app, told - timedelta(minutes=1)) == {}
    assert await night(app, told) == {"to_archive": 1}
    archived = await owner.get(f"/memories/{item['id']}")
    assert (archived["tier"], archived["status"], archived["upgrade"]) == ("long", "active", "none")


async def test_two_uses_keep_a_memory_watched_until_day_60(app: FastAPI, owner: Owner) -> None:
    await owner.pet()
    await say(owner, TOY, MORNING)
    item = await only_memory(owner)
    for day in (1, 2, 3, 4):
        await owner.at(MORNING + day * DAY).post(f"/memories/{item['id']}/view")
    await night(app, MORNING + 5 * DAY)
    assert await night(app, MORNING + 59 * DAY) == {}
    assert (await only_memory(owner))["upgrade"] == "pending"
    assert await night(app, MORNING + 61 * DAY) == {"to_archive": 1}


async def test_an_archived_memory_that_is_recalled_again_climbs_back(app: FastAPI, owner: Owner) -> None:
    pet = await owner.pet()
    await say(owner, TOY, MORNING)
    for day in (1, 2, 3):
        await say(owner, "豆豆喜欢玩什么？", MORNING + day * DAY)
    assert await night(app, MORNING + 4 * DAY) == {"promoted": 1}
    assert await night(app, MORNING + 80 * DAY) == {}
    assert await night(app, MORNING + 95 * DAY) == {"stale_on_card": 1}
    assert (await owner.get(f"/pets/{pet['id']}/card"))["items"] == []
    await say(owner, "豆豆喜欢玩什么？", MORNING + 100 * DAY)
    assert await night(app, MORNING + 101 * DAY) == {"climbed_back": 1}


async def test_what_the_owner_locks_or_writes_never_moves_on_its_own(app: FastAPI, owner: Owner) -> None:
    pet = await owner.pet()
    owner.at(MORNING)
    written = await owner.post("/memories", {"subject": pet["id"], "content": "豆豆怕打雷", "tier": "core"})
    await say(owner, TOY, MORNING)
    locked = await only_memory(owner, tier="short")
    await owner.post(f"/memories/{locked['id']}/lock")
    for day in (1, 40, 400, 4000):
        assert await night(app, MORNING + day * DAY) == {}
    assert (await owner.get(f"/memories/{written['id']}"))["tier"] == "core"
    assert (await owner.get(f"/memories/{locked['id']}"))["tier"] == "short"
    why = await owner.get(f"/memories/{locked['id']}/why")
    assert why["next"] == {"what": "stays", "when": None, "text": "会一直留着，不会自己变动"}
    assert why["weight_now"] == pytest.approx(2 / 3, abs=1e-4)


async def test_records_and_their_lines_outlive_a_year_without_a_visit(app: FastAPI, owner: Owner) -> None:
    pet = await owner.pet()
    owner.at(MORNING)
    await owner.record(pet, "allergies", substance="鸡肉")
    await owner.record(pet, "weights", value=12.3, unit="kg")
    await say(owner, TOY, MORNING)
    moves = await night(app, MORNING + 365 * DAY)
    assert moves == {"faded": 1}
    owner.at(MORNING + 365 * DAY)
    card = await owner.get(f"/pets/{pet['id']}/card")
    assert {line["record_kind"] for line in card["items"]} == {"allergies", "weights"}
    assert [one["status"] for one in (await owner.get("/memories", status="archived"))["items"]] == ["archived"]


@pytest.mark.parametrize(
    ("timezone", "worked_at"),
    [
        ("Asia/Shanghai", "2026-03-02T19:30:00+00:00"),
        ("America/New_York", "2026-03-02T08:30:00+00:00"),
        ("Pacific/Auckland", "2026-03-02T14:30:00+00:00"),
        ("Asia/Kolkata", "2026-03-02T22:00:00+00:00"),
    ],
)
@on_sqlite
async def test_the_night_is_at_half_past_three_of_the_owners_clock(
    app: FastAPI, owner: Owner, timezone: str, worked_at: str
) -> None:
    await owner.put("/me", {"timezone": timezone})
    await owner.pet()
    due = datetime.fromisoformat(worked_at)
    await say(owner, TOY, due - timedelta(hours=1))
    container: Container = app.state.container
    assert (await upgrade_due(container.upgrade_parts(), due - timedelta(seconds=1))).owners == 0
    assert (await upgrade_due(container.upgrade_parts(), due)).owners == 1
    assert (await upgrade_due(container.upgrade_parts(), due + timedelta(hours=5))).owners == 0


async def test_an_operator_may_run_it_any_time_and_again(app: FastAPI, owner: Owner) -> None:
    await owner.pet()
    await say(owner, TOY, MORNING)
    parts = app.state.container.upgrade_parts()
    assert (await upgrade_now(parts, MORNING, owner.id)).upgraded.reviewed == 1
    assert (await upgrade_now(parts, MORNING, owner.id)).upgraded.reviewed == 0
    await say(owner, "豆豆喜欢玩什么？", MORNING + timedelta(hours=1))
    assert (await upgrade_now(parts, MORNING + timedelta(hours=2))).upgraded.reviewed == 1


async def test_why_of_another_household_is_not_found(owner: Owner, sign_in: SignIn) -> None:
    await owner.pet()
    await say(owner, TOY, MORNING)
    item = await only_memory(owner)
    stranger = await sign_in("wang")
    assert problem(await stranger.ask("GET", f"/memories/{item['id']}/why")) == (404, "not_found")
