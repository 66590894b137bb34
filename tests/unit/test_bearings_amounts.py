"""A figure that the drug on record does not have is another dose or rhythm, however little is said around it."""

from datetime import datetime

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import KnownFact, PetProfile, Utterance
from domain.statement_comparison import compare, said_of_claim, slot_of
from memory.claims import Claim
from memory.slot_relations import Relation, Said
from memory.vocabulary import Certainty, SpeechAct

NOW = datetime.fromisoformat("2026-06-20T10:00:00+08:00")
DOG = PetProfile("dog", "栗子", "dog")
PILL = KnownFact("dog", "medication:pimobendan", "栗子每天早晚各吃1.25mg匹莫苯丹")
NIGHTLY = KnownFact("dog", "medication:gabapentin", "栗子加巴喷丁每晚一次25mg")
INSULIN = KnownFact("dog", "medication:insulin", "栗子甘精胰岛素早晚各2单位")


def told(known: KnownFact, text: str) -> list[Claim]:
    claims = extract(Utterance(text=text, now=NOW, pets=(DOG,), known=[known])).claims
    return [claim for claim in claims if claim.attribute == known.attribute]


@pytest.mark.parametrize(
    ("known", "text"),
    [
        *((PILL, text) for text in ("匹莫苯丹一次7.5", "匹莫苯丹2.5", "每次2.5", "从今天起一次2.5", "一天总共5mg")),
        *((PILL, text) for text in ("匹莫苯丹早上1.25晚上2.5", "药每天一次就够", "匹莫苯丹隔天吃", "每两天一次")),
        *(
            (PILL, text)
            for text in ("匹莫苯丹减半", "匹莫苯丹翻倍了", "今天复查，大夫让匹莫苯丹一次吃7.5，早晚各一次不变")
        ),
        *((NIGHTLY, text) for text in ("加巴喷丁每晚50", "每晚50", "睡前50", "隔天喂就行", "加巴喷丁早晚各一")),
        *(
            (INSULIN, text)
            for text in ("胰岛素打3了", "早3晚2", "今天起打1.5", "胰岛素隔天打", "一针4", "胰岛素2u改4u")
        ),
    ],
)
def test_another_figure_is_the_owners_decision_against_the_dose_on_record(known: KnownFact, text: str) -> None:
    (claim,) = told(known, text)
    assert (claim.act, claim.certainty) == (SpeechAct.DECISION, Certainty.PLAIN)
    assert not claim.negated
    (held,) = extract(Utterance(text=known.content, now=NOW, pets=(DOG,))).claims
    before, after = said_of_claim(held, NOW.date(), NOW), said_of_claim(claim, NOW.date(), NOW)
    assert compare(slot_of(known.attribute), before, after) is Relation.CONTRADICTS or _differs(before, after)


def _differs(known: Said, new: Said) -> bool:
    shared = known.value.keys() & new.value.keys()
    return any(known.value[key] != new.value[key] for key in shared)


@pytest.mark.parametrize(
    ("known", "text"),
    [
        *((PILL, text) for text in ("匹莫苯丹今天喂了", "匹莫苯丹一次1.25", "匹莫苯丹早晚各一次", "匹莫苯丹又买了2盒")),
        *(
            (PILL, text)
            for text in ("匹莫苯丹8点喂的", "匹莫苯丹吃了3个月了", "栗子今天走了2.5公里", "匹莫苯丹照常吃，1/4片")
        ),
        *((INSULIN, text) for text in ("打完胰岛素血糖9.8", "今天血糖12.3", "针头买了100支")),
    ],
)
def test_the_figure_on_record_and_figures_of_other_things_change_no_dose(known: KnownFact, text: str) -> None:
    assert not any(claim.act is SpeechAct.DECISION or claim.negated for claim in told(known, text))


@pytest.mark.parametrize("text", ["要不匹莫苯丹改2.5试试", "朋友说匹莫苯丹隔天吃就够", "匹莫苯丹可能要2.5"])
def test_a_doubtful_figure_is_never_a_decision(text: str) -> None:
    assert all(claim.certainty is not Certainty.PLAIN or not claim.first_hand for claim in told(PILL, text))


@pytest.mark.parametrize("text", ["匹莫苯丹换成依那普利了", "匹莫苯丹按需吃", "匹莫苯丹只在喘的时候吃"])
def test_another_way_of_giving_it_speaks_against_the_record(text: str) -> None:
    (claim,) = told(PILL, text)
    assert claim.negated


@pytest.mark.parametrize(
    "text",
    [
        "匹莫苯丹到此为止，我不喂了",
        "栗子天天吃药我受够了，从今儿起一片都不给它吃了",
        "匹莫苯丹太贵，以后不给栗子用了",
        "我决定了，药一颗也不给喂了",
        "药没效果，再也不喂了",
    ],
)
def test_giving_up_a_drug_for_good_is_a_decision_to_stop_it(text: str) -> None:
    (claim,) = told(PILL, text)
    assert (claim.negated, claim.act, claim.certainty) == (True, SpeechAct.DECISION, Certainty.PLAIN)


@pytest.mark.parametrize("text", ["药吃着，零食一片都不给它吃了", "今天一片都没吃进去", "药喂了，罐头我不给了"])
def test_other_things_not_given_end_no_drug(text: str) -> None:
    assert not any(claim.negated for claim in told(PILL, text))


@pytest.mark.parametrize("text", ["匹莫苯丹重新开上了，这次一次2.5mg", "又开了匹莫苯丹，这回每次5mg"])
def test_a_drug_begun_again_with_another_dose_is_changed(text: str) -> None:
    (claim,) = told(PILL, text)
    assert claim.act is SpeechAct.DECISION
    assert claim.value["number"] in (2.5, 5.0)
