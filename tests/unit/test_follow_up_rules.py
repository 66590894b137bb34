"""Which words open a follow-up, which close one, which put it off."""

from datetime import date, timedelta

import pytest

from domain.follow_up_rules import day_to_ask, says_it_goes_on, says_it_is_over, symptoms_told
from memory.vocabulary import Certainty
from tests.claims import claim_of

TODAY = date(2026, 6, 1)
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    "text",
    ["好了", "豆豆好多了", "已经没事了", "没再吐了", "不吐了，精神也好", "今天恢复正常了", "不咳了", "烧退了，好点了"],
)
def test_words_of_getting_better_close_a_follow_up(text: str) -> None:
    assert says_it_is_over(text)
    assert not says_it_goes_on(text)


@pytest.mark.parametrize(
    "text", ["还没好", "还在吐", "没好", "越来越严重了", "又吐了一次", "还是不吃", "不见好转", "一直咳"]
)
def test_words_of_going_on_do_not_close_it(text: str) -> None:
    assert says_it_goes_on(text)
    assert not says_it_is_over(text)


@pytest.mark.parametrize(
    "text", ["好了吗", "多久才会好？", "要是好了就不用去医院了", "怎么才能好", "今天天气好", "等它好了再洗澡"]
)
def test_a_question_or_a_hope_closes_nothing(text: str) -> None:
    assert not says_it_is_over(text)


@pytest.mark.parametrize(
    ("said", "on", "opens"),
    [
        ("豆豆昨天吐了两次", TODAY - DAY, True),
        ("豆豆不吃饭了", None, True),
        ("豆豆咳嗽三天了", TODAY - 3 * DAY, True),
        ("豆豆去年吐过一次", TODAY - 300 * DAY, False),
        ("豆豆以前吐过", None, False),
        ("豆豆昨天吐了两次，今天好了", TODAY - DAY, False),
    ],
)
def test_only_what_is_news_is_followed_up(said: str, on: date | None, opens: bool) -> None:
    claim = claim_of("dog", "symptom:vomiting", said, occurred_on=on)
    assert bool(symptoms_told([claim], {"dog"}, TODAY)) is opens


def test_a_denial_a_question_or_a_pet_that_is_gone_opens_nothing() -> None:
    denied = claim_of("dog", "symptom:vomiting", "豆豆没吐", negated=True)
    asked = claim_of("dog", "symptom:vomiting", "豆豆吐了吗", certainty=Certainty.QUESTION)
    gone = claim_of("cat", "symptom:vomiting", "芋圆吐了")
    assert symptoms_told([denied, asked, gone], {"dog"}, TODAY) == ()


def test_at_most_three_are_meant_for_one_day() -> None:
    tomorrow = TODAY + DAY
    assert day_to_ask(TODAY, []) == tomorrow
    assert day_to_ask(TODAY, [tomorrow] * 3) == tomorrow + DAY
    assert day_to_ask(TODAY, [tomorrow + later * DAY for later in range(3) for _ in range(3)]) is None
