"""What takes the place of a known thing, told without its name: another day, another name, another scratching post."""

from datetime import date, datetime

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import KnownFact, PetProfile, Utterance
from memory.claims import Claim
from memory.vocabulary import OWNER_SUBJECT, SpeechAct

NOW = datetime.fromisoformat("2026-07-08T20:00:00+08:00")
DOG = PetProfile("dog", "栗子", "dog")
BLOOD = KnownFact("dog", "schedule:抽血", "栗子7月12日10:30抽血复查")
CALLED = KnownFact(OWNER_SUBJECT, "preference:称呼", "称呼主人叫「哥」")
MAT = KnownFact("dog", "other:living:gear", "栗子睡竹凉席")


def told(known: KnownFact, text: str) -> list[Claim]:
    claims = extract(Utterance(text=text, now=NOW, pets=(DOG,), known=[known])).claims
    return [claim for claim in claims if claim.attribute == known.attribute]


@pytest.mark.parametrize(
    "text",
    [
        "抽血那天要下暴雨，已经跟前台改到20号，几点不变",
        "那天要加班，和护士说好挪到20号下午三点",
        "大夫出差，推到20号了",
        "那边来电话，提前到20号了",
        "我临时有事，改约20号",
    ],
)
def test_the_one_appointment_is_moved_without_its_name(text: str) -> None:
    (claim,) = told(BLOOD, text)
    assert (claim.negated, claim.occurred_on) == (False, date(2026, 7, 20))
    assert "抽血" in claim.content


@pytest.mark.parametrize(
    "text", ["以后改口叫我老林吧，叫哥生分", "往后喊我小林就行", "以后称呼我林先生", "还是叫我大林好了"]
)
def test_another_form_of_address_takes_the_place_of_the_known_one(text: str) -> None:
    assert [claim.act for claim in told(CALLED, text)] == [SpeechAct.DECISION]


def test_a_form_of_address_for_this_once_leaves_the_known_one() -> None:
    assert told(CALLED, "今天是我爱人在用，这轮先别叫哥了") == []


@pytest.mark.parametrize(
    "text",
    [
        "竹凉席被栗子啃烂了，新买的是冰丝的，已经铺上",
        "竹凉席破了，给它弄了个藤的，已经睡上了",
        "凉席脏了，换成棉垫了，睡着呢",
    ],
)
def test_a_thing_gone_bad_and_another_in_use_is_a_change(text: str) -> None:
    (claim,) = told(MAT, text)
    assert not claim.negated
    assert claim.act is SpeechAct.DECISION


@pytest.mark.parametrize(
    "text", ["栗子护食算是扳过来了", "栗子护食这毛病纠正过来了，两个月没吼过", "抢栗子的饭盆，一声都不吼了"]
)
def test_a_habit_that_was_trained_away_is_over(text: str) -> None:
    guards = KnownFact("dog", "behavior:护食", "栗子护食，动饭盆就吼")
    (claim,) = told(guards, text)
    assert claim.negated
