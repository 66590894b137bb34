"""The words for weeks and their days: 周三, 上上周五, 这周末, 下个礼拜."""

from domain.dates.meanings import Meaning, Week, Weekday, Weekend
from domain.dates.rules import Match, rule

WEEK = "(?:周|星期|礼拜)"
WEEKDAYS = {**{day: place for place, day in enumerate("一二三四五六日", 1)}, "天": 7}
WEEKDAYS |= {str(day): day for day in range(1, 8)}
_PREFIX = "(?P<week>上{1,4}|下{1,4}|大{1,2}[上下]|这|本)一?个?"
COUNTED = r"(?![次顿片颗粒遍针包袋罐]|回(?![去来家诊访院老店医]))(?!(?:百|千|十(?![一二]?点)|[公千]?斤|kg|块钱|元))"
"""After a weekday: not the first character of a count (周一次, 周二百)."""


def week_shift(prefix: str) -> int:
    """上 -1, 上上 -2, 大上 -2, 这 0, 下下下 3."""
    if prefix in ("这", "本"):
        return 0
    return len(prefix) if "下" in prefix else -len(prefix)


def _read_weekday(match: Match) -> Meaning | None:
    week = week_shift(match["week"]) if match["week"] else None
    if match["day"] == "末" or len(match["day"]) > 1:  # 周六日
        return Weekend(week)
    return Weekday(WEEKDAYS[match["day"]], week)


WEEK_RULES = (
    rule(
        "上下大这本周星礼",
        rf"(?:{_PREFIX}|(?<![一二三四五六七八九十两几\d每隔四])){WEEK}(?P<day>六[、和]?{WEEK}?[日天]|[一二三四五六日天末1-7]){COUNTED}",
        _read_weekday,
    ),
    rule("上下大这本", f"{_PREFIX}{WEEK}(?![岁年围])", lambda match: Week(week_shift(match["week"]))),
)
