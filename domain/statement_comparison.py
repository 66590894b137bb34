"""What two statements about a pet mean beside each other: 68 斤 are 34 公斤, 一天四遍 is 每天四次, 3期 is worse.

`said_of_claim` and `said_of_item` bring a new claim and a stored line (a record's mirror too) into the same terms;
`compare` is the opinion of the field that `slot_relations` asks for.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from domain.attributes import spec_of
from domain.change_words import (
    CHANGED_DOSE,
    ENDED,
    SURPRISING,
    TENDENCY,
)
from domain.exposures import EXPOSURE_SLOT, same_substance, swallowed_in
from domain.habit_comparison import compare_appointments, compare_diets, compare_habits
from domain.happening_comparison import (
    compare_dewormings,
    compare_signs,
    compare_vaccines,
    compare_visits,
    counted_otherwise,
)
from domain.reading_results import came_out_otherwise
from domain.rhythms import amounts_agree, amounts_differ
from domain.weights import KG_PER_UNIT, kilograms
from memory.claims import Claim
from memory.happenings import is_at_another_time
from memory.items import MemoryItem
from memory.scope import Scope
from memory.similarity import quantities, same_thing
from memory.slot_relations import DESCRIPTIVE_KEYS, Relation, Said, Slot
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass, Cardinality, Precision, Risk, SpeechAct

_YES_OR_NO = ("neutered", "diet.prescription")
"""Slots that hold or do not, whatever else the words name."""
_REMARKS = "other:remark"
"""The slot of whatever no rule knows the kind of: two have nothing in common but that. What a
rule of bearings says of a known one has no words of its own."""
_HABITS = (
    AttributeClass.BEHAVIOR,
    AttributeClass.ACTIVITY,
    AttributeClass.SCHEDULE,
    AttributeClass.PREFERENCE,
    AttributeClass.OTHER,
)
_DENIED_HAPPENINGS = (AttributeClass.VACCINE, AttributeClass.DEWORMING, AttributeClass.WEIGHT)
_OF_A_TIME = re.compile(r"今[天年]|这[次个回]|本月|上[次个周]|去年|最近|还没|尚未|第?[一二三四五\d]针|加强")
_OF_A_YEAR = re.compile(r"[去前]年(?![^,，。]{0,4}[月号日])|\d{4}年(?!\d)")
_SEEN_WHEN_SAID = (AttributeClass.WEIGHT, AttributeClass.SYMPTOM)
_NO_AMOUNT = frozenset({"", "次", "顿", "天", "日", "周", "月", "个月", "年", "小时", "餐", "号", "点", "岁", "期"})
_TOO_FAR_FOR_A_DAY = 0.25  # of the weight of the same day: no animal gains or loses as much, one of the two is wrong
_SAME_KG = 0.005  # half of the last digit a household scale shows
_DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "半": 0.5}
_TIMES_A_DAY = re.compile(
    r"(?:一天|每天|每日|一日|日|天)(?:[^,。]{0,3}?)([一二两三四五六\d])(?:次|回|遍|顿|$)|([一二两三四五六\d])(?:次|回|遍|顿)"
)
_EVERY_DAY = re.compile(r"每[天日](?!都?(?:有|在|按|坚持|照|准|定|记|好好))")  # 每天都按时吃 tells no rhythm
_EVERY_HOURS = re.compile(r"(?:每隔?(?=[^,。]{1,3}小时)|(?=[^,。]{1,3}小时[一1][次回顿]))(\d+|[一二两三四六八])个?小时")
_SEVERITY = re.compile(r"(?<!不是)[轻中重]度|[早晚末]期|(?:未|过)?成熟期|过熟期|初发期|膨胀期")
_STAGE = re.compile(r"[abcd]?\d|[一二三四]|早|轻|中|重|晚|末|iv|i{1,3}|[abcd]")
_NAMED_STAGES = {"初发期": 1, "膨胀期": 2, "未成熟期": 2, "成熟期": 3, "过熟期": 4, "过成熟期": 4}
"""Of a cataract."""
_STAGE_RANK = {
    "一": 1,
    "二": 2,
    "三": 3,
    "四": 4,
    "i": 1,
    "ii": 2,
    "iii": 3,
    "iv": 4,
    "早": 1,
    "轻": 1,
    "重": 3,
    "中": 2,
    "晚": 3,
    "末": 4,
}


def slot_of(attribute: str) -> Slot:
    """The slot as the conflict policy sees it. Another figure for a recorded weight is high risk, a new one is not."""
    spec = spec_of(attribute)
    correction = Risk.HIGH if spec.attribute_class is AttributeClass.WEIGHT and attribute == "weight" else None
    return Slot(attribute, spec.risk, spec.cardinality, spec.guards, correction)


def said_of_claim(claim: Claim, said_on: date, said_at: datetime | None = None) -> Said:
    """A new claim in the terms of comparison. What was seen or weighed without a day was so on the day it was said.

    said_at: the owner's local time.
    """
    seen_now = claim.attribute_class in _SEEN_WHEN_SAID and claim.act is not SpeechAct.CORRECTION
    day = claim.occurred_on or (said_on if seen_now else None)
    return Said(_comparable(claim.attribute, claim.value), claim.negated, day, claim.content, said_at)


def said_of_item(item: MemoryItem, scope: Scope) -> Said:
    """A stored line in the terms of comparison; a mirror's value holds the fields of its record."""
    value = _value_of_record(item.record_kind, item.value) if item.record_kind else item.value
    day, said_at = _day_of(item, scope), scope.local(item.learned_at)
    return Said(_comparable(item.attribute, value), item.negated, day, item.content, said_at)


def compare(slot: Slot, known: Said, new: Said) -> Relation | None:
    """What the field knows of two statements on one slot; None leaves it to the generic rule."""
    cls = spec_of(slot.attribute).attribute_class
    if known.negated != new.negated:
        if cls is AttributeClass.SYMPTOM and _ends_a_tendency(known, new):
            return Relation.CONTRADICTS
        if cls in _DENIED_HAPPENINGS:
            return _compare_denied(cls, known, new)
        named = cls in _HABITS and ":" in slot.attribute
        return Relation.CONTRADICTS if named or slot.attribute in _YES_OR_NO else None
    if slot.attribute == "birth_date" and known.occurred_on and new.occurred_on:
        return Relation.SAME if known.occurred_on == new.occurred_on else Relation.CONTRADICTS
    if slot.attribute == EXPOSURE_SLOT and not same_substance(swallowed_in(known.content), swallowed_in(new.content)):
        return Relation.COMPATIBLE
    if slot.attribute.startswith("lab:") and came_out_otherwise(known.content, new.content):
        return Relation.COMPATIBLE
    if slot.attribute == _REMARKS and new.value.get("text") and not same_thing(known.content, new.content):
        return Relation.COMPATIBLE
    rule = None if cls is AttributeClass.OTHER and slot.cardinality is Cardinality.ONE else _RULES.get(cls)
    return rule(known, new) if rule else None


def _ends_a_tendency(known: Said, new: Said) -> bool:
    """坐车会吐 is over with 坐车完全不吐了; one day without it is only a day."""
    ours, theirs = fold_text(new.content), fold_text(known.content)
    lasting = TENDENCY.search(theirs) is not None and new.negated
    return lasting and (ENDED.search(ours) is not None or SURPRISING.search(ours) is not None)


def _compare_denied(cls: AttributeClass, known: Said, new: Said) -> Relation | None:
    """没打过狂犬 denies every shot on record, 不是3月1日打的 that of the day, 不是12公斤 that figure."""
    if not new.negated:
        return None
    if cls is AttributeClass.WEIGHT:
        ours, theirs = _kilograms(new), _kilograms(known)
        same = ours is not None and theirs is not None and abs(ours - theirs) < _SAME_KG
        return Relation.CONTRADICTS if same else None
    if new.occurred_on is not None:
        same = new.occurred_on == known.occurred_on
        return Relation.CONTRADICTS if same or _denies_its_year(known, new) else None
    return None if _OF_A_TIME.search(fold_text(new.content)) else Relation.CONTRADICTS


def _denies_its_year(known: Said, new: Said) -> bool:
    """去年没打狂犬, of a shot of that year."""
    told, held = new.occurred_on, known.occurred_on
    of_a_year = _OF_A_YEAR.search(fold_text(new.content)) is not None
    return of_a_year and told is not None and held is not None and told.year == held.year


def _day_of(item: MemoryItem, scope: Scope) -> date | None:
    if item.valid_from is None and item.attribute_class in _SEEN_WHEN_SAID:
        return scope.local(item.learned_at).date()
    if item.valid_from is None or item.valid_from_precision not in (Precision.DAY.value, Precision.MONTH.value):
        return None
    return scope.local(item.valid_from).date()


def _comparable(attribute: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """Only what can make two statements on this slot disagree; what the slot's name says already is left out."""
    make = _COMPARABLE.get(spec_of(attribute).attribute_class)
    kept = dict(value) if make is None else make(value)
    if "corrects" in value:
        kept["corrects"] = value["corrects"]
    return kept


def _nothing(_value: Mapping[str, Any]) -> dict[str, Any]:
    return {}


def _stage_of(value: Mapping[str, Any]) -> dict[str, Any]:
    return {"stage": value["stage"]} if value.get("stage") else {}


def _dosage(value: Mapping[str, Any]) -> dict[str, Any]:
    """Dose and times a day as figures; words that are no figure stay words."""
    kept: dict[str, Any] = {}
    dose = str(value.get("dose_text") or _number_text(value))
    amounts = sorted(f"{figure:>8}{unit}" for figure, unit in quantities(dose) if unit not in _NO_AMOUNT)
    if amounts:
        kept["dose"] = amounts
    rhythm = times_a_day(str(value.get("frequency_text") or "") + str(value.get("dose_text") or ""))
    if rhythm is not None:
        kept["times_a_day"] = rhythm
    return kept


def _weighing(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value[key] for key in ("number", "unit") if value.get(key) is not None}


def _dose_number(value: Mapping[str, Any]) -> dict[str, Any]:
    """Which dose of a series (第二针), where it is told."""
    return {key: value[key] for key in ("number", "dose_number") if value.get(key) is not None}


def _figures(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value[key] for key in ("number", "severity") if value.get(key) is not None}


_COMPARABLE: Mapping[AttributeClass, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    AttributeClass.ALLERGY: _nothing,
    AttributeClass.CHRONIC_CONDITION: _stage_of,
    AttributeClass.MEDICATION: _dosage,
    AttributeClass.VACCINE: _dose_number,
    AttributeClass.DEWORMING: _dose_number,
    AttributeClass.WEIGHT: _weighing,
    AttributeClass.SYMPTOM: _figures,
}


def times_a_day(text: str) -> float | None:
    """How often a day, from an owner's words: 早晚 → 2, 隔天 → .5, 每8小时 → 3; None when it is not told."""
    folded = fold_text(text)
    if every := _EVERY_HOURS.search(folded):
        return 24 / _small_number(every[1])
    if "早中晚" in folded or "tid" in folded:
        return 3
    if "早晚" in folded or re.search(r"早[^,，]{1,8}晚|bid", folded):
        return 2
    if re.search(r"隔(?:一)?天|每两天|两天(?:吃|喂|打)?[一1](?!天)", folded):
        return 0.5
    if "每周" in folded or "一周" in folded or "每月" in folded:
        return None
    if counted := _TIMES_A_DAY.search(folded):
        return _small_number(counted[1] or counted[2])
    return 1 if re.search(r"每[晚早]|一天一(?!次|回)|sid|睡前", folded) else None


def _small_number(text: str) -> float:
    return float(text) if text.isdigit() else float({**_DIGITS, "八": 8}[text])


def _number_text(value: Mapping[str, Any]) -> str:
    number = value.get("number")
    return "" if number is None else f"{number:g}{value.get('unit') or ''}"


def _compare_weights(known: Said, new: Said) -> Relation | None:
    ours, theirs = _kilograms(new), _kilograms(known)
    if ours is None or theirs is None:
        return None
    if new.occurred_on is not None and new.occurred_on != known.occurred_on:
        return Relation.COMPATIBLE
    if new.occurred_on is not None and abs(ours - theirs) > _TOO_FAR_FOR_A_DAY * theirs:
        return Relation.CONTRADICTS
    same = abs(ours - theirs) < _SAME_KG and not is_at_another_time(known.telling, new.telling)
    return Relation.SAME if same else Relation.COMPATIBLE


def _compare_medications(known: Said, new: Said) -> Relation | None:
    """What the lines themselves tell of dose and rhythm counts where the fields are silent: 每8小时 is not 每12小时."""
    ours, theirs = fold_text(new.content), fold_text(known.content)
    rhythms = _rhythm_of_line(ours), _rhythm_of_line(theirs)
    if None not in rhythms and rhythms[0] != rhythms[1]:
        return Relation.CONTRADICTS
    if amounts_agree(theirs, ours) and not CHANGED_DOSE.search(ours) and new.negated == known.negated:
        return Relation.SAME
    differ = amounts_differ(theirs, ours)
    recounted = counted_otherwise(known, new) and not differ and not CHANGED_DOSE.search(ours)
    if recounted and not new.negated and not known.negated:
        return Relation.SAME
    told_another_way = bool(CHANGED_DOSE.search(ours)) and not new.negated and not _figures_shared(known, new)
    return Relation.CONTRADICTS if differ or told_another_way else None


def _rhythm_of_line(words: str) -> float | None:
    """How often a day a line tells; 每天一粒 is once unless it says otherwise."""
    told = times_a_day(words)
    return 1 if told is None and _EVERY_DAY.search(words) else told


def _figures_shared(known: Said, new: Said) -> bool:
    """Both tell a dose or a rhythm of the same kind, so that the generic rule can compare them."""
    return bool(new.value.keys() & known.value.keys() - DESCRIPTIVE_KEYS)


def _compare_conditions(known: Said, new: Said) -> Relation | None:
    """A worse stage raises the danger, a better one would lower it; a stage told for the first time is a detail."""
    told, held = (_stage_told(said) for said in (new, known))
    if not held or not told:
        return Relation.SAME
    before, after = _stage_rank(held), _stage_rank(told)
    if before is None or after is None:
        return Relation.SAME if told == held else Relation.CONTRADICTS
    if before == after:
        return Relation.SAME
    return Relation.RAISES_DANGER if after > before else Relation.CONTRADICTS


_RULES: Mapping[AttributeClass, Callable[[Said, Said], Relation | None]] = {
    AttributeClass.CHRONIC_CONDITION: _compare_conditions,
    AttributeClass.MEDICATION: _compare_medications,
    AttributeClass.VACCINE: compare_vaccines,
    AttributeClass.DEWORMING: compare_dewormings,
    AttributeClass.SYMPTOM: compare_signs,
    AttributeClass.WEIGHT: _compare_weights,
    AttributeClass.VISIT: compare_visits,
    AttributeClass.DIET_PREFERENCE: compare_diets,
    AttributeClass.SCHEDULE: compare_appointments,
    AttributeClass.BEHAVIOR: compare_habits,
    AttributeClass.ACTIVITY: compare_habits,
    AttributeClass.GROOMING: compare_habits,
    AttributeClass.PREFERENCE: compare_habits,
    AttributeClass.OTHER: compare_habits,
}


def _kilograms(said: Said) -> float | None:
    number, unit = said.value.get("number"), str(said.value.get("unit") or "kg")
    unit = "jin" if unit == "斤" else unit
    return kilograms(float(number), unit) if number is not None and unit in KG_PER_UNIT else None


def _stage_told(said: Said) -> str:
    """The stage that a line gives its illness, or how severe it calls it: 从轻度变成中度 → 中度."""
    severe = _SEVERITY.findall(fold_text(said.content))
    return str(said.value.get("stage") or (severe[-1] if severe else ""))


def _stage_rank(stage: str) -> float | None:
    """Where a stage stands among its kind: B2 after B1, 3期 after 2期, 晚期 after 早期."""
    if (named := _NAMED_STAGES.get(fold_text(stage))) is not None:
        return float(named)
    found = _STAGE.findall(fold_text(stage).replace("iris", ""))
    if not found:
        return None
    rank = found[-1]
    if rank in _STAGE_RANK:
        return float(_STAGE_RANK[rank])
    letter = "abcd".find(rank[0]) + 1 if rank[0] in "abcd" else 0
    digits = rank.lstrip("abcd")
    return letter * 10 + float(digits or 0)


def _value_of_record(kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """A record's fields under the keys claims use."""
    value = {key: held for key, held in fields.items() if held is not None}
    if kind in ("weights", "observations") and "value" in value:
        value["number"] = value.pop("value")
    if value.get("unit") == "jin":
        value["unit"] = "斤"
    return value
