"""Whether an answer names another value than the one asked about: 对，改成2.9 after a question about 2.8.

Only figures of the kind that the change is about count: a dose of a dose, a weight of a weight, a day of a day. Beside
a yes to stopping a drug or striking out an allergy any figure is a detail (停了五天了, 喂了三次), and so is what is
told of another time or another measure (今天又称了是2.9, 下次6月初, 肌酐170).
"""

import re
from collections.abc import Iterable, Sequence

from domain.reply_wording import DISOWNS, PAST
from domain.statement_comparison import times_a_day
from memory.similarity import quantities
from memory.text_folding import fold_text

_KINDS = {
    "weight": ("kg", "公斤", "千克", "斤"),
    "dose": (
        "mg",
        "毫克",
        "ml",
        "毫升",
        "片",
        "粒",
        "颗",
        "滴",
        "支",
        "单位",
        "个单位",
        "iu",
        "u",
        "包",
        "喷",
        "g",
        "克",
    ),
    "day": ("号", "日", "月"),
    "stage": ("期", "级"),
    "rhythm": ("次", "回", "遍", "顿"),
}
_KIND_OF = {unit: kind for kind, units in _KINDS.items() for unit in units}
_ANOTHER_MATTER = re.compile(
    r"又|下[次回个]|另外|顺便|别的|间隔|最后一次|从|开始|起$|之后|以后(?!都)|打算|准备|那天|肌酐|血[糖压磷]|sdma|t4|尿素|体温|心率|查|补液|岁|个?月大|[早晚]\d"
)
"""Another time, another measure: no value of what was asked about."""
_WEIGHED = re.compile(r"(\d+(?:\.\d+)?)\s?(kg|公斤|千克|斤)")
_IN_LETTERS = {"毫克": "mg", "毫升": "ml", "公斤": "kg", "千克": "kg", "克": "g"}
_PART = re.compile(r"[二两三四五六八\d]分之[一二三四五\d]")
_PER_DOSE = re.compile(r"[一每][次回顿](?=\s*\d)")
_ONLY_A_FIGURE = re.compile(r"(\d+(?:\.\d+)?)(?:吧|了|的|啊|呀)*")
_MONTH_AND_DAY = re.compile(r"(\d{1,2})月(\d{1,2})")
_UNEQUAL = re.compile(r"早[^,，。\d]{0,4}(\d[\d.]*)[^,，。早\d]{0,6}晚[^,，。\d]{0,4}(\d[\d.]*)")
"""早上2.5晚上1.25."""
_STATED = re.compile(r"(?:是|成|为|到)\s*(\d+(?:\.\d+)?)\s?([a-z%]+|[^\d\W])?")


def names_another_value(clauses: Sequence[str], new: str, old: str, quotes: str, proposed: Iterable[str] = ()) -> bool:
    """Whether a clause states a figure of the kind asked about that neither line nor the question holds.

    new, old: the lines that would be and that are served; quotes: the question and its evidence; proposed: the new
    value as the question words it.
    """
    known = fold_text("，".join((new, old, quotes)))
    aside = (PAST, DISOWNS, _ANOTHER_MATTER)
    said = "，".join(one for one in clauses if not any(pattern.search(one) for pattern in aside))
    kinds = _contested(fold_text(new), fold_text(old))
    if not kinds or not said:
        return False
    figures = {figure for figure, _ in quantities(known)}
    if "weight" in kinds:  # 两公斤七 is read by nobody: it neither confirms nor speaks against
        said = "，".join(one for one in said.split("，") if re.search(r"\d", one))
    if "day" in kinds:  # 5.5 is the fifth of May
        said = re.sub(r"(\d{1,2})\.(\d{1,2})", r"\1月\2号", said)
    if any(
        _KIND_OF.get(unit) in kinds - {"rhythm"} and figure not in figures for figure, unit in quantities(said) if unit
    ):
        return True
    if any(figure not in figures and _may_be(unit, kinds) for figure, unit in _STATED.findall(said)):
        return True
    if "day" in kinds and set(_MONTH_AND_DAY.findall(said)) - set(_MONTH_AND_DAY.findall(known)):
        return True
    if any(bare[1] not in figures for one in said.split("，") if (bare := _ONLY_A_FIGURE.fullmatch(one))):
        return True
    return _other_weight(said, known, kinds) or _other_dosage(said, known, new, old, quotes, kinds, proposed)


def _contested(new: str, old: str) -> set[str]:
    """The kinds of figures in which the two lines differ; of a line alone, those it holds."""
    changed = set(quantities(new)) ^ set(quantities(old)) if old else set(quantities(new))
    kinds = {kind for _, unit in changed if (kind := _KIND_OF.get(unit)) is not None}
    if kinds & {"weight", "dose", "stage"}:
        kinds.discard("day")  # when it was weighed is not what is asked
    if kinds & {"dose", "rhythm"}:
        kinds |= {"dose", "rhythm"}
    return kinds


def _may_be(unit: str, kinds: set[str]) -> bool:
    return not unit or _KIND_OF.get(unit) in kinds


def _other_weight(said: str, known: str, kinds: set[str]) -> bool:
    if "weight" not in kinds:
        return False
    units = {(figure, _IN_LETTERS.get(unit, unit)) for figure, unit in _WEIGHED.findall(known)}
    figures = {figure for figure, _ in quantities(known)}
    bare = set(re.findall(r"\d+\.\d+", said)) - figures
    told = {(figure, _IN_LETTERS.get(unit, unit)) for figure, unit in _WEIGHED.findall(said)}
    return bool(bare or {one for one in told if one not in units and one[0] not in figures} or _other_unit(told, units))


def _other_unit(told: set[tuple[str, str]], units: set[tuple[str, str]]) -> bool:
    """6.3斤 after a question about 6.3kg."""
    known = {figure: {unit for other, unit in units if other == figure} for figure, _ in units}
    return any(figure in known and unit not in known[figure] for figure, unit in told)


def _other_dosage(
    said: str, known: str, new: str, old: str, quotes: str, kinds: set[str], proposed: Iterable[str]
) -> bool:
    """A part of a tablet or a rhythm that was not asked about, and not the asked figure beside it."""
    if not kinds & {"dose", "rhythm"}:
        return False
    if any(part not in known for part in _PART.findall(said)):
        return True
    unequal = {pair for pair in _UNEQUAL.findall(said) if pair[0] != pair[1]}
    if unequal - set(_UNEQUAL.findall(fold_text(new))):
        return True
    rhythm = times_a_day(_PER_DOSE.sub("", said))
    rhythms = {_rhythm(fold_text(line)) for line in (new, old, *quotes.split("，"))} - {None}
    if rhythm is None or not rhythms or rhythm in rhythms:
        return False
    if _TIMES_A_DAY.search(said):
        return True
    fresh = set(quantities(fold_text(new))) - set(quantities(fold_text(old)))
    return not (any(one in fresh for one in quantities(said)) or any(value in said for value in proposed))


_TIMES_A_DAY = re.compile(r"(?:一天|每天|每日|一日)[^,，。\d]{0,3}[一二两三四五1-6]\s?[次回遍顿]|早中晚")
"""So many times a day in so many words, which a figure that was asked about does not excuse."""


def _rhythm(line: str) -> float | None:
    """How often a day; 每天一片 is once."""
    told = times_a_day(_PER_DOSE.sub("", line))
    return 1 if told is None and re.search(r"每[天日晚早]|一天一", line) else told


A_RHYTHM = re.compile(r"[每一隔][天日晚早]|早晚|早中晚|小时|bid|sid|tid|qd")
_PARTS_OF_THE_DAY = re.compile(r"早(?!就|已)[^,，]{1,8}晚|晚[^,，]{1,8}早(?!就|已)")
_RELATIVES = (
    re.compile(r"翻[了一]*[倍番]|加[了一]*倍|[两2二]倍"),
    re.compile(r"(?:减|砍|少|去)(?:了|掉|成|到|为|一)*半|半量|一半"),
)
"""An amount told by the one before it."""
_KEPT_RHYTHM = re.compile(
    r"(?:早晚|次数|时间|顿数|频率|间隔|用法|吃法|几次|早中晚)(?:都|还是?|也|一样)*(?:[没不](?:变|动|改)|照旧|一样|照常|老样子)(?:的|了)?"
)


def differ_in_rhythm(new: str, old: str) -> bool:
    """Whether both lines tell how often, and not the same."""
    fresh, held = (times_a_day(line) if A_RHYTHM.search(fold_text(line)) else None for line in (new, old))
    return fresh is not None and held is not None and fresh != held


def without_kept_rhythm(folded: str, new: str, old: str) -> str:
    """The answer without what only says that the rhythm stays (早晚不变), where the rhythm is not what changes."""
    return folded if differ_in_rhythm(new, old) else _KEPT_RHYTHM.sub("", folded)


def restates_change(clause: str, new: str, old: str) -> bool | None:
    """Whether the clause says the new side (True) or the old one (False) without its figure: 早一顿晚一顿, 翻一倍."""
    denied = re.search(r"不|没(?!错)|别", clause) is not None
    if not denied and differ_in_rhythm(new, old) and _PARTS_OF_THE_DAY.search(clause):
        rhythm, fresh, held = (times_a_day(line) for line in (clause, new, old))
        return rhythm == fresh if rhythm in (fresh, held) else None
    told = fold_text(new)
    return not denied if any(one.search(clause) and one.search(told) for one in _RELATIVES) else None


def mentions_figure(said: set[tuple[str, str]], wanted: set[tuple[str, str]], units: set[str]) -> bool:
    """A figure with its unit, or the bare figure when no unit was said, here or in the line (2.5mg of 2.5一次).

    units: those of the line on record, in which a line without a unit counts.
    """
    told, meant = _in_letters(said), _in_letters(wanted)
    figures, counted = {figure for figure, _ in meant}, {_IN_LETTERS.get(unit, unit) for unit in units}
    return any(
        (figure, unit) in meant or ((figure, "") in meant and unit in counted) or (not unit and figure in figures)
        for figure, unit in told
    )


def _in_letters(quantities_told: set[tuple[str, str]]) -> set[tuple[str, str]]:
    return {(figure, _IN_LETTERS.get(unit, unit)) for figure, unit in quantities_told}
