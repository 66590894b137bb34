"""Days with a name: fixed solar festivals, the solar terms, and where the Spring Festival fell.

Lunar festivals are no dates here; only `spring_festival` is kept, to search memories told of 过年.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from functools import partial
from math import radians, sin

from dateutil.relativedelta import SU, TH, relativedelta

YearRule = Callable[[int], date]


def _fixed(month: int, day: int, year: int) -> date:
    return date(year, month, day)


def _mothers_day(year: int) -> date:
    return date(year, 5, 1) + relativedelta(weekday=SU(2))


def _fathers_day(year: int) -> date:
    return date(year, 6, 1) + relativedelta(weekday=SU(3))


def _thanksgiving(year: int) -> date:
    return date(year, 11, 1) + relativedelta(weekday=TH(4))


FESTIVALS: dict[str, YearRule] = {
    "元旦节": partial(_fixed, 1, 1),
    "元旦": partial(_fixed, 1, 1),
    "情人节": partial(_fixed, 2, 14),
    "三八妇女节": partial(_fixed, 3, 8),
    "妇女节": partial(_fixed, 3, 8),
    "女神节": partial(_fixed, 3, 8),
    "三八节": partial(_fixed, 3, 8),
    "植树节": partial(_fixed, 3, 12),
    "愚人节": partial(_fixed, 4, 1),
    "五一劳动节": partial(_fixed, 5, 1),
    "劳动节": partial(_fixed, 5, 1),
    "五一": partial(_fixed, 5, 1),
    "五四青年节": partial(_fixed, 5, 4),
    "青年节": partial(_fixed, 5, 4),
    "母亲节": _mothers_day,
    "六一儿童节": partial(_fixed, 6, 1),
    "儿童节": partial(_fixed, 6, 1),
    "六一": partial(_fixed, 6, 1),
    "父亲节": _fathers_day,
    "建党节": partial(_fixed, 7, 1),
    "建军节": partial(_fixed, 8, 1),
    "八一": partial(_fixed, 8, 1),
    "教师节": partial(_fixed, 9, 10),
    "国庆节": partial(_fixed, 10, 1),
    "国庆": partial(_fixed, 10, 1),
    "万圣节": partial(_fixed, 10, 31),
    "万圣夜": partial(_fixed, 10, 31),
    "双十一": partial(_fixed, 11, 11),
    "双11": partial(_fixed, 11, 11),
    "光棍节": partial(_fixed, 11, 11),
    "感恩节": _thanksgiving,
    "双十二": partial(_fixed, 12, 12),
    "双12": partial(_fixed, 12, 12),
    "平安夜": partial(_fixed, 12, 24),
    "圣诞前夜": partial(_fixed, 12, 24),
    "圣诞夜": partial(_fixed, 12, 24),
    "圣诞节": partial(_fixed, 12, 25),
    "圣诞": partial(_fixed, 12, 25),
    "跨年夜": partial(_fixed, 12, 31),
    "跨年": partial(_fixed, 12, 31),
}
"""Names that are festivals wherever they stand, longest first among those that share a beginning."""

MARKED_FESTIVALS: dict[str, YearRule] = {
    "十一": partial(_fixed, 10, 1),
    "三八": partial(_fixed, 3, 8),
    "七一": partial(_fixed, 7, 1),
    "五四": partial(_fixed, 5, 4),
    "520": partial(_fixed, 5, 20),
    "618": partial(_fixed, 6, 18),
}
"""Numbers that are festivals only beside a year or a word such as 那天, 假期."""

_TERM_NAMES = (
    *("小寒", "大寒", "立春", "雨水", "惊蛰", "春分", "清明", "谷雨", "立夏", "小满", "芒种", "夏至"),
    *("小暑", "大暑", "立秋", "处暑", "白露", "秋分", "寒露", "霜降", "立冬", "小雪", "大雪", "冬至"),
)
_LONGITUDES = {name: (285 + 15 * place) % 360 for place, name in enumerate(_TERM_NAMES)}
_EPOCH = datetime(2000, 1, 1, 12, tzinfo=UTC)  # J2000.0
_CHINA = timezone(timedelta(hours=8))  # the terms are civil days of China, wherever the owner is
_DAYS_A_TERM = 365.2422 / 24


def _solar_longitude(at: datetime) -> float:
    """Apparent longitude of the sun in degrees, good to 0.01 (Meeus, Astronomical Algorithms, chapter 25)."""
    centuries = (at - _EPOCH) / timedelta(days=36525)
    anomaly = radians(357.52911 + 35999.05029 * centuries)
    centre = (
        (1.914602 - 0.004817 * centuries) * sin(anomaly) + 0.019993 * sin(2 * anomaly) + 0.000289 * sin(3 * anomaly)
    )
    node = radians(125.04 - 1934.136 * centuries)
    return (280.46646 + 36000.76983 * centuries + centre - 0.00569 - 0.00478 * sin(node)) % 360


def solar_term(name: str, year: int) -> date:
    """The day (UTC+8) on which the sun reaches the longitude of one of the 24 solar terms."""
    target = _LONGITUDES[name]
    midnight = datetime(year, 1, 3, tzinfo=_CHINA) + timedelta(days=int(_TERM_NAMES.index(name) * _DAYS_A_TERM))
    while (target - _solar_longitude(midnight + timedelta(days=1)) + 180) % 360 > 180:
        midnight += timedelta(days=1)
    return midnight.date()


SOLAR_TERMS: dict[str, YearRule] = {name: partial(solar_term, name) for name in _TERM_NAMES}
UNMISTAKABLE_TERMS = frozenset({"清明", "冬至", "夏至"})
"""The other terms are also names of pets (小满, 立秋, 小雪) and count only beside a year or a word such as 那天."""

_SPRING_FESTIVALS: dict[int, tuple[int, int]] = {
    2018: (2, 16),
    2019: (2, 5),
    2020: (1, 25),
    2021: (2, 12),
    2022: (2, 1),
    2023: (1, 22),
    2024: (2, 10),
    2025: (1, 29),
    2026: (2, 17),
    2027: (2, 6),
    2028: (1, 26),
    2029: (2, 13),
    2030: (2, 3),
    2031: (1, 23),
    2032: (2, 11),
    2033: (1, 31),
    2034: (2, 19),
    2035: (2, 8),
}
HOLIDAY_BEFORE, HOLIDAY_AFTER = timedelta(days=7), timedelta(days=15)  # from the little year to the Lantern Festival


def spring_holidays(year: int) -> tuple[date, date] | None:
    """First and last day of what owners call 过年 in that year; None outside 2018-2035."""
    if year not in _SPRING_FESTIVALS:
        return None
    new_year = date(year, *_SPRING_FESTIVALS[year])
    return new_year - HOLIDAY_BEFORE, new_year + HOLIDAY_AFTER
