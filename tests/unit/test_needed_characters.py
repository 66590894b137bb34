"""No message is spared a pattern that would have matched it."""

import re

import pytest

from domain.knowledge.red_flags import load_red_flags
from domain.triage.needed_characters import needed_characters


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        ("吐血", "吐"),
        ("吐了|呕了", "吐呕"),
        ("(一直|不停).{0,3}吐", "吐"),
        ("[吐呕]{1,3}", "吐呕"),
        ("(?<!没)吐(?!槽)", "吐"),
        ("(吐|拉)?血", "血"),
    ],
)
def test_what_every_match_holds_is_needed(pattern: str, needed: str) -> None:
    assert needed_characters(pattern) == frozenset(needed)


@pytest.mark.parametrize("pattern", [r"\d{2}", "[^吐]", ".*", "吐?", "吐|.", "[一-十]", "(?i:a)", "", "(?=吐)"])
def test_where_nothing_is_sure_nothing_is_needed(pattern: str) -> None:
    assert needed_characters(pattern) is None


def test_no_red_flag_is_missed_for_want_of_a_character() -> None:
    flags = load_red_flags().flags
    said = [example for flag in flags for example in (*flag.phrases, *flag.patterns)]  # patterns say much like messages
    patterns = {pattern for flag in flags for pair in flag.co_occur for pattern in pair}
    patterns |= {pattern for flag in flags for pattern in flag.patterns}
    for pattern in patterns:
        needed, search = needed_characters(pattern), re.compile(pattern).search
        assert all(needed & set(text) for text in said if search(text)) if needed is not None else True, pattern
