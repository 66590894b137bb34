"""Long texts are judged in parts that overlap, and the worst verdict counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.moderation import MAX_PART, OVERLAP, Suggest, Verdict, parts_of, worst


@pytest.mark.parametrize(("length", "parts"), [(0, 1), (1, 1), (2500, 1), (2501, 2), (4900, 2), (4901, 3), (20_000, 9)])
def test_a_text_has_as_few_parts_as_can_be(length: int, parts: int) -> None:
    assert len(parts_of("字" * length)) == parts


@given(length=st.integers(0, 12_000), start=st.integers(0, 12_000), size=st.integers(1, OVERLAP))
def test_every_phrase_is_whole_in_some_part(length: int, start: int, size: int) -> None:
    text = "".join(chr(0x4E00 + number % 5000) for number in range(length))
    phrase = text[start : start + size]
    parts = parts_of(text)
    assert all(len(part) <= MAX_PART for part in parts)
    assert any(phrase in part for part in parts)


@pytest.mark.parametrize(
    ("suggests", "counts"), [("pass", "pass"), ("pass review", "review"), ("review risky pass", "risky")]
)
def test_the_worst_verdict_counts(suggests: str, counts: str) -> None:
    assert worst([Verdict(Suggest(one)) for one in suggests.split()]).suggest == counts
