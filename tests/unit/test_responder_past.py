"""Old things are told with how long ago they were, and in the words they are asked in."""

from dataclasses import replace
from datetime import timedelta

import pytest
from responder_contexts import NOW, about_dog, dog_card, on_card, recalled

from domain.offline.responder import respond
from domain.turn_context import CardLine, RecalledLine, TurnContext

SITS = recalled("m-sits", "旺仔会坐下", "behavior:training:坐下", "behavior")
TRIMMED = recalled("m-trim", "旺仔今天剃毛了", "grooming:trim", "lifestyle", "2026-08-11")
BRUSHED = recalled("m-brush", "旺仔今天梳毛了", "grooming:brush", "lifestyle", "2026-10-01")
SICK = replace(
    on_card("m-sick", "旺仔有肠胃炎", "condition:gastroenteritis", "medical"), told_at=NOW - timedelta(days=92)
)


@pytest.mark.parametrize(
    ("asked", "lines", "holds", "cites"),
    [
        ("旺仔会坐下吗？", (SITS,), ("旺仔会坐下",), "m-sits"),
        ("旺仔上次剃毛是什么时候？", (BRUSHED, TRIMMED), ("剃毛", "2026年8月11日（大约3个月前）"), "m-trim"),
        ("旺仔什么时候剃过毛？", (TRIMMED,), ("2026年8月11日（大约3个月前）",), "m-trim"),
        ("旺仔上次肠胃炎是什么时候？", (SICK,), ("2026年8月20日（大约3个月前）记下", "没有写发生在哪天"), "m-sick"),
    ],
)
def test_the_past_is_told_with_its_day(
    asked: str, lines: tuple[CardLine | RecalledLine, ...], holds: tuple[str, ...], cites: str
) -> None:
    context = _context(asked, lines)
    told = respond(context)
    assert all(words in "".join(sentence.text for sentence in told) for words in holds), told
    assert cites in {memory_id for sentence in told for memory_id in sentence.citations}


def _context(asked: str, lines: tuple[CardLine | RecalledLine, ...]) -> TurnContext:
    cards = tuple(line for line in lines if isinstance(line, CardLine))
    found = tuple(line for line in lines if isinstance(line, RecalledLine))
    return replace(about_dog(asked, *found), cards=(dog_card(*cards),))
