"""A message that asks the question before again."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.carried_questions import carried
from domain.pet_profiles import PetProfile, SaidBefore

NOW = datetime(2026, 11, 30, 10, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("a", "豆豆", "dog"), PetProfile("b", "咪咪", "cat"))


def after(*said: str) -> list[SaidBefore]:
    return [SaidBefore("user", text) for text in said]


@pytest.mark.parametrize(
    ("before", "text", "whole"),
    [
        (["豆豆能吃鸡肉吗"], "那牛肉呢", "豆豆能吃牛肉吗"),
        (["豆豆能吃鸡肉吗", "那牛肉呢"], "羊肉呢？", "豆豆能吃羊肉吗"),
        (["狗可以吃苹果吗"], "那葡萄也可以吗", "狗可以吃葡萄吗"),
        (["豆豆对鸡肉过敏吗"], "牛奶呢", "豆豆对牛奶过敏吗"),
    ],
)
def test_another_food_is_asked_of_as_the_food_before(before: list[str], text: str, whole: str) -> None:
    assert carried(text, after(*before), PETS, NOW) == whole


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (["豆豆昨天吃了鸡肉"], "那牛肉呢"),  # nothing was asked
        (["豆豆多大了"], "那牛肉呢"),
        (["豆豆能吃鸡肉和鸭肉吗"], "那牛肉呢"),  # which of the two
        (["豆豆能吃鸡肉吗"], "它吃了牛肉"),
        ([], "那牛肉呢"),
    ],
)
def test_a_message_stays_itself_where_no_one_food_was_asked_of(before: list[str], text: str) -> None:
    assert carried(text, after(*before), PETS, NOW) == text


@pytest.mark.parametrize(
    ("before", "text", "whole"),
    [
        (["明天有什么安排"], "那后天呢", "后天有什么安排"),
        (["这周有安排吗"], "下周呢？", "下周有安排吗"),
        (["这周有安排吗", "下周呢"], "那下个月呢", "下个月有安排吗"),
        (["豆豆昨天吃了几顿"], "前天呢", "豆豆前天吃了几顿"),
        (["豆豆昨天吐了"], "前天呢", "前天呢"),  # nothing was asked
        (["豆豆多大了"], "下周呢", "下周呢"),
        (["明天有什么安排"], "后天带豆豆去洗澡", "后天带豆豆去洗澡"),
    ],
)
def test_another_time_is_asked_of_as_the_time_before(before: list[str], text: str, whole: str) -> None:
    assert carried(text, after(*before), PETS, NOW) == whole
