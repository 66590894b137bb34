"""A danger said to stand under the wrong pet holds for the pet it is said to be of, and is taken back for the other."""

from datetime import datetime

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import KnownFact, PetProfile, Utterance

NOW = datetime.fromisoformat("2026-06-20T10:00:00+08:00")
CATS = (PetProfile("gray", "灰灰", "cat"), PetProfile("white", "白白", "cat"))
ALLERGY = KnownFact("gray", "allergy:penicillins", "灰灰对阿莫西林过敏")
KIDNEY = KnownFact("gray", "condition:ckd", "灰灰慢性肾病2期")
PILL = KnownFact("gray", "medication:benazepril", "灰灰每天吃贝那普利")


def told(known: KnownFact, text: str) -> set[tuple[str | None, bool]]:
    claims = extract(Utterance(text=text, now=NOW, pets=CATS, known=[known])).claims
    return {(claim.subject, claim.negated) for claim in claims if claim.attribute == known.attribute}


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (ALLERGY, "阿莫西林过敏记到灰灰头上了，其实是白白"),
        (ALLERGY, "更正，阿莫西林过敏是白白的，不是灰灰的"),
        (KIDNEY, "肾病你记在灰灰名下了，明明是白白"),
        (PILL, "吃贝那普利的是白白啦，不是灰灰"),
    ],
)
def test_it_holds_for_the_one_and_is_taken_back_for_the_other(known: KnownFact, text: str) -> None:
    assert told(known, text) == {("white", False), ("gray", True)}


@pytest.mark.parametrize("text", ["今天打翻贝那普利的是白白", "记在灰灰名下的快递，其实是白白"])
def test_what_is_no_entry_of_the_record_moves_no_danger(text: str) -> None:
    assert ("gray", True) not in told(PILL, text)
