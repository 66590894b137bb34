"""Which known slot a loosely worded claim is about."""

from datetime import UTC, date, datetime

import pytest

from domain.slot_resolution import bound_to_the_illness, resolved
from memory.items import MemoryItem
from memory.scope import Scope
from memory.vocabulary import Certainty, Precision, SpeechAct
from tests.claims import claim_of

SCOPE = Scope("household", "owner")
AT = datetime(2026, 3, 1, 4, 0, tzinfo=UTC)


def row(attribute: str, content: str, **more: object) -> MemoryItem:
    claim = claim_of("pet", attribute, content)
    known = {
        "household_id": "household",
        "owner_id": "owner",
        "subject": "pet",
        "attribute": attribute,
        "attribute_class": claim.attribute_class.value,
        "content": content,
        "topic": claim.topic.value,
        "risk": "high",
        "learned_at": AT,
        "last_evidence_at": AT,
        "valid_from": AT,
        "valid_from_precision": Precision.DAY.value,
    }
    return MemoryItem(**{**known, **more})


TRIPLE = row("vaccine:猫三联", "芋圆打了猫三联第二针")
RABIES = row("vaccine:rabies", "芋圆打了狂犬疫苗", valid_from=datetime(2026, 4, 1, 4, 0, tzinfo=UTC))
BRAND = row("vaccine:瑞比克", "芋圆打了瑞比克")
FEAR = row("behavior:fear:吸尘器", "煤球怕吸尘器", value={"name": "怕吸尘器"})


@pytest.mark.parametrize(
    ("attribute", "content", "more", "rows", "slot"),
    [
        ("vaccine:第三针", "第三针打完", {}, [TRIPLE], "vaccine:猫三联"),
        ("vaccine:第三针", "第三针打完", {}, [TRIPLE, RABIES], "vaccine:第三针"),
        ("vaccine:疫苗", "打了疫苗", {"occurred_on": date(2026, 4, 1)}, [TRIPLE, RABIES], "vaccine:rabies"),
        ("vaccine:第二针", "第二针日期错了", {"act": SpeechAct.CORRECTION}, [TRIPLE, RABIES], "vaccine:猫三联"),
        ("vaccine:狂犬疫苗", "狂犬疫苗不是那天", {"act": SpeechAct.CORRECTION}, [TRIPLE, BRAND], "vaccine:瑞比克"),
        ("vaccine:狂犬疫苗", "没打过狂犬疫苗", {"negated": True}, [TRIPLE, BRAND], "vaccine:瑞比克"),
        ("vaccine:狂犬疫苗", "打了狂犬疫苗", {}, [TRIPLE, BRAND], "vaccine:狂犬疫苗"),
        ("vaccine:猫三联", "打了猫三联", {}, [RABIES], "vaccine:猫三联"),
        ("behavior:fear", "不怕吸尘器了", {"negated": True}, [FEAR], "behavior:fear:吸尘器"),
        ("behavior:fear", "不怕打雷了", {"negated": True}, [FEAR], "behavior:fear"),
        ("allergy:chicken", "对鸡肉过敏", {}, [FEAR, TRIPLE], "allergy:chicken"),
    ],
)
def test_a_loose_claim_takes_the_slot_of_the_one_row_that_fits(
    attribute: str, content: str, more: dict[str, object], rows: list[MemoryItem], slot: str
) -> None:
    claim = claim_of("pet", attribute, content, **more)
    assert resolved(claim, rows, SCOPE).attribute == slot


def test_a_row_of_another_pet_is_never_adopted() -> None:
    claim = claim_of("other pet", "vaccine:第三针", "第三针打完")
    assert resolved(claim, [TRIPLE], SCOPE).attribute == "vaccine:第三针"


def test_a_denial_takes_the_name_of_what_it_denies() -> None:
    claim = claim_of("pet", "behavior:fear", "不怕吸尘器了", negated=True, value={"name": "怕"})
    assert resolved(claim, [FEAR], SCOPE).value["name"] == "怕吸尘器"


HEART = row("condition:heart_disease", "煤球有心脏病", value={"name": "心脏病"})


@pytest.mark.parametrize(
    ("words", "certainty"),
    [
        ("煤球的心脏病好了", Certainty.PLAIN),
        ("煤球心脏没事了，好了", Certainty.PLAIN),
        ("煤球已经好了", Certainty.HEDGED),
        ("煤球今天心情好了", Certainty.HEDGED),
        ("煤球对牛肉过敏已经好了", None),
        ("煤球前年对海鲜过敏，现在好了", None),
        ("煤球拉肚子好了", None),
        ("煤球的糖尿病好了", None),
    ],
)
def test_a_cure_ends_only_the_illness_that_the_words_name(words: str, certainty: Certainty | None) -> None:
    claim = claim_of("pet", "condition:heart_disease", words, negated=True)
    bound = bound_to_the_illness(claim, [HEART], words)

    assert (bound.certainty if bound else None) == certainty


def test_a_cure_that_names_its_illness_itself_needs_no_other_words() -> None:
    claim = claim_of("pet", "condition:heart_disease", "好了", negated=True, value={"name": "心脏病"})
    assert bound_to_the_illness(claim, [HEART], "好了") is claim


@pytest.mark.parametrize(
    ("words", "certainty"), [("已经好了", Certainty.PLAIN), ("对牛肉过敏已经好了", None), ("拉肚子好了", None)]
)
def test_a_question_about_an_illness_binds_only_an_answer_that_names_nothing_else(
    words: str, certainty: Certainty | None
) -> None:
    claim = claim_of("pet", "condition:heart_disease", words, negated=True)
    bound = bound_to_the_illness(claim, [HEART], words, asked="煤球的心脏病怎么样了？")

    assert (bound.certainty if bound else None) == certainty
