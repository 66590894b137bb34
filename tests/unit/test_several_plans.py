"""Plans that stand beside each other in one message, and times and days that plans are told by."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance
from domain.schedule_requests import Said, ScheduleRequest
from domain.schedule_times import planned
from domain.several_plans import read_requests

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))  # a Monday
PETS = (PetProfile("d", "豆豆", "dog", born_on=date(2020, 3, 2)), PetProfile("m", "咪咪", "cat"))
OF_THE_DOG = (SaidBefore("user", "豆豆今天吃了两顿"), SaidBefore("assistant", "记下了。"))


def read(text: str, history: tuple[SaidBefore, ...] = ()) -> tuple[ScheduleRequest, ...]:
    said = extract(Utterance(text, NOW, PETS, history=list(history)))
    return read_requests(Said(text, NOW, PETS, said.claims, bool(said.refusals), history=history))


def shown(one: ScheduleRequest) -> tuple[str, tuple[str, ...], str]:
    (plan,) = planned(one.when, NOW)
    return one.title, one.pets, f"{plan.starts_at:%m-%d}"


@pytest.mark.parametrize(
    ("text", "plans"),
    [
        (
            "后天上午带豆豆去打疫苗，大后天咪咪绝育",
            [("上午带豆豆去打疫苗", ("d",), "12-02"), ("咪咪绝育", ("m",), "12-03")],
        ),
        ("明天带豆豆打疫苗，下周五洗澡", [("带豆豆打疫苗", ("d",), "12-01"), ("洗澡", ("d",), "12-11")]),
        ("提醒我明天买猫砂，后天给豆豆剪指甲", [("买猫砂", (), "12-01"), ("给豆豆剪指甲", ("d",), "12-02")]),
        ("周五上午十点豆豆绝育，下周五拆线", [("豆豆绝育", ("d",), "12-04"), ("拆线", ("d",), "12-11")]),
    ],
)
def test_every_part_with_a_day_and_a_thing_to_do_is_a_plan(
    text: str, plans: list[tuple[str, tuple[str, ...], str]]
) -> None:
    assert [shown(one) for one in read(text)] == plans


@pytest.mark.parametrize(
    "text", ["明天带豆豆打疫苗，别忘了带本子", "昨天豆豆绝育了，十天后拆线", "周五上午十点，带豆豆去绝育"]
)
def test_what_stands_beside_a_plan_is_no_second_one(text: str) -> None:
    assert len(read(text)) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("三个月后提醒我给豆豆体检", ("给豆豆体检", ("d",), "02-28")),
        ("一年后带豆豆复查", ("带豆豆复查", ("d",), "11-30")),
        ("豆豆生日那天提醒我买蛋糕", ("买蛋糕", ("d",), "03-02")),
        ("明天别忘了提醒我带豆豆去剪毛", ("带豆豆去剪毛", ("d",), "12-01")),
        ("每周日给鱼缸换水提醒我", ("给鱼缸换水", (), "12-06")),
    ],
)
def test_a_plan_is_told_by_months_to_come_by_a_birthday_and_for_no_pet(
    text: str, expected: tuple[str, tuple[str, ...], str]
) -> None:
    assert [shown(one) for one in read(text, OF_THE_DOG)] == [expected]


@pytest.mark.parametrize("text", ["明天提醒我啥来着", "你要提醒我什么"])
def test_asking_what_one_is_reminded_of_makes_no_plan(text: str) -> None:
    assert read(text) == ()
