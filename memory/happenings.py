"""Whether two lines about one slot tell of one happening or of two. Pure; it knows the language of time, nothing else.

"今天吐了两次" and "中午又吐了一次" are two rows in time, however alike they are; the same words said twice are one. The
day comes first; within a day 又 and 再, counts, measured figures, hours and parts of the day tell happenings apart, and
so does a part of the day that had not begun when the known line was said.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime

from memory.similarity import quantities, same_thing
from memory.text_folding import fold_text

_PARTS: tuple[tuple[re.Pattern[str], frozenset[int]], ...] = (
    (re.compile("凌晨|后半夜"), frozenset(range(6))),
    (re.compile("半夜|夜里|深夜|大晚上"), frozenset({21, 22, 23, *range(6)})),
    (re.compile("早上|今早|昨早|早晨|清早|一早|大早|清晨|早起|早饭"), frozenset(range(4, 11))),
    (re.compile("上午"), frozenset(range(7, 12))),
    (re.compile("中午|午饭|晌午"), frozenset(range(11, 15))),
    (re.compile("下午|午后"), frozenset(range(12, 19))),
    (re.compile("傍晚|晚饭"), frozenset(range(16, 21))),
    (re.compile("晚上|今晚|昨晚|当晚|睡前"), frozenset(range(17, 24))),
)
"""Parts of the day and the hours they may mean; where two share an hour they may be the same moment."""

_AGAIN = re.compile(
    r"又|再次|再一次|再度|(?<!不)(?<!没)(?<!没有)(?<!别)再(?=[^,，。;；]{0,4}了)|另外一?[次回]"
    r"|还(?![在是没不会有算好要想能得挺蛮])(?=[^,，。;；]{1,5}[了过])"
)
"""又软又香 is one thing, 还在吐 the same bout, 没再吐 none at all."""

_BOTH_AND = re.compile(r"又[^,，。;；又]{1,5}又")
_TIMES = re.compile(r"(?P<number>\d+|[一二两三四五六七八九十]+)(?:次|回|遍|趟|顿|滩|泡|口)")
_LENGTHS = frozenset(
    {"天", "日", "周", "月", "个月", "年", "小时", "分钟", "号", "岁", "期", "点", "次", "顿", "餐", ""}
)
_ONCE = frozenset({("1", "次")})

_DONE = re.compile(r"了(?!解)")
_SOME_TIME = re.compile(r"过|以前|之前|上次|去年|前年|小时候|早就|已经|该|要|没|不|每|一直|从来|经常|平时|总是|会")
"""What is done at no told time; without these, what somebody says was done was done about now."""


@dataclass(frozen=True, slots=True)
class Telling:
    """One line and when it was said. on: the day the words name; said_at: the owner's local time."""

    words: str
    on: date | None = None
    said_at: datetime | None = None

    @property
    def day(self) -> date | None:
        """The day it happened: the named one, or the day of saying for what was just done."""
        if self.on is not None or self.said_at is None:
            return self.on
        return self.said_at.date() if just_done(self.words) else None


def just_done(words: str) -> bool:
    """洗澡了, 打了疫苗: done about when it was said; 打过疫苗 and 每天洗 are not."""
    return _DONE.search(words) is not None and _SOME_TIME.search(words) is None


def says_again(words: str) -> bool:
    """Whether a line tells that something happened once more."""
    return _AGAIN.search(_BOTH_AND.sub("", words)) is not None


def is_another(known: Telling, new: Telling) -> bool:
    """Whether `new` tells of another happening on the very day of `known`.

    A line that tells less than the known one (吐了, after 今天吐了两次) is no news; one that tells a count or a figure
    which the known one lacks is.
    """
    if same_thing(known.words, new.words):
        return False
    return _tells_more(fold_text(known.words), fold_text(new.words)) or is_at_another_time(known, new)


def is_at_another_time(known: Telling, new: Telling) -> bool:
    """The same of the time of day and 又 alone, for measurements whose figures are compared elsewhere."""
    ours, theirs = fold_text(new.words), fold_text(known.words)
    if same_thing(ours, theirs):
        return False
    if _at_other_hours(theirs, ours) or _began_later(known, ours):
        return True
    if not says_again(ours):
        return False
    return not says_again(theirs) or not (_hours(ours) and _hours(theirs))


def _tells_more(known: str, new: str) -> bool:
    """Another count, or another measured figure, or one where the known line has none."""
    counted = _counts(new)
    measured = {quantity for quantity in quantities(new) if quantity[1] not in _LENGTHS}
    known_measured = {quantity for quantity in quantities(known) if quantity[1] not in _LENGTHS}
    return bool(counted and counted != _counts(known) and (counted != _ONCE or _counts(known))) or bool(
        measured - known_measured
    )


def _counts(text: str) -> frozenset[tuple[str, str]]:
    """How often, 次 and 回 alike."""
    found = (next(iter(quantities(f"{match['number']}次"))) for match in _TIMES.finditer(text))
    return frozenset(found)


def _at_other_hours(known: str, new: str) -> bool:
    """Both tell when in the day, and it cannot be the same time."""
    clocks = [{figure for figure, unit in quantities(text) if unit == "点" or ":" in figure} for text in (known, new)]
    if all(clocks) and clocks[0].isdisjoint(clocks[1]):
        return True
    hours = _hours(known), _hours(new)
    return all(hours) and hours[0].isdisjoint(hours[1])


def _began_later(known: Telling, new: str) -> bool:
    """The part of the day that is told had not begun when the known line was said."""
    hours = _hours(new)
    if not hours or known.said_at is None or _hours(known.words) or known.said_at.date() != known.day:
        return False
    return min(hours) > known.said_at.hour


def _hours(text: str) -> frozenset[int]:
    told = [hours for pattern, hours in _PARTS if pattern.search(text)]
    return frozenset().union(*told)
