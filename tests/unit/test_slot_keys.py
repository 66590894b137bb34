"""What an owner fills in by hand and what the same owner says in a chat fill the same slot."""

from datetime import UTC, datetime

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance
from domain.slot_keys import MAX_KEY, slot_key

PETS = (PetProfile("p1", "豆豆", "dog"),)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("prefix", "form", "said"),
    [
        ("allergy", "鸡肉", "豆豆对鸡肉过敏"),
        ("allergy", "牛肉", "豆豆牛肉过敏"),
        ("allergy", "花粉", "豆豆对花粉过敏"),
        ("allergy", "阿莫西林", "豆豆对阿莫西林过敏"),
        ("condition", "慢性肾病", "豆豆确诊了慢性肾病"),
        ("condition", "糖尿病", "豆豆有糖尿病"),
        ("medication", "速诺", "豆豆开始吃速诺，每天两次"),
        ("medication", "甲巯咪唑", "豆豆在吃甲巯咪唑"),
        ("vaccine", "狂犬疫苗", "豆豆今天打了狂犬疫苗"),
        ("deworming", "大宠爱", "豆豆昨天用了大宠爱"),
    ],
)
def test_a_form_and_a_sentence_meet_in_one_slot(prefix: str, form: str, said: str) -> None:
    claims = extract(Utterance(said, NOW, PETS)).claims
    assert slot_key(prefix, form) in [claim.attribute for claim in claims]


def test_unknown_words_name_their_own_slot() -> None:
    assert slot_key("allergy", " 火星 尘埃 ") == "allergy:火星尘埃"
    assert len(slot_key("condition", "从没听过的毛病" * 20)) == len("condition:") + MAX_KEY


def test_traditional_and_full_width_words_meet_the_plain_ones() -> None:
    assert slot_key("allergy", "雞肉") == slot_key("allergy", "鸡肉")
