"""Periods in questions: the days that 上周, 半年前 or 过年那会儿 asks about. For recall, never for facts."""

import re
from datetime import date, datetime, timedelta

from dateutil.relativedelta import relativedelta

from domain.dates.festivals import spring_holidays
from domain.dates.month_words import YEAR_WORDS
from domain.dates.reader import times_asked_about
from domain.dates.readings import TimeReading
from domain.dates.script import read_script
from memory.vocabulary import Precision

Period = tuple[date, date]

AROUND = {"day": timedelta(days=1), "week": timedelta(days=3), "month": timedelta(days=15)}
"""Days either side of 三天前, 两周前, 两个月前 that may be meant."""
AROUND_HALF_A_YEAR, AROUND_A_YEAR = timedelta(days=45), timedelta(days=183)
LATELY, JUST_NOW = timedelta(days=30), timedelta(days=7)

_AGO = re.compile("前|后")
_SPRING_FESTIVAL = re.compile("过年|春节|年三十|大年|除夕|新春|正月")
_SEASON = re.compile("[春夏秋冬](?=[天季])|(?<=[去今年])[春夏秋冬]|(?<=[开入])[春夏秋冬]")
_PART_OF_YEAR = re.compile("年初|年底|年末|上半年|下半年")
_MONTHS: dict[str, tuple[int, int]] = {
    "春": (3, 3),
    "夏": (6, 3),
    "秋": (9, 3),
    "冬": (12, 3),
    "年初": (1, 2),
    "年底": (11, 2),
    "年末": (11, 2),
    "上半年": (1, 6),
    "下半年": (7, 6),
}
"""First month and number of months of a season (by the calendar) or a part of the year."""
_YEAR_WORD = re.compile("大前年|前年|去年|今年|明年|后年")
_LAST_MONTHS = re.compile("(?:这|近|最近|这?大)(半年|一年)")
_JUST_NOW = re.compile("这几天|前几天|这些天|前些天|前两天|刚刚|刚才")
_LATELY = re.compile("最近|近期|近来|这阵子?|这段时间|前阵子?|前段时间")


def question_period(text: str, now: datetime) -> Period | None:
    """First and last local day that a question asks about, both included; None when it names no period.

    Wider than the date of a fact on purpose: 两个月前 is about a month wide, 过年 is the holiday around the Spring
    Festival, 最近 the last 30 days. An open month, season or festival is the last one that has begun. What repeats
    (每周三) is no period.
    """
    plain, today = read_script(text).plain, now.date()
    return (
        _spring_festival(plain, today) or _part_of_a_year(plain, today) or _stated(text, now) or _recent(plain, today)
    )


def _spring_festival(plain: str, today: date) -> Period | None:
    if _SPRING_FESTIVAL.search(plain) is None:
        return None
    year = _year_said(plain, today)
    if year is not None:
        return spring_holidays(year)
    this_year = spring_holidays(today.year)
    return this_year if this_year is not None and this_year[0] <= today else spring_holidays(today.year - 1)


def _part_of_a_year(plain: str, today: date) -> Period | None:
    named = _PART_OF_YEAR.search(plain) or _SEASON.search(plain)
    if named is None:
        return None
    month, months = _MONTHS[named[0]]
    year = _year_said(plain, today)
    if year is None:
        year = today.year if date(today.year, month, 1) <= today else today.year - 1
    first = date(year, month, 1)
    return first, first + relativedelta(months=months, days=-1)


def _year_said(plain: str, today: date) -> int | None:
    word = _YEAR_WORD.search(plain)
    return None if word is None else today.year + YEAR_WORDS[word[0]]


def _stated(text: str, now: datetime) -> Period | None:
    for reading in times_asked_about(text, now):
        if reading.on is not None and reading.recurrence is None:
            around = _around(reading)
            return reading.on - around, (reading.until or reading.on) + around
    return None


def _around(reading: TimeReading) -> timedelta:
    """How far an offset such as 两个月前 may be off; a named day or a span is meant as it is said."""
    if reading.until is not None:
        return timedelta(0)
    if "半年" in reading.quote:
        return AROUND_HALF_A_YEAR
    if reading.precision is Precision.YEAR:
        return AROUND_A_YEAR
    if reading.precision is Precision.MONTH:
        return AROUND["month"] if "个月" in reading.quote else AROUND["week"]
    if _AGO.search(reading.quote[1:]) is None:
        return timedelta(0)
    return AROUND["week"] if re.search("周|礼拜|星期|半", reading.quote) else AROUND["day"]


def _recent(plain: str, today: date) -> Period | None:
    if (length := _LAST_MONTHS.search(plain)) is not None:
        return today - relativedelta(months=6 if length[1] == "半年" else 12), today
    if _JUST_NOW.search(plain) is not None:
        return today - JUST_NOW, today
    return (today - LATELY, today) if _LATELY.search(plain) is not None else None
