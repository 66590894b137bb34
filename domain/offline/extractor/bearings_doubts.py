"""The known danger asked about or wondered at in words of any kind: 还有必要忌鸡肉吗, 他家的药是不是更好.

Comes last, for facts of which nothing else in the message speaks. The doubt is never more than watched.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from domain.attributes import spec_of
from domain.danger_words import IN_FUN, wishes_a_treat
from domain.offline.extractor.bearing import Bearing, certainty_of, doubted
from domain.offline.extractor.bearing_mentions import mentions_disease, mentions_drug, mentions_substance
from domain.offline.extractor.bearing_words import GUESSED, JOKED, UNSURE_OF_IT
from domain.offline.extractor.reading import Reading
from domain.offline.extractor.threads import Found
from domain.pet_profiles import KnownFact
from memory.text_folding import fold_text
from memory.vocabulary import Certainty, SpeechAct

_STILL_SO = {
    "allergy": re.compile(
        r"还(?:会|是|算|要|用|得|有必要|需要)?[^,。]{0,4}(?:过敏|忌|留|注意|避)|过不过敏|没那么(?:敏感|严重|过敏)|作数|脱敏|好转|解[禁除]|必要"
        r"|(?:能|可以|敢|要不要)[^,。]{0,8}(?:吃|喝|喂|碰|试|用|测)[^,。]{0,6}(?:试|点|一?下|看)|(?:拿不准|说不准|存疑|搞不清|吃不准)|(?<!也)没事|不过敏|不至于|用得着|至于|扛得住|受得[了住]|顶得住|吃得消|耐受|不怕"
    ),
    "condition": re.compile(
        r"还(?:算|是|有|叫|需要|用|会)|(?:算|是)不是?(?:好|治|没)|(?:能|会)(?:好|治|自愈|根治)|治好|好(?:了|全)|清[掉除]|转阴|误诊|没[^,。]{0,3}了|断根|根治|不算|没问题|没病|不过分|(?:能|可以)(?:吃|碰|喝|停|用)|不至于|也不是[^,。]{0,3}不得|没(?:那么|什么)|也没事|没事[嘛啊呀的]|还好|不用禁"
    ),
    "medication": re.compile(
        r"停|减|用不着|没必要|还(?:要|用|得|需|有必要)|接着|换|断|戒|撤|代替|替代|取代|更好|(?:比|不如)[^,。]{1,8}好|不(?:用|必|需要)?(?:吃|用|打|喂)|少(?:吃|喂|打)|一天一次"
    ),
    "diet": re.compile(r"停|换|断|不(?:用|必|需要)?(?:吃|喂)|(?:能|可以)[^,。]{0,6}(?:普通|别的|其他|零食)"),
}
"""What the doubt is about, by the kind of danger."""


def doubt(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing | None:
    """A question, a guess or a joke that names the danger and wonders whether it still holds."""
    reading = found[place].reading
    kind = fact.attribute.partition(":")[0].partition(".")[0]
    pattern = _STILL_SO.get(kind)
    if kind == "condition" and (last := _indulged(fact, found, place)) is not None:
        value = (("name", fact.attribute.partition(":")[2]),)
        act, sure = SpeechAct.OBSERVATION, doubted(reading)
        return Bearing(fact, place, last, negated=True, act=act, certainty=sure, value=value)
    if pattern is None or not _names(kind, fact, found, place, known):
        return None
    asked = reading.tone.why_not == "question" or certainty_of(reading) is Certainty.QUESTION
    guessed = GUESSED.search(reading.text) or JOKED.search(reading.text) or doubted(reading) is reading.tone.certainty
    if not (asked or guessed) or not pattern.search(reading.text):
        return None
    certainty = Certainty.QUESTION if asked else doubted(reading)
    return Bearing(fact, place, place, negated=True, act=SpeechAct.OBSERVATION, certainty=certainty)


def doubt_by_the_next(found: list[Found], known: Sequence[KnownFact]) -> None:
    """那个心脏病是店里小哥听出来的，到底有没有还两说: what is named is doubted by the clause that follows."""
    guarded = {(fact.subject, fact.attribute) for fact in known if spec_of(fact.attribute).guards}
    for one, after in pairwise(found):
        if (
            one.reading.sentence != after.reading.sentence
            or not UNSURE_OF_IT.search(after.reading.text)
            or after.drafts
        ):
            continue
        start, end = one.reading.start, after.reading.end
        one.drafts = [
            replace(draft, end=end, start=start, negated=True, act=SpeechAct.OBSERVATION, certainty=Certainty.HEDGED)
            if not draft.negated and any((pet, draft.attribute) in guarded for pet in one.reading.about.pets)
            else draft
            for draft in one.drafts
        ]


_BANS = re.compile(r"禁|忌|戒|不能|不可|别吃|少吃|低[脂盐磷糖蛋嘌]|控制")
_INDULGES = re.compile(
    r"(?:来|给|吃|啃|尝|喝|舔|赏|整|喂|奖励?|犒劳|加|安排)[^,。]{0,10}(?:行|没人拦[着]?|没毛病|合理|不过分|没关系|可以|不碍事|没事|不要紧|问题不大|不至于|没啥|不算啥|死不了|要不了命|出不了事|坏不了(?:事)?|没大碍|毒不[死着倒]|不打紧)(?:的|了)?(?:吧|嘛|哈|呀|嘿|嘻)"
    r"|(?<!不)(?:可以|能|敢|该|许|准|让|赏|给|放纵|破[个例戒])[^,。]{0,8}(?:吃|喝|啃|尝|舔|来|造|炫|开[荤戒]|解[馋禁])(?!坏|出)[^,。]{0,10}(?:吧|嘛|哈|呀|嘿|嘻)"
)


_IN_FUN = re.compile(rf"{IN_FUN.pattern}|吧|哈|嘿|嘻|说说|咋样|行不行|好不好|如何|安排")


def _indulged(fact: KnownFact, found: list[Found], place: int) -> int | None:
    """来口鸡肝解解馋应该行吧, of one whose illness forbids some food: a wish, never what it eats. Its last clause."""
    if wishes_a_treat(fact.content, found[place].reading.text) and _IN_FUN.search(found[-1].reading.text):
        return place
    if not found[place].reading.has("food", "allergen", "brand") or not _BANS.search(fact.content):
        return None
    for last in (place, min(place + 1, len(found) - 1)):
        thought = "".join(one.reading.text for one in found[place : last + 1])
        hoped = GUESSED.search(thought) or JOKED.search(thought)
        if hoped and _INDULGES.search(thought):
            return last
    return None


def _names(kind: str, fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> bool:
    reading = found[place].reading
    if kind == "allergy":
        return mentions_substance(fact, reading, known) or _names_what_is_banned(fact, reading)
    if kind == "condition":
        return mentions_disease(fact, reading) or _names_what_is_banned(fact, reading)
    if kind == "medication":
        return mentions_drug(fact, reading, known)
    return fact.attribute == "diet.prescription" and "处方" in reading.text


_BANNED = re.compile(r"(?:禁[用喂食止]?|忌|不能[用吃])(?P<what>[^,，。;；（(]{2,12})")


def _names_what_is_banned(fact: KnownFact, reading: Reading) -> bool:
    """看来多西环素也不是碰不得, of one whose line forbids 多西环素 because of an illness."""
    banned = _BANNED.search(fact.content)
    words = fold_text(banned["what"]) if banned else ""
    return any(one + other in reading.text for one, other in pairwise(words))
