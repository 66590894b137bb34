"""An alert knows the household: how old the pet is, and whether it is given insulin."""

from datetime import UTC, datetime

import pytest

from tests.conftest import on_sqlite
from tests.factories import Json, Owner
from tests.fakes.phone import say

NOW = datetime(2026, 5, 20, 4, tzinfo=UTC)


@pytest.fixture
async def owner_now(owner: Owner) -> Owner:
    return owner.at(NOW)


def levels(answer: Json) -> list[str]:
    return [alert["level"] for alert in answer["alerts"]]


@pytest.mark.parametrize(("born_on", "level"), [("2026-03-20", "urgent"), ("2020-03-20", "watch")])
async def test_one_vomit_of_a_kitten_is_seen_within_a_day(owner_now: Owner, born_on: str, level: str) -> None:
    await owner_now.pet("芋圆", "cat", born_on=born_on, born_on_precision="day")
    assert levels(await say(owner_now, "芋圆刚才吐了一次", "v")) == [level]


async def test_weakness_on_insulin_is_low_sugar_until_it_is_measured(owner_now: Owner) -> None:
    await owner_now.pet("芋圆", "cat")
    assert levels(await say(owner_now, "芋圆有点没精神，走路晃", "before")) == ["urgent"]
    await say(owner_now, "芋圆在打胰岛素，每天两次，一次2个单位", "drug")
    answer = await say(owner_now, "芋圆有点没精神，走路晃", "after")
    assert levels(answer)[0] == "emergency"
    assert "低血糖" in answer["alerts"][0]["sign"]


async def test_low_sugar_is_not_thought_of_where_the_insulin_is_anothers(owner_now: Owner) -> None:
    await owner_now.pet("芋圆", "cat")
    await owner_now.pet("豆豆", "dog")
    await say(owner_now, "芋圆在打胰岛素，每天两次，一次2个单位", "drug")
    assert levels(await say(owner_now, "豆豆有点没精神，走路晃", "v")) == ["urgent"]


async def test_an_emergency_is_said_of_the_pet_that_was_meant_and_stays_said(owner_now: Owner) -> None:
    await owner_now.pet("旺财", "dog")
    await owner_now.pet("咪咪", "cat")
    await say(owner_now, "旺财抽搐了", "wrong")
    answer = await say(owner_now, "不对，是咪咪", "right")
    assert levels(answer) == ["emergency"]
    assert "请现在就带咪咪去" in answer["text"]
    assert "请现在就带咪咪去" in (await say(owner_now, "怎么办", "what"))["text"]


@on_sqlite
async def test_an_alert_without_a_name_is_of_the_pet_whose_sign_is_recorded(owner_now: Owner) -> None:
    await owner_now.pet("旺财", "dog")
    await owner_now.pet("咪咪", "cat")
    await say(owner_now, "咪咪误食了百合", "first")
    await say(owner_now, "搞错了，没吃，只是闻了闻", "second")
    await say(owner_now, "旺财偷吃了一颗葡萄", "third")
    answer = await say(owner_now, "现在没精神，什么都没吃", "fourth")
    assert "带旺财去看医生" in answer["text"]
    assert [memory["content"][:2] for memory in answer["memories"]] == ["旺财"]
