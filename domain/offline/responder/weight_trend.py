"""Weights told as a series: the latest, and from where to where."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from domain.assistant import AnswerSentence
from domain.offline.responder.lines import Line
from domain.offline.responder.voice import say
from domain.offline.responder.wording import joined, with_distance
from memory.text_folding import fold_text

KG_PER_UNIT = {"kg": 1.0, "公斤": 1.0, "千克": 1.0, "斤": 0.5, "g": 0.001, "克": 0.001}
STEADY_SHARE = 0.02  # of the body weight: less than this is the scale and a full stomach

_FIGURE = re.compile(r"(?<![\d.,])(\d+(?:\.\d+)?)\s*(kg|公斤|千克|斤|g|克)")  # over folded text: ４．２kg is 4.2kg
# 体重12.1了: a figure alone is in kilograms, as the record takes it.
_BARE_FIGURE = re.compile(r"体重[^\d,。]{0,4}(\d+(?:\.\d+)?)(?=[了吧啦呢,。!~]|$)")


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
    found = []
    for line in lines:
        text = fold_text(line.text)
        if line.attribute != "weight":
            continue
        if figure := _FIGURE.search(text):
            found.append(Weighing(line, figure[0], float(figure[1]) * KG_PER_UNIT[figure[2].lower()]))
        elif bare := _BARE_FIGURE.search(text):
            found.append(Weighing(line, f"{bare[1]}公斤", float(bare[1])))
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
