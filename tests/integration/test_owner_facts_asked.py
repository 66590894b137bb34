"""What an owner told of themselves is answered when they ask for it, in one sentence that stands on the line."""

import pytest

from tests.conftest import SignIn, on_sqlite
from tests.factories import Owner
from tests.fakes.phone import say

pytestmark = on_sqlite


@pytest.mark.parametrize(
    "text",
    [
        "我叫什么",
        "你记得我叫什么吗",
        "我叫啥来着",
        "你还记得我的名字吗",
        "我的名字是什么",
        "知道我是谁吗",
        "我叫什么名字？",
    ],
)
@pytest.mark.parametrize("pets", [1, 2])
async def test_the_name_that_was_told_is_known(owner: Owner, text: str, pets: int) -> None:
    for name in ("豆豆", "咪咪")[:pets]:
        await owner.pet(name)
    await say(owner, "我叫小林", "1")
    told = await say(owner, text, "2")
    assert told["text"].startswith("你叫小林")
    assert [one["snippet"] for one in told["citations"]] == ["我叫小林"]
    assert told["memories"] == []


@pytest.mark.parametrize("text", ["你叫我什么", "该怎么称呼我", "你应该怎么叫我"])
async def test_how_one_wants_to_be_called_comes_before_the_name(owner: Owner, text: str) -> None:
    await owner.pet()
    await say(owner, "我叫小林", "1")
    assert "小林" in (await say(owner, text, "2"))["text"]
    await say(owner, "以后叫我林姐", "3")
    assert "林姐" in (await say(owner, text, "4"))["text"]


@pytest.mark.parametrize(
    ("said", "asked", "answer"),
    [
        ("我住在杭州", "我住哪儿", "杭州"),
        ("我住在杭州", "你知道我住在哪个城市吗", "杭州"),
        ("我姓林", "我姓什么", "你姓林"),
    ],
)
async def test_where_one_lives_is_known(owner: Owner, said: str, asked: str, answer: str) -> None:
    await owner.pet()
    await say(owner, said, "1")
    assert answer in (await say(owner, asked, "2"))["text"]


async def test_what_was_never_told_is_said_to_be_unknown(owner: Owner, sign_in: SignIn) -> None:
    await say(await sign_in("other"), "我叫小王", "0")
    await owner.pet()
    told = await say(owner, "你记得我叫什么吗", "1")
    assert "没告诉过我" in told["text"]
    assert "小王" not in told["text"]


@pytest.mark.parametrize(
    "text", ["豆豆叫什么品种", "它叫什么名字", "我叫豆豆它不理我", "我叫它什么都不听", "我是谁家的"]
)
async def test_other_questions_are_not_taken_for_one_about_the_name(owner: Owner, text: str) -> None:
    await owner.pet()
    await say(owner, "我叫小林", "1")
    assert not (await say(owner, text, "2"))["text"].startswith("你叫小林")


async def test_a_temporary_chat_does_not_tell_it(owner: Owner) -> None:
    await owner.pet()
    await say(owner, "我叫小林", "1")
    assert "小林" not in (await say(owner, "我叫什么", "2", temporary=True))["text"]
