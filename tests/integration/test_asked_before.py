"""The day after, an answer without a name goes to the pet we asked about or had in the calendar, and to no other."""

import pytest

from tests.conftest import on_sqlite
from tests.factories import Owner
from tests.fakes.phone import say

pytestmark = on_sqlite
MONDAY, TUESDAY = "2026-06-01T20:00:00+08:00", "2026-06-02T11:00:00+08:00"


async def home(owner: Owner) -> dict[str, str]:
    pets = [await owner.pet("豆豆"), await owner.pet("咪咪", "cat")]
    return {pet["id"]: pet["name"] for pet in pets}


async def whose(owner: Owner, names: dict[str, str], word: str) -> set[str | None]:
    """The pets of the lines that hold this word."""
    items = (await owner.get("/memories"))["items"]
    return {names.get(item["subject"] or "") for item in items if word in item["content"]}


@pytest.mark.parametrize(
    ("told", "answer", "word", "over"),
    [
        ("豆豆今天拉稀三次", "便便成形了", "成形", True),
        ("咪咪今天拉稀三次", "便便成形了", "成形", True),
        ("豆豆昨天吐了两次", "便便成形了", "成形", False),  # that was not the question
        ("豆豆今天拉稀三次", "便便还是不成形", "不成形", False),
        ("豆豆昨天吐了两次", "好多了，没再吐", "没再吐", True),
        ("豆豆昨天吐了两次", "早上又吐了一次", "又吐", False),
    ],
)
async def test_an_answer_to_a_follow_up_is_about_its_pet(
    owner: Owner, told: str, answer: str, word: str, over: bool
) -> None:
    names = await home(owner)
    await say(owner.at(MONDAY), told)
    await say(owner.at(TUESDAY), answer, "m-2")
    assert await whose(owner, names, word) == {told[:2]}
    assert bool((await owner.get("/follow-ups"))["items"]) is not over


@pytest.mark.parametrize(
    ("plan", "done", "word"),
    [
        ("明天上午十点带咪咪打疫苗", "疫苗打完了", "疫苗打完"),
        ("明天上午十点带咪咪洗澡", "洗完澡了，香喷喷的", "香喷喷"),
    ],
)
async def test_what_was_planned_for_one_pet_is_told_of_it(owner: Owner, plan: str, done: str, word: str) -> None:
    names = await home(owner)
    await say(owner.at(MONDAY), plan)
    await say(owner.at("2026-06-02T14:00:00+08:00"), done, "m-2")
    assert await whose(owner, names, word) == {"咪咪"}


async def test_where_two_pets_wait_nothing_is_supposed(owner: Owner) -> None:
    names = await home(owner)
    await say(owner.at(MONDAY), "豆豆昨天拉稀了")
    await say(owner, "咪咪昨天拉稀了", "m-2")
    answer = await say(owner.at(TUESDAY), "便便成形了", "m-3")
    assert "豆豆还是咪咪" in answer["text"]
    assert await whose(owner, names, "成形") == {None}


@pytest.mark.parametrize("other", ["特别爱玩纸箱", "耳朵有点脏"])
async def test_a_remark_about_something_else_is_nobodys(owner: Owner, other: str) -> None:
    names = await home(owner)
    await say(owner.at(MONDAY), "豆豆昨天吐了两次")
    await say(owner.at(TUESDAY), other, "m-2")
    assert await whose(owner, names, other[2:]) <= {None}


async def test_a_question_is_never_narrowed_to_the_pet_that_was_asked_about(owner: Owner) -> None:
    await home(owner)
    await say(owner.at("2026-06-01T12:00:00+08:00"), "咪咪对鸡肉过敏")
    await say(owner.at(MONDAY), "豆豆昨天吐了两次", "m-2")
    asked = await say(owner.at(TUESDAY), "能喂点鸡肉吗？", "m-3")
    assert "咪咪" in asked["text"]
    assert "过敏" in asked["text"]


async def test_a_pet_named_in_the_talk_is_the_one_it_is_about(owner: Owner) -> None:
    names = await home(owner)
    await say(owner.at(MONDAY), "豆豆昨天拉稀了")
    await say(owner.at(TUESDAY), "咪咪今天很乖", "m-2")
    await say(owner, "便便成形了", "m-3")
    assert await whose(owner, names, "成形") == {"咪咪"}
