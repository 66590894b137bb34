"""No text an owner may send keeps triage busy: it runs before every answer, on the event loop."""

import re
from collections.abc import Iterable, Iterator
from re import _constants as codes  # type: ignore[attr-defined]  # the parser of `re`: the one judge of a pattern
from re import _parser as parser  # type: ignore[attr-defined]  # as above
from typing import Any

import pytest

from domain.knowledge.red_flags import load_red_flags
from domain.knowledge.toxins import load_toxins
from domain.triage import poison_matcher, triage
from domain.triage.clauses import MAX_CLAUSE, readings_of

LONGEST = 4000  # characters of one message

HOSTILE = (
    "0",
    "1",
    "13800138000",
    "000 ",
    "巧克力",
    "老鼠药",
    "老鼠药，",
    "别人家的狗抽搐，",
    "没抽搐",
    "没抽搐，",
    "以前没抽搐后来",
    "听说葡萄有毒，",
    "吃了 巧克力 ",
    "十年",
    "3天没",
    "没、",
)


def patterns() -> Iterator[str]:
    sheet = load_red_flags()
    yield from sheet.now_words
    for flag in sheet.flags:
        yield from (*flag.patterns, *flag.veto, *(one for pair in flag.co_occur for one in pair))
    for guard in sheet.guards:
        yield from (*guard.before, *guard.after, *guard.inside, *guard.clause, *guard.message)
    words = load_toxins().exposure_words
    yield from (*words.exposure, *words.not_exposure)
    yield from (one.pattern for one in vars(poison_matcher).values() if isinstance(one, re.Pattern))


def endless(parsed: Iterable[Any]) -> Iterator[Any]:
    """What each unbounded repeat of a parsed pattern repeats, at any depth."""
    for operation, detail in parsed:
        if operation in (codes.MAX_REPEAT, codes.MIN_REPEAT) and detail[1] is codes.MAXREPEAT:
            yield detail[2]
        for part in _parts(detail):
            yield from endless(part)


def _parts(detail: Any) -> Iterator[Any]:
    if isinstance(detail, parser.SubPattern):
        yield detail
    elif isinstance(detail, tuple | list):
        for one in detail:
            yield from _parts(one)


def test_no_rule_repeats_digits_without_end_or_a_repeat_within_a_repeat() -> None:
    unbounded = [
        pattern
        for pattern in patterns()
        for repeated in endless(parser.parse(pattern))
        if any(endless(repeated)) or _may_be_digit(repeated)
    ]
    assert unbounded == []


def _may_be_digit(repeated: Any) -> bool:
    """Any other character ends what a run of digits or Chinese numerals begins; `.*` after a `^` is tried once."""
    return "CATEGORY_DIGIT" in repr(repeated)


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_message_is_read_in_short_pieces_that_leave_nothing_out(piece: str) -> None:
    text = (piece * LONGEST)[:LONGEST]
    for clauses in readings_of(text):
        assert max(map(len, clauses), default=0) <= MAX_CLAUSE
        assert sum(map(len, clauses)) <= LONGEST * 1.2


@pytest.mark.parametrize("place", [0, 150, 259, 260, 261, 299, 300, 301, 777])
def test_a_sign_is_found_wherever_it_stands_in_a_long_line(place: int) -> None:
    told = "嗯" * place + "它刚才抽搐了" + "嗯" * 300
    assert [alert.rule_id for alert in triage(told)] == ["flag:seizure"]
