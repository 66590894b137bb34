"""A claim is kept only when its quote, numbers, words, days and names stand in what the owner wrote."""

from dataclasses import replace
from datetime import date

import pytest

from memory.claims import Claim, Evidence
from memory.grounding import ground
from memory.numerals import numbers_in, read_number
from memory.topics import Topic
from memory.vocabulary import AttributeClass

MESSAGE = "米粒今天称了六公斤一，速诺半片，对牛肉过敏"
CLAIM = Claim(
    subject="m",
    attribute="weight",
    attribute_class=AttributeClass.WEIGHT,
    topic=Topic.GROWTH,
    content="米粒今天称了六公斤一",
    evidence=Evidence("今天称了六公斤一", 2, 10),
    value={"number": 6.1, "unit": "kg"},
)


def test_a_claim_in_the_owners_words_is_kept() -> None:
    assert ground(CLAIM, MESSAGE, subject_names=["米粒"]) is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"evidence": Evidence("昨天称的", 0, 4)}, "quote not in the message"),
        ({"value": {"number": 6.3, "unit": "kg"}}, "number not in the message"),
        ({"content": "米粒今天6.3公斤"}, "number not in the message"),
        ({"value": {"product": "阿莫西林"}}, "word not in the message"),
        ({"content": "米粒患有严重心脏疾病需要长期治疗"}, "line not in the owner's words"),
        ({"content": "糯米今天称了六公斤一"}, "name not in the message"),
    ],
)
def test_what_the_owner_did_not_write_is_refused(change: dict[str, object], reason: str) -> None:
    refusal = ground(replace(CLAIM, **change), MESSAGE, subject_names=["米粒"], other_names=["糯米"])  # type: ignore[arg-type]  # one field at a time
    assert refusal is not None
    assert refusal.reason == reason


def test_the_subjects_own_name_may_be_added() -> None:
    claim = replace(CLAIM, content="小七今天称了六公斤一")
    assert ground(claim, "今天称了六公斤一", subject_names=["小七"]) is None


def test_digits_and_chinese_numerals_are_the_same_number() -> None:
    assert ground(replace(CLAIM, content="米粒今天称了6.1公斤"), MESSAGE, subject_names=["米粒"]) is None


def test_a_name_that_holds_a_numeral_does_not_change_the_numbers_beside_it() -> None:
    said = Evidence("早上九点四喜洗牙", 0, 8)
    claim = replace(CLAIM, content="早上九点四喜洗牙", evidence=said, value={"time": "09:00"})
    assert ground(claim, "早上九点四喜洗牙", subject_names=["四喜"]) is None


@pytest.mark.parametrize("text", ["米粒今天稱了６.１公斤", "米粒今天称了6.1公斤"])
def test_width_and_traditional_characters_do_not_matter(text: str) -> None:
    claim = replace(CLAIM, content="米粒今天称了6.1公斤", evidence=Evidence(text, 0, len(text)))
    assert ground(claim, text, subject_names=["米粒"]) is None


def test_a_day_must_be_one_that_the_message_names() -> None:
    dated = replace(CLAIM, occurred_on=date(2026, 4, 15))
    assert ground(dated, MESSAGE, subject_names=["米粒"], dates=[date(2026, 4, 15)]) is None
    refusal = ground(dated, MESSAGE, subject_names=["米粒"], dates=[date(2026, 4, 14)])
    assert refusal is not None
    assert refusal.reason == "day not in the message"


def test_words_of_the_question_may_stand_in_an_answer_but_not_its_numbers() -> None:
    answer = replace(
        CLAIM, content="米粒有的 绿色的（流鼻涕）", evidence=Evidence("有的 绿色的", 0, 6), value={"text": "流鼻涕"}
    )
    assert ground(answer, "有的 绿色的", asked="米粒流鼻涕吗？一天3次？", subject_names=["米粒"]) is None
    counted = replace(answer, content="米粒有的 绿色的，一天3次")
    assert ground(counted, "有的 绿色的", asked="米粒流鼻涕吗？一天3次？", subject_names=["米粒"]) is not None


@pytest.mark.parametrize(
    ("text", "number"),
    [("十二", 12), ("两百一", 210), ("一百零五", 105), ("二点五", 2.5), ("半", 0.5), ("四分之一", 0.25), ("1/4", 0.25)],
)
def test_numbers_are_read_however_they_are_written(text: str, number: float) -> None:
    assert read_number(text) == number


def test_a_weight_in_words_holds_its_decimal_number() -> None:
    assert 6.1 in numbers_in("六公斤一")
    assert 3.5 in numbers_in("三公斤半")
