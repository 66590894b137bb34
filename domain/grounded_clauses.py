"""Whether each clause of a model's text is one source's own words, shortened. Pure.

A model joins true words into untrue sentences (牛肉过敏 from 鸡肉过敏 and 爱吃牛肉), so the words are looked for in
one source, in their order, and what is named, counted or dated must stand where the rest of the clause stands.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from domain.knowledge.lexicon import find_entities
from memory.similarity import quantities
from memory.text_folding import fold_text

RELATIVE_DAY = re.compile("大前天|前天|昨[天晚]|今[天早晚]|明[天早晚]|大?后天|刚才|刚刚")
"""Words that mean another day when they are read later."""

_CLAUSE = re.compile(r"[^，,。；;：:！!？?、（）()\n]+(?:、[^，,。；;：:！!？?、（）()\n]+)*")
_DATE = re.compile(r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?")
_FIGURE = re.compile(r"\d+(?:[.:/]\d+)*|[零〇一二两三四五六七八九十百千半]+")
_LETTER = re.compile(r"[\u3400-\u9fffa-z]")
_CONNECTING = frozenset("的地得了着过啦呀哦呢吧嘛啊很挺太就都也还会是有在和与及跟曾已并且而其中等共为年月日号次")
_NEGATION = re.compile("[不没无未别勿停禁忌戒免]")
_GRAVE = re.compile("过敏|不耐受|中毒|确诊|查出|得了|患|停药|停了|加量|减量|住院|手术|绝育|怀孕|去世|走丢")
_KEPT_WORDS = re.compile(
    "好像|似乎|可能|大概|也许|或许|估计|应该|听说|据说|怀疑|疑似|以前|之前|曾经|过去|小时候|偶尔|有时|有点|如果|要是|只有|除了|才"
)
"""Words whose loss makes another statement of the rest."""


@dataclass(frozen=True)
class Said:
    """A source: its words, and in words the day that it is about."""

    text: str
    when: str = ""

    @cached_property
    def folded(self) -> str:
        """The words in one spelling."""
        return _spelled(self.text)

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """The same, clause by clause."""
        return tuple(_CLAUSE.findall(self.folded))


def stands_on(text: str, sources: Sequence[Said], names: Sequence[str] = ()) -> bool:
    """Whether every clause is found in one of the sources. names: of all pets of the household."""
    return all(_is_found(clause, sources, names) for clause in _CLAUSE.findall(_spelled(text)))


def grave_words_stand(text: str, sources: Sequence[str], names: Sequence[str] = ()) -> bool:
    """Whether each clause that says something grave of a food, drug or the like has it from one clause of a source.

    For texts in a model's own words (a talk in a sentence), of which `stands_on` would ask too much.
    """
    passages = [passage for source in sources for passage in _CLAUSE.findall(_spelled(source))]
    for clause in _CLAUSE.findall(_spelled(text)):
        grave, matters = set(_GRAVE.findall(clause)), _matters(clause, names)
        if grave and not any(
            all(one in passage for one in grave) and matters <= _matters(passage, names) for passage in passages
        ):
            return False
    return True


def same_matters(one: str, other: str, names: Sequence[str] = ()) -> bool:
    """Whether two lines name the same foods, drugs, illnesses and the like."""
    return _matters(one, names) == _matters(other, names)


def _is_found(clause: str, sources: Sequence[Said], names: Sequence[str]) -> bool:
    wanted = _Wanted.of(clause, names)
    holding = [(said, passage) for said in sources for passage in wanted.passages_of(said)]
    if not holding:
        return False
    matters = {one for _, passage in holding for one in _matters(passage, names)}
    figures = {one for said, passage in holding for one in (*_figures(passage), *_figures(fold_text(said.when)))}
    days = {day for said, passage in holding for day in (*_days(passage), *_days(fold_text(said.when)))}
    return wanted.matters <= matters and wanted.figures <= figures and all(_is_among(day, days) for day in wanted.days)


_Day = tuple[str, str, str]


@dataclass(frozen=True)
class _Wanted:
    """What a clause says, taken apart."""

    rest: str
    negations: int
    kept_words: Counter[str]
    matters: frozenset[str]
    figures: frozenset[tuple[str, str]]
    days: frozenset[_Day]

    @classmethod
    def of(cls, clause: str, names: Sequence[str]) -> "_Wanted":
        undated = _DATE.sub("", clause)
        rest = undated
        for entity in reversed(find_entities(undated, names)):
            rest = rest[: entity.start] + rest[entity.end :]
        for name in sorted(map(fold_text, names), key=len, reverse=True):
            rest = rest.replace(name, "")
        return cls(
            rest="".join(_content(_FIGURE.sub("", rest))),
            negations=len(_NEGATION.findall(clause)),
            kept_words=Counter(_KEPT_WORDS.findall(clause)),
            matters=frozenset(_matters(clause, names)),
            figures=frozenset(quantities(undated)),
            days=frozenset(_days(clause)),
        )

    def passages_of(self, said: Said) -> list[str]:
        """The clauses of a source that say this, else the whole of it if that does."""
        narrow = [clause for clause in said.clauses if self._is_worded_in(clause)]
        return narrow or [whole for whole in (said.folded,) if self._is_worded_in(whole)]

    def _is_worded_in(self, passage: str) -> bool:
        """Whether a passage says the words of the clause in their order, denies as much and doubts as much."""
        if (
            len(_NEGATION.findall(passage)) != self.negations
            or Counter(_KEPT_WORDS.findall(passage)) != self.kept_words
        ):
            return False
        letters = iter(passage)
        return all(letter in letters for letter in self.rest)


def _spelled(text: str) -> str:
    """One spelling; 喜欢 and 爱 are one."""
    return fold_text(text).replace("喜欢", "爱")


def _content(text: str) -> Iterable[str]:
    return (letter for letter in text if _LETTER.match(letter) and letter not in _CONNECTING)


def _matters(text: str, names: Sequence[str]) -> set[str]:
    return {one.canonical_zh for one in find_entities(text, names)}


def _figures(text: str) -> Iterable[tuple[str, str]]:
    return quantities(text)


def _days(text: str) -> Iterable[_Day]:
    return ((found["year"] or "", found["month"], found["day"] or "") for found in _DATE.finditer(text))


def _is_among(day: _Day, days: Iterable[_Day]) -> bool:
    """A day that leaves out its year or its day of the month is among those that have them."""
    return any(all(not mine or mine == theirs for mine, theirs in zip(day, one, strict=True)) for one in days)
