"""Weights told as a series: the latest, and from where to where."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from domain.assistant import AnswerSentence
from domain.offline.responder.lines import Line
from domain.offline.responder.voice import say
from domain.offline.responder.wording import joined, with_distance
from domain.weight_words import weight_told

STEADY_SHARE = 0.02  # of the body weight: less than this is the scale and a full stomach


@dataclass(frozen=True, slots=True)
class Weighing:
    line: Line
    words: str  # as recorded: 12.1kg
    kilograms: float

    @property
    def day(self) -> date:
        return self.line.on.day if self.line.on else date.min


def weighings(lines: Sequence[Line]) -> list[Weighing]:
    """The weight lines that hold a figure, oldest first."""
    told = [(line, weight_told(line.text)) for line in lines if line.attribute == "weight"]
    found = [Weighing(line, *weight) for line, weight in told if weight]
    return sorted(found, key=lambda weighing: weighing.day)


def tell_weight(name: str, lines: Sequence[Line], today: date) -> list[AnswerSentence]:
    """The latest weight and the way it went since the one before and the first told; [] without a weight."""
    series = weighings(lines)
    if not series:
        return []
    latest = series[-1]
    told = [say(_latest(name, latest, today), [latest.line])]
    dated = [weighing for weighing in series if weighing.line.on]
    if len(dated) > 1:
        earlier = dated[:1] if len(dated) == 2 else [dated[-2], dated[0]]
        ways = joined((_way(weighing, dated[-1]) for weighing in earlier), "；")
        told.append(say(f"{ways}。", [*(weighing.line for weighing in earlier), dated[-1].line]))
    return told


def _latest(name: str, weighing: Weighing, today: date) -> str:
    hedge = "我记得好像" if weighing.line.guess else ""
    mark = f"，{weighing.line.pending}" if weighing.line.pending else ""
    if weighing.line.on is None:
        return f"{hedge}{name}记录里的体重是{weighing.words}{mark}，没有写是哪天称的。"
    return f"{hedge}{name}最近一次体重是{weighing.words}，{with_distance(weighing.line.on, today)}称的{mark}。"


def _way(first: Weighing, last: Weighing) -> str:
    change = last.kilograms - first.kilograms
    steady = abs(change) < STEADY_SHARE * first.kilograms
    word = "差不多没变" if steady else f"{'重' if change > 0 else '轻'}了{round(abs(change), 2):g}公斤"
    since = first.line.on.text if first.line.on else ""
    return f"和{since}的{first.words}比，{word}"
