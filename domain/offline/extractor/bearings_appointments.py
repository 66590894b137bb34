"""Appointments spoken of without their name: 拍片那个挪到17号, 跟前台说好改到19号."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from domain.attributes import spec_of
from domain.change_words import CANNOT_KEEP, CHANGED
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.threads import Found
from domain.pet_profiles import KnownFact
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass

APPOINTED = re.compile(
    r"复查|复诊|体检|拍片|检查|手术|洗牙|拔牙|拔|看牙|拍|x光|ct|核磁|美容|洗澡|疫苗|打针|绝育|拆线|化验|彩超|b超|面诊|预约|门诊|抽血|换药|输液|驱虫|剪毛|[胃肠内腹]镜|镜检|造影|理疗|针灸|透析|复检"
)


def appointment_meant(own: Sequence[KnownFact], reading: Reading) -> list[KnownFact]:
    """拍片那个挪到17号, of the one appointment there is, whatever it was called."""
    plans = [fact for fact in own if fact.attribute.startswith("schedule:") or is_dated(fact)]
    moved = CHANGED.search(reading.text) or CANNOT_KEEP.search(reading.text)
    spoken_of = (moved and APPOINTED.search(reading.text)) or (MOVED.search(reading.text) and not reading.used)
    kept_not = CANNOT_KEEP.search(reading.text) and len(plans) == 1 and _on_its_day(plans[0], reading.text)
    return plans if len(plans) == 1 and (spoken_of or kept_not) else []


_DAY = re.compile(r"(\d{1,2})[号日]")


def _on_its_day(plan: KnownFact, text: str) -> bool:
    """24号我可能去不了: the day of the appointment stands for it."""
    return bool(set(_DAY.findall(text)) & set(_DAY.findall(fold_text(plan.content))))


MOVED = re.compile(
    r"(?:改约|(?:改|挪|推|延|推迟|延期|延后|提前|顺延|调|换|约)(?:了)?(?:到|至|在|成))[^,。]{0,4}(?:\d{1,2}[号日]|(?:下|这)?(?:个)?(?:周|星期|礼拜)[一二三四五六日天\d]|下个?月|明天|后天)"
)
"""Moved to another day, whatever it is that is moved."""


def is_dated(fact: KnownFact) -> bool:
    """4月18日14:30拔残根: an appointment, whatever slot it was kept under."""
    loose = fact.attribute.startswith("other:") and APPOINTED.search(fold_text(fact.content))
    return bool(loose) and re.search(r"\d月\d+[日号].{0,3}\d+[:点]", fold_text(fact.content)) is not None


def naming_what_moved(draft: Draft, fact: KnownFact, scene: Scene) -> Draft:
    """The draft with the name of the appointment (抽血) where its own words, 改到19号, have none."""
    what = APPOINTED.search(fold_text(fact.content))
    named = APPOINTED.search(scene.folded[draft.start : draft.end])
    if what is None or named or not fact.attribute.startswith("schedule:"):
        return draft
    return replace(draft, about=what[0])


_KNOWN_DAY = re.compile(r"(\d{1,2})月\d{1,2}[号日]")
_NEXT_MONTH = re.compile(r"下(?!午)")
_BARE_DAY = re.compile(r"(?<![月\d])(\d{1,2})[号日]")


def with_its_new_time(draft: Draft, fact: KnownFact, one: Found, found: list[Found]) -> Draft:
    """复查推迟一周，27号同一时间: the new day stands in the clause that follows."""
    day = _of_the_known_month(one, fact) if draft.attribute.partition(":")[0] == "schedule" else None
    if day is not None:
        return replace(draft, on=day)
    following = found[one.reading.place + 1] if one.reading.place + 1 < len(found) else None
    appointed = spec_of(draft.attribute).attribute_class is AttributeClass.SCHEDULE or is_dated(fact)
    moved = appointed and not one.reading.times
    if following is None or not moved or following.drafts or not following.reading.times:
        return draft
    on = _of_the_known_month(following, fact) or following.reading.times[0].on
    return replace(draft, end=max(draft.end, following.reading.end), on=on)


def _of_the_known_month(one: Found, fact: KnownFact) -> date | None:
    """洗牙提前到15号, of the eighteenth of April: the fifteenth of that April."""
    told = _BARE_DAY.search(one.reading.text)
    recorded = _KNOWN_DAY.search(fold_text(fact.content))
    if told is None or recorded is None or _NEXT_MONTH.search(one.reading.text):
        return None
    near = one.reading.times[0].on if one.reading.times else None
    try:
        return date(near.year, int(recorded[1]), int(told[1])) if near else None
    except ValueError:
        return None
