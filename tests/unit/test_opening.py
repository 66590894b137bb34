"""What is said first today."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from responder_contexts import WANGZAI, XUEQIU, question

from domain.opening import DuePiece, FollowUpPiece, opening

TODAY = date(2026, 11, 20)
PETS = (WANGZAI, XUEQIU)
BETTER = FollowUpPiece("f-1", WANGZAI.id, "旺仔好点了吗？", TODAY)


def due(days: int, what: str = "体内驱虫", subject: str | None = WANGZAI.id) -> DuePiece:
    return DuePiece(what, TODAY + timedelta(days=days), subject, f"d{days}")


def test_a_quiet_day_opens_with_nothing() -> None:
    assert opening(TODAY, PETS) == ()


def test_the_sick_pet_comes_first_then_the_overdue_then_the_question_then_what_is_coming() -> None:
    items = opening(TODAY, PETS, [due(5), due(-2)], [BETTER], [question("牛肉还过敏吗？")])
    assert [item.kind for item in items] == ["follow_up", "due", "confirmation"]
    assert items[1].text == "旺仔的体内驱虫已经过了2天，别忘了安排。"


def test_never_more_than_three_things_and_one_question() -> None:
    asked = [question("一？", "q-1"), question("二？", "q-2")]
    items = opening(TODAY, PETS, [due(3), due(4), due(5), due(6)], (), asked)
    assert [item.kind for item in items] == ["confirmation", "due", "due"]


@pytest.mark.parametrize(
    ("days", "said"),
    [(-1, "已经过了1天"), (0, "今天到日子了"), (1, "明天到日子"), (14, "还有14天到期")],
)
def test_how_far_a_due_day_is_away(days: int, said: str) -> None:
    assert said in opening(TODAY, PETS, [due(days)])[0].text


@pytest.mark.parametrize("piece", [due(15), due(30)])
def test_what_is_far_away_waits(piece: DuePiece) -> None:
    assert opening(TODAY, PETS, [piece]) == ()


@pytest.mark.parametrize("days", [-1, 4])
def test_a_follow_up_is_asked_on_its_day_and_shortly_after(days: int) -> None:
    late = replace(BETTER, due_on=TODAY - timedelta(days=days))
    assert opening(TODAY, PETS, (), [late]) == ()


@pytest.mark.parametrize("status", ["memorial", "lost", "rehomed"])
def test_a_pet_that_is_gone_is_never_brought_up(status: str) -> None:
    gone = replace(WANGZAI, status=status)
    assert opening(TODAY, (gone, XUEQIU), [due(0)], [BETTER], [question("旺仔还过敏吗？")]) == ()


def test_what_concerns_the_home_needs_no_pet() -> None:
    assert opening(TODAY, PETS, [due(0, "宠物医保续费", None)])[0].text == "宠物医保续费今天到日子了。"
