"""Food for dogs of another size is never suggested."""

import pytest

from domain.pet_profiles import PetProfile
from domain.safety import facts_from_lines, review

SMALL, LARGE = PetProfile("s", "可乐", "dog", breed="吉娃娃"), PetProfile("l", "大黄", "dog", breed="金毛")
CAT, UNKNOWN = PetProfile("c", "咪咪", "cat", breed="布偶"), PetProfile("u", "豆豆", "dog")


@pytest.mark.parametrize(
    ("pet", "reply", "fires"),
    [
        (SMALL, "可以试试大型犬成犬粮，肉含量高。", True),
        (SMALL, "推荐大型犬专用的咬胶，耐啃。", True),
        (SMALL, "大型犬的粮别给可乐吃，颗粒太大。", False),
        (SMALL, "可以选小型犬成犬粮，颗粒小。", False),
        (SMALL, "可以给它选全价成犬粮。", False),
        (LARGE, "可以喂小型犬粮，颗粒小好消化。", True),
        (LARGE, "推荐大型犬成犬粮。", False),
        (UNKNOWN, "推荐大型犬成犬粮。", False),
        (CAT, "推荐大型犬磨牙棒。", False),
    ],
)
def test_food_for_another_size_is_stopped(pet: PetProfile, reply: str, fires: bool) -> None:
    found = review(reply, facts_from_lines((), (pet,)), "吃什么好").findings
    assert any(finding.rule == "food_size" for finding in found) is fires
