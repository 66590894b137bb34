"""The figure of a change that is only asked about stands in no other line of the same message."""

import pytest

from domain.lines_apart import told_apart
from domain.pet_profiles import KnownFact
from memory.claims import Claim, Evidence
from tests.claims import claim_of

PILL = KnownFact("dog", "medication:gabapentin", "栗子每晚吃加巴喷丁100mg")
WEIGHT = KnownFact("dog", "weight", "栗子体重8.1kg")


def told(attribute: str, quote: str, **more: object) -> Claim:
    return claim_of("dog", attribute, f"栗子{quote}", evidence=Evidence(quote, 0, len(quote)), **more)


CHANGE = told(PILL.attribute, "加巴喷丁吃得打晃，医生叫减成50")


@pytest.mark.parametrize(
    ("quote", "left"),
    [
        ("加巴喷丁吃得打晃，医生叫减成50", "栗子加巴喷丁吃得打晃"),
        ("吃得打晃", "栗子吃得打晃"),
        ("昨天吐了50次", "栗子昨天吐了50次"),
    ],
)
def test_a_line_beside_a_new_dose_keeps_only_what_is_its_own(quote: str, left: str) -> None:
    sign = told("symptom:limping", quote)
    assert [claim.content for claim in told_apart([CHANGE, sign], [PILL])] == [CHANGE.content, left]


def test_a_line_of_which_nothing_is_left_is_dropped() -> None:
    change = told(PILL.attribute, "现在50一针")
    assert told_apart([change, told("vaccine:一针", "现在50一针")], [PILL]) == [change]


def test_another_danger_is_never_cut() -> None:
    allergy = told("allergy:chicken", "鸡肉也过敏，医生叫减成50")
    assert told_apart([CHANGE, allergy], [PILL]) == [CHANGE, allergy]


def test_a_new_weighing_is_no_change_of_the_recorded_one() -> None:
    claims = [told("weight", "今天8.4", value={"number": 8.4}), told("other:remark", "今天8.4")]
    assert told_apart(claims, [WEIGHT]) == claims
