"""A correction that names what was told of the wrong pet moves that, and nothing else that was said before it."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, SaidBefore, Utterance

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("dog", "可乐", "dog"), PetProfile("cat", "年糕", "cat"))
SAID = tuple(
    SaidBefore("user", text) for text in ("可乐最近两天总舔爪子", "可乐的狂犬是上个月20号打的", "今天下雨没出门")
)


def moved(text: str) -> set[tuple[str | None, str, bool]]:
    claims = extract(Utterance(text, NOW, PETS, history=SAID)).claims
    return {(claim.subject, claim.attribute.partition(":")[0], claim.negated) for claim in claims}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("刚才说错了，是年糕舔爪子，不是可乐", "symptom"),
        ("前面写错了，舔爪子的是年糕不是可乐哈", "symptom"),
        ("说错了，打狂犬的是年糕不是可乐", "vaccine"),
        ("打疫苗的是年糕，不是可乐，我记混了", "vaccine"),
        ("刚才说错了，是年糕不是可乐", "vaccine"),
        ("不是可乐，是年糕，抱歉", "vaccine"),
    ],
)
def test_what_the_correction_names_is_moved_else_the_last_that_was_told(text: str, what: str) -> None:
    assert moved(text) == {("cat", what, False), ("dog", what, True)}


def test_a_correction_of_what_was_never_told_moves_nothing() -> None:
    assert moved("说错了，是年糕拉肚子，不是可乐") == {("cat", "symptom", False)}
