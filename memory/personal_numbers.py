"""Masks for what must not stand in a memory line: phone and identity numbers keep their ends, a house its street.

They live encrypted in typed fields; lines, evidence, records, prompts and vectors carry the mask. Pure.
"""

import re
from collections.abc import Mapping
from typing import Any

from memory.text_folding import fold_text

_PHONE = re.compile(r"(?<![0-9])(?:\+?86[- ]?)?1[3-9][0-9]([- ]?[0-9]{4}[- ]?)[0-9]{4}(?![0-9])")
_LANDLINE = re.compile(r"(?<![0-9])0[0-9]{2,3}[- ]([0-9]{3,4})[0-9]{4}(?![0-9])")
_IDENTITY = re.compile(r"(?<![0-9])[0-9]{3}([0-9]{11})[0-9]{3}[0-9x](?![0-9a-z])")

_UNIT = r"(?:号院|号楼|号|弄|栋|幢|座|单元|层|楼|室)"
_MORE = rf"(?:[- ]?[0-9]{{1,5}}{_UNIT}?){{0,4}}"
_STREET = re.compile(rf"[一-鿿]{{2}}(?<![逛上一])(?:路|街|大道|巷|胡同)([0-9]{{1,5}}{_UNIT}{_MORE})")
_ESTATE = re.compile(
    r"(?:小区|花园|公寓|家园|新村|大厦|苑)"
    rf"((?:[0-9]{{1,4}}[- ]?)?[0-9]{{1,4}}(?:号楼|栋|幢|座|单元|室){_MORE})"
)
_DOOR = re.compile(r"([0-9]{1,4}(?:号楼|栋|幢|座)[- ]?(?:[0-9]{1,3}单元[- ]?)?[0-9]{2,5}室?)(?![0-9])")

_ID = re.compile(r"(?<![0-9a-f-])([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![0-9a-f-])")

_DIGIT = re.compile("[0-9]")
_NUMBERS = (_IDENTITY, _PHONE, _LANDLINE)
_ADDRESSES = (_STREET, _ESTATE, _DOOR)


def mask_numbers(text: str) -> str:
    """我电话13812345678 → 我电话138****5678; 住建国路88号3单元 → 住建国路**号*单元. Other words stay as written."""
    folded = fold_text(text)
    if not _DIGIT.search(folded):  # most of what is said has no number, and prompts are long
        return text
    for pattern in (*_NUMBERS, *_ADDRESSES):
        if pattern.search(folded):
            text = _masked(text, folded, pattern, whole=pattern in _NUMBERS)
            folded = fold_text(text)
    return text


def mask_value(value: Any) -> Any:
    """The same JSON-ready value with every text in it masked; an id of ours is none, whatever its digits look like."""
    if type(value) is str:  # the words of our vocabularies stay what they are
        pieces = _ID.split(value)
        return "".join(piece if place % 2 else mask_numbers(piece) for place, piece in enumerate(pieces))
    if isinstance(value, Mapping):
        return {name: mask_value(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [mask_value(one) for one in value]
    return value


def _masked(text: str, folded: str, pattern: re.Pattern[str], *, whole: bool) -> str:
    """Hide the group of every find. whole: all of it as one run of stars without separators, else digit by digit."""
    parts, done = [], 0
    for found in pattern.finditer(folded):
        start, end = found.span(1)
        hidden = text[start:end]
        digits = sum(character.isdecimal() for character in hidden)
        parts += [text[done:start], "*" * digits if whole else re.sub(r"\d", "*", hidden)]
        done = end
    return "".join((*parts, text[done:]))
