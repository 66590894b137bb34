"""A bare correction of an allergy, a drug or a disease tells the right one and takes the wrong one back."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance
from memory.claims import Claim
from memory.vocabulary import SpeechAct

NOW = datetime(2026, 11, 30, 19, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("w", "旺财", "dog"), PetProfile("m", "咪咪", "cat"))


def after(before: str, text: str) -> tuple[Claim, ...]:
    history = [SaidBefore("user", before), SaidBefore("assistant", "记下了。")]
    return tuple(extract(Utterance(text, NOW, PETS, history=history)).claims)


@pytest.mark.parametrize(
    ("before", "text", "right", "wrong"),
    [
        ("旺财对鸡肉过敏", "不对，是牛肉", "allergy:beef", "allergy:chicken"),
        ("旺财对鸡肉过敏", "不是鸡肉，是牛肉", "allergy:beef", "allergy:chicken"),
        ("旺财对鸡肉过敏", "说错了，是牛肉过敏", "allergy:beef", "allergy:chicken"),
        ("旺财有肾衰", "不对，是心脏病", "condition:heart_disease", "condition:ckd"),
        ("旺财在吃阿莫西林", "打错了，是多西环素", "medication:doxycycline", "medication:amoxicillin"),
    ],
)
def test_the_right_name_is_told_and_the_wrong_one_denied(before: str, text: str, right: str, wrong: str) -> None:
    claims = after(before, text)
    assert [(claim.attribute, claim.negated) for claim in claims] == [(right, False), (wrong, True)]
    assert all(claim.act is SpeechAct.CORRECTION and claim.subject == "w" for claim in claims)


@pytest.mark.parametrize(
    "text", ["不对，是咪咪爱吃牛肉", "不对劲，是牛肉坏了", "是牛肉吗？", "不是牛肉，是羊肉", "不对，是鸡肉"]
)
def test_other_words_take_no_danger_back(text: str) -> None:
    assert not [
        claim for claim in after("旺财对鸡肉过敏", text) if claim.attribute == "allergy:chicken" and claim.negated
    ]
