"""A limit that holds for a time bends the advice while it lasts, and is gone by itself afterwards."""

from datetime import datetime
from zoneinfo import ZoneInfo

from fastapi import FastAPI

from jobs.send_reminders import send_reminders
from tests.factories import Owner
from tests.fakes.phone import say

MONDAY = "2026-06-01T20:00:00+08:00"


async def test_soft_food_for_a_week_is_said_with_its_last_day_and_then_no_more(owner: Owner) -> None:
    await owner.pet("豆豆")
    await say(owner.at(MONDAY), "豆豆这两天刚看完牙，一周内只能吃软食")
    (line,) = [one for one in (await owner.get("/memories"))["items"] if "软食" in one["content"]]
    assert line["expires_at"] == "2026-06-08T16:00:00Z"
    meanwhile = await say(owner.at("2026-06-04T20:00:00+08:00"), "豆豆能吃牛肉干吗？", "m-2")
    assert "软食" in meanwhile["text"]
    assert "只到6月8日" in meanwhile["text"]
    afterwards = await say(owner.at("2026-06-20T20:00:00+08:00"), "豆豆能吃牛肉干吗？", "m-3")
    assert "软食" not in afterwards["text"]


async def test_a_limit_is_not_brought_up_where_nobody_asks_for_advice(owner: Owner) -> None:
    await owner.pet("豆豆")
    await say(owner.at(MONDAY), "豆豆术后两周不能洗澡")
    asked = await say(owner.at("2026-06-03T20:00:00+08:00"), "豆豆多大了？", "m-2")
    assert "洗澡" not in asked["text"]
    leave = await say(owner, "豆豆能洗澡吗？", "m-3")
    assert "只到6月15日" in leave["text"]


async def test_a_prescribed_food_for_two_weeks_is_on_record_until_its_last_day(app: FastAPI, owner: Owner) -> None:
    pet = await owner.pet("豆豆")
    await say(owner.at(MONDAY), "豆豆这两周只能吃处方粮")
    (diet,) = (await owner.get(f"/pets/{pet['id']}/diets"))["items"]
    assert (diet["status"], diet["ended_on"]) == ("active", "2026-06-15")
    meanwhile = await say(owner.at("2026-06-10T20:00:00+08:00"), "豆豆能吃牛肉干吗？", "m-2")
    assert "处方粮" in meanwhile["text"]
    for day in (15, 16):
        morning = datetime(2026, 6, day, 10, tzinfo=ZoneInfo("Asia/Shanghai"))
        await send_reminders(app.state.container.reminder_parts(), morning)
    told = [one["title"] for one in (await owner.at("2026-06-16T12:00:00+08:00").get("/inbox"))["items"]]
    assert "豆豆的处方粮今天最后一天" in told
    (diet,) = (await owner.get(f"/pets/{pet['id']}/diets", status="ended"))["items"]
    afterwards = await say(owner.at("2026-06-20T20:00:00+08:00"), "豆豆能吃牛肉干吗？", "m-3")
    assert "处方粮" not in afterwards["text"]


async def test_what_is_eaten_for_a_time_does_not_replace_the_staple_food(owner: Owner) -> None:
    pet = await owner.pet("豆豆")
    await say(owner.at(MONDAY), "豆豆主粮吃皇家")
    await say(owner, "豆豆这两周先吃渴望", "m-2")
    active = (await owner.get(f"/pets/{pet['id']}/diets"))["items"]
    assert [one["food"] for one in active if one["status"] == "active"] == ["皇家"]
    (line,) = [one for one in (await owner.get("/memories"))["items"] if "渴望" in one["content"]]
    assert line["expires_at"] == "2026-06-15T16:00:00Z"


async def test_what_was_done_outlives_the_limit_that_was_told_with_it(owner: Owner) -> None:
    await owner.pet("豆豆")
    await say(owner.at(MONDAY), "豆豆打完疫苗一周内别洗澡")
    lines = {one["content"]: one["expires_at"] for one in (await owner.get("/memories"))["items"]}
    assert lines == {"豆豆打完疫苗": None, "豆豆打完疫苗一周内别洗澡": "2026-06-08T16:00:00Z"}
    afterwards = await say(owner.at("2026-07-20T20:00:00+08:00"), "豆豆能洗澡吗？", "m-2")
    assert "别洗澡" not in afterwards["text"]
