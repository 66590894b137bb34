"""What a message says of a known fact without naming it: 降到2个单位 of the one insulin, 昨晚没打针, 减肥有成效，7.5了.

These rules come last and only for facts that nothing else in the message speaks of. They lean on there being one such
fact of the pet, or on a figure that fits it.
"""

import re
from collections.abc import Sequence

from domain.offline.extractor.bearing import Bearing, Rule, certainty_of, doubted
from domain.offline.extractor.bearing_mentions import mentions_drug
from domain.offline.extractor.bearing_words import (
    ENDED_FOR_GOOD,
    GUESSED,
    PROPOSED,
    SLIPPED,
    UNDECIDED,
    changed_dose,
    changed_rhythm,
)
from domain.offline.extractor.threads import Found
from domain.pet_profiles import KnownFact
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass, Certainty, SpeechAct

_RECORDED_WEIGHT = re.compile(r"(\d+(?:\.\d+)?)\s?(kg|公斤|千克|斤)?")
_FIGURE = re.compile(
    r"(?<![\d.])(\d+(?:\.\d+)?)(?![\d.%]|\s?(?:[月日号点天次年周顿岁针片粒颗滴支袋包块元度个米条只名级期分]|mg|ml|毫|小时))\s?(kg|公斤|千克|斤)?"
)
_WEIGHED = re.compile(r"减肥|减重|胖|瘦|秤|称|体重|轻了|重了|涨|长到|到了|掉秤|上秤|膘|斤|公斤|kg")
_ONLY_A_FIGURE = re.compile(r"\x00*(?:今[天早晚]|现在|刚|早上|晚上|这个?[月周]|本月|最新|最近|上周)?\d+\.\d+(?:了|啦)?")
"""土豆11.8, of one whose weight is followed."""
_CLOSE_ENOUGH = 0.4  # of the recorded weight: what one animal may gain or lose between two weighings
_KG = {"斤": 0.5, None: 1.0, "": 1.0}
_STOPPED_IT = re.compile(
    r"(?:^|给|把|就|先|自己|已经|都|全|也|直接|又|让|说|可以|能|决定)(?:它|他|她|\x00)*停(?:了|掉|吧|药)"
)
_BY_A_VET = re.compile(r"医生|大夫|兽医|复查|复诊|医嘱")
_DOSE_UNITS = re.compile(r"(?<=[\d一二两三四半])\s?(mg|ml|毫克|毫升|个?单位|iu|片|粒|颗|滴|支|包)")


def _medication(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing | None:
    """The one drug that is given, changed or stopped without its name."""
    reading = found[place].reading
    if any(hit.family in ("food", "brand", "dewormer", "vaccine") for hit in reading.hits) or not _is_meant(
        fact, found, known
    ):
        return None
    dose = _same_unit(changed_dose(reading.text, fact.content), fact)
    if dose is not None:
        return Bearing(
            fact,
            place,
            place,
            negated=False,
            act=SpeechAct.DECISION,
            certainty=certainty_of(reading),
            value=dose,
        )
    rhythm = changed_rhythm(reading.text)
    if rhythm is not None and _BY_A_VET.search(reading.text) and reading.tone.usable:
        often = (("frequency_text", rhythm),)
        sure = certainty_of(reading)
        return Bearing(fact, place, place, negated=False, act=SpeechAct.DECISION, certainty=sure, value=often)
    if _STOPPED_IT.search(reading.text) or (_speaks_of(fact, found, known) and ENDED_FOR_GOOD.match(reading.text)):
        thought = "".join(one.reading.text for one in found)
        doubt = doubted(reading) if PROPOSED.search(thought) or UNDECIDED.search(thought) else None
        certainty = certainty_of(reading) or doubt
        return Bearing(fact, place, place, negated=True, act=SpeechAct.DECISION, certainty=certainty)
    return None


def _speaks_of(fact: KnownFact, found: list[Found], known: Sequence[KnownFact]) -> bool:
    return any(mentions_drug(fact, one.reading, known) for one in found)


def _is_meant(fact: KnownFact, found: list[Found], known: Sequence[KnownFact]) -> bool:
    if _speaks_of(fact, found, known):
        return True
    given = [one for one in known if one.subject == fact.subject and one.attribute.startswith("medication:")]
    return len(given) == 1


def _same_unit(dose: tuple[tuple[str, object], ...] | None, fact: KnownFact) -> tuple[tuple[str, object], ...] | None:
    """The dose, when its unit is the one that the drug on record is counted in."""
    unit = str(dict(dose).get("unit") or "") if dose else ""
    recorded = {told.removeprefix("个") for told in _DOSE_UNITS.findall(fold_text(fact.content))}
    return dose if unit.removeprefix("个") in recorded else None


def _weight(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing | None:
    """A bare figure near the recorded weight, where somebody is weighed or a slip is put right."""
    reading = found[place].reading
    recorded = _RECORDED_WEIGHT.search(fold_text(fact.content))
    figures = _FIGURE.findall(reading.text)
    if recorded is not None and (same := _weighs_the_same(fact, found, place, recorded)) is not None:
        return same
    if recorded is None or len(figures) != 1 or reading.has("drug", "drug_name", "drug_word", "lab", "food"):
        return None
    number, unit = float(figures[0][0]), figures[0][1] or recorded[2] or "kg"
    if not _is_close(number, unit, float(recorded[1]), recorded[2]):
        return None
    thought = "，".join(one.reading.text for one in found)
    if UNDECIDED.search(thought) or re.search(r"目标|控制|希望|争取|标准|应该在", thought):
        return None
    value = (("number", number), ("unit", unit))
    if SLIPPED.search(thought):
        return Bearing(
            fact, place, place, negated=False, act=SpeechAct.CORRECTION, certainty=Certainty.PLAIN, value=value
        )
    if _WEIGHED.search(thought) or _ONLY_A_FIGURE.fullmatch(reading.text):
        guess = certainty_of(reading) if GUESSED.search(reading.text) else None
        return Bearing(fact, place, place, negated=False, act=SpeechAct.STATEMENT, certainty=guess, value=value)
    return None


_NO_CHANGE = re.compile(r"还是|没变|没动|一样|老样子|没[胖瘦涨掉]")


def _weighs_the_same(fact: KnownFact, found: list[Found], place: int, recorded: re.Match[str]) -> Bearing | None:
    """体重还是12.5: the recorded figure, weighed again."""
    text = found[place].reading.text
    figures = _FIGURE.findall(text)
    again = len(figures) == 1 and float(figures[0][0]) == float(recorded[1]) and _NO_CHANGE.search(text)
    if not again or not _WEIGHED.search(text) or figures[0][1] not in ("", recorded[2] or ""):
        return None
    value = (("number", float(recorded[1])), ("unit", recorded[2] or "kg"))
    return Bearing(fact, place, place, negated=False, act=SpeechAct.STATEMENT, value=value)


def _is_close(number: float, unit: str, known: float, known_unit: str | None) -> bool:
    ours, theirs = number * _KG.get(unit, 1.0), known * _KG.get(known_unit, 1.0)
    return ours != theirs and abs(ours - theirs) <= _CLOSE_ENOUGH * theirs


LOOSE_RULES: dict[str, Rule] = {
    AttributeClass.MEDICATION.value: _medication,
    AttributeClass.WEIGHT.value: _weight,
}
