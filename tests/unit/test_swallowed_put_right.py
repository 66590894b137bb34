"""What a pet was said to have swallowed, taken back."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance
from memory.claims import Claim
from memory.vocabulary import SpeechAct

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("m", "咪咪", "cat"), PetProfile("w", "旺财", "dog"))
TOLD = (SaidBefore("user", "咪咪误食了百合"), SaidBefore("assistant", "请现在就带咪咪去最近的动物医院急诊。"))


def claims(text: str) -> tuple[Claim, ...]:
    return extract(Utterance(text, NOW, PETS, history=TOLD)).claims


@pytest.mark.parametrize(
    "text",
    [
        "搞错了，没吃，只是闻了闻",
        "咪咪没吃百合，我看错了",
        "看监控了，没吃",
        "看监控它根本没碰百合",
        "虚惊一场，没吞下去",
        "检查了一遍，其实没吃到",
    ],
)
def test_an_exposure_that_was_none_is_denied(text: str) -> None:
    (claim,) = claims(text)
    assert (claim.subject, claim.attribute, claim.negated, claim.act) == (
        "m",
        "symptom:ate_wrong",
        True,
        SpeechAct.CORRECTION,
    )


@pytest.mark.parametrize(
    "text",
    [
        "到现在一口都没吃",
        "没吃饭",
        "什么都没吃",
        "没吃多少，但是吐了",
        "搞错了，旺财没吃",
        "没吃药",
    ],
)
def test_a_pet_that_does_not_eat_has_still_swallowed_it(text: str) -> None:
    assert not any(claim.attribute == "symptom:ate_wrong" and claim.subject == "m" for claim in claims(text))
