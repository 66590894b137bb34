"""三月份的时候我们记的是什么: whether a message asks what was on record earlier, and the lines that say it."""

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from domain.dates.reader import times_asked_about
from memory.as_of import PastLine
from memory.text_folding import fold_text

_ON_RECORD = re.compile(
    r"(?:我们|咱们|你|档案|记录)?(?:里|上)?(?:当时|那时候?)?(?:记|写|存|登记)(?:的|着|了|过)?(?:是|有|些)?(?:什么|啥|哪些|多少|几)"
    r"|(?:当时|那时候?|那会儿?)[^,。]{0,6}(?:档案|记录|记的|记着)|(?:档案|记录)(?:里|上)?(?:是|写的?|有)(?:什么|啥|哪些|多少|几)"
)
MOST_PAST_LINES = 6  # told in one answer; the memory page has all of them
_COMMON = frozenset({"时候", "我们", "什么", "记的", "的是", "当时", "档案", "记录", "那时", "份的", "的时"})


def moment_asked_about(text: str, now: datetime) -> datetime | None:
    """The last instant of the time that a message asks the records of; None for every other message.

    now: aware, in the owner's zone.
    """
    if not _ON_RECORD.search(fold_text(text)):
        return None
    days = [told.until or told.on for told in times_asked_about(text, now) if told.on is not None]
    past = [day for day in days if day is not None and day <= now.date()]
    return _end_of(past[0], now) if past else None


def past_lines(text: str, lines: Sequence[PastLine]) -> tuple[str, ...]:
    """The lines that share the most words with the question, all when it names nothing of them."""
    asked = {one + other for one, other in pairwise(fold_text(text)) if one.isalpha() and other.isalpha()} - _COMMON
    shared = [sum(pair in fold_text(line.content) for pair in asked) for line in lines]
    most = max(shared, default=0)
    chosen = [line for line, count in zip(lines, shared, strict=True) if count == most] if most > 1 else list(lines)
    return tuple(line.content for line in chosen[:MOST_PAST_LINES])


def _end_of(day: date, now: datetime) -> datetime:
    return datetime.combine(day, time.min, now.tzinfo) + timedelta(days=1) - timedelta(microseconds=1)
