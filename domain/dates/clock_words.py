"""The words for the time of day: 早上, 四点三刻, 21:30, 差五分九点."""

import re

from domain.dates.meanings import Clock, DayPart, Meaning, PartOfDay
from domain.dates.rules import NUMERAL_STARTS, Match, rule
from domain.dates.script import NUMERAL, read_numeral

_PARTS: dict[str, DayPart] = {
    **dict.fromkeys(("凌晨", "天没亮", "天不亮"), "dawn"),
    "天亮": "morning",
    **dict.fromkeys(
        ("大清早", "大早上", "一大早", "大早", "清早", "清晨", "早晨", "早起", "早上", "一早", "上午", "早间", "早"),
        "morning",
    ),
    **dict.fromkeys(("中午", "正午", "晌午"), "noon"),
    **dict.fromkeys(("下午", "午后", "傍晚", "黄昏"), "afternoon"),
    **dict.fromkeys(("大晚上", "晚上", "晚间", "夜晚", "夜里", "夜间", "深夜", "晚", "夜"), "evening"),
    **dict.fromkeys(("大半夜", "后半夜", "前半夜", "半夜", "午夜"), "midnight"),
}
_LONGEST_FIRST = sorted((name for name in _PARTS if len(name) > 1), key=len, reverse=True)
_HOURS_A_DAY, _MINUTES_AN_HOUR = 24, 60
_FRACTIONS = {"半": 30, "一刻": 15, "三刻": 45, "整": 0}
_HOUR = r"\d{1,2}|二?十[一二三四]?|[零一二两三四五六七八九]"
_MINUTE = r"零[一二三四五六七八九]|[二三四五]?十[一二三四五六七八九]?分?|[一二三四五六七八九]分|\d{1,2}分|\d{2}"
_NO_MEASURE = r"(?!\d)(?![ ]?(?:[公千]?斤|kg|g|克|片|颗|粒|mg|毫|ml|岁|个|%|度|元|块|倍))"
_NO_LITTLE = "(?!几|点|儿|滴|没|[都也][没不]|东西|水|粮|胃)"  # 一点没吃, 一点点
_NO_DECIMAL = (
    r"(?!\d)(?![二三四五六七八九](?:[公千]?斤|kg|克|$|[,。]))(?![五半]? ?(?:[公千]?斤|kg|克|片|毫))"  # 三点五公斤
)


def _clock(hour: int | None, minute: int | None, *, sure: bool = True, written: bool = False) -> Clock | None:
    if hour is None or minute is None or not (0 <= hour <= _HOURS_A_DAY and 0 <= minute < _MINUTES_AN_HOUR):
        return None
    return None if hour == _HOURS_A_DAY and minute else Clock(hour, minute, sure, written)


def _read_digital(match: Match) -> Meaning | None:
    before, after = match.string[max(0, match.start() - 4) : match.start()], match.string[match.end() : match.end() + 4]
    if re.search(r"比例?|按|兑|稀释", before) or re.match(r" ?的?(?:比例?|稀释|勾?兑|配)", after):
        return None
    return _clock(int(match[1]), int(match[2]), written=len(match[1]) == 2)


def _read_spoken(match: Match) -> Meaning | None:
    hour = read_numeral(match["hour"])
    minute: int | None = 0
    if match["fraction"]:
        minute = _FRACTIONS[match["fraction"]]
    elif match["minute"]:
        minute = read_numeral(match["minute"].removesuffix("分"))
    return _clock(hour, minute, sure=bool(match["fraction"] or match["minute"] or match["about"]))


def _read_short_of(match: Match) -> Meaning | None:
    """差一刻八点, 差五分九点."""
    hour = read_numeral(match[2])
    missing = 15 if match[1] == "一刻" else read_numeral(match[1].removesuffix("分"))
    if hour is None or not hour or missing is None or not 0 < missing < _MINUTES_AN_HOUR:
        return None
    return _clock(hour - 1, _MINUTES_AN_HOUR - missing)


def _read_formal(match: Match) -> Meaning | None:
    return _clock(int(match[1]), int(match[2] or 0))


CLOCK_RULES = (
    rule("差", rf"差(一刻|(?:{NUMERAL})分)钟?(?:到)?({NUMERAL})点", _read_short_of),
    rule("0123456789", rf"(?<![\d:.])(\d{{1,2}}):(\d{{2}})(?![\d:]){_NO_MEASURE}", _read_digital),
    rule("012", r"(?<![\d.])(\d{1,2})时(?!候)(?:(\d{1,2})分)?", _read_formal),
    rule(
        NUMERAL_STARTS,
        rf"(?<![\d.第])(?P<hour>{_HOUR})点(?:(?P<fraction>半|一刻|三刻|整)|(?P<minute>{_MINUTE}){_NO_MEASURE})?"
        rf"{_NO_LITTLE}{_NO_DECIMAL}(?P<about>钟?(?:多|左右|来钟)|钟)?",
        _read_spoken,
    ),
    rule(
        "".join(sorted({name[0] for name in _LONGEST_FIRST})),
        "|".join(_LONGEST_FIRST),
        lambda match: PartOfDay(_PARTS[match[0]]),
    ),
    rule(
        "早晚夜",
        r"[早晚](?=\d{1,2}[点:]|[一二三四五六七八九十]{1,2}点)|(?<=[今昨明前天每])(?:[早晚夜](?!于))",
        lambda match: PartOfDay(_PARTS[match[0]]),
    ),
)
