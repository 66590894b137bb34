"""How often, how much and when, as owners word a habit: 每两周洗一次, 一个月洗一回, 一天下楼三次, 早晚各120克.

Two lines about one habit that tell another rhythm, amount or hour cannot both be how it is.
"""

import re
from collections import defaultdict
from functools import lru_cache

from memory.numerals import AND_A_HALF
from memory.text_folding import fold_text

_NUMBERS = {
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
    "半": 0.5,
}
_DAYS = {"天": 1, "日": 1, "晚": 1, "早": 1, "周": 7, "星期": 7, "礼拜": 7, "月": 30, "年": 365}
_NUMBER = r"(?:\d+(?:\.\d+)?|[一二两三四五六七八九十半])"
_AND_A_HALF = f"(?P<half>{AND_A_HALF})?"
_PERIOD = re.compile(
    rf"(?:每(?:隔)?|隔|一|(?P<lead>{_NUMBER}))(?P<count>{_NUMBER})?个?(?P<unit>天|日|晚|早(?!上)|周(?![一二三四五六日末])|星期|礼拜|月)"
    rf"(?P<between>[^,，。;；\d]{{0,6}}?)(?P<times>{_NUMBER})(?:次|回|遍|顿|餐|趟)"
)
_EVERY = re.compile(
    rf"(?:每(?:隔)?|隔)(?P<count>{_NUMBER})?个?(?P<unit>天|日|晚|周(?![一二三四五六日末])|星期|礼拜|月)"
    rf"|(?P<lead>{_NUMBER})个?(?P<span>天|周|星期|礼拜|月)(?=(?:才|只)?(?:吃|喂|洗|剪|打|滴)?[一1](?!天|周|个|日))"
)
_DAILY = re.compile(r"天天|每天都?(?!\s?[\d一二两三四五六])|日日|见天")
_DEEDS = re.compile(r"顿|饭|下楼|散步|出门|遛|趟|洗|剪|喂|梳|刷|吃|玩|铲|换|泡|擦|滴|掏|睡|喝|称|驱|体检|跑|游")
_AMOUNT = re.compile(
    rf"(?P<number>{_NUMBER})\s?整?(?P<unit>克|g|勺|罐|杯|袋|毫升|ml|粒|颗|片|分钟|小时|个小时|公里|圈){_AND_A_HALF}"
)
_BARE_AMOUNT = re.compile(
    r"(?:[成到为至各]|早上?|晚上?|中午|每[顿餐]|一[顿餐]|那顿)\s?(\d{2,3})(?![\d.点号月日年:%]|\s?[a-z个次天])"
)
_DOSE = re.compile(rf"(?P<number>{_NUMBER})\s?(?P<unit>mg|毫克|ml|毫升|个?单位|iu|片|粒|颗|滴|支|包){_AND_A_HALF}")
_CLOCK = re.compile(rf"(?P<half>早上?|上午|中午|下午|傍晚|晚上?|凌晨|半夜)?(?P<hour>{_NUMBER}|十[一二])点(?P<part>半)?")
_ONCE = re.compile(r"[一1](?:次|回|遍|顿|趟)")
_DOSE_UNITS = {"毫克": "mg", "毫升": "ml", "iu": "单位"}
_UNITS = {"g": "克", "ml": "毫升", "个小时": "小时"}
MINUTES_AN_HOUR = 60
_LATE = ("下午", "傍晚", "晚", "晚上", "半夜")
_BY_MEALS = re.compile(r"早上?\s?\d{2,3}[^\d]{0,3}晚上?\s?\d{2,3}(?!\d|[点:：])")  # 早160晚140
_FEEDING = re.compile(r"罐|勺|杯|袋|顿|喂|粮|饭|餐|克|吃")


def shares_a_rhythm(known: str, said: str) -> bool:
    """Both tell how often the same thing is done."""
    ours, theirs = fold_text(said), fold_text(known)
    deeds = set(_DEEDS.findall(theirs)) & set(_DEEDS.findall(ours))
    return bool(deeds) and _times_a_day(ours) is not None and _times_a_day(theirs) is not None


def tells_a_rhythm(text: str) -> bool:
    """Whether a line tells how often."""
    return _times_a_day(fold_text(text)) is not None


def shares_an_amount(known: str, said: str) -> bool:
    """What is fed by weight or measure is changed: 晚上那顿减成90."""
    ours, theirs = fold_text(said), fold_text(known)
    changed = re.search(
        r"(?:减|加|改|增|降|换|调)(?:量)?(?:成|到|为|至)\s*[\d一二两三四五六七八九十半]", ours
    ) or re.search(r"还是|一直|照旧|(?:每天|每顿|一顿|一天|现在)(?:只|就|才)(?:喂|吃|给)", ours)
    return (
        changed is not None and bool(_amounts(theirs)) and bool(_FEEDING.search(ours)) and bool(_FEEDING.search(theirs))
    )


def amounts_differ(known: str, said: str) -> bool:
    """Whether an amount of the same unit is another one in what is said."""
    ours, theirs = _doses(fold_text(said)), _doses(fold_text(known))
    return any(ours[unit].isdisjoint(theirs[unit]) for unit in ours.keys() & theirs.keys())


def amounts_agree(known: str, said: str) -> bool:
    """Whether every unit that both tell has the same amount, and there is such a unit."""
    ours, theirs = _doses(fold_text(said)), _doses(fold_text(known))
    shared = ours.keys() & theirs.keys()
    return bool(shared) and all(ours[unit] == theirs[unit] for unit in shared)


def shares_a_deed(known: str, said: str) -> bool:
    """Both tell of doing the same thing (洗, 遛, 剪), however it is worded."""
    return bool(set(_DEEDS.findall(fold_text(known))) & set(_DEEDS.findall(fold_text(said))))


@lru_cache(maxsize=4096)
def figures_differ(known: str, said: str) -> bool:
    """Whether the same kind of figure (how often, how much, at what hour) is another one in what is said."""
    ours, theirs = _figures(fold_text(said)), _figures(fold_text(known))
    return any(ours[kind].isdisjoint(theirs[kind]) for kind in ours.keys() & theirs.keys())


@lru_cache(maxsize=4096)
def _figures(text: str) -> dict[str, frozenset[float]]:
    """All figures of a line by kind."""
    found: dict[str, frozenset[float]] = dict(_amounts(text))
    rhythm = _times_a_day(text)
    hours = frozenset(_hour(match) for match in _CLOCK.finditer(text))
    at_an_hour = rhythm == 1 and hours and _ONCE.search(text) is None  # 每天晚上八点吃饭 does not say how often
    if rhythm is not None and not at_an_hour:
        found["rhythm"] = frozenset({round(rhythm, 4)})
    if hours:
        found["hour"] = hours
    return found


def _times_a_day(text: str) -> float | None:
    told = _PERIOD.search(text)
    if told:
        period = _DAYS[told["unit"]] * _number(told["count"] or told["lead"] or "一")
        return _number(told["times"]) / period
    if _DAILY.search(text):
        return 1.0
    every = _EVERY.search(text)
    if every is None:
        return None
    if every["lead"]:
        return 1 / (_DAYS[every["span"]] * _number(every["lead"]))
    between = 1 if every[0].startswith("隔") and every["count"] is None else 0
    return 1 / (_DAYS[every["unit"]] * (_number(every["count"] or "一") + between))


def _amounts(text: str) -> dict[str, frozenset[float]]:
    by_unit: dict[str, set[float]] = defaultdict(set)
    for match in _AMOUNT.finditer(text):
        unit = _UNITS.get(match["unit"], match["unit"])
        minutes = MINUTES_AN_HOUR if unit == "小时" else 1
        by_unit["分钟" if unit == "小时" else unit].add(_amount(match) * minutes)
    if not by_unit and (_FEEDING.search(text) or _BY_MEALS.search(text)):
        by_unit["克"].update(_number(number) for number in _BARE_AMOUNT.findall(text))  # 早上120晚上90: grams of food
    return {unit: frozenset(numbers) for unit, numbers in by_unit.items() if numbers}


def _doses(text: str) -> dict[str, frozenset[float]]:
    by_unit: dict[str, set[float]] = defaultdict(set)
    for match in _DOSE.finditer(text):
        unit = match["unit"].removeprefix("个")
        by_unit[_DOSE_UNITS.get(unit, unit)].add(_amount(match))
    return {unit: frozenset(numbers) for unit, numbers in by_unit.items()}


def _amount(match: re.Match[str]) -> float:
    return _number(match["number"]) + (0.5 if match["half"] else 0)


def _hour(match: re.Match[str]) -> float:
    text = match["hour"]
    hour = 10 + _NUMBERS[text[1]] if len(text) == 2 and text[0] == "十" else _number(text)
    late = match["half"] in _LATE and hour < 12
    return hour + (12 if late else 0) + (0.5 if match["part"] else 0)


def _number(text: str) -> float:
    return float(_NUMBERS[text]) if text in _NUMBERS else float(text)
