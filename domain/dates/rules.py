"""What a word rule is: a pattern tried at one place of the plain text, and what a match means.

Patterns repeat within fixed bounds only and look a few characters to either side, so reading is linear in the text.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from domain.dates.meanings import Meaning, NoDate
from domain.dates.script import NUMERAL

Match = re.Match[str]
NUMERAL_STARTS = "0123456789零一二三四五六七八九十百两俩仨"


@dataclass(frozen=True, slots=True)
class Rule:
    """`starts` are the letters a match can begin with; `read` answers None for what is no time after all."""

    pattern: re.Pattern[str]
    read: Callable[[Match], Meaning | None]
    starts: frozenset[str]


def rule(starts: str, pattern: str, read: Callable[[Match], Meaning | None]) -> Rule:
    """A rule; {N} in the pattern stands for a numeral."""
    return Rule(re.compile(pattern.replace("{N}", NUMERAL)), read, frozenset(starts))


def no_date(_match: Match) -> Meaning:
    """The reading of words that name no day."""
    return NoDate()


def first_match(rules: Iterable[Rule], text: str, place: int) -> tuple[int, Meaning] | None:
    """The end and meaning of the first rule that reads something at `place`; None when none does."""
    for each in rules:
        match = each.pattern.match(text, place)
        if match is not None and (meaning := each.read(match)) is not None:
            return match.end(), meaning
    return None
