"""The words for what repeats: 每三个月, 隔天, 每周一三五, 一天三次, 工作日, bid."""

import re

from domain.dates.amounts import AMOUNT, read_amount
from domain.dates.meanings import Meaning, Repeat
from domain.dates.readings import Recurrence, Unit
from domain.dates.rules import NUMERAL_STARTS, Match, rule
from domain.dates.script import NUMERAL, read_numeral
from domain.dates.week_words import COUNTED, WEEK, WEEKDAYS

_WORKDAYS, _WEEKEND = (1, 2, 3, 4, 5), (6, 7)
_DAYS = "[一二三四五六日天1-7]"
_DAY_LIST = (
    f"(?P<first>[一二三四五六日天末1-7])(?P<more>(?:[、和,及跟 ]?{WEEK}?{_DAYS}){{0,6}})"
    f"(?:[到至~-]{WEEK}?(?P<last>{_DAYS}))?{COUNTED}"
)
_MONTH_DAY = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})[号日]?"
_MONTH_DAYS = rf"(?P<days>{_MONTH_DAY}(?:(?:[、和,及跟 ]{{1,2}}|(?<=号)){_MONTH_DAY}){{0,5}})(?<=[号日])"
_TIMES = rf"(?P<times>{NUMERAL})(?:次|回|遍|顿|餐)"
_GAP = r"[^\d零一二三四五六七八九十百两俩仨半了没过前后内早晚中上下午夜点,。!?;、 ]{0,4}"
_LATIN: dict[str, Recurrence] = {
    "sid": Recurrence(1, "day", times_per_day=1),
    "qd": Recurrence(1, "day", times_per_day=1),
    "bid": Recurrence(1, "day", times_per_day=2),
    "tid": Recurrence(1, "day", times_per_day=3),
    "qid": Recurrence(1, "day", times_per_day=4),
    "eod": Recurrence(2, "day"),
    "qod": Recurrence(2, "day"),
    "qw": Recurrence(1, "week"),
}


def _step(match: Match) -> tuple[int, Unit] | None:
    """How far apart the repeats are: 三个月 -> (3, month), 半年 -> (6, month), 半个月 -> (15, day)."""
    amount = read_amount(match)
    if amount is None or (amount.minutes and amount.minutes % 60):
        return None
    if amount.minutes:
        return amount.minutes // 60, "hour"
    if amount.months and amount.days:
        return None
    if amount.unit == "month" and amount.days:
        return amount.days, "day"
    count = {"day": amount.days, "week": amount.days // 7, "month": amount.months, "year": amount.months // 12}
    return (count[amount.unit], amount.unit) if count[amount.unit] else None


def _read_every(match: Match) -> Meaning | None:
    """每三个月, 每8小时, 每隔两天 (every third day), 每天两次."""
    step = _step(match)
    if step is None:
        return None
    every, unit = step
    if match["gap"] and unit in ("day", "week"):  # 隔两天: two days lie between
        every += 1
    elif match["gap"] and every == 1 and unit in ("month", "year"):
        every = 2
    return Repeat(Recurrence(every, unit, times_per_day=_times_a_day(match, every, unit)))


def _times_a_day(match: Match, every: int, unit: Unit) -> int | None:
    said = match.groupdict().get("times")
    return read_numeral(said) if said and (every, unit) == (1, "day") else None


_ONE_UNITS: dict[str, tuple[int, Unit]] = {
    **dict.fromkeys(("天", "日"), (1, "day")),
    **dict.fromkeys(("周", "星期", "礼拜"), (1, "week")),
    "月": (1, "month"),
    "季度": (3, "month"),
    "季": (3, "month"),
    "年": (1, "year"),
    **dict.fromkeys(("小时", "钟头"), (1, "hour")),
}


def _read_each(match: Match) -> Meaning | None:
    """每天, 每周, 每个月, 每季度, 隔天, 隔周."""
    every, unit = _ONE_UNITS[match["one"]]
    if match["gap"]:
        every = every + 1 if unit != "hour" else every
    return Repeat(Recurrence(every, unit, times_per_day=_times_a_day(match, every, unit)))


def _weekdays(match: Match) -> tuple[int, ...]:
    if match["first"] == "末":
        return _WEEKEND
    days = {WEEKDAYS[match["first"]]} | {WEEKDAYS[letter] for letter in match["more"] if letter in WEEKDAYS}
    if match["last"]:
        days |= set(range(max(days), WEEKDAYS[match["last"]] + 1))
    return tuple(sorted(days))


def _read_weekdays(match: Match) -> Meaning | None:
    said = match.groupdict()
    every = 1
    if said.get("count"):
        every = read_numeral(said["count"]) or 0
    if said.get("second"):
        every = 2
    return Repeat(Recurrence(every, "week", weekdays=_weekdays(match))) if every else None


def _read_weekday_list(match: Match) -> Meaning | None:
    """周一三五 without 每 is a habit; one weekday, or 周二和周四 of one week, is not."""
    return Repeat(Recurrence(1, "week", weekdays=_weekdays(match)))


def _month_days(text: str) -> tuple[int, ...] | None:
    days = [read_numeral(word) for word in re.findall(r"\d{1,2}|[一二三四五六七八九十]{1,3}", text)]
    known = sorted({day for day in days if day is not None and 1 <= day <= 31})
    return tuple(known) if known and len(known) == len(set(days)) else None


def _read_month_days(match: Match) -> Meaning | None:
    every = read_numeral(match["count"]) if match["count"] else 1
    days = _month_days(match["days"])
    return Repeat(Recurrence(every, "month", days=days)) if every and days else None


def _read_month_edge(match: Match) -> Meaning:
    return Repeat(Recurrence(1, "month", days=(1,) if match["edge"] in ("初", "头") else (-1,)))


def _read_nth_weekday(match: Match) -> Meaning | None:
    nth = -1 if match["nth"] == "最后一" else read_numeral(match["nth"].removeprefix("第"))
    return Repeat(Recurrence(1, "month", weekdays=(WEEKDAYS[match["first"]],), nth=nth))


def _read_yearly(match: Match) -> Meaning | None:
    every = read_numeral(match["count"]) if match["count"] else 1
    month = read_numeral(match["month"])
    days = _month_days(match["days"]) if match["days"] else ()
    if not every or month is None or not 1 <= month <= 12 or days is None:
        return None
    return Repeat(Recurrence(every, "year", month=month, days=days))


def _read_per(match: Match) -> Meaning | None:
    """一天三次, 三个月一次, 两周洗一次; 两天三次 has no even step."""
    step, times = _step(match), read_numeral(match["times"])
    if step is None or not times:
        return None
    if step == (1, "day"):
        return Repeat(Recurrence(1, "day", times_per_day=times))
    return Repeat(Recurrence(*step)) if times == 1 or step[0] == 1 else None


def _read_two_ends(match: Match) -> Meaning | None:
    """早七晚九: twice a day, at these hours."""
    morning, evening = read_numeral(match[1]), read_numeral(match[3])
    if morning is None or evening is None or not (4 <= morning <= 12 and 4 <= evening <= 12):
        return None
    times = (f"{morning:02}:{'30' if match[2] else '00'}", f"{(evening % 12) + 12:02}:{'30' if match[4] else '00'}")
    return Repeat(Recurrence(1, "day", times=times))


_SAME_HOURS = {None: "00", "半": "30", "一刻": "15", "三刻": "45", "整": "00"}


def _read_same_hour(match: Match) -> Meaning | None:
    """早晚8点: twice a day, at this hour of the morning and of the evening."""
    hour, minute = read_numeral(match["hour"]), _SAME_HOURS[match["part"]]
    if hour is None or not 4 <= hour <= 12:
        return None
    return Repeat(Recurrence(1, "day", times=(f"{hour:02}:{minute}", f"{(hour % 12) + 12:02}:{minute}")))


def _read_latin(match: Match) -> Meaning | None:
    if match["hours"]:
        hours = int(match["hours"])
        return Repeat(Recurrence(hours, "hour")) if hours else None
    return Repeat(_LATIN[match["word"]])


_HOUR_WORD = r"(?:\d{1,2}|十[一二]?|[四五六七八九])"
REPEAT_RULES = (
    rule("每", rf"每个?月的?(?P<nth>第[一二三四1-4]|最后一)个?{WEEK}(?P<first>[一二三四五六日天])", _read_nth_weekday),
    rule("每逢", rf"(?:每逢|每|逢)(?P<count>{NUMERAL})?个?{WEEK}的?(?:{WEEK})?{_DAY_LIST}", _read_weekdays),
    rule("隔双单", rf"(?P<second>每?隔|双|单)(?:一?个?{WEEK})的?(?:{WEEK})?{_DAY_LIST}", _read_weekdays),
    rule("每逢", r"(?:每个?|逢)(?:周末|双休日)", lambda _match: Repeat(Recurrence(1, "week", weekdays=_WEEKEND))),
    rule("每工平", r"(?:每个?|平时)?工作日|平日", lambda _match: Repeat(Recurrence(1, "week", weekdays=_WORKDAYS))),
    rule(
        "周星礼",
        rf"(?<![上下这本大每隔个]){WEEK}(?P<first>一)(?P<more>)(?:到|至|-|~){WEEK}?(?P<last>五)(?=[早晚上下中都每天一]|\d{{1,2}}[点:])",
        _read_weekday_list,
    ),
    rule(
        "周星礼",
        rf"(?<![上下这本大一二三四五六七八九两几\d个]){WEEK}(?P<first>[一二三四五六])(?P<more>[、,]?[二三四五六日](?:[、,]?[二三四五六日]){{0,4}})(?P<last>(?!))?{COUNTED}(?![个天点百千十])",
        _read_weekday_list,
    ),
    rule(
        "每",
        rf"每(?P<count>{NUMERAL})?年的?(?P<month>\d{{1,2}}|十[一二]|[一二三四五六七八九十])月份?(?:{_MONTH_DAYS})?",
        _read_yearly,
    ),
    rule("每", rf"每隔?(?P<count>{NUMERAL})?个?月的?{_MONTH_DAYS}", _read_month_days),
    rule("每", r"每个?月的?月?(?P<edge>初|头|底|末|尾|最后一天)", _read_month_edge),
    rule(
        "每间隔",
        rf"(?:每间?|间)?(?P<gap>隔)?(?<=[每隔])(?:{AMOUNT})(?!龄)(?:{_GAP}{_TIMES})?(?![前后再]|之[前后]|以[前后])",
        _read_every,
    ),
    rule("每", r"每个?(?=[早晚夜]|上午|下午|中午|傍晚|凌晨)", lambda _match: Repeat(Recurrence(1, "day"))),
    rule(
        "每隔",
        rf"每?(?P<gap>隔)?(?<=[每隔])(?P<one>天|日|周|星期|礼拜|月|季度?|年)(?![就又])(?:{_GAP}{_TIMES})?",
        _read_each,
    ),
    rule("每", rf"每(?P<gap>(?!))?个(?P<one>小时|钟头|周|星期|礼拜|月|季度)(?:{_GAP}{_TIMES})?", _read_each),
    rule(
        "天日",
        rf"(?:天天|日日)(?:{_GAP}(?P<times>{NUMERAL})(?:次|顿))?",
        lambda match: Repeat(
            Recurrence(1, "day", times_per_day=read_numeral(match["times"]) if match["times"] else None)
        ),
    ),
    rule(NUMERAL_STARTS + "半", rf"(?<![第.\d])(?:{AMOUNT})(?:{_GAP}){_TIMES}", _read_per),
    rule(
        "日",
        rf"(?<![今明昨每一\d周])日{_TIMES}",
        lambda match: Repeat(Recurrence(1, "day", times_per_day=read_numeral(match["times"]))),
    ),
    rule(
        "早", rf"早({_HOUR_WORD})点?(半)?[、,和 ]?晚({_HOUR_WORD})点?(半)?(?![个片颗粒g克勺袋包次.\d])", _read_two_ends
    ),
    rule(
        "早",
        rf"早上?[、和跟 ]?晚上?(?:各|都|的)?(?P<hour>{_HOUR_WORD})点钟?(?P<part>半|一刻|三刻|整)?(?![多\d])",
        _read_same_hour,
    ),
    rule(
        "早",
        r"早[、 ]?中[、 ]?晚(?:上|饭后?)?(?=[各都三一喂吃])",
        lambda _match: Repeat(Recurrence(1, "day", times_per_day=3)),
    ),
    rule("早", "(?<=每天|每日|天天)早[、 ]?晚", lambda _match: Repeat(Recurrence(1, "day", times_per_day=2))),
    rule(
        "早一",
        r"(?:早[、 ]?晚|早上?(?:和|、)晚上?|一早一晚)(?=[各都两一喂吃遛])|一早一晚",
        lambda _match: Repeat(Recurrence(1, "day", times_per_day=2)),
    ),
    rule("sbtqeo", rf"(?<![a-z])(?:(?P<word>{'|'.join(_LATIN)})|q(?P<hours>\d{{1,2}})h)(?![a-z\d])", _read_latin),
)
