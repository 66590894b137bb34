"""The words for dates of the calendar: 3月8号, 去年十一月三号, 上个月20号, 2025-12-20, 月底, 23号."""

from domain.dates.meanings import CalendarDate, Meaning, MonthPart, NoDate, Shift
from domain.dates.rules import NUMERAL_STARTS, Match, rule
from domain.dates.script import DIGITS, read_numeral
from domain.dates.week_words import week_shift

YEAR_WORDS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2, "大后年": 3}
EARLIEST_YEAR, LATEST_YEAR = 1980, 2099  # no pet and no plan lies outside
_NUMBER = "[一二三四五六七八九十]"
_YEAR_WORD = "(?P<years>大前年|前年|去年|今年|本年|明年|大后年|后年)"
_DIGIT = "[零一二三四五六七八九]"
_YEAR = rf"(?:{_YEAR_WORD}|(?<!\d)(?P<year>\d{{4}}|\d{{2}}|[一二]{_DIGIT}{{3}}|[一二]{_DIGIT})年)"
_MONTH = rf"(?:(?P<months>上{{1,3}}|下{{1,3}}|这|本|当)一?个?月|(?<!第)(?P<month>\d{{1,2}}|十[一二]|{_NUMBER})月份?)"
_PART = r"(?P<part>月?(?:初(?![一二三四五六七八九十])|底|末|尾|头|最后一天|中旬|上旬|下旬|中(?![午药度途间国毒])))"
_NOT_COUNTED = r"(?![个次只斤公千kgm片针岁天月年点.:/\d十百两俩%度块元周小半多袋罐粒颗顿支号日款家包ml毫升℃~几来分倍])"
_MONTH_PARTS: dict[str, MonthPart] = {
    **dict.fromkeys(("初", "头"), "first"),
    "上旬": "early",
    **dict.fromkeys(("中", "中旬"), "middle"),
    "下旬": "late",
    **dict.fromkeys(("底", "末", "尾", "最后一天"), "last"),
}
_DAY_NUMBER = rf"(?P<day>\d{{1,2}}|{_NUMBER}{{1,3}})[号日](?![线楼店院粮])"
_BARE_NUMBER = rf"(?P<bare>\d{{1,2}}|二?十[一二三四五六七八九]?|三十一?|二十){_NOT_COUNTED}"
_DAY = f"(?:{_DAY_NUMBER}|{_PART}|{_BARE_NUMBER})"
_LUNAR_DAYS = frozenset(
    {"正月十五", "二月二", "三月三", "五月五", "七月七", "七月十五", "八月十五", "九月九", "十月一"}
)
"""Days that, written in Chinese numerals without 号, are the lunar festivals."""


def read_year(text: str) -> int | None:
    """2025, 25, 二零二五, 二五 -> 2025; None outside the years that make sense here."""
    year = int(text) if text.isdecimal() else read_numeral(text)
    if year is None:
        year = int("".join(str(DIGITS.index(letter)) for letter in text))
    year += 2000 if year < 100 else 0
    return year if EARLIEST_YEAR <= year <= LATEST_YEAR else None


def _read_calendar_date(match: Match) -> Meaning | None:
    parts = match.groupdict()
    if match[0] in _LUNAR_DAYS:
        return NoDate()
    year = read_year(parts["year"]) if parts.get("year") else None
    if parts.get("year") and year is None:
        return NoDate()
    said_day = parts.get("day") or parts.get("bare")
    part = parts.get("part")
    return CalendarDate(
        year=year,
        years=YEAR_WORDS[parts["years"]] if parts.get("years") else None,
        month=read_numeral(parts["month"]) if parts.get("month") else None,
        months=_month_shift(parts["months"]) if parts.get("months") else None,
        day=(read_numeral(said_day) or 0) if said_day else None,
        part=_MONTH_PARTS[part.removeprefix("月")] if part else None,
    )


def _month_shift(prefix: str) -> int:
    return 0 if prefix in ("这", "本", "当") else week_shift(prefix)


def _read_same_day(match: Match) -> Meaning:
    """去年今天, 上个月的今天."""
    if match["years"]:
        return Shift("day", months=12 * YEAR_WORDS[match["years"]])
    return Shift("day", months=week_shift(match["months"]))


_BARE_DAY_FOLLOWS = "(?![线楼店院粮桌机房诊色码门馆医针球电池游龄内元本语])"
_BARE_DAY = rf"(?:(?:3[01]|[12]\d|[1-9])(?=[号日])|(?:{_NUMBER}|二?十[一二三四五六七八九]?|三十一?)(?=号))"
FULL_DATE_RULES = (
    rule(
        "12",
        r"(?<![\d./-])(?P<year>\d{4}|2\d(?=[-/.]\d))[-/.年] ?(?P<month>\d{1,2})[-/.月] ?(?P<day>\d{1,2})"
        r"(?![\d./])(?: ?[号日])?",
        _read_calendar_date,
    ),
    rule(
        "2",
        r"(?<![\d.])(?P<year>20\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)",
        _read_calendar_date,
    ),
    rule("前去明上下", "(?:(?P<years>前年|去年|明年)|(?P<months>上|下)个月)的?今[天日]", _read_same_day),
)
MONTH_RULES = (
    rule("大前去今本明后" + NUMERAL_STARTS, f"{_YEAR}的? ?{_MONTH}的? ?{_DAY}?(?!龄)", _read_calendar_date),
    rule("上下这本当" + NUMERAL_STARTS, f"{_MONTH}(?![龄大])的? ?{_DAY}?", _read_calendar_date),
    rule("月中上下", "(?P<part>(?<![个来多几])月[初底末尾头中]|[上中下]旬)(?![医药])", _read_calendar_date),
    rule("前去今明大后", _YEAR_WORD, _read_calendar_date),
    rule("12", r"(?<!\d)(?P<year>20\d\d|19[89]\d)年", _read_calendar_date),
    rule(
        NUMERAL_STARTS,
        rf"(?<![第尾编型座订单门牌\da-z.#\-/])(?P<day>{_BARE_DAY})[号日]{_BARE_DAY_FOLLOWS}",
        _read_calendar_date,
    ),
)
