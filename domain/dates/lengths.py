"""For how long something is done: 喂一周, 吃7天, 连喂半个月, 吃到12月10号. Pure."""

import re
from collections.abc import Sequence

from domain.dates.readings import TimeReading

DAYS_A_MONTH = 30  # of 吃一个月; nobody counts exactly
_BEFORE = 4  # characters in which the verb stands
_NUMERALS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
_NUMBER = r"(\d{1,3}|十[一二三四五六七八九]?|[一二两三四五六七八九]十?[一二三四五六七八九]?|半)"
_FOR = re.compile(
    rf"(?<![每隔第后前了过\d]){_NUMBER}个?(天|周|星期|礼拜|月)(?![前后内以之里了停])(?!一次|[一两二三]次)"
)
_DONE = re.compile(
    r"连|喂|吃|打|用|滴|上|涂|抹|持续|坚持|共|为期|先|量|开|戴|套|静养|关笼|住|运动|活动|接下来|未来|往后"
)
_UP_TO = re.compile(r"(?:到|至)$")


def days_said(folded: str, times: Sequence[TimeReading]) -> int | None:
    """For how many days; None when no length is said. times: the readings of the same text."""
    for found in _FOR.finditer(folded):
        inside = any(one.start <= found.start() < one.end for one in times)
        if not inside and _DONE.search(folded[max(0, found.start() - _BEFORE) : found.start()]):
            unit = {"天": 1, "月": DAYS_A_MONTH}.get(found[2], 7)
            return round(unit / 2) if found[1] == "半" else _number(found[1]) * unit
    return None


def last_day_said(folded: str, times: Sequence[TimeReading]) -> TimeReading | None:
    """The time phrase after 到: the last day."""
    return next((one for one in times if one.on and _UP_TO.search(folded[: one.start])), None)


def _number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.partition("十")
    return (_NUMERALS.get(tens, 1) * 10 + _NUMERALS.get(ones, 0)) if ten else _NUMERALS[text]
