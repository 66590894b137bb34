"""Lengths of time: 三天, 半个月, 一个半月, 两年半, 8小时."""

from dataclasses import dataclass

from domain.dates.readings import Unit
from domain.dates.rules import Match
from domain.dates.script import NUMERAL, read_numeral

_UNITS = r"(?:天|日(?!元)|周(?!岁)|星期|礼拜|月(?!\d)|年|小时|钟头|分钟|季度)"
AMOUNT = rf"(?:(?P<count>{NUMERAL}|半)个?(?P<half>半)?个?(?P<unit>{_UNITS})(?P<tail>半)?)"
DAYS_A_HALF_MONTH = 15
_MONTHS = {"月": 1, "季度": 3, "年": 12}
DAYS_A_UNIT = {"天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7}
_MINUTES = {"小时": 60, "钟头": 60, "分钟": 1}
_SAID_UNITS: dict[str, Unit] = {
    **dict.fromkeys(("天", "日"), "day"),
    **dict.fromkeys(("周", "星期", "礼拜"), "week"),
    **dict.fromkeys(("月", "季度"), "month"),
    "年": "year",
    **dict.fromkeys(("小时", "钟头", "分钟"), "hour"),
}


@dataclass(frozen=True, slots=True)
class Amount:
    """A length of time: days, months or minutes, whichever the unit was; `unit` is the unit said."""

    unit: Unit
    days: int = 0
    months: int = 0
    minutes: int = 0


def read_amount(match: Match) -> Amount | None:
    """The amount of a match of AMOUNT; None for half days and for counts that are no number."""
    word = match["unit"]
    unit = _SAID_UNITS[word]
    count = 0 if match["count"] == "半" else read_numeral(match["count"])
    if count is None or (count == 0 and match["count"] != "半"):
        return None
    half = match["count"] == "半" or match["half"] is not None or match["tail"] is not None
    if half and word in ("分钟", "季度"):
        return None
    if word in _MINUTES:
        return Amount(unit, minutes=count * _MINUTES[word] + (_MINUTES[word] // 2 if half else 0))
    if word in DAYS_A_UNIT:
        return None if half else Amount(unit, days=count * DAYS_A_UNIT[word])
    months = count * _MONTHS[word]
    if half and word == "月":
        return Amount("month", months=months, days=DAYS_A_HALF_MONTH)
    return Amount("month" if half else unit, months=months + (6 if half else 0))
