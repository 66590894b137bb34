"""A limit that holds for a time bends the advice while it lasts, and is gone by itself afterwards."""

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
