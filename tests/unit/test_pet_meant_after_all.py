"""Which pet was meant, said after the sign itself: the alert is for the right one."""

import pytest

from domain.pet_profiles import PetProfile, SaidBefore
from domain.turn_alerts import retold

PETS = (
    PetProfile(id="w", name="旺财", species="dog"),
    PetProfile(id="m", name="咪咪", species="cat", nicknames=("小咪",)),
)


@pytest.mark.parametrize(
    "text",
    [
        "不对，是咪咪",
        "说错了，是咪咪。",
        "不是旺财，是咪咪",
        "打错名字了，咪咪",
        "哦不对不对，是小咪啊",
        "我说的是咪咪",
        "不对，是咪咪，不是旺财",
        "写错了 是咪咪",
    ],
)
def test_a_sign_is_told_again_of_the_pet_that_was_meant(text: str) -> None:
    history = (SaidBefore("user", "旺财抽搐了"), SaidBefore("assistant", "请现在就带旺财去医院。"))
    assert retold(text, history, PETS) == "咪咪抽搐了"


@pytest.mark.parametrize(
    "text",
    [
        "咪咪",
        "是咪咪咬的",
        "不对，是咪咪先咬的",
        "不对，咪咪没事",
        "不对，是三次",
        "咪咪呢？",
        "不对",
        "旺财不对劲，是咪咪看见的",
    ],
)
def test_a_message_that_says_more_than_which_pet_is_read_by_itself(text: str) -> None:
    assert retold(text, (SaidBefore("user", "旺财抽搐了"),), PETS) == ""


def test_a_sign_told_of_no_pet_is_told_of_the_one_that_is_named_then() -> None:
    assert retold("不对，是咪咪", (SaidBefore("user", "抽搐了"),), PETS) == "咪咪抽搐了"


@pytest.mark.parametrize(("text", "told"), [("说错了，是咪咪吞的", "咪咪吞了一根针"), ("不对，是咪咪拆的", "")])
def test_who_did_what_was_told_is_the_pet_that_was_meant(text: str, told: str) -> None:
    assert retold(text, (SaidBefore("user", "旺财吞了一根针"),), PETS) == told
