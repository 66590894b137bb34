"""Doses that differ by the time of the day: 早上2个单位，晚上1.5个单位 is one dose, and neither half alone. Pure."""

import re

from memory.text_folding import fold_text

_TIME = r"(?:早上|早晨|上午|中午|下午|傍晚|晚上|夜里|睡前|早|晚)"
_AMOUNT = r"(?:\d{1,4}(?:\.\d{1,3})?|[一二两三四五六半])\s?(?:个?单位|iu|片|粒|颗|ml|毫升|mg|毫克|滴|包|袋|支)半?"
_GIVEN = r"(?:饭[前后])?(?:各?[打吃喂滴用]|各)?\s?"
_ONE = rf"{_TIME}{_GIVEN}{_AMOUNT}"
_BY_TIME = re.compile(rf"{_ONE}(?:[,、\s和]?{_ONE}){{1,3}}")
_PART = re.compile(rf"(?P<time>{_TIME}){_GIVEN}(?P<amount>{_AMOUNT})")
_USUALLY = re.compile(
    rf"(?:平时|一般|通常|平常|原本|本来|医嘱)(?:是|都|只)?(?P<dose>(?:一次|每次|一天|每天)?{_AMOUNT})"
)
_DOSES = re.compile(_AMOUNT)
_TIMES = re.compile(rf"{_TIME}(?![就已点])")
_EACH = re.compile(r"^(?:每次|一次|各)")


def dose_by_time(text: str) -> str:
    """早上2个单位，晚上1.5个单位, where a text tells other amounts at other times of the day, else ""."""
    told = _BY_TIME.search(fold_text(text))
    return told[0].replace(",", "，") if told else ""


def usual_dose(text: str) -> str:
    """一次一片 of 今天吃了三片，平时一次一片; "" where no usual dose is told beside another."""
    told = _USUALLY.search(fold_text(text))
    return told["dose"] if told and len(_DOSES.findall(fold_text(text))) > 1 else ""


def changed_in_part(recorded: str, words: str, amount: str) -> str:
    """The dose on record with that one part changed which the words name (晚上改成2个单位).

    "" where the dose is the same all day, or the words name no time of the day, several, or a dose of their own.
    """
    whole, said = dose_by_time(recorded), {_of_the_day(time[0]) for time in _TIMES.finditer(fold_text(words))}
    named = [part for part in _PART.finditer(whole) if _of_the_day(part["time"]) in said]
    if not whole or not amount or len(named) != 1 or dose_by_time(words):
        return ""
    part = named[0]
    return whole[: part.start("amount")] + _EACH.sub("", amount) + whole[part.end("amount") :]


def _of_the_day(time: str) -> str:
    """早 of 早上 and 早晨; 上午, 下午 and 晚上 stay apart."""
    return time if time.endswith(("午", "前")) else time[0]
