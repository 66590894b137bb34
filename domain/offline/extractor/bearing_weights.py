"""Another figure for the recorded weight: 打错了，是3.6; 1和3敲反了，是31.5; 写成公斤了."""

import re
from collections.abc import Sequence

from domain.offline.extractor.bearing import REACH, Bearing, doubted, reach
from domain.offline.extractor.bearing_figures import set_against
from domain.offline.extractor.bearing_words import (
    GUESSED,
    MISTAKEN,
    REACHED_WEIGHT,
    SET_FIGURE,
    SLIPPED,
    UNDECIDED,
    WITH_THE_BOX,
    WRONG_FIGURE,
    questions_figure,
)
from domain.offline.extractor.threads import Found
from domain.pet_profiles import KnownFact
from domain.text_marks import MARK
from memory.text_folding import fold_text
from memory.vocabulary import Certainty, SpeechAct

_FIGURE = re.compile(r"(?<![\d.月])(\d+(?:\.\d+)?)(?![\d.]|\s?[月日号点天次年周顿岁针])\s?(kg|公斤|千克|斤|g|克)?")
_LAUGHTER = re.compile(r"(?:哈|嘻|嘿|h)+|狗头")
CLOSE_TO_RECORDED = 0.4  # of the recorded weight


def weight(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing | None:
    """Another figure for the recorded weight: 打错了，是3.6."""
    reached = REACHED_WEIGHT.search(found[place].reading.text)
    if reached and not UNDECIDED.search(found[place].reading.text):
        told = (("number", float(reached["figure"])), ("unit", reached["unit"]))
        return Bearing(fact, place, place, negated=False, act=SpeechAct.STATEMENT, value=told)
    last = reach(found, place)
    text = "，".join(one.reading.text for one in found[place : last + 1])
    recorded = _FIGURE.search(fold_text(fact.content))
    if recorded is None:
        return None
    right = _put_right(text, recorded[1]) or _set_against(found, place, last, recorded[1])
    if right is None:
        return _struck_out(fact, found, place, recorded[1])
    figure, unit = right[0], right[1] or recorded[2] or "kg"
    value = (("number", float(figure)), ("unit", unit), ("corrects", float(recorded[1])))
    around = "，".join(one.reading.text for one in found[max(0, place + 1 - REACH) : last + 1])
    supposed = _SUPPOSED.search(around) and not MISTAKEN.search(around)
    guessed = UNDECIDED.search(text) or (
        GUESSED.search(_LAUGHTER.sub("", text)) and (supposed or not SLIPPED.search(around))
    )
    sure = doubted(found[place].reading) if guessed else Certainty.PLAIN  # 应该是 corrects here, it does not guess
    return Bearing(fact, place, last, negated=False, act=SpeechAct.CORRECTION, certainty=sure, value=value)


_SUPPOSED = re.compile(r"会不会|是不是|感觉|可能|好像|也许|大概|估计|没准|怀疑|[?？]|[吗么]$")
_STRUCK = re.compile(
    rf"(?:体重|那[个条次]|昨天|前天|上次|记录|{MARK}(?:kg|公斤|斤|千克)?)[^,。]{{0,8}}"
    r"(?:不算(?:数|了|$|啊|哈|吧)|作废|别记|删|划掉|作不得数|不作数|取消)|(?:删|划|去)掉?[^,。]{0,4}体重"
)
"""Over a text whose recorded figure is marked, so that it is compiled once for all of them."""


def _struck_out(fact: KnownFact, found: list[Found], place: int, recorded: str) -> Bearing | None:
    """昨天那个体重不算，秤坏了: the weighing is taken back, and no other figure is told."""
    text = found[place].reading.text
    if not _STRUCK.search(text.replace(recorded, MARK)):
        return None
    if not any("体重" in one.reading.text or "秤" in one.reading.text or recorded in one.reading.text for one in found):
        return None
    sure = doubted(found[place].reading) if _SUPPOSED.search(text) else Certainty.PLAIN
    return Bearing(fact, place, place, negated=True, act=SpeechAct.CORRECTION, certainty=sure)


def _set_against(found: list[Found], place: int, last: int, recorded: str) -> tuple[str, str | None] | None:
    """8.3是隔壁大橘，咱家的3.8: whose the recorded figure is may stand before or after, in words of another animal."""
    texts = [one.reading.text for one in found[max(0, place + 1 - REACH) : place + REACH]]
    told = set_against("，".join(texts), recorded, _FIGURE.findall("，".join(texts)))
    here = _FIGURE.findall("，".join(one.reading.text for one in found[place : last + 1]))
    return told if told and any(figure == told[0] for figure, _ in here) else None


def _put_right(text: str, recorded: str) -> tuple[str, str | None] | None:
    """The figure that takes the place of the recorded one, and its unit if told.

    Either the wording says so, or the recorded figure is named beside one other and a slip is told.
    """
    wrong = WRONG_FIGURE.search(text) or SET_FIGURE.search(text)
    if wrong and wrong["figure"] != recorded and (recorded in text[: wrong.end()] or "体重" in text):
        return wrong["figure"], wrong["unit"]
    figures = _FIGURE.findall(text)
    units = {unit for figure, unit in figures if figure == recorded and unit}
    if MISTAKEN.search(text) and len(units) == 1 and not any(figure != recorded for figure, _ in figures):
        return recorded, units.pop()  # 21.5斤才对，写成公斤了: the figure was right, its unit was not
    alone = all(figure == recorded for figure, _ in figures)
    if alone and (told := _ANOTHER_UNIT.search(text)):
        return recorded, told["unit"] or told["other"]
    others = [(figure, unit) for figure, unit in figures if figure != recorded]
    likely = [(figure, unit) for figure, unit in others if unit or _may_be_the_weight(text, figure, recorded)]
    if len(likely) == 1 and MISTAKEN.search(text):
        others = likely  # 1和3敲反了，是31.5: one of three figures is a weight
    doubted_or_wrong = SLIPPED.search(text) or WITH_THE_BOX.search(text) or questions_figure(text, recorded)
    if len(others) == 1 and len(figures) > 1 and doubted_or_wrong:
        return others[0][0], others[0][1] or None
    unnamed = all(figure != recorded for figure, _ in figures)
    only_one = unnamed and len(others) == 1 and _may_be_the_weight(text, others[0][0], recorded)
    return (others[0][0], others[0][1] or None) if only_one and MISTAKEN.search(text) else None


def _is_a_slip(figure: str, recorded: str) -> bool:
    """5.2 for 2.5, or 5.7 for 2.7: the digits changed places, or one was struck for another."""
    struck = (
        len(figure) == len(recorded) and sum(one != other for one, other in zip(figure, recorded, strict=True)) == 1
    )
    return (struck and "." in figure) or sorted(figure) == sorted(recorded)


_UNIT = r"(?:斤|kg|公斤|千克)"
_ANOTHER_UNIT = re.compile(
    rf"(?:(?:是|为)(?:\d+(?:\.\d+)?)?|(?<![\d.])\d+(?:\.\d+)?)(?P<unit>{_UNIT})[^,。]{{0,4}}[,，]?(?:而)?不是(?:\d+(?:\.\d+)?)?{_UNIT}"
    rf"|不是(?:\d+(?:\.\d+)?)?{_UNIT}[^,。]{{0,2}}[,，]?(?:而)?是(?:\d+(?:\.\d+)?)?(?P<other>{_UNIT})"
)
"""是12.5斤不是公斤, 不是公斤是斤: the figure was right, its unit was not."""


def _may_be_the_weight(text: str, figure: str, recorded: str) -> bool:
    """A figure of weight, no further from the recorded one than one animal's may be."""
    if figure != recorded and _is_a_slip(figure, recorded):
        return True
    near = abs(float(figure) - float(recorded)) <= CLOSE_TO_RECORDED * float(recorded)
    return near and re.search(r"体重|称|秤|斤|kg|千克", text) is not None
