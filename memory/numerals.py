"""Numbers in Chinese and in digits, read alike: 十二点五, 两百一, 半, 四分之一, 12.5."""

import re
from collections.abc import Iterator

DIGITS = {character: place for place, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10000}

_WRITTEN = re.compile(
    r"[二三四五六七八九十]分之[一二三四五六七八九]|\d+/\d+|\d+(?:\.\d+)?"
    r"|[零〇一二两三四五六七八九十百千万]+(?:点[零一二三四五六七八九]+)?|半"
)
AND_A_HALF = "半(?![天个年月小夜片粒颗])"
"""The half behind a unit (一粒半), as part of a pattern; 一粒半个月 counts months."""
_AND_A_HALF = re.compile(
    r"([一二两三四五六七八九十\d.]+)(?:公斤|千克|kg|斤|个|[片粒颗勺袋包支碗杯罐根条]|岁|年|天|月|小时)半"
)
_OUNCES = re.compile(r"([一二三四五六七八九])两")  # 六两 is 6, not 62
_TENTHS = re.compile(r"([一二两三四五六七八九十\d]+)(?:公斤|千克|kg|斤)([一二三四五六七八九\d])(?!\d)")


def numbers_in(folded: str) -> set[float]:
    """Every number that a folded text holds, and the weights it builds (六公斤一 is 6, 1 and 6.1)."""
    return {*_single_numbers(folded), *_built_numbers(folded)}


def _single_numbers(folded: str) -> Iterator[float]:
    for match in _WRITTEN.finditer(folded):
        number = read_number(match[0])
        if number is not None:
            yield number


def _built_numbers(folded: str) -> Iterator[float]:
    for match in _AND_A_HALF.finditer(folded):
        if (whole := read_number(match[1])) is not None:
            yield whole + 0.5
    for match in _OUNCES.finditer(folded):
        yield float(DIGITS[match[1]])
    for match in _TENTHS.finditer(folded):
        whole, tenths = read_number(match[1]), read_number(match[2])
        if whole is not None and tenths is not None:
            yield round(whole + tenths / 10, 4)


def read_number(text: str) -> float | None:
    """12, 12.5, 十二点五, 两百一, 半, 四分之一, 1/4 as a number; None when it is no number."""
    if "分之" in text:
        below, above = (read_number(part) for part in text.split("分之"))
        return above / below if above is not None and below else None
    if "/" in text:
        above_text, below_text = text.split("/")
        return int(above_text) / int(below_text) if int(below_text) else None
    if text == "半":
        return 0.5
    if text[:1].isdigit():
        return float(text)
    whole, _, decimals = text.partition("点")
    number = _chinese_integer(whole)
    if number is None or not decimals:
        return number
    return number + float("0." + "".join(str(DIGITS[ch]) for ch in decimals))


def _chinese_integer(text: str) -> float | None:
    if not text:
        return None
    if all(ch in DIGITS for ch in text):
        return float("".join(str(DIGITS[ch]) for ch in text))
    total, digit, last_power = 0, 0, 1
    for character in text:
        if character in DIGITS:
            digit = DIGITS[character]
        elif character in POWERS:
            last_power = POWERS[character]
            total, digit = total + (digit or 1) * last_power, 0
        else:
            return None
    return float(total + (digit * last_power // 10 if digit and last_power >= 100 and "零" not in text else digit))
