"""Dated happenings are rows in time: what tells two of them apart, and what is one told twice."""

from datetime import date, datetime, timedelta
from itertools import permutations

import pytest

from domain.statement_comparison import compare, said_of_claim, slot_of
from memory.happenings import Telling, is_another, just_done, says_again
from memory.slot_relations import Relation, Said, relate
from tests.claims import claim_of

DAY = date(2026, 6, 1)
NOON = datetime(2026, 6, 1, 12)  # noqa: DTZ001  # local wall-clock time
SAME, BESIDE = Relation.SAME, Relation.COMPATIBLE


@pytest.mark.parametrize(
    ("known", "new", "another"),
    [
        ("今天吐了两次", "中午又吐了一次", True),
        ("今天吐了", "又吐了", True),
        ("今天吐了", "刚才又吐了一回", True),
        ("今天吐了两次", "今天吐了三次", True),
        ("今天吐了", "今天吐了两次", True),  # the known line does not tell how often
        ("早上吐了", "晚上吐了", True),
        ("早上吐了一次", "下午吐了一次", True),
        ("3点吐了", "五点吐了", True),
        ("今天拉稀了", "后来还拉了一次", True),
        ("今天吐了", "没多久再次吐了", True),
        ("早上体温39.2度", "早上体温39.5度", True),
        ("发烧了", "发烧39.5度", True),
        ("今天吐了两次", "今天吐了两次", False),
        ("今天吐了两次", "吐了", False),
        ("今天吐了", "今天吐了一次", False),
        ("今天吐了两次", "今天吐了2回", False),
        ("早上吐了", "上午吐了", False),  # may be the same hour
        ("晚上吐了", "半夜吐了", False),
        ("拉稀了", "还在拉稀", False),
        ("吐了", "没再吐了", False),
        ("今天吐了", "今天又吐又拉", False),
        ("中午又吐了一次", "昨天中午又吐了", False),
    ],
)
def test_counts_times_of_day_and_again_tell_two_happenings_apart(known: str, new: str, another: bool) -> None:
    assert is_another(Telling(known, DAY), Telling(new, DAY)) is another


@pytest.mark.parametrize(("words", "another"), [("晚上吐了", True), ("早上吐了", False), ("中午吐了", False)])
def test_a_part_of_the_day_that_had_not_begun_is_another_happening(words: str, another: bool) -> None:
    assert is_another(Telling("今天吐了", DAY, NOON), Telling(words, DAY)) is another


@pytest.mark.parametrize(
    ("words", "done"),
    [("洗澡了", True), ("打了狂犬疫苗", True), ("打过狂犬疫苗", False), ("每天洗一次", False), ("该驱虫了", False)],
)
def test_what_was_just_done_was_done_about_now(words: str, done: bool) -> None:
    assert just_done(words) is done


@pytest.mark.parametrize(
    ("words", "again"), [("又吐了", True), ("又软又香", False), ("还在吐", False), ("吐了", False)]
)
def test_again_is_not_still(words: str, again: bool) -> None:
    assert says_again(words) is again


@pytest.mark.parametrize(
    ("attribute", "known", "new", "days", "relation"),
    [
        ("symptom:vomiting", "今天吐了两次", "中午又吐了一次", 0, BESIDE),
        ("symptom:vomiting", "今天吐了两次", "今天吐了两次", 0, SAME),
        ("symptom:diarrhea", "拉稀了", "拉稀了", 30, BESIDE),
        ("grooming:bath", "洗澡了", "洗澡了", 0, SAME),
        ("grooming:bath", "洗澡了", "洗澡了", 30, BESIDE),
        ("visit:clinic", "去医院了", "去医院了", 1, SAME),
        ("visit:clinic", "去医院了", "去医院了", 30, BESIDE),
        ("visit:clinic", "去医院了", "又去医院了", 1, BESIDE),
        ("visit:surgery", "做过手术", "做过手术", 400, SAME),
        ("vaccine:狂犬疫苗", "打了狂犬疫苗", "打了狂犬疫苗", 3, SAME),
        ("vaccine:狂犬疫苗", "打了狂犬疫苗", "打了狂犬疫苗", 365, BESIDE),
        ("deworming:dewormer", "喂了驱虫药", "喂了驱虫药", 30, BESIDE),
        ("weight", "早上称了12.3公斤", "晚上称了12.3公斤", 0, BESIDE),
        ("weight", "体重12.3公斤", "体重12.3公斤", 0, SAME),
        ("activity:walk", "早上遛了一次", "下午又遛了一次", 0, BESIDE),
        ("behavior:fear:打雷", "怕打雷", "又怕打雷了", 9, SAME),
        ("diet:chicken", "不吃鸡肉", "不吃鸡肉", 9, SAME),
        ("diet:chicken", "不吃鸡肉", "还是不吃鸡肉", 9, SAME),
        ("allergy:chicken", "对鸡肉过敏", "又说一遍，对鸡肉过敏", 9, SAME),
        ("medication:amoxicillin", "早上吃了一片阿莫西林", "晚上又吃了一片阿莫西林", 0, SAME),  # one course
    ],
)
def test_happenings_and_measurements_are_rows_in_time_and_plain_repetitions_are_not(
    attribute: str, known: str, new: str, days: int, relation: Relation
) -> None:
    moments = (NOON, NOON + timedelta(days=days))
    one, other = (_said(attribute, words, moment) for words, moment in zip((known, new), moments, strict=True))
    assert relate(other, one, slot_of(attribute), compare=compare) is relation


@pytest.mark.parametrize("order", list(permutations(["今天吐了两次", "中午又吐了一次", "晚上又吐了一次"])))
def test_no_order_of_arrival_merges_three_happenings_of_a_day(order: tuple[str, str, str]) -> None:
    told = [Telling(words, DAY) for words in order]
    assert all(is_another(one, other) for place, other in enumerate(told) for one in told[:place] if _is_dated(other))


def _is_dated(told: Telling) -> bool:
    return "又" in told.words


def _said(attribute: str, words: str, moment: datetime) -> Said:
    """As an extractor reads it: 早上 and 下午 name the day, 洗澡了 names none."""
    on = moment.date() if "上" in words or "午" in words else None
    claim = claim_of("pet", attribute, words, value=_value(attribute), occurred_on=on)
    return said_of_claim(claim, moment.date(), moment)


def _value(attribute: str) -> dict[str, object]:
    if attribute == "weight":
        return {"number": 12.3, "unit": "kg"}
    return {"name": attribute.rpartition(":")[2]}
