"""What WeChat accepts in each field of a subscribe message, and how a text or a time is made to fit. Pure.

A field's name tells its type: `thing1`, `date2`, `phrase3`. The limits are those of WeChat's manual; it publishes no
patterns, so ours read it in the strictest way.
"""

import re
import unicodedata
from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

THING_LIMIT = 20  # of a `thing` field; counted in UTF-16 units, the strictest reading of WeChat's "characters"
CHARACTERS_LIMIT = 32  # of `character_string` and `letter`
LATIN_NAME_LIMIT, CHINESE_NAME_LIMIT, PHRASE_LIMIT = 20, 10, 5
CHINA = ZoneInfo("Asia/Shanghai")  # WeChat shows times without a zone; its owners live by this one

_JOINERS = re.compile("[\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\U000e0000-\\U000e007f]")
_PICTURES = re.compile("[\\u20e3\\u2190-\\u21ff\\u2300-\\u27bf\\u2b00-\\u2bff\\U0001f000-\\U0001faff]")
_NOT_CHINESE = re.compile("[^\\u4e00-\\u9fff]")
_NOT_ASCII = re.compile(r"[^\x20-\x7e]")
_NOT_LETTERS = re.compile(r"[^A-Za-z]")

_DAY = r"(?:\d{4}年\d{1,2}月(?:\d{1,2}日)?|\d{1,2}月\d{1,2}日|\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?)"
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?"
_MOMENT = rf"(?:{_DAY} ?)?{_CLOCK}"
_DATE = rf"{_DAY}(?: ?{_CLOCK})?"

ACCEPTED: dict[str, re.Pattern[str]] = {
    "thing": re.compile(r"[^\x00-\x1f\x7f]{1,20}"),
    "number": re.compile(r"(?=.{1,32}\Z)-?\d+(?:\.\d+)?", re.ASCII),
    "letter": re.compile(r"[A-Za-z]{1,32}"),
    "symbol": re.compile(r"[^\w\s]{1,5}"),
    "character_string": re.compile(r"[\x20-\x7e]{1,32}"),
    "time": re.compile(rf"{_MOMENT}(?: ?~ ?{_MOMENT})?", re.ASCII),
    "date": re.compile(rf"{_DATE}(?: ?~ ?{_DATE})?", re.ASCII),
    "amount": re.compile(r"[¥￥$€£]?\d{1,10}(?:\.\d{1,2})?元?", re.ASCII),
    "phone_number": re.compile(r"[\d+\-]{1,17}", re.ASCII),
    "car_number": re.compile(r"[\u4e00-\u9fffA-Za-z0-9]{1,8}"),
    "name": re.compile(r"[\u4e00-\u9fff·]{1,10}|[\x20-\x7e]{1,20}"),
    "phrase": re.compile(r"[\u4e00-\u9fff]{1,5}"),
}


def type_of(key: str) -> str:
    """`thing12` → `thing`."""
    return key.rstrip("0123456789")


def accepts(key: str, value: str) -> bool:
    """Whether WeChat takes this value in this field. A type that is not known takes nothing."""
    pattern = ACCEPTED.get(type_of(key))
    if pattern is None or pattern.fullmatch(value) is None:
        return False
    return type_of(key) != "thing" or _units(value) <= THING_LIMIT


def fitted_text(key: str, text: str, otherwise: str) -> str:
    """`text` as this field takes it, never empty; `otherwise` says the same in plain words. Raises KeyError."""
    fit = TEXT_FIELDS[type_of(key)]
    return fit(text) or fit(otherwise) or NOTHING_LEFT[type_of(key)]


def fitted_time(key: str, at: datetime) -> str:
    """A moment as this field takes it, in China's time. WeChat refuses ISO 8601. Raises KeyError."""
    return TIME_FIELDS[type_of(key)](at.astimezone(CHINA))


def thing(text: str, otherwise: str) -> str:
    """A `thing` value: no pictures, joiners or control characters, cut to 19 units and "…"."""
    return _thing(text) or otherwise


def time_text(at: datetime) -> str:
    """A `time` value."""
    return fitted_time("time", at)


def _thing(text: str) -> str:
    plain = _plain(text)
    return plain if _units(plain) <= THING_LIMIT else _cut(plain, THING_LIMIT - 1) + "…"


def _name(text: str) -> str:
    """Chinese names of ten, others of twenty characters; what mixes both counts as Chinese."""
    chinese = _NOT_CHINESE.sub("", text)[:CHINESE_NAME_LIMIT]
    return chinese or _NOT_ASCII.sub("", text).strip()[:LATIN_NAME_LIMIT].strip()


def _plain(text: str) -> str:
    plain = _PICTURES.sub("", _JOINERS.sub("", unicodedata.normalize("NFC", text)))
    return " ".join("".join(" " if unicodedata.category(mark)[0] == "C" else mark for mark in plain).split())


def _chinese_moment(local: datetime) -> str:
    return f"{local.year}年{local.month}月{local.day}日 {local:%H:%M}"


TEXT_FIELDS: dict[str, Callable[[str], str]] = {
    "thing": _thing,
    "name": _name,
    "phrase": lambda text: _NOT_CHINESE.sub("", text)[:PHRASE_LIMIT],
    "character_string": lambda text: _NOT_ASCII.sub("", text).strip()[:CHARACTERS_LIMIT].strip(),
    "letter": lambda text: _NOT_LETTERS.sub("", text)[:CHARACTERS_LIMIT],
}
"""Types of field that a text can go into."""

TIME_FIELDS: dict[str, Callable[[datetime], str]] = {
    "time": _chinese_moment,
    "date": _chinese_moment,
    "thing": _chinese_moment,
    "character_string": lambda local: f"{local:%Y-%m-%d %H:%M}",
}
"""Types of field that a moment can go into."""

NOTHING_LEFT = {"thing": "提醒", "name": "毛孩子", "phrase": "提醒", "character_string": "-", "letter": "PawSignal"}


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _cut(text: str, units: int) -> str:
    while _units(text) > units:
        text = text[:-1]
    return text
