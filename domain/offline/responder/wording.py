"""How a rule-based answer words things: dates and how long ago, quoted lines, lists."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal

DatePrecision = Literal["day", "month", "year"]

MAX_QUOTE = 120  # characters of one quoted line; a memory is a line, not a page
DAYS_AS_DAYS = 14  # up to here days are counted
DAYS_AS_WEEKS = 60  # up to here weeks
MONTHS_AS_MONTHS = 24  # from here on years
DAYS_A_MONTH = 30.44  # mean length, for "about N months"

_STAMP = re.compile(
    r"[（(\s@]*(?P<year>(?:19|20)\d{2})(?:[-年/.](?P<month>\d{1,2})(?:[-月/.](?P<day>\d{1,2})日?|月)?|年)[)）]?$"
)
_OPEN_NUMBER = re.compile(r"\d[\d.,．，]*$")
_NUMBER_GOES_ON = re.compile(r"[\d.,．，]")
_TALKED_IN = re.compile(
    r"(?:哦?对了|噢|哦|话说(?:回来)?|顺便(?:说|提)一下|补充一下|说起来|忘了说)[,，、:：\s]*"
    r"|(?:(?<=^)|(?<=[,，、:：\s]))(?:请?(?:记住|记一下|记下来?|记得)[,，、:：\s]+|其实[,，\s]*)"
)
_OF_THAT_DAY = re.compile(
    r"(?<![从自到比跟和同像至])(?:(?:大前|前|昨|今|当)(?:天|日)|明天|大?后天|刚才|刚刚"
    r"|(?:上上?|这|本|下)(?:个)?(?:周|星期|礼拜)[一二三四五六日天末])(?!起|开始|之[前后]|以[前后]|往)(?:的时候)?[,，\s]*"
)
_THAT_NIGHT = re.compile(r"(?<![从自到比])[昨今当](?=(?:晚上|夜里|早上|早晨))")
_HALF_DAY = {"晚": "晚上", "夜": "夜里", "早": "早上", "晨": "早晨"}
_HALF_SAID = re.compile(r"(?<![从自到比])[昨今当]([晚夜早晨])(?![上里间晨])(?!起|开始)")
_GUESSED = re.compile(r"(?:我记得)?(?:好像|似乎|貌似|感觉|大概|也许)(?:是)?")
_CONTROL = re.compile(r"[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff]+")
_END = re.compile(r"[\s。．.！!；;，,、~～]+$")


@dataclass(frozen=True, slots=True)
class Dated:
    """A day as far as it is known; `day` is the first one of a month or year."""

    day: date
    precision: DatePrecision = "day"

    @property
    def text(self) -> str:
        """2025年12月8日, 2025年12月 or 2025年."""
        if self.precision == "year":
            return f"{self.day.year}年"
        month = f"{self.day.year}年{self.day.month}月"
        return month if self.precision == "month" else f"{month}{self.day.day}日"


def cut_stamp(text: str) -> tuple[str, Dated | None]:
    """A line without the date it ends with, and that date: 豆豆洗牙（2025年3月1日）, 豆豆洗牙（2025-03-01）."""
    match = _STAMP.search(text)
    if match is None or match.start() == 0:
        return text, None
    month, day = match["month"], match["day"]
    try:
        first = date(int(match["year"]), int(month or 1), int(day or 1))
    except ValueError:
        return text, None
    return text[: match.start()], Dated(first, "day" if day else "month" if month else "year")


def plain(text: str) -> str:
    """Somebody's text as one plain line: no line breaks or control characters, no closing stop, not endless."""
    line = _END.sub("", _CONTROL.sub(" ", text).strip())
    return line if len(line) <= MAX_QUOTE else cut_words(line, MAX_QUOTE) + "…"


def retold(text: str, *, dated: bool = False, guessed: bool = False) -> str:
    """A line as one tells it later: without 哦对了, 记住, 其实; the rest as it stands.

    dated: its day is shown behind it, so 今天 and 昨天, true when they were said, are left out. guessed: it is told as
    a guess, so its own 好像 is one too many.
    """
    told = _TALKED_IN.sub("", text)
    if dated:
        told = _THAT_NIGHT.sub("", _HALF_SAID.sub(lambda found: _HALF_DAY[found[1]], _OF_THAT_DAY.sub("", told)))
    if guessed:
        told = _GUESSED.sub("", told)
    return told.strip("，, ") or text


def without_day(text: str, day: date) -> str:
    """A line without the day that is shown behind it: 8月20日打了疫苗 → 打了疫苗; the end of 到8月20日 stays."""
    own = rf"(?<![到至是在于\d年])(?:{day.year}年)?0?{day.month}月0?{day.day}[日号]?(?!\d)"
    return re.sub(own, "", text, count=1)


def cut_words(text: str, length: int) -> str:
    """The first characters of a text; a number is never cut in two, it would be another number."""
    cut = text[:length]
    return _OPEN_NUMBER.sub("", cut) if _NUMBER_GOES_ON.match(text, length) else cut


def how_far(dated: Dated, today: date) -> str:
    """昨天, 9天前, 大约11个月前, 还有3天; "" where the date is too coarse to say."""
    days = (today - dated.day).days
    if dated.precision == "year":
        return _whole_years(today.year - dated.day.year)
    if dated.precision == "month":
        months = (today.year - dated.day.year) * 12 + today.month - dated.day.month
        return _months(months) if months > 0 else ""
    return _days(days) if days >= 0 else f"还有{-days}天"


def _days(days: int) -> str:
    if days <= 2:
        return ("今天", "昨天", "前天")[days]
    if days <= DAYS_AS_DAYS:
        return f"{days}天前"
    if days <= DAYS_AS_WEEKS:
        return f"大约{round(days / 7)}周前"
    return _months(round(days / DAYS_A_MONTH))


def _months(months: int) -> str:
    return f"大约{months}个月前" if months < MONTHS_AS_MONTHS else _whole_years(months // 12)


def _whole_years(years: int) -> str:
    return f"大约{years}年前" if years > 0 else ""


def with_distance(dated: Dated, today: date) -> str:
    """2025年12月8日（大约11个月前）"""
    distance = how_far(dated, today)
    return f"{dated.text}（{distance}）" if distance else dated.text


def joined(parts: Iterable[str], mark: str = "；") -> str:
    """Different parts in order, joined."""
    return mark.join(dict.fromkeys(part for part in parts if part))


def or_list(names: Iterable[str]) -> str:
    """豆豆还是咪咪; 豆豆、咪咪还是团团"""
    listed = list(dict.fromkeys(names))
    return listed[0] if len(listed) == 1 else "、".join(listed[:-1]) + "还是" + listed[-1]
