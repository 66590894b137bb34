"""A danger named wrongly and put right in passing: the wrong one goes only with the yes of the owner."""

from tests.conftest import on_sqlite
from tests.factories import Owner
from tests.fakes.phone import say

pytestmark = on_sqlite


async def test_the_right_allergy_stands_at_once_and_the_wrong_one_until_the_owner_says_yes(owner: Owner) -> None:
    pet = await owner.pet("旺财")
    await say(owner, "旺财对鸡肉过敏", "wrong")
    await say(owner, "不对，是牛肉", "right")
    kept = (await owner.get(f"/pets/{pet['id']}/allergies"))["items"]
    assert sorted(row["substance"] for row in kept if row["status"] == "active") == ["牛肉", "鸡肉"]
    (asked,) = (await owner.get("/confirmations", status="pending"))["items"]
    assert asked["new"]["negated"]
    assert "鸡肉" in asked["question"]
    assert (await say(owner, "旺财能吃牛肉吗", "asked"))["text"].startswith("别给")
