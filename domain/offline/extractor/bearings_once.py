"""Once against a known fear or habit: 今天吹毛居然趴着没动, 开了两小时车没吐. It is watched beside what is known.

The thing may be named in other words (吹毛 of the 吹风机); that it went otherwise, once and lately, is what is told.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from domain.attributes import spec_of
from domain.change_words import CHANGED, SURPRISING, TENDENCY
from domain.offline.extractor.bearing_words import UNDECIDED
from domain.offline.extractor.bearings_remarks import THIS_ONCE, slot_of_its_own
from domain.offline.extractor.reading import Draft, Scene
from domain.offline.extractor.threads import MAX_LINE, Found
from domain.pet_profiles import KnownFact
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass, Certainty, SpeechAct

_DREADED = re.compile(r"怕|躲|讨厌|不(?:喜欢|爱|让)|抗拒|应激|凶|焦虑|护[食玩]|吼|叫|咬|晕|吐|抖")
STAYED_CALM = re.compile(
    r"趴(?:着|在|旁|那)|淡定|照(?:睡|吃|玩)|睡着|入迷|舔毛|没(?:动|躲|抖|叫|吼|凶|跑|哼|咬|挠|钻|反应|吐|晕|流口水|张嘴|[^,。]{0,2}一[声下口])|不(?:躲|抖|叫|吼|动)|当回事|若无其事|该(?:吃吃|睡睡|玩玩|干嘛)|自顾自|在(?:啃|吃|玩|睡|舔|看)|打(?:哈欠|呼)|看热闹|稳(?:如|得)|乖乖"
)
_LATELY = re.compile(
    rf"{THIS_ONCE.pattern}|{SURPRISING.pattern}|稀奇|神奇|奇了|诶|那么[久大多]|[除跨]夕|刚才|一路|了一?[^,。]{{0,3}}小时"
)
_FOR_GOOD = re.compile(r"现在|连着|每次|次次|[两三四五六七八九十几\d]个?多?(?:月|周|星期)|再也|完全不|毕业|改好|都不")
_TOO_COMMON = frozenset("的了会就一上下怕不爱着得很在有人去来时听到看见大小")


def tell_once(found: list[Found], habits: Sequence[KnownFact], scene: Scene) -> bool:
    """Whether the message tells that one known fear or failing did not show this time; its drafts are set so."""
    words = scene.folded
    if not STAYED_CALM.search(words) or not _LATELY.search(words) or _FOR_GOOD.search(words):
        return False
    told = [one for one in found if one.reading.usable]
    pets = {pet for one in told for pet in one.reading.about.pets}
    feared = [fact for fact in habits if fact.subject in pets and _is_a_dread(fact) and names_its_thing(fact, scene)]
    if len({fact.attribute for fact in feared}) != 1 or len(pets) != 1:
        return False
    for one in found:
        one.drafts = [draft for draft in one.drafts if _stays(draft)]
    fact, last = feared[0], told[-1]
    start = told[0].reading.start if last.reading.end - told[0].reading.start <= MAX_LINE else last.reading.start
    value = {"name": fact.attribute.partition(":")[2]} if fact.attribute.startswith("symptom:") else {}
    draft = Draft(fact.attribute, start, last.reading.end, value, negated=True, act=SpeechAct.OBSERVATION)
    last.drafts = [draft, *last.drafts]
    return True


def _is_a_dread(fact: KnownFact) -> bool:
    cls = spec_of(fact.attribute).attribute_class
    lasting = cls is AttributeClass.BEHAVIOR or (cls is AttributeClass.SYMPTOM and TENDENCY.search(fact.content))
    return bool(lasting) and _DREADED.search(fact.content) is not None


def names_its_thing(fact: KnownFact, scene: Scene) -> bool:
    """Whether a telling character of the known line is in the message, pets' names apart, or what it does is denied."""
    known = fold_text(fact.content)
    for pet in scene.utterance.pets:
        known = known.replace(fold_text(pet.name), "")
    said = "".join(one.text for one in scene.readings)
    if any(denied in known for denied in re.findall(r"没([躲叫吼凶咬抖吐晕哼])", said)):
        return True  # 没躲, of one that hides
    signs = set(_DREADED.pattern) | _TOO_COMMON
    return any(letter in said for letter in known if letter.isalpha() and letter not in signs)


def _stays(draft: Draft) -> bool:
    """What is of another kind than the loose lines made of the same words."""
    cls = draft.cls or spec_of(draft.attribute).attribute_class
    loose = (AttributeClass.BEHAVIOR, AttributeClass.ACTIVITY, AttributeClass.OTHER)
    return cls not in loose and not (cls is AttributeClass.SYMPTOM and draft.negated)


WAVERS = re.compile(rf"{UNDECIDED.pattern}|没(?:想|考虑)清楚|在想|再想想|观望|[先再]看看|要不(?!是|然)|可能要")
"""A change that is only thought of, or waited with."""


def doubt_what_wavers(found: list[Found], habits: Sequence[KnownFact], scene: Scene) -> None:
    """五顿太折腾人，想着要不一天两顿: what is told of a known habit in words that waver changes nothing."""
    slots = {fact.attribute for fact in habits}
    for one in found:
        one.drafts = [
            replace(draft, certainty=Certainty.HEDGED)
            if draft.attribute in slots and WAVERS.search(scene.folded[draft.start : draft.end])
            else draft
            for draft in one.drafts
        ]


_LEFT_OUT = re.compile(
    r"没(?:顾上|来得及|能|空|有空|工夫)?(?:给|喂|遛|去|带|洗|剪|梳|跑|走|出门|下楼|上课)|一[次趟顿]都没|忘(?:了|记)?|请假|请了假|没(?:出门|下楼)"
)
"""What its owner does every day and did not do this once."""


def take_once_for_once(found: list[Found], habits: Sequence[KnownFact]) -> None:
    """今天下大雪没遛: what was otherwise on one day does not end the habit."""
    slots = {fact.attribute for fact in habits}
    done = {fact.attribute for fact in habits if spec_of(fact.attribute).attribute_class is not AttributeClass.BEHAVIOR}
    for one in found:
        left_out = _LEFT_OUT.search(one.reading.text) and THIS_ONCE.search(one.reading.text)
        for draft in [draft for draft in one.drafts if draft.attribute in done] if left_out else ():
            topic = spec_of(draft.attribute).topic
            start, end = draft.start, draft.end
            one.drafts = [
                Draft(slot_of_its_own(one), start, end, {}, topic=topic, act=SpeechAct.OBSERVATION)
                if other is draft
                else other
                for other in one.drafts
            ]
        once = THIS_ONCE.search(one.reading.text) and not CHANGED.search(one.reading.text)
        if once:
            one.drafts = [
                replace(draft, act=SpeechAct.OBSERVATION)
                if draft.attribute in slots and draft.act is not SpeechAct.CORRECTION
                else draft
                for draft in one.drafts
            ]


def leave_out_the_old(found: list[Found], habits: Sequence[KnownFact]) -> None:
    """改吃巅峰了，冠能最后一袋喂完不回购了: what is said of the old food is no food of now."""
    for fact in habits:
        held, decided = fold_text(fact.content), is_decided(fact, found)
        foods = {str(d.value["food"]) for one in found for d in one.drafts if _is_fed(d, fact)}
        another = any(fold_text(food) not in held for food in foods)
        for one in found:
            gone = another and _GONE.search(one.reading.text) is not None
            one.drafts = [
                draft
                for draft in one.drafts
                if not (_is_fed(draft, fact) and fold_text(str(draft.value["food"])) in held)
                or not (gone or (decided and draft.act is not SpeechAct.DECISION))
            ]


_GONE = re.compile(r"送|扔|丢|退|卖|剩|不(?:再)?(?:买|吃|囤|喂|续|回购)|停|喂(?:了)?流浪|吃完|见底|下架|断货")
"""What became of the food that another has replaced."""


def _is_fed(draft: Draft, fact: KnownFact) -> bool:
    return draft.attribute == fact.attribute and bool(draft.value.get("food")) and not draft.negated


def is_decided(fact: KnownFact, found: list[Found]) -> bool:
    """Whether the message has told what is there instead of the known thing."""
    drafts = [draft for one in found for draft in one.drafts if draft.attribute == fact.attribute]
    return any(draft.act is SpeechAct.DECISION and not draft.negated for draft in drafts)
