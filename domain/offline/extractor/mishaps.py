"""What a pet got at that was not meant for it: whatever names it later is no medicine that the pet is given.

地瓜偷吃了土豆的药，呋塞米40的 and 把我的布洛芬吃了一颗 tell of one mishap each, and of no medication.
"""

import re
from dataclasses import replace

from domain.offline.extractor.reading import Draft, Reading, Scene, belongs_to
from domain.offline.extractor.threads import Found
from domain.offline.extractor.wordlist import Hit

_SWALLOWED = re.compile(
    r"(?:偷|误|叼|(?<![打弄碰推撞掀])翻|扒|抢|顺|捡)[^,。]{0,4}(?:吃|舔|嚼|吞|喝|走|了)|(?:吃|舔|嚼|吞|咽|啃|喝|炫|旋|造)(?:[进下]|到)?(?:了|掉|光|走|肚|去)|喂给\x00+了|塞(?:给|进|到)?\x00+|喂[错串混岔反]|给错|误喂|咬开"
)
_MY_MEDICINE = re.compile(
    r"把?我(?:妈|爸|老公|老婆|奶奶|爷爷|婆婆|家里?)?的?[^,。把]{1,10}(?:吃|舔|嚼|吞|咽|啃|喝|叼)(?:了|掉|光|走)"
    r"|(?:偷吃|吃|舔|嚼|吞|咽|啃|喝|叼走)了?(?:[一两三几半]?[片颗粒板瓶盒])?我(?:妈|爸|老公|老婆|奶奶|爷爷|婆婆)?的"
)
_DRUGS = ("drug", "drug_name", "drug_word", "dewormer")
_NAMED_DRUGS = ("drug", "drug_name")
_KEPT_OFF = re.compile(r"别|不要|不能|不许|差点|没(?:让|舔|吃)")
_GOT_AT = re.compile(r"喂给|喂错|给错|误喂|嚼|咽|喝了|蹭|碰|偷|舔|误|吞|扒|翻|叼|啃|咬|吃了|喝了|沾|滚")
_GIVEN = ("medication:", "deworming:")
_REPLACED = (
    *_GIVEN,
    "other:living",
    "symptom:appetite",
    "behavior:",
    "diet",
    "symptom:ate",
    "symptom:wound",
    "other:ate",
    "other:remark",
)
_ONLY_NAMES_IT = 16  # characters of a clause that says no more than what was swallowed
_ON_PURPOSE = re.compile(r"每|一天|一日|照|按|医生|开了|开的|给(?!叼)|平时|本来|一直在")


def told_as_mishaps(found: list[Found], scene: Scene) -> list[Found]:
    """The drafts of a message, with no medication made of what was swallowed by mishap."""
    for place, one in enumerate(found):
        _name_what_was_got_at(one, found[max(0, place - REACH) : place])
    return _without_medicines_of_thieves([*found, *_medicines_of_others(found, scene)])


def _without_medicines_of_thieves(found: list[Found]) -> list[Found]:
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
        eaten = one.reading.has(*_DRUGS) and _EATEN_BY.search(one.reading.text) is not None
        if _got_at_anothers(one) or (eaten and not one.drafts and not _KEPT_FROM.search(one.reading.text)):
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


_EATEN_BY = re.compile(r"(?:被|让|给|叫)\x00+[^,。差]{0,3}(?:吃|吞|舔|嚼|咽|啃)(?:了|掉|下|进)")


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
    goods = [hit for hit in reading.hits if hit.family in _DRUGS]
    return any(belongs_to(reading, other.end, hit) for other in others for hit in goods)


def _is_told_of_food(one: Found, found: list[Found], place: int) -> bool:
    """给土豆拌的药粮地瓜全给炫了, 给土豆配的利尿剂，地瓜叼去吃了: the thing is another's, here or just before."""
    if any(m.pets and m.pets != one.reading.about.pets for m in one.reading.about.mentions):
        return True
    before = found[place - 1] if place else None
    if before is None or before.reading.about.pets == one.reading.about.pets or one.drafts:
        return False
    return before.reading.has(*_DRUGS)


def _as_swallowed(one: Found) -> list[Draft]:
    goods = [hit.word.text for hit in one.reading.hits if hit.family in _DRUGS]
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


REACH = 3  # clauses back to the medicine that is missing, or on to its name
_MADE_OFF_WITH = re.compile(
    r"(?:叼|扒|翻|偷|顺|捡|够)(?:走|出来?|下来|着|地上|起来)?(?:就|给|全)?(?:吃|吞|舔|嚼|啃|喝)(?:了|的|掉|下)|(?:偷|叼|吞|嚼|舔|啃)(?:吃|走|掉)?(?:了|的)$|是\x00+(?:吃|吞|舔|偷吃)的|(?:吃|吞|咽|嚼|舔|喝)(?:进|下|到)了?肚"
)
_MISSING = re.compile(r"少了|不见了?|没了|丢了|洒了?|空了|翻了?|掉(?:地上|了)|剩")


def _name_what_was_got_at(one: Found, earlier: list[Found]) -> None:
    """白糖的药少了一粒！是红糖叼走吃的: what the one swallowed is the medicine that the other misses."""
    if not one.reading.about.explicit or len(one.reading.about.pets) != 1 or one.reading.has(*_DRUGS, "food"):
        return
    if not one.reading.usable or not _MADE_OFF_WITH.search(one.reading.text):
        return
    for other in reversed(earlier):
        missed = [hit for hit in other.reading.hits if hit.family in _DRUGS]
        gone = _MISSING.search(other.reading.text) or (missed and missed[-1].end == other.reading.end)
        if missed and gone and other.reading.about.pets != one.reading.about.pets:
            name = {"name": missed[0].word.text}
            about = missed[0].word.text
            one.drafts = [Draft("symptom:ate_wrong", one.reading.start, one.reading.end, name, about=about)]
            return


def _medicines_of_others(found: list[Found], scene: Scene) -> list[Found]:
    """狗把猫的降压药偷吃了一片: that the cat is given it."""
    told: list[Found] = []
    for one in found:
        if not one.reading.usable or not _GOT_AT.search(one.reading.text):
            continue
        for mention in one.reading.about.mentions:
            if len(mention.pets) != 1 or mention.pets == one.reading.about.pets:
                continue
            drugs = [hit for hit in one.reading.hits if hit.family in _DRUGS]
            owned = [hit for hit in drugs if belongs_to(one.reading, mention.end, hit)]
            eaten = all(draft.attribute.startswith(("diet", "symptom:ate:", "behavior:")) for draft in one.drafts)
            if owned and eaten and not _KEPT_OFF.search(one.reading.text):
                name = {"name": owned[0].word.text}
                one.drafts = [Draft("symptom:ate_wrong", one.reading.start, one.reading.end, name)]
            named = [hit for hit in (*owned, *one.reading.hits) if hit.family in _NAMED_DRUGS]
            product = _named_after(one.reading, scene) or (named[0] if named else None)
            if owned and product:
                told.append(_given_to(mention.pets, mention.start, owned[0], product, one.reading))
    return told


def _named_after(reading: Reading, scene: Scene) -> Hit | None:
    """（氨氯地平那个）: the name of the medicine in the next clause."""
    following = scene.next_of(reading)
    bracketed = following is not None and scene.folded[following.start - 1 : following.start] == "("
    rest = following.text[len(following.hits[0].word.text) :] if following and following.hits else ""
    first = following is not None and bool(following.hits) and following.hits[0].start == following.start
    alone = first and _ONLY_STRENGTH.fullmatch(rest) is not None  # 甲巯咪唑2.5毫克的！
    if following is None or not ("那" in following.text or bracketed or alone):
        return None
    return next((hit for hit in following.hits if hit.family in _DRUGS), None)


_ONLY_STRENGTH = re.compile(r"(?:[\d.]+(?:mg|毫克|ml|毫升|μg|微克)?)?(?:一片|一粒)?(?:的|那种|那个)*")


def _given_to(pets: tuple[str, ...], start: int, hit: Hit, name: Hit, reading: Reading) -> Found:
    copied = replace(reading, about=replace(reading.about, pets=pets, mentions=()), times=())
    value = {"product": name.word.text}
    draft = Draft(f"medication:{name.id}", start, hit.end, value, about=name.word.text)
    return Found(copied, [draft])
