"""What WeChat accepts in each field of a subscribe message, read from its manual."""

import re

_DAY = r"(\d{4}年\d{1,2}月(\d{1,2}日)?|\d{1,2}月\d{1,2}日|\d{4}[-/.]\d{1,2}([-/.]\d{1,2})?)"
_HOUR = r"([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?"
_TIME = rf"({_DAY} ?)?{_HOUR}"
_DATE = rf"{_DAY}( ?{_HOUR})?"

RULES: dict[str, str] = {
    "number": r"(?=.{1,32}\Z)-?\d+(\.\d+)?",
    "letter": r"[A-Za-z]{1,32}",
    "character_string": r"[\x20-\x7e]{1,32}",
    "time": rf"{_TIME}( ?~ ?{_TIME})?",
    "date": rf"{_DATE}( ?~ ?{_DATE})?",
    "amount": r"[¥￥$€£]?\d{1,10}(\.\d{1,2})?元?",
    "phone_number": r"[\d+\-]{1,17}",
    "car_number": r"[\u4e00-\u9fffA-Za-z0-9]{1,8}",
    "name": r"[\u4e00-\u9fff·]{1,10}|[\x20-\x7e]{1,20}",
    "phrase": r"[\u4e00-\u9fff]{1,5}",
}


def type_of(key: str) -> str:
    """`thing12` → `thing`."""
    return key.rstrip("0123456789")


def acceptable(key: str, value: str, choices: list[str] | None = None) -> bool:
    """Whether a value fits its field. `thing` counts UTF-16 units, the strictest reading of "character"."""
    kind = type_of(key)
    if kind == "thing":
        return 1 <= len(value.encode("utf-16-le")) // 2 <= 20 and not re.search(r"[\x00-\x1f\x7f]", value)
    if kind == "symbol":
        return re.fullmatch(r"[^\w\s]{1,5}", value) is not None
    if kind == "enum":
        return value in (choices or [])
    return kind in RULES and re.fullmatch(RULES[kind], value, re.ASCII) is not None
