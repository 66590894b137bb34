"""From what was said and when to the day meant. Pure: `today` and the direction of the sentence come in."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from domain.dates.meanings import (
    CalendarDate,
    DayMeaning,
    Direction,
    Festival,
    MonthPart,
    Shift,
    Stretch,
    Week,
    Weekday,
    Weekend,
)
from memory.vocabulary import Precision

WEEK = timedelta(days=7)
MONTH_PART_DAYS: dict[MonthPart, int] = {"first": 1, "early": 5, "middle": 15, "late": 25}
"""The day that stands for a part of a month; the last day stands for its end."""
MONTH_PART_WIDTH = 5  # days either side that a part of a month covers
FARTHEST_BARE_PLAN = timedelta(days=240)
"""3月5号体检, said in May, is more likely the last March than the next: plans are seldom that far off."""
_AHEAD = (Direction.FUTURE, Direction.BARE)
_SAID: dict[str, Precision] = {"month": Precision.MONTH, "year": Precision.YEAR}


@dataclass(frozen=True, slots=True)
class Days:
    """A day, or a span up to and with `until`."""

    on: date
    until: date | None = None
    precision: Precision = Precision.DAY


def resolve(meaning: DayMeaning, today: date, direction: Direction) -> Days | None:
    """The days meant, or None when the calendar has no such day (2月30号) or it lies outside the calendar."""
    try:
        match meaning:
            case Shift():
                return _shifted(meaning, today)
            case Weekday():
                return Days(_weekday(meaning, today, direction))
            case Weekend():
                return _weekend(meaning, today, direction)
            case Week():
                monday = _monday(today) + meaning.week * WEEK
                return Days(monday, monday + timedelta(days=6))
            case Stretch():
                return _stretch(meaning, today, direction)
            case Festival():
                return _festival(meaning, today, direction)
            case CalendarDate():
                return _calendar_date(meaning, today, direction)
    except (ValueError, OverflowError):
        return None


def resolve_end(meaning: DayMeaning, start: date, today: date) -> date | None:
    """The last day of a span that began on `start`: an open day, weekday or month is the first one not before it."""
    match meaning:
        case Weekday(day, None):
            return start + timedelta(days=(day - start.isoweekday()) % 7)
        case CalendarDate(year=None, years=None, months=None):
            end = resolve(meaning, start, Direction.FUTURE)
        case _:
            end = resolve(meaning, today, Direction.NONE)
    last = None if end is None else end.until or end.on
    return last if last is not None and last >= start else None


def _shifted(shift: Shift, today: date) -> Days:
    """A step over the end of a month lands on its last day (relativedelta clamps)."""
    on = today + relativedelta(months=shift.months, days=shift.days)
    return Days(on, precision=_SAID.get(shift.unit, Precision.DAY))


def _monday(today: date) -> date:
    return today - timedelta(days=today.weekday())


def _weekday(meaning: Weekday, today: date, direction: Direction) -> date:
    if meaning.week is not None:
        return _monday(today) + meaning.week * WEEK + timedelta(days=meaning.day - 1)
    ahead = today + timedelta(days=(meaning.day - today.isoweekday() - 1) % 7 + 1)
    behind = today - timedelta(days=(today.isoweekday() - meaning.day - 1) % 7 + 1)
    if direction is Direction.NONE:
        return min(behind, ahead, key=lambda on: abs(on - today))
    return ahead if direction in _AHEAD else behind


def _weekend(meaning: Weekend, today: date, direction: Direction) -> Days:
    saturday = _monday(today) + timedelta(days=5)
    if meaning.week is not None:
        saturday += meaning.week * WEEK
    elif direction is Direction.PAST and saturday > today:
        saturday -= WEEK
    return Days(saturday, saturday + timedelta(days=1))


def _stretch(meaning: Stretch, today: date, direction: Direction) -> Days:
    """这三天 are today and the two before it, or the two after it when the verb looks ahead."""
    precision = Precision.MONTH if meaning.months else Precision.DAY
    reach = relativedelta(months=meaning.months, days=meaning.days)
    toward = direction if meaning.toward is Direction.NONE else meaning.toward
    if toward in _AHEAD:
        return Days(today, today + reach - timedelta(days=1), precision)
    return Days(today - reach + timedelta(days=1), today, precision)


def _festival(meaning: Festival, today: date, direction: Direction) -> Days:
    if meaning.year is not None:
        return Days(meaning.on_in(meaning.year))
    if meaning.years is not None:
        return Days(meaning.on_in(today.year + meaning.years))
    candidates = [meaning.on_in(today.year + step) for step in (-1, 0, 1)]
    return Days(_nearest(candidates, today, direction))


def _nearest(candidates: list[date], today: date, direction: Direction) -> date:
    """The closest candidate in the direction of the sentence, today included; the closest of all without one."""
    if direction is Direction.PAST:
        candidates = [on for on in candidates if on <= today] or candidates
    elif direction in _AHEAD:
        limit = FARTHEST_BARE_PLAN if direction is Direction.BARE else timedelta.max
        candidates = [on for on in candidates if timedelta(0) <= on - today <= limit] or candidates
    return min(candidates, key=lambda on: abs(on - today))


LEAP_YEARS = 4  # as far as the nearest 29 February may be


def _calendar_date(said: CalendarDate, today: date, direction: Direction) -> Days | None:
    if said.month is not None and not 1 <= said.month <= 12:
        return None
    if said.day is not None and not 1 <= said.day <= 31:
        return None
    year = said.year if said.year is not None else None if said.years is None else today.year + said.years
    if said.months is not None:
        first = today.replace(day=1) + relativedelta(months=said.months)
        return _in_month(said, first.year, first.month)
    if said.month is not None:
        if year is not None:
            return _in_month(said, year, said.month)
        reach = 1 if direction is Direction.NONE else LEAP_YEARS  # 2月29号 alone tells of no year
        return _choose(
            [_in_month(said, today.year + step, said.month) for step in range(-reach, reach + 1)],
            said,
            today,
            direction,
        )
    if said.day is None and said.part is None:
        return None if year is None else Days(date(year, 1, 1), date(year, 12, 31), Precision.YEAR)
    first = today.replace(day=1)
    months = [first + relativedelta(months=step) for step in range(-2, 3)]
    return _choose([_in_month(said, month.year, month.month) for month in months], said, today, direction)


def _in_month(said: CalendarDate, year: int, month: int) -> Days | None:
    last = monthrange(year, month)[1]
    if said.day is not None:
        return Days(date(year, month, said.day)) if said.day <= last else None
    if said.part is not None:
        return Days(date(year, month, MONTH_PART_DAYS.get(said.part, last)), precision=Precision.MONTH)
    return Days(date(year, month, 1), date(year, month, last), Precision.MONTH)


def _choose(candidates: list[Days | None], said: CalendarDate, today: date, direction: Direction) -> Days | None:
    """Among the years or months that have such a day: the nearest in the direction of the sentence."""
    exist = [days for days in candidates if days is not None]
    if not exist:
        return None
    slack = timedelta(days=MONTH_PART_WIDTH) if said.part is not None else timedelta(0)
    if said.part == "first" and direction is Direction.PAST:
        slack = timedelta(0)  # 月初吃过, said at the end of a month, is no day of the next one
    if direction is Direction.PAST:
        exist = [days for days in exist if days.on - slack <= today] or exist
    elif direction in _AHEAD:
        limit = FARTHEST_BARE_PLAN if direction is Direction.BARE else timedelta.max
        exist = [days for days in exist if -slack <= (days.until or days.on) - today <= limit] or exist
    elif said.part is not None:
        exist = [days for days in exist if (days.on.year, days.on.month) == (today.year, today.month)] or exist
    if direction is Direction.PAST and said.part is not None:
        return max(exist, key=lambda days: days.on)
    if direction in _AHEAD and said.part is not None:
        return min(exist, key=lambda days: days.on)
    return min(exist, key=lambda days: abs(days.on - today))
