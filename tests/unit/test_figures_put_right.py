"""A figure of the words before is put right by itself, wherever it counts one thing alone."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance
from memory.claims import Claim
from memory.vocabulary import SpeechAct

NOW = datetime(2026, 5, 20, 20, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("p", "桃酥", "dog"), PetProfile("m", "麻花", "cat"))


def put_right(before: str, text: str) -> tuple[Claim, ...]:
    history = (SaidBefore("user", before), SaidBefore("assistant", "记下了。"))
    return extract(Utterance(text, NOW, PETS, history=history)).claims


@pytest.mark.parametrize(
    ("before", "text", "content"),
    [
        ("桃酥洗完牙了，拔了两颗", "不对，是三颗", "桃酥洗完牙了，拔了三颗"),
        ("麻花今天吐了两次", "说错了，三次", "麻花今天吐了三次"),
        ("麻花每天喂50克", "打错了，应该是60克", "麻花每天喂60克"),
        ("桃酥吃了三天速诺", "哦不对，是四天", "桃酥吃了四天速诺"),
        ("桃酥每次吃半片奥美拉唑", "不是，是一片", "桃酥每次吃一片奥美拉唑"),
    ],
)
def test_figure_takes_the_place_of_the_one_told_before(before: str, text: str, content: str) -> None:
    claims = put_right(before, text)
    assert [(claim.content, claim.subject) for claim in claims] == [(content, "m" if "麻花" in before else "p")]
    assert all(claim.act is SpeechAct.CORRECTION for claim in claims)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("桃酥吐了两次，拉了三次", "不对，是四次"),  # of which is unclear
        ("桃酥吐了两次", "不对，是三天"),
        ("桃酥今天很乖", "不对，是三颗"),
        ("桃酥拔了两颗牙", "三颗"),
    ],
)
def test_figure_that_fits_nothing_or_two_things_changes_nothing(before: str, text: str) -> None:
    assert put_right(before, text) == ()
