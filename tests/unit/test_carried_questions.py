"""A message that asks the question before again."""

import pytest

from domain.carried_questions import carried
from domain.pet_profiles import PetProfile, SaidBefore

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
    assert carried(text, after(*before), PETS) == whole


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
    assert carried(text, after(*before), PETS) == text
