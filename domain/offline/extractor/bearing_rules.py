"""The rules of bearings, one a kind of known fact: what in a message says something of it, and what that is.

A rule looks at one clause and at most the next two, and answers with a `Bearing` or None. The wording stands in
`bearing_words`.
"""

import re
from collections.abc import Sequence

from domain.offline.extractor.bearing import REACH, Bearing, Rule, certainty_of, doubted, reach
from domain.offline.extractor.bearing_days import birthday, prevention
from domain.offline.extractor.bearing_mentions import (
    MOVED_BY_JOINTS,
    disease_words,
    mentions_disease,
    mentions_drug,
    mentions_other_substance,
    mentions_substance,
)
from domain.offline.extractor.bearing_neutering import neutered
from domain.offline.extractor.bearing_weights import weight
from domain.offline.extractor.bearing_words import (
    ADJUSTED,
    ALLERGY_TEST,
    ALWAYS_HARMS,
    ASKED,
    AVOIDED,
    BEGUN_AGAIN,
    BODY,
    BORNE_OUT,
    BY_EYE,
    CHANGE_ASKED,
    CURED,
    DELETED,
    DOSAGE,
    DOUBTS_THE_RECORD,
    ENDED_FOR_GOOD,
    GUESSED,
    HARMLESS,
    JOKED,
    LESSENED,
    MISSED_DOSE,
    NEVER_MISSED,
    NOT_ALLERGIC,
    NOT_CURED,
    ORDINARY_FOOD,
    OTHER_CAUSE,
    PERMITTED,
    PROPOSED,
    RELAPSE_FREE,
    RHETORICAL,
    SETTLED_ON,
    SHIELDED,
    SLIPPED,
    STILL_GIVEN,
    STOPPED,
    SWAPPED,
    SWITCHED_FOOD,
    TAKEN_BACK,
    TESTED,
    WHO_SAYS,
    changed_dose,
    changed_rhythm,
    changed_stage,
    corrected_dose,
    told_dose,
)
from domain.offline.extractor.bearings_amounts import another_dose
from domain.offline.extractor.threads import Found
from domain.pet_profiles import KnownFact
from memory.vocabulary import AttributeClass, Certainty, SpeechAct

_BARE_STAGE = re.compile(r"[1-4一二三四]期|(?<![a-z])[abcd][12]?期|(?<![a-z])b[12](?![a-z\d])")
_DID_NOT_COME = re.compile(r"[也还都]没(?:再)?(?:拉|窜)(?!屎|大便|出)")  # after a meal: no diarrhoea, not a blockage
_ITS_FITS = re.compile(r"犯病|发病|发作|犯了|抽")
_FOOD = re.compile(r"粮|罐|冻干|生骨|鲜[肉食]|自制|饭")
_OTHER_FOOD = re.compile(rf"{_FOOD.pattern}|零食|猫条|肉干")  # 药吃着，零食一片都不给了
BARE_MENTION = 8  # characters of a clause that only names the drug; what happens to it stands in the next one


def _allergy(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing | None:
    """A test, a permission, the wish to strike the allergy out; else harm that did not come."""
    if not mentions_substance(fact, found[place].reading, known):
        return None
    last = _reach_about(fact, found, place)
    if _was_shielded(fact, found):
        return None
    if _is_denied_here(fact, found[place]):
        sure = certainty_of(found[place].reading)
        return Bearing(fact, place, place, negated=True, act=SpeechAct.CORRECTION, certainty=sure)
    if any(BORNE_OUT.search(one.reading.text) for one in found[place : last + 1]):
        return Bearing(fact, place, last, negated=False, act=SpeechAct.OBSERVATION)
    for end in range(place, last + 1):
        denial = _denied_allergy(fact, found, place, end)
        if denial is not None:
            return denial
    if last + 1 < len(found) and OTHER_CAUSE.search(found[last + 1].reading.text):
        sure = doubted(found[last + 1].reading)
        return Bearing(fact, place, last + 1, negated=True, act=SpeechAct.OBSERVATION, certainty=sure)
    for end in range(place, last + 1):
        reading = found[end].reading
        if HARMLESS.search(reading.text) and not _reacted(found, place, end):
            certainty = certainty_of(reading)
            taken_back = any(TAKEN_BACK.search(one.reading.text) for one in found[: last + 1])
            tested = any(ALLERGY_TEST.search(one.reading.text) for one in found[: end + 1])
            act = SpeechAct.STATEMENT if tested else SpeechAct.OBSERVATION
            act = SpeechAct.CORRECTION if taken_back else act
            return Bearing(fact, place, end, negated=True, act=act, certainty=certainty)
    return _told_again(fact, found, place) or _harmless_before(fact, found, place)


def _was_shielded(fact: KnownFact, found: list[Found]) -> bool:
    """先推了地塞米松再打的，没肿: no evidence against the allergy to a vaccine, and the shot stays what it is."""
    shot = any(one.reading.has("vaccine") for one in found) or re.search(r"疫苗|[三五六八]联|狂犬", fact.content)
    words = "，".join(one.reading.text for one in found)
    return bool(shot) and bool(SHIELDED.search(words)) and re.search(r"先|前", words) is not None


def _is_denied_here(fact: KnownFact, one: Found) -> bool:
    """过敏的东西不是牛奶，是鸡蛋: an outright denial is never taken for the danger said again."""
    denied = any(draft.attribute == fact.attribute and draft.negated for draft in one.drafts)
    return denied and "过敏" in one.reading.text and "不是" in one.reading.text


def _told_again(fact: KnownFact, found: list[Found], place: int) -> Bearing | None:
    """又发抖了，怀疑还是它 and 别给它碰 say the known danger again."""
    reading = found[place].reading
    if reading.tone.why_not == "question":
        return None
    if ALWAYS_HARMS.search(reading.text) and _reacted(found, place, place):
        found[place].drafts = [one for one in found[place].drafts if not one.attribute.startswith("symptom:")]
        return Bearing(fact, place, place, negated=False, act=SpeechAct.STATEMENT, certainty=certainty_of(reading))
    if _reacted(found, max(place - 1, 0), _reach_about(fact, found, place)):
        return Bearing(fact, place, place, negated=False, act=SpeechAct.OBSERVATION)
    if not AVOIDED.search(reading.text):
        return None
    return Bearing(fact, place, place, negated=False, act=SpeechAct.STATEMENT, certainty=Certainty.PLAIN)


def _harmless_before(fact: KnownFact, found: list[Found], place: int) -> Bearing | None:
    """一晚上过去没肿，看来蜂蜜不打紧: the harm that did not come stands before the thing."""
    if not place or found[place - 1].reading.sentence != found[place].reading.sentence:
        return None
    before = found[place - 1].reading
    if not HARMLESS.search(before.text) or _reacted(found, place - 1, place):
        return None
    certainty = certainty_of(found[place].reading)
    return Bearing(fact, place - 1, place, negated=True, act=SpeechAct.OBSERVATION, certainty=certainty)


def _denied_allergy(fact: KnownFact, found: list[Found], place: int, end: int) -> Bearing | None:
    """What the clause at `end` says against the allergy itself, not of one meal."""
    text, asked = found[end].reading.text, certainty_of(found[end].reading)
    heard = asked is Certainty.HEARSAY  # 有人说猫哪会过敏 is somebody else's word
    asked = Certainty.PLAIN if WHO_SAYS.search(text) and not heard else asked  # 谁说它过敏的 asks nobody
    act = _correcting(found, place, end)
    if "过敏" in text and ASKED.search(text):
        return Bearing(fact, place, end, negated=True, certainty=Certainty.QUESTION)
    if DELETED.search(text):
        wish = asked or Certainty.PLAIN  # 删了吧 is a request, not a guess
        return Bearing(fact, place, end, negated=True, act=act, certainty=wish)
    if DOUBTS_THE_RECORD.search(text) and not _reacted(found, place, end):
        return Bearing(fact, place, end, negated=True, act=SpeechAct.OBSERVATION, certainty=doubted(found[end].reading))
    if "过敏" in text and WHO_SAYS.search(text):
        return Bearing(fact, place, end, negated=True, act=act, certainty=asked)
    if OTHER_CAUSE.search(text) and not _reacted(found, end, end):
        return Bearing(fact, place, end, negated=True, act=act, certainty=asked or doubted(found[end].reading))
    if NOT_ALLERGIC.search(text) or (PERMITTED.search(text) and not _reacted(found, place, end)):
        return Bearing(fact, place, end, negated=True, act=act, certainty=asked)
    if _is_taken_back(found, place, end) or _is_the_wrong_one(found, place, end):
        return Bearing(fact, place, end, negated=True, act=SpeechAct.CORRECTION, certainty=asked)
    return None


def _is_the_wrong_one(found: list[Found], place: int, end: int) -> bool:
    """是对头孢过敏，不是甲硝唑: what stands after 不是 is not the allergen."""
    before = found[place - 1].reading.text if place else ""
    return (
        place == end and "过敏" in before and re.match(r"(?:而)?(?:不是|并非)", found[place].reading.text) is not None
    )


def _reach_about(fact: KnownFact, found: list[Found], place: int) -> int:
    """The last clause of the thought before another substance is named."""
    last = reach(found, place)
    other = (end for end in range(place + 1, last + 1) if mentions_other_substance(fact, found[end].reading))
    return next(other, last + 1) - 1


def _condition(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing | None:
    """A cure that is told, guessed or asked about; another stage."""
    reading = found[place].reading
    stage = changed_stage(reading.text)
    named = mentions_disease(fact, reading) or (place > 0 and mentions_disease(fact, found[place - 1].reading))
    if stage is None and (named or TESTED.search(reading.text)):
        bare = _BARE_STAGE.search(reading.text)
        stage = bare[0] if bare else None
    graded = None if stage else _graded(found, place)
    stage = stage or graded
    if stage and _is_only_staged(fact, known):
        alone = mentions_disease(fact, reading) or not (named or graded)
        first = place if alone else place - 1
        return Bearing(fact, first, place, negated=False, certainty=certainty_of(reading), value=(("stage", stage),))
    meant = mentions_disease(fact, reading) or _is_the_disease(fact, found, place, known)
    named = mentions_disease(fact, reading)
    if named and RELAPSE_FREE.search(reading.text) and not TESTED.search(reading.text):
        return Bearing(fact, place, place, negated=True, act=SpeechAct.OBSERVATION, certainty=certainty_of(reading))
    hoped = "快好" in reading.text and GUESSED.search(reading.text)  # 应该快好了吧 is at least a guess
    if not meant or not CURED.search(reading.text) or (NOT_CURED.search(reading.text) and not hoped):
        return None
    seen = place > 0 and found[place - 1].reading.sentence == reading.sentence and _is_absence(found[place - 1])
    by_eye = (seen or _is_absence(found[place]) or BY_EYE.search(reading.text)) and not TESTED.search(
        "".join(one.reading.text for one in found)
    )
    act = SpeechAct.OBSERVATION if by_eye else None
    joked = any(JOKED.search(one.reading.text) or RHETORICAL.search(one.reading.text) for one in found)
    certainty = certainty_of(reading) or (doubted(reading) if joked else None) or _doubted_next(fact, found, place)
    part = next((part for part in MOVED_BY_JOINTS if part in reading.text), "")
    value = (("name", part),) if part and part in disease_words(fact.content) else ()
    first = place if mentions_disease(fact, reading) or not _names_it_before(fact, found, place) else place - 1
    return Bearing(fact, first, place, negated=True, act=act, certainty=certainty, value=value)


def _doubted_next(fact: KnownFact, found: list[Found], place: int) -> Certainty | None:
    """一年多没病没灾的，猫艾滋估计是好了: the cure is guessed where the disease is named."""
    after = [one.reading for one in found[place + 1 : reach(found, place) + 1] if mentions_disease(fact, one.reading)]
    return next((sure for reading in after if (sure := certainty_of(reading)) is not None), None)


_GRADED = re.compile(r"评级|分级|分期|评估|评分|片子|拍片|ct|核磁|b超|彩超|心超|造影")
_ONLY_A_STAGE = re.compile(
    r"(?:结果|这回|这次|现在|目前|竟然|居然|都|是|给|已经?|到)*(?P<stage>[1-4一二三四][期级度]|[a-d][12]?(?:期|(?=级))|[轻中重]度)级?(?:了|啦|啊|呀|哎|唉|的)*"
)


def _graded(found: list[Found], place: int) -> str | None:
    """评级出来了，D级: a clause of nothing but a stage, after one that tells of a test."""
    only = _ONLY_A_STAGE.fullmatch(found[place].reading.text)
    before = "，".join(one.reading.text for one in found[max(0, place + 1 - REACH) : place])
    tested = TESTED.search(before) or _GRADED.search(before)
    return only["stage"] if only and tested else None


def _names_it_before(fact: KnownFact, found: list[Found], place: int) -> bool:
    """冠状送检 / 结果阴性: the disease stands in the clause before."""
    same = place > 0 and found[place - 1].reading.sentence == found[place].reading.sentence
    return same and mentions_disease(fact, found[place - 1].reading)


def _medication(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing | None:
    """A drug stopped, changed in dose, given on, or to be swapped for another."""
    reading = found[place].reading
    if not mentions_drug(fact, reading, known):
        return None
    last = reach(found, place)
    bare = len(reading.text) <= BARE_MENTION and not STOPPED.search(reading.text)
    end = place + 1 if bare and place < last and not _OTHER_FOOD.search(found[place + 1].reading.text) else place
    text, certainty = found[end].reading.text, certainty_of(found[end].reading)
    if MISSED_DOSE.search(text):
        return None
    thought = "，".join(one.reading.text for one in found[place : last + 1])
    right = corrected_dose(thought, fact.content) if SLIPPED.search(thought) else None
    if right is not None:
        act, sure = SpeechAct.CORRECTION, certainty_of(reading)
        return Bearing(fact, place, last, negated=False, act=act, certainty=sure, value=right)
    dose = changed_dose(text, fact.content)
    if dose is not None:
        return Bearing(fact, place, end, negated=False, act=SpeechAct.DECISION, certainty=certainty, value=dose)
    before = found[place - 1].reading.text if place else ""
    reached = min(end + 1, last) if ADJUSTED.search(text) else end  # 加量，0.6一次: how much stands in the next clause
    dose = told_dose("，".join(one.reading.text for one in found[place : reached + 1]), fact.content, before)
    if dose is not None and certainty is None and not PROPOSED.search(thought):
        return Bearing(fact, place, reached, negated=False, act=SpeechAct.DECISION, value=dose)
    rhythm = changed_rhythm(text)
    if rhythm is not None and certainty is not Certainty.QUESTION:
        often = (("frequency_text", rhythm),)
        return Bearing(fact, place, end, negated=False, act=SpeechAct.DECISION, certainty=certainty, value=often)
    following = found[end + 1].reading.text if end < last else ""
    if NEVER_MISSED.search(text) or NEVER_MISSED.match(following):
        return _given_on(fact, found, place, known)
    thought = "".join(one.reading.text for one in found[place : last + 1])
    if PROPOSED.search(thought) and (SWAPPED.search(thought) or LESSENED.search(text) or STOPPED.search(thought)):
        return Bearing(fact, place, last, negated=True, certainty=certainty or doubted(reading))
    if (ENDED_FOR_GOOD.match(following) or _is_cut_off(following, text)) and certainty is None:
        sure = certainty_of(found[end + 1].reading)
        return Bearing(fact, place, end + 1, negated=True, act=SpeechAct.DECISION, certainty=sure)
    if STOPPED.search(text):
        return Bearing(fact, place, end, negated=True, act=SpeechAct.DECISION, certainty=certainty)
    if certainty is Certainty.QUESTION and CHANGE_ASKED.search(text):
        return Bearing(fact, place, end, negated=True, certainty=certainty)
    if STILL_GIVEN.search(text) and certainty is not Certainty.QUESTION:
        return _given_on(fact, found, place, known)
    return None


_CUT_OFF = re.compile(
    r"(?:[^,。]{0,6}(?:起|开始))?(?:我们?|咱们?|就|给|先|已经|也|都|全|干脆|直接|自己|把|它|他|她|\x00)*(?:停|断|撤|戒)(?:掉|药|了|啦)+"
    r"|(?:[^,。]{0,4})(?:就|我)(?:便)?没(?:有)?再(?:给)?(?:它|他|她|\x00)*(?:吃|喂|打|滴|用|涂|抹|点)(?:了|过)?"
)
"""匹莫苯丹太贵了，这个月起我给断了: the drug is named before, and nothing is named here."""


_OF_A_DAY = re.compile(r"今[天早晚日]|昨|前天|刚|吐|这[次顿片]")


def _is_cut_off(following: str, named: str) -> bool:
    again = "没" in following and _OF_A_DAY.search(named) is not None  # 今天那片吐沙发上了，我没再喂
    return _CUT_OFF.fullmatch(following) is not None and not again


def _given_on(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing:
    """Still or again given; how much stands in this clause or the next. Begun again otherwise, it is changed."""
    words = found[place].reading.text
    held = "，".join(one.content for one in known if one.attribute == fact.attribute and one.subject == fact.subject)
    for end in range(place, min(place + 2, reach(found, place) + 1)):
        dosage = DOSAGE.search(found[end].reading.text)
        other = another_dose(found[end].reading.text, held) if dosage and BEGUN_AGAIN.search(words) else None
        if other:
            return Bearing(fact, place, end, negated=False, act=SpeechAct.DECISION, value=other)
        if dosage:
            value = (("dose_text", dosage[0]), ("frequency_text", dosage[0]))
            return Bearing(fact, place, end, negated=False, act=SpeechAct.STATEMENT, value=value)
    return Bearing(
        fact, place, place, negated=False, act=SpeechAct.OBSERVATION, certainty=certainty_of(found[place].reading)
    )


def _prescription(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing | None:
    """The prescribed diet given up, and how that goes."""
    reading = found[place].reading
    if _OPEN.search(reading.text):
        return None
    switched = SWITCHED_FOOD.search(reading.text) and (reading.has("food", "brand") or _FOOD.search(reading.text))
    ordinary, harmless = ORDINARY_FOOD.search(reading.text) or switched, HARMLESS.search(reading.text)
    following = found[reach(found, place)].reading.text
    if ordinary and harmless and not SETTLED_ON.search(following):
        return Bearing(fact, place, place, negated=True, act=SpeechAct.OBSERVATION, certainty=certainty_of(reading))
    if ordinary:
        first = place - 1 if place and "处方" in found[place - 1].reading.text else place
        named = (("name", "处方粮"),) if fact.attribute.startswith("condition") else ()
        return Bearing(
            fact,
            first,
            place,
            negated=True,
            act=SpeechAct.DECISION,
            certainty=certainty_of(reading),
            value=named,
        )
    fares = re.search(
        r"吃[^,。处]{1,6}?[一二两三四五六七八九十几半\d]+(?:来)?个?(?:天|周|月|星期|礼拜)|[换改](?:了|回|粮|完).{0,6}(?:天|周|个?月|星期|礼拜)|没(?:再|有)?(?:吃|喂)处方",
        reading.text,
    )
    last = reach(found, place)
    thought = "".join(one.reading.text for one in found[place : last + 1])
    if fares and (HARMLESS.search(thought) or _FARES_WELL.search(thought)):
        return Bearing(fact, place, last, negated=True, act=SpeechAct.OBSERVATION, certainty=certainty_of(reading))
    return None


_OPEN = re.compile(r"什么|啥|哪[种个款些]|多少|几[顿餐次克袋]")  # 现在吃什么粮 tells of no other food
_FARES_WELL = re.compile(
    r"正常|没变|没差|一样|不错|挺好|还好|蛮好|还行|可以|照常|稳|没(?:什么|啥|有)?(?:变化|异常|毛病|不对|问题)|能吃能|精神"
)


RULES: dict[str, Rule] = {
    AttributeClass.ALLERGY.value: _allergy,
    AttributeClass.CHRONIC_CONDITION.value: _condition,
    AttributeClass.MEDICATION.value: _medication,
    AttributeClass.WEIGHT.value: weight,
    AttributeClass.VACCINE.value: prevention,
    AttributeClass.DEWORMING.value: prevention,
    "diet.prescription": _prescription,
    "neutered": neutered,
    "birth_date": birthday,
}


def _is_the_disease(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> bool:
    """好三个月了 with nothing else that could be well again: the one disease on record."""
    diseases = [one for one in known if one.subject == fact.subject and one.attribute.startswith("condition:")]
    hits = [*found[place].reading.hits, *(found[place - 1].reading.hits if place else [])]
    words = [hit for hit in hits if f"condition:{hit.id}" != fact.attribute and not _ITS_FITS.search(hit.word.text)]
    return len(diseases) == 1 and not any(hit.family in ("sign", "condition", "behavior", "body") for hit in words)


def _is_only_staged(fact: KnownFact, known: Sequence[KnownFact]) -> bool:
    staged = [
        one
        for one in known
        if one.subject == fact.subject
        and one.attribute.startswith("condition:")
        and re.search(r"期|级|[轻中重]度|stage", one.content)
    ]
    return len(staged) == 1 and staged[0] is fact


def _correcting(found: list[Found], first: int, last: int) -> SpeechAct | None:
    told = any(TAKEN_BACK.search(one.reading.text) for one in found[first : last + 1])
    return SpeechAct.CORRECTION if told else SpeechAct.STATEMENT


def _is_taken_back(found: list[Found], first: int, last: int) -> bool:
    """那事儿是听错了: the known allergy is named and what follows takes it back."""
    text = "".join(one.reading.text for one in found[first : last + 1])
    named = "过敏" in text or re.search(r"[那这]一?[条个事回]|记录|档案", text) is not None
    return named and TAKEN_BACK.search(text) is not None and not re.search(r"不是.{1,8}是", text)


_IS_SOUND = re.compile(r"净|正常|光滑|没事|成[形型]")  # 皮肤挺干净 names the skin, and no harm


def _is_sound(name: str, text: str) -> bool:
    """眼圈看着没变化, 今天便便是硬的: a part of the body is named as a sign, and nothing is wrong with it."""
    alone = BODY.fullmatch(name) is not None and HARMLESS.search(text) is not None
    return alone or _IS_SOUND.search(name) is not None or HARMLESS.search(name) is not None


def _reacted(found: list[Found], first: int, last: int) -> bool:
    """A sign of harm stands in these clauses that is not denied there."""
    return any(
        draft.attribute.startswith("symptom:")
        and not draft.negated
        and "ate" not in draft.attribute
        and not _is_sound(str(draft.value.get("name", "")), one.reading.text)
        and "净" not in one.reading.text
        and not (draft.attribute == "symptom:constipation" and _DID_NOT_COME.search(one.reading.text))
        for one in found[first : last + 1]
        for draft in one.drafts
    )


def reacted_by(found: list[Found], place: int) -> int | None:
    """The clause of this thought by which harm has shown itself; None when it has not."""
    return next((end for end in range(place, reach(found, place) + 1) if _reacted(found, place, end)), None)


def _is_absence(one: Found) -> bool:
    return any(draft.attribute.startswith("symptom:") and draft.negated for draft in one.drafts)
