"""Shorter wordings for a card that is too full: asked of a model, and taken only when nothing is lost or invented.

The port is optional: without one, or when it fails, times out or answers nonsense, every line keeps its wording and
the card makes room in the next way. Each line is asked for once a night.
"""

import asyncio
from collections.abc import Collection, Mapping
from typing import Protocol

import structlog

from memory.core_budget import count_chars
from memory.fulltext import tokenize
from memory.similarity import wording_difference
from memory.text_folding import fold_text

log = structlog.get_logger(__name__)

TIMEOUT_S = 20.0  # for one card: it is night, nobody waits
MAX_LINES = 20  # of a card, the longest first
KEPT_SHARE = 0.6  # of the characters that carry meaning; below it something was left out
_LIGHT = frozenset("的地得了着过啦呀哦呢吧嘛啊很挺太比较特别非常平时一般就都也还会是有在和与及跟这那个")
_VERY = "特别"  # its 别 is no negation
_CONNECTING = frozenset("爱喜欢怕和与及且或时前后")  # what a shorter wording may bring along


class Condenser(Protocol):
    """Something that words lines shorter, keeping all they say."""

    async def condense(self, lines: Mapping[str, str]) -> Mapping[str, str]:
        """Shorter wordings by id, for some or all of these lines."""
        ...


async def accepted_wordings(
    condenser: Condenser, lines: Mapping[str, str], names: Collection[str], timeout_s: float = TIMEOUT_S
) -> dict[str, str]:
    """Ask once, and keep the wordings that pass `keeps_all`. Never raises for a condenser that fails.

    names: every name and nickname of the household; a wording names exactly whom its line names.
    """
    longest = sorted(lines, key=lambda one: (-count_chars(lines[one]), one))[:MAX_LINES]
    asked = {one: lines[one] for one in longest}
    try:
        async with asyncio.timeout(timeout_s):
            given = await condenser.condense(asked)
    except Exception as error:  # whatever a model does, the card stays as it is
        log.warning("condensing_failed", lines=len(asked), error=type(error).__name__)
        return {}
    shorter = {one: " ".join(text.split()) for one, text in given.items() if one in asked}
    return {one: text for one, text in shorter.items() if keeps_all(asked[one], text, names)}


def keeps_all(line: str, wording: str, names: Collection[str] = ()) -> bool:
    """Whether a shorter wording says what the line says: same figures, dates, negation, names; nothing new in it."""
    if not 0 < count_chars(wording) < count_chars(line):
        return False
    line, wording = line.replace(_VERY, ""), wording.replace(_VERY, "")
    if wording_difference(line, wording) is not None or _foreign_words(line) != _foreign_words(wording):
        return False
    if any((name in line) != (name in wording) for name in names):
        return False
    said, kept = _letters(line), _letters(wording)
    if kept - said - _CONNECTING:
        return False
    meant = said - _LIGHT
    return len(meant & kept) >= KEPT_SHARE * len(meant)


def _letters(text: str) -> set[str]:
    return {letter for letter in fold_text(text) if letter.isalnum()}


def _foreign_words(text: str) -> set[str]:
    """Latin words and figures as a search sees them: brand names and drugs must stand as they were."""
    return {token for token in tokenize(text) if token.isascii()}
