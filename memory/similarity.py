"""The same-thing guard: which two lines may ever be merged, whatever an embedder thinks of them.

Two dates a day apart have a cosine of .99, and 4.2 kg looks like 4.5 kg. So likeness only proposes; different digits,
dates, units, negation, sides or pets decide that two lines are not the same thing. Measurements and dated events are
never merged at all. Chinese has no spaces, so likeness is counted on character bigrams.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass, Kind

REORDERED_WORDING = 0.75
"""Dice likeness from which two lines of exactly the same characters count as one wording in another order:
又软又香 against 又香又软 in a line of eleven characters is .80, a swap of subject and object is below .60."""

NEVER_MERGED = frozenset(
    {
        AttributeClass.WEIGHT,
        AttributeClass.SYMPTOM,
        AttributeClass.VISIT,
        AttributeClass.VACCINE,
        AttributeClass.DEWORMING,
    }
)
"""Classes whose rows are measurements or dated happenings: every one stays a row of its own."""

_FILLERS = "的地得了啦呀哦喔呢吧哈嘛啊哟"
_NEGATORS = "不没无非未别勿停禁忌戒免"
_SIDES = "左右前后上下内外公母大小早晚"
_ORDER_WORDS = "比更先再把被从到给换追对让"
"""Where one of these stands, the order of the rest carries the meaning (比起鸡肉更爱牛肉)."""

_ONCE_MORE = re.compile("又|再次|再一次|再度")
"""吐了 and 又吐了 are two happenings; 又软又香 has as many of them in any order."""

_DAY_WORDS = re.compile(
    "大前天|前天|昨天|昨晚|今天|今早|今晚|明天|明早|后天|上周|这周|本周|下周|上个?月|这个?月|下个?月|去年|今年|明年|周末|平时"
    "|工作日|[周天每]日|中午|下午|傍晚|夜里|半夜|凌晨|春|夏|秋|冬"
)
_QUANTITY = re.compile(
    r"(?P<figure>\d+(?:[.:/]\d+)*|[零〇一二两三四五六七八九十百千半]+)"
    r"(?P<unit>\s*(?:kg|mg|ml|iu|cm|mm|[gl%℃]|公斤|千克|毫克|微克|毫升|厘米|单位|个月|小时|分钟"
    r"|[克斤两升度片粒颗袋勺罐包针滴次顿遍餐天日号周月年岁点期级]))?"
)
_UNIT_NAMES = {"千克": "kg", "公斤": "kg", "克": "g", "毫克": "mg", "毫升": "ml", "升": "l", "厘米": "cm", "单位": "iu"}
_UNIT_NAMES |= {"号": "日", "遍": "次"}
_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_TENS = {"十": 10, "百": 100, "千": 1000}


class Difference(StrEnum):
    """Why two lines are never the same thing."""

    SUBJECT = "subject"
    EVENT = "event"  # measurements and dated happenings stay rows of their own
    DATE = "date"
    NUMBER = "number"  # another figure, or the same figure in another unit
    NEGATION = "negation"
    SIDE = "side"  # left and right, before and after, morning and evening
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Line:
    """A stored line, or one about to be, as the guard sees it."""

    subject: str | None
    content: str
    attribute_class: AttributeClass = AttributeClass.OTHER
    kind: Kind = Kind.FACT
    negated: bool = False
    occurred_on: date | None = None


def difference(one: Line, other: Line, pet_names: Iterable[str] = ()) -> Difference | None:
    """Name the first reason why two lines can never be merged; None when nothing forbids it.

    `pet_names`: every name and nickname in the household; lines that mention different ones are about other pets.
    """
    if one.subject != other.subject:
        return Difference.SUBJECT
    if _is_happening(one) or _is_happening(other):
        return Difference.EVENT
    if one.occurred_on != other.occurred_on:
        return Difference.DATE
    if one.negated != other.negated:
        return Difference.NEGATION
    if any((name in one.content) != (name in other.content) for name in pet_names):
        return Difference.NAME
    return wording_difference(one.content, other.content)


def wording_difference(one: str, other: str) -> Difference | None:
    """The part of the guard that reads the words alone: day words, figures with units, negation, sides."""
    first, second = fold_text(one), fold_text(other)
    if Counter(_DAY_WORDS.findall(first)) != Counter(_DAY_WORDS.findall(second)):
        return Difference.DATE
    if quantities(first) != quantities(second):
        return Difference.NUMBER
    if _count_of(_NEGATORS, first).total() != _count_of(_NEGATORS, second).total():
        return Difference.NEGATION
    if _count_of(_SIDES, first) != _count_of(_SIDES, second):
        return Difference.SIDE
    if len(_ONCE_MORE.findall(first)) != len(_ONCE_MORE.findall(second)):
        return Difference.EVENT
    return None


def quantities(text: str) -> Counter[tuple[str, str]]:
    """Every figure with its unit, Chinese numerals as digits: 「每天两次，2.50毫克」 → (2, 次), (2.5, mg)."""
    return Counter(_quantity(match) for match in _QUANTITY.finditer(fold_text(text)))


def bigram_likeness(one: str, other: str) -> float:
    """Dice coefficient of the character bigrams of two lines, in [0, 1]; 1 for equal lines."""
    first, second = _bigrams(_letters(one)), _bigrams(_letters(other))
    if not first or not second:
        return float(_letters(one) == _letters(other))
    return 2 * (first & second).total() / (first.total() + second.total())


def same_thing(one: str, other: str) -> bool:
    """Whether two lines say the same without asking anybody: the same characters, at most in another order.

    A changed noun in a long line barely moves any likeness, so likeness alone is never enough; what is only alike
    goes to a judge.
    """
    if wording_difference(one, other) is not None:
        return False
    first, second = _letters(one), _letters(other)
    if first == second:
        return True
    reordered = sorted(first) == sorted(second) and not set(_ORDER_WORDS) & set(first)
    return reordered and bigram_likeness(one, other) >= REORDERED_WORDING


def sameness_key(text: str) -> str:
    """Equal for any two lines that `same_thing` could call the same, so that only those need to be compared."""
    return "".join(sorted(_letters(text)))


def _is_happening(line: Line) -> bool:
    return line.kind is Kind.EVENT or line.attribute_class in NEVER_MERGED


def _letters(text: str) -> str:
    """What is compared of a line: letters and figures in one spelling, no fillers, no punctuation."""
    spelled = _QUANTITY.sub(lambda match: "".join(_quantity(match)), fold_text(text))
    return "".join(letter for letter in spelled if (letter.isalnum() or letter == ".") and letter not in _FILLERS)


def _quantity(match: re.Match[str]) -> tuple[str, str]:
    unit = (match["unit"] or "").strip()
    return _figure(match["figure"]), _UNIT_NAMES.get(unit, unit)


def _bigrams(letters: str) -> Counter[str]:
    return Counter(letters[start : start + 2] for start in range(len(letters) - 1))


def _count_of(characters: str, text: str) -> Counter[str]:
    return Counter(letter for letter in text if letter in characters)


def _figure(written: str) -> str:
    """One spelling for one figure: 2.50 → 2.5, 十二 → 12, 半 → 0.5; clock times and fractions stay as written."""
    if written[0].isdigit():
        if not re.fullmatch(r"\d+(?:\.\d+)?", written):
            return written
        return f"{float(written):.6f}".rstrip("0").rstrip(".")
    return _chinese_figure(written)


def _chinese_figure(written: str) -> str:
    half = written.endswith("半")
    total, digit = 0, 0
    for character in written.removesuffix("半"):
        if character in _TENS:
            total += (digit or 1) * _TENS[character]
            digit = 0
        elif character in _DIGITS:
            digit = digit * 10 + _DIGITS[character] if digit else _DIGITS[character]
    figure = total + digit
    return f"{figure}.5" if half else str(figure)
