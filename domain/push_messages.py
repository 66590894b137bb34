"""The words of a subscribe message: pure, fitted to the limits of WeChat's templates."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

THING_LIMIT = 20  # of a `thing` field; counted in UTF-16 units, the strictest reading of WeChat's "characters"
CHINA = ZoneInfo("Asia/Shanghai")  # WeChat shows times without a zone; its owners live by this one
NEUTRAL_SUBJECT = "毛孩子"

_JOINERS = re.compile("[\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\U000e0000-\\U000e007f]")
_PICTURES = re.compile("[\\u2190-\\u21ff\\u2300-\\u27bf\\u2b00-\\u2bff\\U0001f000-\\U0001faff]")


@dataclass(frozen=True, slots=True)
class Template:
    """One subscribe template: our word for it, WeChat's id, and WeChat's key for each of our three fields.

    key: `confirmation`, `reminder` or `follow_up`. title: what the owner is asked to allow. page: what a tap opens.
    """

    key: str
    template_id: str
    title: str
    subject: str = "thing1"
    about: str = "thing2"
    at: str = "time3"
    page: str = "pages/inbox/index"


@dataclass(frozen=True, slots=True)
class Words:
    """What one push says: whom it is about, what, and when that is. Owners' own text, not yet fitted."""

    subject: str
    about: str
    at: datetime


def digest(subjects: Sequence[str], titles: Sequence[str], at: datetime) -> Words:
    """One push for several prompts, in their order; a single prompt speaks for itself."""
    names = list(dict.fromkeys(name for name in subjects if name))
    about = titles[0] if len(titles) == 1 else f"{len(titles)}条：{titles[0]}"
    return Words("、".join(names) or NEUTRAL_SUBJECT, about, at)


def fields_of(template: Template, words: Words) -> Mapping[str, str]:
    """Every key of the template, fitted and never empty."""
    return {
        template.subject: thing(words.subject, NEUTRAL_SUBJECT),
        template.about: thing(words.about, template.title),
        template.at: time_text(words.at),
    }


def thing(text: str, otherwise: str) -> str:
    """A `thing` value: no pictures, joiners or control characters, cut to 19 units and "…"."""
    plain = _PICTURES.sub("", _JOINERS.sub("", unicodedata.normalize("NFC", text)))
    plain = " ".join("".join(" " if unicodedata.category(mark)[0] == "C" else mark for mark in plain).split())
    if not plain:
        return otherwise
    return plain if _units(plain) <= THING_LIMIT else _cut(plain, THING_LIMIT - 1) + "…"


def time_text(at: datetime) -> str:
    """A `time` value. WeChat refuses ISO 8601."""
    local = at.astimezone(CHINA)
    return f"{local.year}年{local.month}月{local.day}日 {local:%H:%M}"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _cut(text: str, units: int) -> str:
    while _units(text) > units:
        text = text[:-1]
    return text
