"""Reminders reach the inbox at their time: once, in the owner's zone, out of quiet hours, whatever restarts."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from sqlmodel import select

from app.database import Database
from domain.inbox import InboxMessage
from jobs.send_reminders import ReminderParts, send_reminders
from tests.conftest import SignIn, on_sqlite
from tests.factories import Json, Owner
from tests.fakes.phone import say

NOW = "2026-11-30T10:00:00+08:00"  # a Monday


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


async def ring(app: FastAPI, *times: str) -> None:
    """Run the job at these times, one after the other."""
    container = app.state.container
    for text in times:
        await send_reminders(ReminderParts(container.transactions, container.real_now), at(text))


async def prompts(owner: Owner, now: str, *kinds: str) -> list[Json]:
    """What stands in the inbox by then, oldest first."""
    items = (await owner.at(now).get("/inbox", limit=100))["items"]
    return [one for one in items[::-1] if one["kind"] in (kinds or ("schedule", "due", "reminder"))]


async def plan(owner: Owner, **fields: Any) -> Json:
    body = {"title": "给豆豆喂药", "starts_at": "2026-12-01T15:00:00+08:00", "remind_before_minutes": [60], **fields}
    made: Json = await owner.at(NOW).post("/schedules", body)
    return made


async def test_a_reminder_comes_once_and_not_before_its_time(owner: Owner, app: FastAPI) -> None:
    made = await plan(owner)
    await ring(app, "2026-12-01T13:59:00+08:00")
    assert await prompts(owner, "2026-12-01T14:00:00+08:00") == []
    await ring(app, *["2026-12-01T14:00:10+08:00"] * 2, "2026-12-01T14:05:00+08:00", "2026-12-02T14:05:00+08:00")
    (prompt,) = await prompts(owner, "2026-12-02T15:00:00+08:00")
    assert (prompt["kind"], prompt["title"]) == ("schedule", "给豆豆喂药")
    assert "12月1日（周二）15:00" in prompt["body"]
    assert prompt["link"]["schedule_id"] == made["id"]


async def test_two_workers_at_once_remind_once(owner: Owner, app: FastAPI) -> None:
    await plan(owner)
    await asyncio.gather(*(ring(app, "2026-12-01T14:00:10+08:00") for _ in range(4)))
    assert len(await prompts(owner, "2026-12-01T14:01:00+08:00")) == 1


@on_sqlite
async def test_every_repetition_is_reminded_of(owner: Owner, app: FastAPI) -> None:
    await plan(owner, rrule="FREQ=DAILY;UNTIL=20261203", remind_before_minutes=[0])
    await ring(app, *(f"2026-12-0{day}T15:00:20+08:00" for day in range(1, 7)))
    told = await prompts(owner, "2026-12-08T15:00:00+08:00")
    assert [one["body"][:6] for one in told] == ["12月1日（", "12月2日（", "12月3日（"]


@on_sqlite
async def test_after_an_outage_only_the_newest_is_told_and_only_if_it_is_fresh(owner: Owner, app: FastAPI) -> None:
    await plan(owner, remind_before_minutes=[1440, 60])
    await plan(owner, title="剪指甲", starts_at="2026-12-01T09:00:00+08:00")
    await ring(app, "2026-12-01T22:30:00+08:00")
    told = await prompts(owner, "2026-12-02T09:00:00+08:00")
    assert [one["title"] for one in told] == ["给豆豆喂药"]


@on_sqlite
async def test_quiet_hours_are_kept(owner: Owner, app: FastAPI, database: Database) -> None:
    await plan(owner, starts_at="2026-12-01T23:30:00+08:00", remind_before_minutes=[0])
    await ring(app, "2026-12-01T23:30:10+08:00")
    async with database.read() as session:
        (prompt,) = (await session.exec(select(InboxMessage))).all()
    assert prompt.not_before == at("2026-12-02T08:00:00+08:00")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2027-03-13T10:00:00-05:00", "2027-03-14T10:00:00-04:00"),  # the clocks go forward
        ("2027-11-06T10:00:00-04:00", "2027-11-07T10:00:00-05:00"),  # and back
    ],
)
@on_sqlite
async def test_a_daily_plan_keeps_its_clock_time_when_the_clocks_change(
    owner: Owner, app: FastAPI, before: str, after: str
) -> None:
    await owner.put("/me", {"timezone": "America/New_York"})
    await plan(owner, starts_at=before, rrule="FREQ=DAILY", remind_before_minutes=[0])
    for moment in (at(before), at(after)):
        early = (moment - timedelta(minutes=1)).isoformat()
        await ring(app, early)
        known = len(await prompts(owner, early, "schedule"))
        await ring(app, (moment + timedelta(seconds=5)).isoformat())
        assert len(await prompts(owner, (moment + timedelta(minutes=1)).isoformat(), "schedule")) == known + 1


@on_sqlite
async def test_a_whole_day_is_brought_up_at_nine(owner: Owner, app: FastAPI) -> None:
    await plan(owner, all_day=True, remind_before_minutes=[1440, 0])
    await ring(app, "2026-11-30T09:00:05+08:00", "2026-12-01T08:59:00+08:00")
    assert await prompts(owner, "2026-12-01T08:59:00+08:00") == []
    await ring(app, "2026-12-01T09:00:05+08:00")
    assert len(await prompts(owner, "2026-12-01T09:01:00+08:00")) == 1


@pytest.mark.parametrize("change", ["cancelled", "moved", "deleted", "memorial"])
@on_sqlite
async def test_what_is_off_reminds_no_more(owner: Owner, app: FastAPI, change: str) -> None:
    pet = await owner.at(NOW).pet("豆豆", "dog")
    made = await plan(owner, pet_id=pet["id"])
    if change == "cancelled":
        await say(owner, "喂药的提醒取消吧")
    elif change == "moved":
        await owner.put(f"/schedules/{made['id']}", {"starts_at": "2026-12-05T15:00:00+08:00"})
    elif change == "deleted":
        await owner.delete(f"/schedules/{made['id']}")
    else:
        await owner.put(f"/pets/{pet['id']}", {"status": "memorial"})
    await ring(app, "2026-12-01T14:00:10+08:00")
    assert await prompts(owner, "2026-12-01T14:01:00+08:00", "schedule") == []


@on_sqlite
async def test_a_course_ends_and_its_last_day_is_told(owner: Owner, app: FastAPI) -> None:
    pet = await owner.at(NOW).pet("豆豆", "dog")
    await say(owner, "豆豆今天开始吃速诺，一天两次，吃7天")
    path = f"/pets/{pet['id']}/medications"
    (record,) = (await owner.get(path))["items"]
    assert (record["status"], record["started_on"], record["ended_on"]) == ("active", "2026-11-30", "2026-12-06")
    await ring(app, "2026-12-05T09:00:00+08:00")
    assert await prompts(owner, "2026-12-05T09:01:00+08:00") == []
    await ring(app, "2026-12-06T09:00:00+08:00", "2026-12-06T12:00:00+08:00")
    (prompt,) = await prompts(owner, "2026-12-06T12:00:00+08:00")
    assert prompt["title"] == "豆豆的速诺今天最后一天"
    assert (await owner.get(path))["items"][0]["status"] == "active"
    await ring(app, "2026-12-07T09:00:00+08:00")
    assert (await owner.at("2026-12-07T09:00:00+08:00").get(path))["items"][0]["status"] == "ended"
    card = await owner.get(f"/pets/{pet['id']}/card")
    assert not any("速诺" in item["content"] for item in card["items"])


@on_sqlite
async def test_what_is_due_is_told_near_its_day_and_once(owner: Owner, app: FastAPI) -> None:
    pet = await owner.at(NOW).pet("豆豆", "dog", born_on="2023-01-01", born_on_precision="day")
    await owner.record(pet, "vaccinations", product="狂犬疫苗", given_on="2025-12-20", given_on_precision="day")
    days = [f"2026-12-{day:02}T09:00:00+08:00" for day in (1, 5, 7, 10, 15, 19, 20, 21, 30)]
    await ring(app, *days)
    told = [one["title"] for one in await prompts(owner, days[-1], "due")]
    assert told == ["豆豆的狂犬疫苗快到期了", "豆豆的狂犬疫苗到日子了", "豆豆的狂犬疫苗已经过期"]


@on_sqlite
async def test_what_is_planned_already_is_not_told_as_due(owner: Owner, app: FastAPI) -> None:
    pet = await owner.at(NOW).pet("豆豆", "dog", born_on="2023-01-01", born_on_precision="day")
    await owner.record(pet, "vaccinations", product="狂犬疫苗", given_on="2025-12-20", given_on_precision="day")
    await say(owner, "12月19号下午三点带豆豆打狂犬疫苗")
    await ring(app, "2026-12-10T09:00:00+08:00")
    assert await prompts(owner, "2026-12-10T09:00:00+08:00", "due") == []


@on_sqlite
async def test_nobody_is_woken_by_the_mornings_look(owner: Owner, app: FastAPI) -> None:
    pet = await owner.at(NOW).pet("豆豆", "dog", born_on="2023-01-01", born_on_precision="day")
    await owner.record(pet, "vaccinations", product="狂犬疫苗", given_on="2025-12-20", given_on_precision="day")
    await ring(app, "2026-12-10T06:00:00+08:00")
    assert await prompts(owner, "2026-12-10T08:00:00+08:00") == []
    await ring(app, "2026-12-10T08:31:00+08:00")
    assert len(await prompts(owner, "2026-12-10T08:31:00+08:00")) == 1


@on_sqlite
async def test_a_plan_that_was_brought_back_rings_as_before(app: FastAPI, owner: Owner, sign_in: SignIn) -> None:
    await plan(owner)
    packed = (await owner.ask("GET", "/me/export")).content
    other = (await sign_in("other")).at(NOW)
    await other.ask("POST", "/me/import", files={"file": ("export.zip", packed, "application/zip")})
    await ring(app, NOW, "2026-12-01T14:00:10+08:00")
    assert len(await prompts(other, "2026-12-01T14:00:20+08:00")) == 1
