"""A bare figure told against the recorded weight corrects it, in whatever words; two weighings are news."""

from datetime import datetime

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import KnownFact, PetProfile, Utterance
from memory.claims import Claim
from memory.vocabulary import Certainty, SpeechAct

NOW = datetime.fromisoformat("2026-06-20T10:00:00+08:00")
DOG = PetProfile("dog", "栗子", "dog")


def told(recorded: str, text: str) -> list[Claim]:
    known = KnownFact("dog", "weight", f"栗子体重{recorded}")
    return list(extract(Utterance(text=text, now=NOW, pets=(DOG,), known=[known])).claims)


@pytest.mark.parametrize(
    ("recorded", "text", "right"),
    [
        *(
            ("6.2kg", text, 2.6)
            for text in (
                "等下，栗子是2.6呀！6.2是我姑家的土狗",
                "6.2不对，2.6才是",
                "别记6.2，栗子2.6",
                "栗子哪有6.2，明明2.6",
                "把6.2划掉，2.6",
                "6.2说的是我哥家那只，栗子2.6",
                "2.6才对，6.2是快递箱",
                "那天应为2.6",
                "数字颠倒啦，2.6",
                "谁家6.2啊，栗子2.6",
            )
        ),
        *(("50kg", text, 5.0) for text in ("多打了个零，是5", "哎呀0多按了一个，栗子5公斤")),
        *(("8.1kg", text, 18.1) for text in ("前面少打了个1，栗子是18.1", "漏敲了个1，18.1")),
        ("25kg", "25多敲了个2，它才5kg", 5.0),
        ("3.2kg", "3.2是我眼花，应该2.3", 2.3),
        *(
            ("53kg", text, 5.3)
            for text in ("哈哈小数点漏了，5.3", "少敲了个点，栗子5.3", "栗子5.3，53那是隔壁阿拉斯加")
        ),
    ],
)
def test_a_figure_set_against_the_recorded_weight_corrects_it(recorded: str, text: str, right: float) -> None:
    (claim,) = [one for one in told(recorded, text) if one.attribute == "weight"]
    assert (claim.act, claim.certainty) == (SpeechAct.CORRECTION, Certainty.PLAIN)
    assert (claim.value["number"], claim.value["corrects"]) == (right, float(recorded.removesuffix("kg")))


@pytest.mark.parametrize(
    "text",
    [
        "上次6.2，这次5.9",
        "6.2减到5.6，目标是5",
        "栗子现在5.6，6.2是三个月前的了",
        "6.2是医院称的，家里称是6.1",
        "栗子6.2，我姑家的狗4.2",
        "猫粮应该是3.8一斤",
    ],
)
def test_two_weighings_and_other_figures_correct_nothing(text: str) -> None:
    assert not [one for one in told("6.2kg", text) if one.act is SpeechAct.CORRECTION]


@pytest.mark.parametrize("text", ["昨天报的25是斤啊不是公斤", "不是公斤，是25斤啦", "单位搞错了，25斤，不是25公斤"])
def test_another_unit_for_the_same_figure_corrects_it(text: str) -> None:
    (claim,) = [one for one in told("25kg", text) if one.attribute == "weight"]
    assert (claim.act, claim.value["number"], claim.value["unit"]) == (SpeechAct.CORRECTION, 25.0, "斤")


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("昨天那个体重不算，秤坏了", Certainty.PLAIN),
        ("昨天称的6.2会不会不准啊，感觉最多5.3", Certainty.HEDGED),
    ],
)
def test_a_weighing_is_taken_back_plainly_or_doubted(text: str, sure: Certainty) -> None:
    (claim,) = [one for one in told("6.2kg", text) if one.attribute == "weight"]
    assert (claim.act, claim.certainty) == (SpeechAct.CORRECTION, sure)
