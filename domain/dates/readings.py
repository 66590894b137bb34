"""What a time phrase means once it is read: a day, a span, a clock time, a recurrence, or honestly nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from memory.vocabulary import Precision

Unit = Literal["hour", "day", "week", "month", "year"]

RRULE_FREQUENCIES: dict[Unit, str] = {
    "hour": "HOURLY",
    "day": "DAILY",
    "week": "WEEKLY",
    "month": "MONTHLY",
    "year": "YEARLY",
}
RRULE_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A repeating time: every `every` `unit`s.

    `weekdays` are ISO (1 = Monday), `days` are days of the month (-1 = the last one), `times` are "HH:MM" and hold
    every clock time said, `times_per_day` is how often a day when no clock is said. `nth` counts weekdays of a month
    ("每月第一个周六" has nth 1).
    """

    every: int
    unit: Unit
    weekdays: tuple[int, ...] = ()
    days: tuple[int, ...] = ()
    month: int | None = None
    times: tuple[str, ...] = ()
    times_per_day: int | None = None
    nth: int | None = None

    def as_dict(self) -> dict[str, object]:
        """The evaluation format: only what was said. One clock time stands in the reading's `time`, so `times` is
        listed from two on."""
        detail: dict[str, object] = {"every": self.every, "unit": self.unit}
        if self.weekdays:
            detail["weekdays"] = list(self.weekdays)
        if self.days:
            detail["days"] = list(self.days)
        if self.month is not None:
            detail["month"] = self.month
        if len(self.times) > 1:
            detail["times"] = list(self.times)
        if self.times_per_day is not None:
            detail["times_per_day"] = self.times_per_day
        if self.nth is not None:
            detail["nth"] = self.nth
        return detail

    def as_rrule(self) -> str:
        """RFC 5545 recurrence rule without the "RRULE:" prefix.

        Several times a day become BYHOUR and BYMINUTE only when they share one minute, since RFC 5545 multiplies the
        two lists; otherwise the caller makes one event for each of `times`. A plain count a day has no clock in it.
        """
        parts = [f"FREQ={RRULE_FREQUENCIES[self.unit]}", f"INTERVAL={self.every}"]
        if self.month is not None:
            parts.append(f"BYMONTH={self.month}")
        if self.days:
            parts.append("BYMONTHDAY=" + ",".join(map(str, self.days)))
        if self.weekdays:
            nth = "" if self.nth is None else str(self.nth)
            parts.append("BYDAY=" + ",".join(nth + RRULE_WEEKDAYS[day - 1] for day in self.weekdays))
        minutes = {time[3:] for time in self.times}
        if len(minutes) == 1:
            parts.append("BYHOUR=" + ",".join(str(int(time[:2])) for time in self.times))
            parts.append(f"BYMINUTE={int(minutes.pop())}")
        return ";".join(parts)


@dataclass(frozen=True, slots=True)
class TimeReading:
    """One time phrase of a text. `start:end` are offsets into the text as the owner wrote it, `quote` is that slice.

    `on` is the local day meant, or the first day of a span whose last day is `until` (inclusive). `precision` says how
    exactly `on` was said: 月初, 两个月前 are `month`. A whole month or year is a span with that precision. `time` is
    "HH:MM". `supported` is False for what has no day in the solar calendar (农历, 前年冬天): then nothing is set.
    """

    start: int
    end: int
    quote: str
    on: date | None = None
    precision: Precision = Precision.UNKNOWN
    time: str | None = None
    until: date | None = None
    recurrence: Recurrence | None = None
    supported: bool = True

    @property
    def is_day(self) -> bool:
        """Whether `on` may stand as the date of a fact: a day, or a span of days, but no whole month or year."""
        return self.on is not None and (self.precision is Precision.DAY or self.until is None)


_DATE_WORDINGS: dict[Precision, Callable[[date], str]] = {
    Precision.DAY: lambda on: f"{on.year}年{on.month}月{on.day}日",
    Precision.MONTH: lambda on: f"{on.year}年{on.month}月",
    Precision.YEAR: lambda on: f"{on.year}年",
}


def local_date_text(on: date | None, precision: Precision) -> str:
    """A date no more exact than it is known: "2026年3月11日", "2026年3月", "2026年", "日期不详"."""
    wording = _DATE_WORDINGS.get(precision)
    return wording(on) if on is not None and wording is not None else "日期不详"
