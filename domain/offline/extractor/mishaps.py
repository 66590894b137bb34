"""What a pet got at that was not meant for it: whatever names it later is no medicine that the pet is given.

地瓜偷吃了土豆的药，呋塞米40的 and 把我的布洛芬吃了一颗 tell of one mishap each, and of no medication.
"""

import re
from dataclasses import replace

from domain.offline.extractor.reading import Draft, belongs_to
from domain.offline.extractor.threads import Found

_SWALLOWED = re.compile(
    r"(?:偷|误|叼|(?<![打弄碰推撞掀])翻|扒|抢|顺|捡)[^,。]{0,4}(?:吃|舔|嚼|吞|喝|走|了)|(?:吃|舔|嚼|吞|咽|啃|喝|炫|旋|造)(?:[进下]|到)?(?:了|掉|光|走|肚)|喂给\x00+了|喂[错串混岔反]|给错|误喂|咬开"
)
_MY_MEDICINE = re.compile(
    r"把?我(?:妈|爸|老公|老婆|奶奶|爷爷|婆婆|家里?)?的?[^,。把]{1,10}(?:吃|舔|嚼|吞|咽|啃|喝|叼)(?:了|掉|光|走)"
    r"|(?:偷吃|吃|舔|嚼|吞|咽|啃|喝|叼走)了?(?:[一两三几半]?[片颗粒板瓶盒])?我(?:妈|爸|老公|老婆|奶奶|爷爷|婆婆)?的"
)
_GOODS = ("drug", "drug_name", "drug_word", "dewormer")
_GIVEN = ("medication:", "deworming:")
_REPLACED = (
    *_GIVEN,
    "other:living",
    "symptom:appetite",
    "behavior:",
    "diet",
    "symptom:ate",
    "other:ate",
    "other:remark",
)
_ONLY_NAMES_IT = 16  # characters of a clause that says no more than what was swallowed
_ON_PURPOSE = re.compile(r"每|一天|一日|照|按|医生|开了|开的|给(?!叼)|平时|本来|一直在")
REACH = 3  # clauses on in which it may be named


def told_as_mishaps(found: list[Found]) -> list[Found]:
    """The drafts of a message, with no medication made of what was swallowed by mishap."""
    for place, one in enumerate(found):
        if _MIXED_UP.search(one.reading.text):
            one.drafts = [draft for draft in one.drafts if draft.attribute != "medication:unnamed"]
            _tell_who_got_it(found[place : place + 2])
        if _KEPT_FROM.search(one.reading.text):
            one.drafts = [draft for draft in one.drafts if not draft.attribute.startswith("symptom:ate")]
        if not one.reading.usable or len(one.reading.about.pets) != 1 or not _SWALLOWED.search(one.reading.text):
            continue
        if any(draft.attribute.startswith("medication:") for draft in one.drafts):
            one.drafts = _as_swallowed(one) if _MY_MEDICINE.search(one.reading.text) else one.drafts
        if _got_at_anothers(one):
            one.drafts = _as_swallowed(one)
        if any(draft.attribute == "symptom:ate_wrong" for draft in one.drafts) or _is_told_of_food(one, found, place):
            for later in found[place + 1 : place + 1 + REACH]:
                _tell_with_the_mishap(one, later)
    return found


_KEPT_FROM = re.compile(
    r"(?:别|不要|不能|防着?|免得|省得|小心)(?:再)?(?:让|叫|给|被)\x00+[^,。]{0,3}(?:偷|舔|吃|叼|翻)"
)  # 别让它偷吃
_MIXED_UP = re.compile(r"(?:喂|给|拿)(?:[错串混岔反]|颠倒)")
_GOT_IT = re.compile(r"给\x00+(?:吃|喂|喝|打|用)(?:了|下|掉|进)")


def _tell_who_got_it(found: list[Found]) -> None:
    """喂药喂串了，土豆的赛乐卡给地瓜吃了半片: of the one that got it, whatever it is."""
    for one in found:
        pets = {mention.pets for mention in one.reading.about.mentions if mention.pets}
        if one.reading.usable and not one.drafts and len(pets) > 1 and _GOT_IT.search(one.reading.text):
            one.drafts = [Draft("symptom:ate_wrong", one.reading.start, one.reading.end, {"text": one.reading.text})]


def _got_at_anothers(one: Found) -> bool:
    """Whether the clause is about the thief of a medicine that it gives to another pet: 土豆的药地瓜吃了."""
    reading = one.reading
    others = [m for m in reading.about.mentions if len(m.pets) == 1 and m.pets != reading.about.pets]
    goods = [hit for hit in reading.hits if hit.family in _GOODS]
    return any(belongs_to(reading, other.end, hit) for other in others for hit in goods)


def _is_told_of_food(one: Found, found: list[Found], place: int) -> bool:
    """给土豆拌的药粮地瓜全给炫了, 给土豆配的利尿剂，地瓜叼去吃了: the thing is another's, here or just before."""
    if not one.drafts and any(m.pets and m.pets != one.reading.about.pets for m in one.reading.about.mentions):
        return True
    before = found[place - 1] if place else None
    if before is None or before.reading.about.pets == one.reading.about.pets or one.drafts:
        return False
    return before.reading.has(*_GOODS)


def _as_swallowed(one: Found) -> list[Draft]:
    goods = [hit.word.text for hit in one.reading.hits if hit.family in _GOODS]
    kept = [draft for draft in one.drafts if not draft.attribute.startswith(_REPLACED)]
    name = {"name": goods[-1] if goods else ""}
    end = max((draft.end for draft in one.drafts), default=one.reading.end)
    return [*kept, Draft("symptom:ate_wrong", one.reading.start, end, name)]


def _tell_with_the_mishap(one: Found, later: Found) -> None:
    """地瓜给叼去吃了两粒，呋塞米40的: the second clause names what was swallowed."""
    named = [draft for draft in later.drafts if draft.attribute.startswith(_GIVEN)]
    if not named or later.reading.about.pets != one.reading.about.pets or later.reading.text.startswith("\x00"):
        return
    if len(later.reading.text) > _ONLY_NAMES_IT or _ON_PURPOSE.search(later.reading.text):
        return
    about = str(named[0].value.get("product", ""))
    name = {"name": about}
    swallowed = [draft for draft in one.drafts if draft.attribute == "symptom:ate_wrong"]
    if swallowed:
        one.drafts = [replace(d, about=about) if d in swallowed else d for d in one.drafts]
    else:
        one.drafts = [*one.drafts, Draft("symptom:ate_wrong", one.reading.start, one.reading.end, name, about=about)]
    later.drafts = [draft for draft in later.drafts if draft not in named]
