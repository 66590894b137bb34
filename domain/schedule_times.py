"""When a plan is meant to happen: the times an owner said, and the start and repetition that follow. Pure.

Nothing is guessed: a week, a month or two days joined by 或 are no day, and several times a day need their clock times.
A day without a clock time is a plan of the whole day.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Literal

from dateutil.relativedelta import relativedelta

from domain.dates import Recurrence, TimeReading, find_times
from domain.dates.lengths import days_said, last_day_said
from domain.dates.readings import RRULE_FREQUENCIES, RRULE_WEEKDAYS
from memory.text_folding import fold_text
from memory.vocabulary import Precision

Missing = Literal["", "day", "clock", "future"]

READ = 256  # texts, each with its moment
LONGEST_SEARCH = 400  # days within which every repetition that names its days has one
LAST_SAFE_DAY = 28  # of a month; a repetition that starts here falls in every month
_STEPS = {
    "week": relativedelta(weeks=1),
    "month": relativedelta(months=1),
    "year": relativedelta(years=1),
}
_DAY_AFTER_DAY = re.compile(r"连续?着?(?:[一二两三四五六七八九十]|\d){1,3}天")
_OR = re.compile(r"或|还是|要么|、")
_MONTHS_LATER = re.compile(
    r"(?=再?过|.*后$)(?:再过|过)?(?P<count>\d{1,2}|[一二两三四五六七八九十])(?P<half>个半)?个?(?P<unit>月|年)(?:[以之]?后)?"
)
"""三个月后 is a day for a plan, though not for what happened; 半年后 is rough, and the day is asked."""
_WEEKDAY = re.compile(r"^(?:周|星期|礼拜)([一二三四五六日天])")
_OTHER_WEEK = re.compile(r"[上下这本][个]?(?:周|星期|礼拜)")


@dataclass(frozen=True, slots=True)
class When:
    """The times of a message. on: the day; clocks: times of the day, none for a whole day; last_on or days: the end.

    missing: what has to be asked. within: a week or month that was said instead of a day.
    """

    on: date | None = None
    clocks: tuple[time, ...] = ()
    recurrence: Recurrence | None = None
    last_on: date | None = None
    days: int | None = None
    missing: Missing = ""
    within: tuple[date, date] | None = None
    weekday_only: int | None = None  # 1 = Monday: a weekday that names no week
    nearest: bool = False  # only a clock time was said, and `on` is the nearest day that has it

    @property
    def ends(self) -> bool:
        return self.last_on is not None or self.days is not None

    @property
    def said(self) -> bool:
        """Whether any time was said at all."""
        return bool(self.on or self.clocks or self.recurrence or self.within)


@dataclass(frozen=True, slots=True)
class Planned:
    """Start (aware, the owner's zone), repetition (RFC 5545) and whether it lasts the whole day."""

    starts_at: datetime
    rrule: str | None
    all_day: bool


def planned_times(text: str, now: datetime) -> tuple[TimeReading, ...]:
    """The time phrases of a message about the future: 周五 is the coming one. `now` is aware, in the owner's zone.

    A turn asks the same of its message at several places, so the last texts are read once.
    """
    return _planned_times(text, now, now.replace(tzinfo=None))


@lru_cache(maxsize=READ)
def _planned_times(text: str, now: datetime, _wall_clock: datetime) -> tuple[TimeReading, ...]:
    """_wall_clock: `now` as it stands there, for one instant is another day in another zone, and both are equal."""
    return tuple(_ahead(one, now) for one in find_times(text, now))


def when_said(text: str, now: datetime) -> When:
    """The time that a message sets. `now` is aware, in the owner's zone."""
    times = planned_times(text, now)
    folded = fold_text(text)
    repeating = next((one for one in times if one.recurrence is not None), None)
    last = last_day_said(folded, times)
    dated = [one for one in times if one is not last and one.recurrence is None and one.on is not None]
    clocks = _clocks(times)
    if repeating is not None and repeating.recurrence is not None:
        return _repeating(repeating, repeating.recurrence, dated, clocks, last, days_said(folded, times), now)
    once = _once(folded, dated, clocks, now)
    days = days_said(folded, times) if _DAY_AFTER_DAY.search(folded) else None
    if days and once.on is not None and not once.missing:
        return replace(once, recurrence=Recurrence(1, "day"), days=days)  # 后天起连续三天
    return once


def planned(when: When, now: datetime, last_done: date | None = None) -> list[Planned]:
    """The schedules that `when` makes, one for each clock time; it must miss nothing. last_done: what it repeats."""
    if when.recurrence is None:
        assert when.on is not None  # noqa: S101  # nothing is missing
        return [_at(when.on, clock, None, now) for clock in when.clocks or (None,)]
    return [_first_of(when, when.recurrence, clock, now, last_done) for clock in when.clocks or (None,)]


def _ahead(one: TimeReading, now: datetime) -> TimeReading:
    if (later := _MONTHS_LATER.fullmatch(fold_text(one.quote))) and one.recurrence is None:
        return replace(one, on=now.date() + _length(later), until=None, precision=Precision.DAY)
    if one.on is None or one.on >= now.date() or one.recurrence is not None:
        return one
    again = find_times(f"计划{one.quote}去", now)
    ahead = next((other for other in again if other.on is not None and other.on >= now.date()), one)
    return TimeReading(
        one.start, one.end, one.quote, ahead.on, ahead.precision, ahead.time, ahead.until, ahead.recurrence
    )


def _length(later: re.Match[str]) -> relativedelta:
    count = later["count"]
    number = int(count) if count.isdecimal() else 2 if count == "两" else "一二三四五六七八九十".index(count) + 1
    whole = relativedelta(months=number) if later["unit"] == "月" else relativedelta(years=number)
    return whole + relativedelta(days=15) if later["half"] else whole


def _clocks(times: Sequence[TimeReading]) -> tuple[time, ...]:
    said = [text for one in times for text in ((one.recurrence.times if one.recurrence else ()) or (one.time,)) if text]
    return tuple(dict.fromkeys(time.fromisoformat(text) for text in said))


def _once(folded: str, dated: Sequence[TimeReading], clocks: tuple[time, ...], now: datetime) -> When:
    spans = [one for one in dated if not _is_day(one)]
    days = [one for one in dated if _is_day(one) and not (one.time and _is_bare_clock(one))]
    loose = [one for one in dated if _is_day(one) and one not in days]
    within = (spans[0].on, spans[0].until or spans[0].on) if spans and spans[0].on else None
    if within and days and (weekday := _weekday_only(days[-1])):
        day = within[0] + timedelta(days=(weekday - within[0].isoweekday()) % 7)
        return _checked(When(day, clocks, missing="" if day <= within[1] else "day"), now)
    if not days and not within and loose:
        return _checked(When(loose[0].on, clocks, nearest=True), now)
    named = list(dict.fromkeys(one.on for one in days))
    if not named or (len(named) > 1 and _OR.search(folded)):
        return When(clocks=clocks, within=within, missing="day")
    return _checked(When(named[-1], clocks, weekday_only=_weekday_only(days[-1])), now)


def _checked(when: When, now: datetime) -> When:
    """A time that is over is asked about again."""
    gone = when.on is not None and (
        when.on < now.date()
        or (when.on == now.date() and bool(when.clocks) and max(when.clocks) <= now.time().replace(tzinfo=None))
    )
    return replace(when, missing="future") if gone else when


def _repeating(
    said: TimeReading,
    recurrence: Recurrence,
    dated: Sequence[TimeReading],
    clocks: tuple[time, ...],
    last: TimeReading | None,
    length: int | None,
    now: datetime,
) -> When:
    first = said.on or next((one.on for one in dated if _is_day(one) and not _is_bare_clock(one)), None)
    needs_clock = recurrence.unit == "hour" or bool((recurrence.times_per_day or 0) > max(1, len(clocks)))
    return When(
        on=first if first and first >= now.date() else None,
        clocks=clocks,
        recurrence=recurrence,
        last_on=last.on if last else None,
        days=length,
        missing="clock" if needs_clock else "",
    )


def _is_day(one: TimeReading) -> bool:
    return one.precision is Precision.DAY and one.until is None


def _is_bare_clock(one: TimeReading) -> bool:
    """下午三点 alone: its day was not said."""
    return bool(one.time) and re.search(r"[天日号周期拜月年明后今]|后$|/|-", one.quote) is None


def _weekday_only(one: TimeReading) -> int | None:
    found = _WEEKDAY.match(fold_text(one.quote))
    return (
        "一二三四五六日".index(found[1].replace("天", "日")) + 1 if found and not _OTHER_WEEK.match(one.quote) else None
    )


def _first_of(when: When, rule: Recurrence, clock: time | None, now: datetime, last_done: date | None) -> Planned:
    first = _first_day(when, rule, clock, now, last_done)
    last = when.last_on or (first + timedelta(days=when.days - 1) if when.days else None)
    return _at(first, clock, rrule_of(rule, last), now)


def _first_day(when: When, rule: Recurrence, clock: time | None, now: datetime, last_done: date | None) -> date:
    begins = when.on or now.date()
    today_is_over = clock is not None and clock <= now.time().replace(tzinfo=None)
    if begins == now.date() and today_is_over:
        begins += timedelta(days=1)
    if rule.weekdays or rule.days:
        days = (begins + timedelta(days=count) for count in range(LONGEST_SEARCH))
        return next((day for day in days if _names(rule, day)), begins)
    if rule.unit == "day" or when.on is not None:
        return begins
    step = _STEPS[rule.unit] * rule.every
    after_last = last_done + step if last_done else None
    first: date = after_last if after_last and after_last >= begins else begins + step
    return first.replace(day=min(first.day, LAST_SAFE_DAY)) if rule.unit in ("month", "year") else first


def _names(rule: Recurrence, day: date) -> bool:
    """Whether a day is one that the repetition names."""
    if rule.month is not None and day.month != rule.month:
        return False
    if rule.days:
        is_last = (day + timedelta(days=1)).day == 1
        return day.day in rule.days or (-1 in rule.days and is_last)
    return day.isoweekday() in rule.weekdays and rule.nth in (None, (day.day - 1) // 7 + 1)


def rrule_of(rule: Recurrence, last_on: date | None) -> str:
    """The repetition without its clock time, which stands in the start."""
    parts = [f"FREQ={RRULE_FREQUENCIES[rule.unit]}"]
    parts += [f"INTERVAL={rule.every}"] if rule.every > 1 else []
    parts += [f"BYMONTH={rule.month}"] if rule.month is not None else []
    parts += ["BYMONTHDAY=" + ",".join(map(str, rule.days))] if rule.days else []
    if rule.weekdays:
        nth = "" if rule.nth is None else str(rule.nth)
        parts.append("BYDAY=" + ",".join(nth + RRULE_WEEKDAYS[day - 1] for day in rule.weekdays))
    parts += [f"UNTIL={last_on:%Y%m%d}"] if last_on else []
    return ";".join(parts)


def _at(day: date, clock: time | None, rule: str | None, now: datetime) -> Planned:
    return Planned(datetime.combine(day, clock or time.min, now.tzinfo), rule, clock is None)
