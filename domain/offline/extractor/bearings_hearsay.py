"""What other people say of a known danger, and what the owner weighs because of it.

邻居说吃海带就好了, 群里说人用的眼药水一样好使, 大爷说狗哪有鸡蛋过敏的: who has not examined the animal calls the
danger cured, harmless or cheaper to treat. It is watched, never more, and the remedy they praise is no drug that is
given.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from domain.attributes import spec_of
from domain.offline.extractor.bearing_mentions import mentions_disease, mentions_drug, mentions_substance
from domain.offline.extractor.bearing_words import (
    CURED,
    HARMLESS,
    HEARD,
    NOT_ALLERGIC,
    PERMITTED,
    SWAPPED,
    UNSURE_OF_IT,
)
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.threads import MAX_LINE, Found
from domain.offline.extractor.tone import told_by_others
from domain.pet_mentions import State
from domain.pet_profiles import KnownFact
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass, Certainty, SpeechAct

_ADVISED = re.compile(r"(?<!医生)(?<!大夫)(?<!兽医)(?<!医院)(?:推荐|建议|劝我?|安利|坚持说|非说|一口咬定)")
_READ_SOMEWHERE = re.compile(r"说|讲|写|推荐|建议|分享|看到|刷到")
_EXAMINED = re.compile(r"医生|大夫|兽医|医院|医嘱|化验|复查")
_ANOTHER_WAY = re.compile(
    r"要不|不如|改[吃用滴涂点喂打]|代替|替代|取代|也(?:管用|行|可以|好用|能)|一样|便宜|省钱|划算|通用|管用|好使|顶[一得]?[下顶]?|没必要|用不着|不用|停|伤|依赖|(?:更|比[^,。]{1,8})好"
)
_MENDED = re.compile(
    r"治|断根|自愈|自己(?:会)?(?:好|转|消)|调[回过]来|养[回好]|杀死|带毒|没病|没(?:大)?事|不算(?:啥|什么)|会好"
)
_MADE_LIGHT_OF = re.compile(r"哪有|瞎讲究|假的|会(?:自己)?(?:消失|好)|应该(?:也|没)|没事|不是过敏|娇气|太?小心|不至于")
_OF_MEDICINE = re.compile(
    r"药|片|针|膏|滴|粉|液|胶囊|激素|补剂|保健|阿司匹林|人[用吃打]?的(?![话狗猫])|[抹涂滴敷]|用[^,。]{1,6}(?:就|也)(?:行|好|够)"
)

_ORGANS = {
    "心": re.compile(r"[二三]尖瓣|瓣膜|反流|房颤|动脉导管"),
    "肾": re.compile(r"iris|ckd|肌酐"),
}
"""The organ that owners speak of where the line names the disease."""


def add_hearsay(found: list[Found], known: Sequence[KnownFact], scene: Scene) -> list[Found]:
    """The drafts of a message and, where others speak of one known danger that nothing else speaks of, that doubt."""
    if not any(_is_heard(one.reading) for one in found) or any(_EXAMINED.search(one.reading.text) for one in found):
        return found
    about = {pet for one in found for pet in one.reading.about.pets}
    pets = about or {pet.id for pet in scene.utterance.pets if len(scene.utterance.pets) == 1}
    guarded = [fact for fact in known if fact.subject in pets and spec_of(fact.attribute).guards]
    spoken = [fact for fact in guarded if _is_spoken_of(fact, found, guarded)]
    if len({(fact.subject, fact.attribute) for fact in spoken}) != 1:
        return found
    fact = spoken[0]
    told = [draft for one in found for draft in one.drafts if draft.attribute == fact.attribute and draft.negated]
    slots = {one.attribute for one in known} - {fact.attribute}
    for one in found:
        one.drafts = [draft for draft in one.drafts if draft in told or not _is_praised(draft, one, slots)]
    return found if told else [*found, _watched(fact, found, scene)]


def _is_heard(reading: Reading) -> bool:
    if reading.tone.why_not == "elsewhere" or (reading.tone.why_not == "joke" and "刷" in reading.text):
        return _READ_SOMEWHERE.search(reading.text) is not None
    advised = _ADVISED.search(reading.text) or HEARD.search(reading.text)
    return not reading.tone.first_hand or told_by_others(reading.text) or advised is not None


def _is_spoken_of(fact: KnownFact, found: list[Found], guarded: Sequence[KnownFact]) -> bool:
    """Whether the message as a whole calls this danger cured or harmless, or its drug replaceable."""
    cls = spec_of(fact.attribute).attribute_class
    readings = [one.reading for one in found]
    words = "，".join(reading.text for reading in readings)
    if cls is AttributeClass.MEDICATION:
        weighed = _ANOTHER_WAY.search(words) or SWAPPED.search(words)
        named = any(mentions_drug(fact, reading, guarded) for reading in readings)
        drugs = [one for one in guarded if one.attribute.startswith("medication:")]
        meant = named or (len(drugs) == 1 and _OF_MEDICINE.search(words))
        return bool(weighed and meant)
    if UNSURE_OF_IT.search(words) and _names_it(fact, readings, guarded):
        return True
    if cls is AttributeClass.CHRONIC_CONDITION:
        mended = _MENDED.search(words) or CURED.search(words)
        organs = [organ for organ, diseases in _ORGANS.items() if diseases.search(fold_text(fact.content))]
        named = any(mentions_disease(fact, reading) for reading in readings) or any(organ in words for organ in organs)
        return bool(mended) and named
    denied = any(pattern.search(words) for pattern in (_MADE_LIGHT_OF, NOT_ALLERGIC, HARMLESS, PERMITTED))
    return denied and any(mentions_substance(fact, reading, guarded) for reading in readings)


def _names_it(fact: KnownFact, readings: Sequence[Reading], guarded: Sequence[KnownFact]) -> bool:
    if spec_of(fact.attribute).attribute_class is AttributeClass.CHRONIC_CONDITION:
        return any(mentions_disease(fact, reading) for reading in readings)
    return any(mentions_substance(fact, reading, guarded) for reading in readings)


def _is_praised(draft: Draft, one: Found, slots: set[str]) -> bool:
    """A remedy that somebody tells of, which nobody gives; or the danger itself, named only to be made light of."""
    remedy = draft.attribute.startswith(("medication:", "diet", "condition:")) and draft.attribute not in slots
    return remedy or (draft.owner and _is_heard(one.reading))


def _watched(fact: KnownFact, found: list[Found], scene: Scene) -> Found:
    """The doubt in the words of the whole message, or of the clause that was heard when these are too many."""
    heard = next(one.reading for one in found if _is_heard(one.reading))
    end = found[-1].reading.end
    end = end if end - heard.start <= MAX_LINE else heard.end
    about = replace(heard.about, pets=(str(fact.subject),), mentions=(), state=State.OURS)
    copied = replace(heard, about=about)
    scene.readings.append(copied)
    doubt = Draft(fact.attribute, heard.start, end, {}, negated=True, act=SpeechAct.OBSERVATION)
    return Found(copied, [replace(doubt, certainty=Certainty.HEARSAY)])
