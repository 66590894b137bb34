"""The words for named days: 国庆, 去年冬至, 圣诞节那天, and the days counted from them (国庆前一天)."""

import re
from collections.abc import Iterable

from domain.dates.festivals import FESTIVALS, MARKED_FESTIVALS, SOLAR_TERMS, UNMISTAKABLE_TERMS
from domain.dates.meanings import Adjust, Festival, Meaning
from domain.dates.month_words import YEAR_WORDS, read_year
from domain.dates.rules import Match, rule
from domain.dates.script import NUMERAL, read_numeral

_MARK_AFTER = r"(?:那天|当天|当日|那会儿?|假期|长假|小长假|黄金周|放假|期间|大促|前后|前一天|前|后|回来|以后|之后|之前)"


def _names(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in names)


_YEAR_OF_FESTIVAL = r"(?:(?P<years>大前年|前年|去年|今年|明年|后年)|(?P<year>\d{4})年)的?"
_ALL_FESTIVALS = {**FESTIVALS, **MARKED_FESTIVALS, **SOLAR_TERMS}
_PLAIN_NAMES = _names([*FESTIVALS, *UNMISTAKABLE_TERMS])


def _read_festival(match: Match) -> Meaning | None:
    parts = match.groupdict()
    year = read_year(parts["year"]) if parts.get("year") else None
    years = YEAR_WORDS[parts["years"]] if parts.get("years") else None
    return Festival(_ALL_FESTIVALS[match["name"]], year, years)


def _read_adjust(match: Match) -> Meaning | None:
    if match[0] in ("前一天", "前一晚", "前夕", "头一天"):
        return Adjust(-1)
    if match[0] in ("后一天", "第二天", "次日"):
        return Adjust(1)
    if match[1] == "第":
        return Adjust((read_numeral(match[2]) or 1) - 1)
    count = read_numeral(match[2])
    return None if count is None else Adjust(-count if match[1] == "前" else count)


def _first_letters(names: Iterable[str]) -> str:
    return "".join(sorted({name[0] for name in names}))


_MARKED = [*MARKED_FESTIVALS, *SOLAR_TERMS]
DATED_FESTIVAL_RULE = rule(
    "大前去今明后12", f"{_YEAR_OF_FESTIVAL}(?P<name>{_names(_ALL_FESTIVALS)})(?![月号点个年])", _read_festival
)
FESTIVAL_RULES = (
    rule(
        _first_letters([*FESTIVALS, *UNMISTAKABLE_TERMS]),
        f"(?<![一二三四五六七八九十])(?P<name>{_PLAIN_NAMES})(?![月个只次片颗粒斤公树老装帽服]|快乐|礼物)",
        _read_festival,
    ),
    rule(
        _first_letters(_MARKED),
        rf"(?<![一二三四五六七八九十\d双])(?P<name>{_names(_MARKED)})(?={_MARK_AFTER})",
        _read_festival,
    ),
)
ADJUST_RULE = rule("前后第次头", f"前一[天晚]|前夕|头一天|后一天|第二天|次日|(前|后|第)({NUMERAL})天", _read_adjust)
