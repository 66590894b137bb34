"""What one word of time says, before it is known when it was said: values between the lexers and the calendar."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Literal

from domain.dates.readings import Recurrence, Unit

MonthPart = Literal["first", "early", "middle", "late", "last"]
DayPart = Literal["dawn", "morning", "noon", "afternoon", "evening", "midnight"]


class Direction(Enum):
    """Which way the sentence looks; NONE when it does not say."""

    PAST = "past"
    FUTURE = "future"
    BARE = "bare"  # a verb without any mark (周日洗澡): ahead, unless that is far
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Shift:
    """So many steps from now: 昨天, 三周后, 半小时前. `unit` is what was counted in."""

    unit: Unit
    days: int = 0
    months: int = 0
    minutes: int = 0


@dataclass(frozen=True, slots=True)
class Weekday:
    """`day` 1-7, in the week `week` weeks from now's (0 this, -1 last), or the nearest one when None."""

    day: int
    week: int | None = None


@dataclass(frozen=True, slots=True)
class Weekend:
    week: int | None = None


@dataclass(frozen=True, slots=True)
class Week:
    """A whole calendar week, Monday to Sunday."""

    week: int


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """Year, month and day as far as said; each absolute, or counted from now (`years`, `months`), or left open."""

    year: int | None = None
    years: int | None = None
    month: int | None = None
    months: int | None = None
    day: int | None = None
    part: MonthPart | None = None


@dataclass(frozen=True, slots=True)
class Festival:
    """A day that a rule fixes in every year."""

    on_in: Callable[[int], date]
    year: int | None = None
    years: int | None = None


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days or months that touch today: 这三天, 最近两周, 接下来一个月. `toward` is NONE when the verb decides."""

    days: int = 0
    months: int = 0
    toward: Direction = Direction.NONE


@dataclass(frozen=True, slots=True)
class Adjust:
    """Days to add to the day just named: 国庆前一天, 元旦第二天."""

    days: int


@dataclass(frozen=True, slots=True)
class PartOfDay:
    part: DayPart


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock time as said. A bare 四点 is not `sure`, it may count points; 03:00 is `written` as on a clock."""

    hour: int
    minute: int
    sure: bool = True
    written: bool = False


@dataclass(frozen=True, slots=True)
class Repeat:
    rule: Recurrence


@dataclass(frozen=True, slots=True)
class NoDate:
    """Time words that name no day of the solar calendar: lunar dates, seasons, vague pasts."""


DayMeaning = Shift | Weekday | Weekend | Week | CalendarDate | Festival | Stretch
Meaning = DayMeaning | Adjust | PartOfDay | Clock | Repeat | NoDate


@dataclass(frozen=True, slots=True)
class Token:
    """A meaning with its place in the plain text."""

    start: int
    end: int
    meaning: Meaning
