"""One allergen put in place of another: 原填成金枪鱼是手误，应填火鸡; 之前说错了，是对鸭肉过敏; 把兔肉写成鸭肉了.

What was meant is another danger, said plainly and in force at once; what was written is taken back, and asked about.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from domain.attributes import spec_of
from domain.offline.extractor.bearing import certainty_of
from domain.offline.extractor.bearing_mentions import mentions_substance
from domain.offline.extractor.bearing_words import TAKEN_BACK
from domain.offline.extractor.reading import Draft, Reading
from domain.offline.extractor.threads import Found
from domain.pet_profiles import KnownFact
from memory.vocabulary import AttributeClass, Certainty, SpeechAct

_PUT_RIGHT = re.compile(
    r"更正|纠正|订正|勘误|(?:准确|严格|确切)(?:地|来)?[讲说]|(?:改成|改为|换成)[^,。]{1,6}过敏|(?:记|说|写|填|选)的[^,。]{0,4}不对|错[写填记选打点录标]|[录输登报标抄存]错|误[写填记选标]"
)
_MEANT = re.compile(
    r"(?:(?:应该?|该|理应|实际(?:上)?(?:应该?)?|实)(?:填|写|选|记|录|为|是)|(?:本来?|原本?|当时|其实|我)?(?:是)?(?:[想要](?:填|写|选|打|说|记|录|点)|指)(?:的)?(?:应该?)?(?:是)?"
    r"|正确(?:的)?(?:应该?)?(?:是|为)|(?:准确|严格|确切)(?:地|来)?(?:讲|说|的)?(?:应该?)?是|真正(?:过敏|要忌|不能吃)?的(?:应该?)?是|(?:其实|好像|可能|似乎)就?是|过敏的(?:其实|应该|实际上?)?是"
    r"|(?:写|标|记|印|查)(?:的|着|出来的?)(?:就|都|明明|其实)*是"
    r"|(?:单子?|报告|病历|结果|本子?)[上里]?(?:明明|就|都|其实)*是)(?:对)?"
)
_CONTRASTED = re.compile(r"(?:不是|而非|并非)(?:对)?\x00?(?P<old>[^,。]{1,8})")
_OF_THE_RECORD = re.compile(r"过敏|病历|报告|检测|化验|单子|记录|档案|才对")
_OF_A_MEAL = re.compile(r"[吃喂买换喝](?!了?[^,。]{0,4}过敏)")
"""不是鸡肉，是牛肉 may be what was for dinner."""
_WRITTEN_AS = re.compile(r"(?:给|错|都|被|我)*(?:写|打|记|填|选|点|录|输|看|听|说|搞|弄|标)成(?:了)?")
_RIGHT_ONE = re.compile(r"(?:过敏)?(?:那个|这个)?才(?:对|是)(?!的时候)")
"""恩诺沙星才对, 羊肉才是."""
_UNLISTED = re.compile(
    r"(?P<what>[\u4e00-\u9fff]{1,5}?)(?:类|那[个种栏项])?(?:过敏|才对|的(?:$|,)|[啊呀哦哈吧]?(?:$|[,。!]))"
)
_NO_SUBSTANCE = re.compile(r"[错混岔串反没不了谁它他她我你咱\x00]|这[样个]|那[样个]")
"""其实是罗卡说错了 tells who was wrong."""
_GUESSED = re.compile(r"怀疑|好像|可能|也许|大概|估计|记不清|不确定|拿不准|[?？]|[吗么]$")
_SUBSTANCES = ("food", "allergen", "drug", "drug_name")
_STAYS = (AttributeClass.SYMPTOM, AttributeClass.VISIT, AttributeClass.WEIGHT)


def swap_allergens(found: list[Found], known: Sequence[KnownFact]) -> None:
    """Tell the danger that was meant instead of the one on record, and take that one back."""
    whole = "，".join(one.reading.text for one in found)
    if "也" in whole or not (TAKEN_BACK.search(whole) or _PUT_RIGHT.search(whole) or _contrasts(whole, known)):
        return
    for one in found:
        fact = _spoken_of(one.reading, found, known, whole)
        meant = _meant(one.reading, fact) if fact is not None else None
        if fact is not None and meant is not None:
            _put_in_its_place(fact, one, meant, found, Certainty.HEDGED if _GUESSED.search(whole) else Certainty.PLAIN)
            return
    _take_back_the_other(found, known)


def _contrasts(whole: str, known: Sequence[KnownFact]) -> bool:
    """病历上写的是樱桃，不是芒果: the allergen on record is denied, and a record or an allergy named."""
    if not _OF_THE_RECORD.search(whole) or _OF_A_MEAL.search(whole):
        return False
    named = [word for fact in known if fact.attribute.startswith("allergy:") for word in _words_of(fact)]
    denied = [told["old"] for told in _CONTRASTED.finditer(whole)]
    return any(word in one for word in named for one in denied) or (
        "才对" in whole and any(word in whole for word in named)
    )


def _spoken_of(reading: Reading, found: list[Found], known: Sequence[KnownFact], whole: str) -> KnownFact | None:
    """The one allergy of this pet that the message names, or the only one where it speaks of allergies."""
    own = [fact for fact in known if fact.attribute.startswith("allergy:") and fact.subject in reading.about.pets]
    named = [fact for fact in own if any(mentions_substance(fact, one.reading, known) for one in found)]
    denied = [told["old"] for told in _CONTRASTED.finditer(whole)]
    against = [fact for fact in named if any(word in one for word in _words_of(fact) for one in denied)]
    meant = (against if len(named) > 1 else named) or (own if "过敏" in whole else [])
    return meant[0] if len(meant) == 1 and reading.usable else None


def _meant(reading: Reading, fact: KnownFact) -> tuple[str, str] | None:
    """Slot and name of what was meant: what follows 应填, or stands before 写成 and the allergen on record."""
    after = _MEANT.search(reading.text)
    right = _RIGHT_ONE.search(reading.text)
    before = _WRITTEN_AS.search(reading.text)
    named = [hit for hit in reading.hits if hit.family in _SUBSTANCES]
    if before is not None and any(word in reading.text[before.end() :] for word in _words_of(fact)):
        told = [hit for hit in named if hit.start < reading.start + before.start()]
    elif after is not None:
        told = [hit for hit in named if hit.start == reading.start + after.end()]
    elif right is not None:
        told = [hit for hit in named if hit.end == reading.start + right.start()]
    else:
        return None
    if told:
        slot, name = f"allergy:{told[-1].word.allergen or told[-1].id}", told[-1].word.text
        same_kind = slot == fact.attribute  # cod for tuna: of one kind, and yet not the one on record
        return None if name in fact.content else (f"allergy:{name}" if same_kind else slot, name)
    unlisted = _UNLISTED.match(reading.text[after.end() :]) if after is not None else None
    what = unlisted["what"] if unlisted else ""
    return (f"allergy:{what}", what) if len(what) > 1 and not _NO_SUBSTANCE.search(what) else None


def _words_of(fact: KnownFact) -> tuple[str, ...]:
    content = re.sub(r"^.*?对|(?:有|严重|轻微|会)?(?:过敏|不耐受).*$", "", fact.content)
    return (content,) if content else ()


def _put_in_its_place(fact: KnownFact, one: Found, meant: tuple[str, str], found: list[Found], sure: Certainty) -> None:
    slot, name = meant
    slip = next((other for other in found if TAKEN_BACK.search(other.reading.text)), one)
    named = next((other for other in found if any(word in other.reading.text for word in _words_of(fact))), slip)
    for other in found:
        other.drafts = [draft for draft in other.drafts if _class_of(draft) in _STAYS]
    value = {"substance": slot.partition(":")[2], "substance_name": name}
    reading = one.reading
    unsaid = "" if "过敏" in reading.text else "过敏"
    one.drafts.append(Draft(slot, reading.start, reading.end, value, certainty=sure, about=unsaid))
    denial = {"substance": fact.attribute.partition(":")[2]}
    start, end = named.reading.start, named.reading.end
    act = SpeechAct.CORRECTION
    named.drafts.append(Draft(fact.attribute, start, end, denial, negated=True, act=act, certainty=sure))


def _class_of(draft: Draft) -> AttributeClass:
    return draft.cls or spec_of(draft.attribute).attribute_class


def _take_back_the_other(found: list[Found], known: Sequence[KnownFact]) -> None:
    """之前说错了，是对鸭肉过敏: of one with a single allergy on record, which must be the one that was told wrongly."""
    for one in found:
        told = [draft for draft in one.drafts if draft.attribute.startswith("allergy:") and not draft.negated]
        allergic = [fact for fact in known if fact.attribute.startswith("allergy:")]
        own = [fact for fact in allergic if fact.subject in one.reading.about.pets]
        if len(told) != 1 or len(own) != 1 or told[0].attribute == own[0].attribute:
            continue
        if any(draft.attribute == own[0].attribute for other in found for draft in other.drafts):
            continue
        doubt = told[0].certainty or certainty_of(one.reading)
        key = own[0].attribute.partition(":")[2]
        denial = replace(told[0], attribute=own[0].attribute, value={"substance": key} if key else {}, negated=True)
        one.drafts.append(replace(denial, act=SpeechAct.CORRECTION, certainty=doubt))
        return
