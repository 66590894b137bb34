"""Summaries say what the entries say, in natural Chinese, and name what they were made from."""

from datetime import date

import pytest

from memory.archives import MAX_SUMMARY, Entry, fold, is_faithful, summarise
from memory.vocabulary import Kind, Precision

BATHS = [
    Entry(f"bath-{number}", "豆豆今天洗澡了", "grooming:bath", Kind.EVENT, date(2026, number, 2), Precision.DAY)
    for number in (3, 4, 5)
]
LIKES = Entry("rope", "豆豆最喜欢玩绳结", "behavior:likes:绳结", learned_on=date(2026, 1, 1), weight_level=2)
FEARS = Entry("thunder", "豆豆怕打雷", "behavior:fear:打雷", learned_on=date(2026, 1, 2), weight_level=3)
ENDED = Entry("pill", "豆豆在用阿莫西林", "medication:x", learned_on=date(2026, 1, 3), ended=True)


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        ([], ""),
        ([LIKES], "豆豆最喜欢玩绳结。"),
        ([LIKES, FEARS], "豆豆怕打雷；最喜欢玩绳结。"),
        (BATHS[:1], "豆豆今天洗澡了（2026年3月2日）。"),
        (BATHS, "豆豆今天洗澡了（2026年5月2日，同类共3次，最早在2026年3月2日）。"),
        ([LIKES, *BATHS], "豆豆最喜欢玩绳结；今天洗澡了（2026年5月2日，同类共3次，最早在2026年3月2日）。"),
        ([ENDED], "豆豆在用阿莫西林（已结束）。"),
        ([LIKES, ENDED], "豆豆最喜欢玩绳结。另有1条记录。"),
    ],
)
def test_a_summary_is_put_together_from_the_entries_words(entries: list[Entry], text: str) -> None:
    assert summarise(entries, "豆豆").text == text


def test_a_summary_names_its_sources_and_keeps_whole_lines() -> None:
    many = [Entry(f"m{number}", f"豆豆喜欢第{number}样很特别很特别的东西" * 4, f"a:{number}") for number in range(9)]
    made = summarise(many, "豆豆")
    assert 0 < len(made.text) <= MAX_SUMMARY
    assert made.text.endswith("条记录。")
    assert all(
        any(entry.text.removeprefix("豆豆") in made.text for entry in many if entry.memory_id == one)
        for one in made.made_from
    )


def test_folded_entries_are_told_by_month_with_their_sources() -> None:
    folded = fold(BATHS)
    assert [one.month for one in folded] == ["2026-05", "2026-04", "2026-03"]
    assert folded[0].text == "2026年5月共1条：豆豆今天洗澡了"
    assert folded[0].memory_ids == ("bath-5",)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("豆豆喜欢玩绳结，怕打雷，2026年3月2日、4月2日和5月2日洗了澡", True),
        ("豆豆喜欢玩绳结，怕打雷，洗了17次澡", False),  # a figure nobody said
        ("豆豆喜欢玩绳结，怕打雷，用Furminator洗了澡", False),  # a name nobody said
        ("豆豆很健康，胃口很好，每天散步", False),  # nothing of it stands in the entries
        ("豆豆喜欢玩绳结", False),  # most entries are dropped
        ("", False),
        ("豆豆喜欢玩绳结，怕打雷，洗了澡" * 40, False),
    ],
)
def test_a_models_summary_is_kept_when_it_invents_nothing_and_drops_little(text: str, kept: bool) -> None:
    assert is_faithful(text, [LIKES, FEARS, *BATHS], ["豆豆"]) is kept
