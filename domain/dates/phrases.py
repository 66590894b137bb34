"""From a text to its time phrases: words are found one after another and put together while they belong together."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from domain.dates.clock_words import CLOCK_RULES
from domain.dates.day_words import DAY_RULES
from domain.dates.meanings import (
    Adjust,
    CalendarDate,
    Clock,
    DayMeaning,
    DayPart,
    Festival,
    Meaning,
    NoDate,
    PartOfDay,
    Repeat,
    Token,
    Week,
    Weekday,
    Weekend,
)
from domain.dates.readings import Recurrence
from domain.dates.repeat_words import REPEAT_RULES
from domain.dates.rules import Rule, first_match

LETTERS = 4096  # characters whose rules are kept; more than owners write

_GLUE = frozenset({"", "的", " ", "那天", "当天", "那天的"})
_TO = frozenset({"到", "至", "-", "~", "--", "一直到", "直到", "开始到", "起到", "开始一直到", "一直持续到", "持续到"})
_AND = frozenset({"", "、", "和", "及", ",", "跟", " ", "与", "还有"})
_FROM_THEN = frozenset({"起", "开始", "起,", "开始,", "开始 ", "起 ", "之后", "以后"})
_ASIDE = re.compile(r"^[,:、( ]?$")
_LOOSE_GAP = re.compile(r"^[^。;!?\d]{0,6}$")
FIRST_LIKELY_HOUR = 5  # a bare 五点 may open a phrase; 两点, 三点 are as often points of a list


@dataclass(slots=True)
class Phrase:
    """A time phrase while it grows, in offsets of the plain text. Clocks keep the part of the day said before them."""

    start: int
    end: int
    day: DayMeaning | None = None
    until: DayMeaning | None = None
    adjust: int = 0
    repeat: Recurrence | None = None
    part: DayPart | None = None
    past_midnight: bool = False
    clocks: list[tuple[Clock, DayPart | None]] = field(default_factory=list)
    no_date: bool = False
    named_twice: bool = False  # 3月8号周日: the weekday adds nothing

    @property
    def is_anchored(self) -> bool:
        return self.day is not None or self.repeat is not None

    def take(self, token: Token, gap: str) -> bool:
        """Adds the token if it belongs to this phrase, given the text between the two; False if it does not."""
        match token.meaning:
            case NoDate():
                taken = False
            case Adjust(days):
                taken = self._take_adjust(days, gap)
            case PartOfDay(part):
                taken = self._take_part(part, gap)
            case Clock():
                taken = self._take_clock(token.meaning, gap)
            case Repeat(rule):
                taken = self._take_repeat(rule, gap)
            case _:
                taken = self._take_day(token.meaning, gap)
        if taken and not (isinstance(token.meaning, PartOfDay) and self.clocks):
            self.end = token.end
        return taken

    def _take_adjust(self, days: int, gap: str) -> bool:
        if gap not in _GLUE or not (self.no_date or isinstance(self.day, Festival | CalendarDate | Weekday)):
            return False
        self.adjust += days
        return True

    def _take_part(self, part: DayPart, gap: str) -> bool:
        near = gap in _GLUE or (self.clocks and gap in _AND | _TO) or self._is_daily_detail(gap)
        if not near:
            return False
        if self.part in ("evening", "midnight") and part == "dawn" and self.day is not None:
            self.past_midnight = True
        self.part = part
        return True

    def _is_daily_detail(self, gap: str) -> bool:
        """每天喂两次，早上八点…: what follows a daily habit shortly belongs to it."""
        return self.repeat is not None and self.day is None and _LOOSE_GAP.match(gap) is not None

    def _take_clock(self, clock: Clock, gap: str) -> bool:
        if self.clocks and gap in _TO:
            return True
        known = self.is_anchored or self.part is not None or self.no_date
        near = (
            gap in _GLUE
            or (self.clocks and gap in _AND)
            or self._is_daily_detail(gap)
            or (known and gap in (",", "、"))
        )
        if not near or not (known or self.clocks):
            return False
        self.clocks.append((clock, self.part))
        return True

    def _take_repeat(self, rule: Recurrence, gap: str) -> bool:
        if self.no_date:
            return False
        if self.repeat is None:
            fits = gap in _FROM_THEN if self.day is not None else gap in _GLUE or gap == ","
            self.repeat = rule if fits else None
            return fits
        merged = _merge(self.repeat, rule) if _ASIDE.match(gap) else None
        self.repeat = merged or self.repeat
        return merged is not None

    def _take_day(self, day: DayMeaning, gap: str) -> bool:
        if self.day is None or self.no_date or self.repeat is not None:
            return False
        if gap in _TO and self.until is None:
            self.until = day
            return True
        if isinstance(self.day, Week) and isinstance(day, Weekday) and day.week is None and gap in _GLUE:
            self.day = replace(day, week=self.day.week)
            return True
        names_it_again = (
            isinstance(day, Weekday) and day.week is None and not isinstance(self.day, Weekday | Weekend | Week)
        )
        taken = (
            names_it_again and gap in ("", " ", "(") and self.until is None and not (self.clocks or self.named_twice)
        )
        self.named_twice |= taken
        return taken


def _merge(first: Recurrence, second: Recurrence) -> Recurrence | None:
    """Two ways to say one habit as one; None when they differ in step and neither is a detail of the other."""
    if (first.every, first.unit) != (second.every, second.unit) and second != Recurrence(
        1, "day", times=second.times, times_per_day=second.times_per_day
    ):
        return None
    return replace(
        first,
        weekdays=first.weekdays or second.weekdays,
        days=first.days or second.days,
        times=first.times or second.times,
        times_per_day=first.times_per_day or second.times_per_day,
    )


def find_phrases(plain: str) -> list[Phrase]:
    """The time phrases of a plain text, in order. One pass; every word is looked at within fixed bounds."""
    phrases: list[Phrase] = []
    for token in _tokens(plain):
        last = phrases[-1] if phrases else None
        if last is not None and last.take(token, plain[last.end : token.start]):
            continue
        opened = _open(token, last, plain)
        if opened is not None:
            phrases.append(opened)
    return phrases


def _tokens(plain: str) -> Iterator[Token]:
    place = 0
    while place < len(plain):
        found = first_match(_rules_of(plain[place]), plain, place)
        if found is None:
            place += 1
        else:
            yield Token(place, found[0], found[1])
            place = found[0]


@lru_cache(maxsize=LETTERS)
def _rules_of(letter: str) -> tuple[Rule, ...]:
    """The rules that a word beginning with this letter may fit."""
    return tuple(each for each in (*REPEAT_RULES, *DAY_RULES, *CLOCK_RULES) if letter in each.starts)


def _open(token: Token, last: Phrase | None, plain: str) -> Phrase | None:
    """A new phrase beginning with the token; None for what cannot begin one."""
    phrase = Phrase(token.start, token.end)
    meaning: Meaning = token.meaning
    match meaning:
        case NoDate():
            phrase.no_date = True
        case Adjust():
            return None
        case PartOfDay(part):
            phrase.part = part
        case Clock():
            if not meaning.sure and meaning.hour < FIRST_LIKELY_HOUR:
                return None
            phrase.clocks.append((meaning, None))
        case Repeat(rule):
            phrase.repeat = rule
        case _:
            phrase.day = _lean(meaning, last, plain[last.end : token.start]) if last is not None else meaning
    return phrase


def _lean(day: DayMeaning, last: Phrase, gap: str) -> DayMeaning:
    """上周三和周五, 3月5号和20号: the second day takes week or month from the first."""
    if gap not in _AND:
        return day
    match last.day, day:
        case Weekday(week=int(week)), Weekday(week=None):
            return replace(day, week=week)
        case CalendarDate() as before, CalendarDate(year=None, years=None, month=None, months=None, day=int(number)):
            return replace(before, day=number, part=None)
    return day
