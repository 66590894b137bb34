"""A sick pet is asked after the next day: in the list, at the opening, in the inbox; until the owner says how it is."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import pytest
from fastapi import FastAPI
from sqlmodel import select

from domain.inbox import InboxMessage
from jobs.follow_up import FollowUpParts, follow_up
from tests.conftest import on_sqlite
from tests.factories import Owner, problem
from tests.fakes.phone import say

MONDAY, TUESDAY = "2026-06-01T20:00:00+08:00", "2026-06-02T11:00:00+08:00"
SignIn = Callable[..., Awaitable[Owner]]


async def ask_all(app: FastAPI, moment: str) -> int:
    """The job at this moment."""
    now = datetime.fromisoformat(moment).astimezone(UTC)
    return await follow_up(FollowUpParts(app.state.container.transactions, lambda: now))


async def open_ones(owner: Owner) -> list[dict[str, str]]:
    found: list[dict[str, str]] = (await owner.get("/follow-ups"))["items"]
    return found


async def test_vomiting_is_asked_about_the_next_day_and_closed_by_the_answer(owner: Owner, app: FastAPI) -> None:
    await owner.pet("豆豆")
    answer = await say(owner.at(MONDAY), "豆豆昨天吐了两次")
    assert "明天我再来问问豆豆好点没有" in answer["text"]
    (waiting,) = await open_ones(owner)
    assert (waiting["question"], waiting["due_on"]) == ("豆豆好点了吗？", "2026-06-02")
    assert await ask_all(app, "2026-06-02T09:00:00+08:00") == 0
    assert await ask_all(app, TUESDAY) == 1
    assert await ask_all(app, TUESDAY) == 0
    opening = (await owner.at(TUESDAY).get("/chat/opening"))["items"]
    assert (opening[0]["kind"], opening[0]["text"]) == ("follow_up", "豆豆好点了吗？")
    inbox = (await owner.get("/inbox"))["items"]
    assert "你说过「豆豆昨天吐了两次」。豆豆好点了吗？" in [message["body"] for message in inbox]
    closing = await say(owner, "好了", "m-2")
    assert "豆豆好了就好" in closing["text"]
    assert await open_ones(owner) == []


async def test_a_follow_up_that_is_waved_away_is_not_asked(owner: Owner, app: FastAPI) -> None:
    await owner.pet("豆豆")
    await say(owner.at(MONDAY), "豆豆今天拉稀三次")
    (waiting,) = await open_ones(owner)
    for _ in range(2):
        assert (await owner.post(f"/follow-ups/{waiting['id']}/dismiss"))["status"] == "dismissed"
    assert await open_ones(owner) == []
    assert await ask_all(app, TUESDAY) == 0


async def test_a_follow_up_of_another_household_is_not_found(owner: Owner, sign_in: SignIn) -> None:
    await owner.pet("豆豆")
    await say(owner.at(MONDAY), "豆豆昨天吐了两次")
    (waiting,) = await open_ones(owner)
    other = await sign_in("wang")
    assert problem(await other.ask("POST", f"/follow-ups/{waiting['id']}/dismiss")) == (404, "not_found")


async def test_what_goes_on_is_asked_about_again(owner: Owner) -> None:
    await owner.pet("豆豆")
    await say(owner.at(MONDAY), "豆豆昨天吐了两次")
    await say(owner.at(TUESDAY), "还没好", "m-2")
    (waiting,) = await open_ones(owner)
    assert waiting["due_on"] == "2026-06-03"


@pytest.mark.parametrize("status", ["memorial", "lost"])
async def test_a_pet_that_is_gone_is_never_asked_about(owner: Owner, app: FastAPI, status: str) -> None:
    pet = await owner.pet("豆豆")
    await say(owner.at(MONDAY), "豆豆昨天吐了两次")
    await owner.put(f"/pets/{pet['id']}", {"status": status})
    assert await open_ones(owner) == []
    assert await ask_all(app, TUESDAY) == 0
    assert "follow_up" not in [item["kind"] for item in (await owner.at(TUESDAY).get("/chat/opening"))["items"]]


async def test_quiet_hours_of_the_owner_are_kept(owner: Owner, app: FastAPI) -> None:
    await owner.pet("豆豆")
    await owner.put("/me", {"quiet_hours": {"from": "22:00", "to": "13:00"}})
    await say(owner.at(MONDAY), "豆豆昨天吐了两次")
    await ask_all(app, TUESDAY)
    async with app.state.container.transactions.read() as session:
        (message,) = (await session.exec(select(InboxMessage).where(InboxMessage.kind == "follow_up"))).all()
    assert message.not_before == datetime(2026, 6, 2, 5, tzinfo=UTC)


async def test_old_news_is_let_go(owner: Owner, app: FastAPI) -> None:
    await owner.pet("豆豆")
    await say(owner.at(MONDAY), "豆豆昨天吐了两次")
    assert await ask_all(app, "2026-06-20T11:00:00+08:00") == 0
    assert await open_ones(owner.at("2026-06-20T11:00:00+08:00")) == []


async def test_erasing_the_pet_takes_its_follow_up_along(owner: Owner) -> None:
    pet = await owner.pet("豆豆")
    await say(owner.at(MONDAY), "豆豆昨天吐了两次")
    await owner.delete(f"/pets/{pet['id']}")
    assert await open_ones(owner) == []


async def test_a_temporary_chat_opens_nothing(owner: Owner) -> None:
    await owner.pet("豆豆")
    await say(owner.at(MONDAY), "豆豆昨天吐了两次", temporary=True)
    assert await open_ones(owner) == []


@on_sqlite
async def test_another_reading_that_is_well_ends_no_fever(owner: Owner) -> None:
    await owner.pet("豆豆")
    await say(owner.at(MONDAY), "豆豆体温39.9度", "fever")
    assert "不再追问" not in (await say(owner.at(MONDAY), "豆豆肌酐正常了", "lab"))["text"]
    assert len(await open_ones(owner)) == 1
    assert "不再追问" in (await say(owner.at(TUESDAY), "豆豆体温正常了", "well"))["text"]
    assert await open_ones(owner) == []
