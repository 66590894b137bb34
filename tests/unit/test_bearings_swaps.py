"""An allergen told in place of the one on record is in force at once; the one on record is only asked about."""

from datetime import datetime

import pytest

from domain.offline.extractor import extract
from domain.offline.extractor.put_changes import change_put
from domain.pet_profiles import KnownFact, PetProfile, Utterance
from memory.claims import Claim
from memory.vocabulary import Certainty, SpeechAct

NOW = datetime.fromisoformat("2026-06-20T10:00:00+08:00")
DOG = PetProfile("dog", "栗子", "dog")
CHICKEN = KnownFact("dog", "allergy:chicken", "栗子对鸡肉过敏")


def told(text: str) -> dict[str, Claim]:
    claims = extract(Utterance(text=text, now=NOW, pets=(DOG,), known=[CHICKEN])).claims
    return {claim.attribute: claim for claim in claims if claim.attribute.startswith("allergy:")}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("勘误：栗子过敏原写的鸡肉是口误，应写羊肉", "羊肉"),
        ("手滑选成鸡肉了，要选的是鸭肉", "鸭肉"),
        ("过敏那栏我误填了鸡肉，该填尘螨", "尘螨"),
        ("鸡肉是我选错了，原本想选的是鸡蛋", "鸡蛋"),
        ("鸡肉那条录错了，实际应为多西环素", "多西环素"),
        ("我把火鸡写成鸡肉了，过敏的", "火鸡"),
        ("更正过敏信息：不是鸡肉，应为虾", "虾"),
        ("过敏记录打错了，正确的是兔肉", "兔肉"),
        ("翻到病历了，写的就是樱桃，不是鸡肉", "樱桃"),
        ("之前说鸡肉过敏，准确讲是螃蟹，鸡肉其实能吃", "螃蟹"),
        ("报告上标的是羊肉不是鸡肉，你那里记岔了", "羊肉"),
        ("之前给你报错啦，栗子过敏的是奶酪，鸡肉它吃着没事", "奶酪"),
        ("检测单上是牛肉过敏，不是鸡肉，我手一抖选错了", "牛肉"),
    ],
)
def test_what_was_meant_is_a_danger_and_what_was_written_is_taken_back(text: str, meant: str) -> None:
    claims = told(text)
    taken_back = claims.pop(CHICKEN.attribute)
    assert (taken_back.negated, taken_back.act) == (True, SpeechAct.CORRECTION)
    (danger,) = claims.values()
    assert meant in str(danger.value["substance_name"])
    assert not danger.negated
    assert danger.certainty is Certainty.PLAIN
    assert "过敏" in danger.content


@pytest.mark.parametrize(
    "text",
    [
        "粮记错了，应该是渴望鸭肉",
        "生日写错了，应该是5月2日",
        "鸡肉没写错，羊肉也应该写上",
        "栗子今天吃的不是鸡肉，是羊肉",
    ],
)
def test_other_slips_take_no_allergy_back(text: str) -> None:
    assert not any(claim.negated for claim in told(text).values())


def test_a_doubtful_swap_is_a_doubtful_danger_and_a_doubt_about_the_one_on_record() -> None:
    claims = told("鸡肉过敏…我有点怀疑 好像是樱桃才对")
    assert {name: (claim.negated, claim.certainty) for name, claim in claims.items()} == {
        CHICKEN.attribute: (True, Certainty.HEDGED),
        "allergy:樱桃": (False, Certainty.HEDGED),
    }


def test_who_was_wrong_is_no_allergen() -> None:
    assert list(told("鸡肉那个其实是罗卡说错了，栗子没这毛病，帮我把它划了")) == [CHICKEN.attribute]


@pytest.mark.parametrize("question", ["栗子：鸡肉过敏 → 羊肉过敏，请确认是否修改", "栗子的过敏原：鸡肉→羊肉，确认吗？"])
def test_an_arrow_between_allergens_puts_one_for_the_other(question: str) -> None:
    assert change_put(question) == "栗子过敏的是羊肉，不是鸡肉"
