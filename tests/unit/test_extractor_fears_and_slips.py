"""One fear set against the rest, words typed by their sound, and deeds that only an animal does."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.offline.extractor.slips import as_meant_to_type
from domain.pet_profiles import PetProfile, Utterance
from memory.grounding import ground

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))  # a Wednesday
ALONE = (PetProfile("p", "桃酥", "cat"),)


def told(text: str) -> list[tuple[str, bool]]:
    """Which slot, denied or not."""
    return [(one.attribute, one.negated) for one in extract(Utterance(text, NOW, ALONE)).claims]


@pytest.mark.parametrize(
    ("text", "feared", "calm"),
    [
        ("桃酥就忌惮吹风机那一样，旁的全不往心里去，装修电钻响一天它眼都不睁", "吹风机那", "装修电钻"),
        ("桃酥除了怂洗澡啥都不怂，扫地机怼脸上都淡定", "洗澡", "扫地机"),
        ("桃酥唯独受不了气球炸的声音，打雷该吃吃该睡睡", "气球炸的声音", "打雷"),
    ],
)
def test_one_fear_is_set_against_the_rest(text: str, feared: str, calm: str) -> None:
    slots = told(text)
    assert [negated for _, negated in slots] == [False, True]
    assert feared[:2] in slots[0][0]
    assert calm[:2] in slots[1][0]


@pytest.mark.parametrize("text", ["桃酥打喷替三次了", "桃酥今天拉晰两回", "桃酥就是不咋河水", "桃酥眼使有点多"])
def test_words_typed_by_their_sound_are_understood(text: str) -> None:
    claims = extract(Utterance(text, NOW, ALONE)).claims
    assert [claim.attribute.partition(":")[0] for claim in claims] == ["symptom"]
    assert all(ground(claim, text, subject_names=("桃酥",)) is None for claim in claims)


def test_a_name_that_looks_like_a_slip_stays() -> None:
    assert as_meant_to_type("拉西今天拉西了", ["拉西"]) == "拉西今天拉西了"
    assert as_meant_to_type("今天拉西了", []) == "今天拉稀了"


@pytest.mark.parametrize("text", ["谢谢桃酥手下留情，只刨了两盆绿萝", "桃酥今天刨了三个坑"])
def test_what_was_wrecked_is_told_in_irony_too(text: str) -> None:
    assert told(text) == [("behavior:destroying", False)]
