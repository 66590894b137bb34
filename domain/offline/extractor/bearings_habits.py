"""What a message says of a known habit, taste or wish: changed for good, true only at times, seen otherwise, still so.

Habits are told in too many words for a slot each. So a clause that shares a telling word with one known line, and says
what became of it, speaks of that line; a clause that only shares a word is left to the other rules.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from domain.attributes import spec_of
from domain.change_words import (
    AT_TIMES,
    CANNOT_KEEP,
    CHANGED,
    NO_LONGER_WISHED,
    REPLACED,
    STILL_SO,
    SURPRISING,
    TENDENCY,
)
from domain.offline.extractor.bearing_words import PERMITTED, UNDECIDED
from domain.offline.extractor.bearings_appointments import (
    MOVED,
    appointment_meant,
    naming_what_moved,
    with_its_new_time,
)
from domain.offline.extractor.bearings_once import (
    WAVERS,
    doubt_what_wavers,
    is_decided,
    leave_out_the_old,
    take_once_for_once,
    tell_once,
)
from domain.offline.extractor.bearings_outgrown import tell_over
from domain.offline.extractor.bearings_places import tell_another_place
from domain.offline.extractor.bearings_recoveries import with_recoveries, without_untouched_food
from domain.offline.extractor.bearings_remarks import (
    COMMON_WORDS,
    THIS_ONCE,
    keep_remarks,
    shares_a_word,
)
from domain.offline.extractor.bearings_seasons import is_back_at, tell_season
from domain.offline.extractor.bearings_wishes import (
    CALLED_NOW,
    WISHED_REPLY,
    is_address,
    is_for_once,
    is_reply_style,
    is_wish,
    keep_for_this_once,
    widen_a_wish,
)
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.threads import MAX_LINE, Found
from domain.pet_mentions import State
from domain.pet_profiles import KnownFact
from domain.rhythms import figures_differ, shares_a_deed, shares_a_rhythm, shares_an_amount, tells_a_rhythm
from memory.text_folding import fold_text
from memory.vocabulary import OWNER_SUBJECT, AttributeClass, Certainty, Risk, SpeechAct

NO_MORE = re.compile(
    r"连着[^，。]{1,14}[没不]|[一二两俩三四五六几半\d]+个?(?:多)?(?:月|年)(?:多)?(?:都|也)?没[^，。]{1,6}(?:过|了)|(?:彻底|完全|再也|根本|早就|现在)(?:也|都|就|已经)?不(?!能|会|可以|行|用)[^，。]{1,6}|不[^，。]{1,5}了$|(?:再也|彻底)没[^，。]{1,6}过|不(?:再)?(?:怕|爱|喜欢|肯|愿意).{0,5}了|(?:完全|一点|都|已经|再也)(?:也|都)?不(?:怕|爱|吃|喝|闹|叫|咬|拆)|不(?:吃|喝|碰|闹|叫|咬|拆)了|戒了|(?:掰|扳|纠|改|教|训|拧)(?:正|过来)了|(?:一声|一下|一次)(?:都|也)不(?:吼|凶|护|扑|躲|抓|挠|追|叫)|改掉|毕业|(?:半点|丝毫|压根)(?:也|都)?不(?:怕|躲|闹|叫|咬)|这关过了|改好了|(?:次次|回回|每次)都[^，。]{0,4}(?:乖|老实|不|没|让)|再也(?:不|没)[^，。]{1,4}了"
)
NOT_SHOWN = re.compile(
    r"闻了闻|扭头|给都不|理都不|爱答不理|爱搭不理|没兴趣|不感兴趣|嫌弃|不感冒|不怎么|不太|闻都不闻|看都不看|没(?:有|再|怎么)?(?:怕|躲|叫|闹|咬|拆|抖|吃|喝|碰|凶|呲|龇|吼|扑|追|抓|挠|吓|钻|哼|护|跑|吵|应激)|不(?:怕|躲|叫|闹|咬|拆|抖|吃|喝|碰)|睡着|很淡定|没反应|一口(?:也|都)?(?:不|没)"
)
_NEW_FOOD = re.compile(
    r"(?:换|改)(?:成|到|吃|喂|了|回|用|上)*(?![一二两三四五六七八九十几半\d]+个?(?:天|周|月|年|次|顿|星期))(?P<food>(?!粮期|食期)[^，,。了啦的成到回]{2,12})"
)
_GETS_ON = re.compile(r"(?:挺|很|已经|完全|还)(?:习惯|适应|喜欢)|吃得(?:挺|很|可|真)?(?:香|好|欢)")
_FEARLESS = re.compile(r"没(?:再)?(?:躲|怕|凶|咬|吼)过|不(?:再)?怕|不(?:再)?躲|(?:很|挺|特别|超)(?:淡定|镇定)|主动")
_DREADED = re.compile(r"怕|躲|讨厌|不(?:喜欢|爱|让)|抗拒|应激|凶|焦虑")
_TURNED = re.compile(
    r"(?:爱|会|敢|肯|愿意|喜欢|能|可)[^，。不没]{1,6}了$|(?:现在|如今)[^，。不没]{0,3}(?:爱|敢|肯|愿意|喜欢)[^，。不没]"
)
_AGAINST = re.compile(r"不(?:爱|会|敢|肯|愿意|喜欢|能|吃|喝|让)|讨厌|怕")
_WAS_ONCE = re.compile(r"又(?!.{0,4}不)|今[天早晚]|昨[天晚]|刚|居然|竟然|(?<!不)(?<!换)了(?:$|[(（])")
"""A happening that was kept as it was told is no habit that could change."""
_OF_THE_DAY = re.compile(r"早|晚|上午|中午|下午|\d点|[一二三四五六七八九十]点")
_FED = re.compile(r"早上?\s?\d{2,3}[^\d]{0,3}晚上?\s?\d{2,3}|顿|餐|喂|粮|每天.{0,4}克|[加减]点?量")
_FOODS = re.compile(r"粮|罐|猫条|冻干|太贵|便宜|配方|牌子|囤|吃完")
_STAPLE = "diet.staple_food"
_NO_FOOD = frozenset(("粮", "主粮", "猫粮", "狗粮", "口粮"))
_EXCEPTED = re.compile(r"除了|除外|例外|不算|另算|另说|不在内|不包括|(?<!跟)(?<!和)不一样|特殊|另外算")
_TRIED = re.compile(r"试(?:吃|着|试|用|喝|一试)|[在想]试|混着|掺着|过渡|尝(?:尝|鲜|了)|换着(?:吃|喂)|先.{0,6}看看")
_HABITS = frozenset(
    {
        AttributeClass.BEHAVIOR,
        AttributeClass.ACTIVITY,
        AttributeClass.GROOMING,
        AttributeClass.SCHEDULE,
        AttributeClass.PREFERENCE,
        AttributeClass.DIET_PREFERENCE,
        AttributeClass.OTHER,
    }
)


def with_habits(found: list[Found], scene: Scene) -> list[Found]:
    """The drafts of a message together with what it says of known habits and wishes."""
    found = _without_permissions(with_recoveries(found, scene), scene)
    habits = [fact for fact in scene.utterance.known if _is_habit(fact)]
    without_untouched_food(found)
    if not habits:
        keep_remarks(found, scene)
        return found
    if any(tell(found, habits, scene) for tell in (tell_season, tell_once, tell_over)):
        return found
    last: KnownFact | None = None
    for one in found:
        fact = _concerned(one, habits, scene, last)
        if fact and is_wish(fact) and is_for_once(one.reading.text, scene.folded):
            one.drafts = [draft for draft in one.drafts if draft.attribute != fact.attribute]
            continue
        draft = _draft(fact, one) if fact else None
        if draft and draft.negated and _SEASONAL.search(scene.folded):
            start = found[0].reading.start
            near = draft.end - start <= MAX_LINE
            draft = replace(draft, negated=False, act=SpeechAct.STATEMENT, start=start if near else draft.start)
        if draft and _is_undecided(one, found):
            draft = replace(draft, certainty=Certainty.HEDGED)
        nameless = draft is not None and str(draft.value.get("food", "粮")) in _NO_FOOD
        twice = draft is not None and draft.act is SpeechAct.DECISION and draft.attribute == _STAPLE and nameless
        if fact and draft and (draft.negated or twice) and is_decided(fact, found):
            continue  # 改喂朗诺了，伊纳宝不买了: what is no more was told with what is there instead
        if fact and draft:
            draft = naming_what_moved(with_its_new_time(draft, fact, one, found), fact, scene)
            one.drafts = [draft, *(other for other in one.drafts if not _gives_way(other, fact))]
            last = fact
            _widen_to_its_times(one, found)
            widen_a_wish(fact, one, found)
    _read_as_a_whole(found, habits, scene)
    tell_another_place(found, habits, scene)
    doubt_what_wavers(found, habits, scene)
    leave_out_the_old(found, habits)
    take_once_for_once(found, habits)
    keep_for_this_once(found, habits, scene)
    keep_remarks(found, scene)
    return found


_SEASONAL = re.compile(
    r"天一?[冷热凉]|热天|冷天|一[到入][^,。]{0,3}[天季夏冬]|往年|[每哪年]年[^,。]{0,4}(?:都|也|这样)|夏天|冬天|三伏"
)
"""True at a time of the year, and every year: a limit of the habit, not its end."""
_WISHED = re.compile(r"(?:有点|正|在|也|挺|还)?想(?:着|要)?(?:给|让|把|换|改|试)|打算|考虑")


def _is_heard(reading: Reading, scene: Scene) -> bool:
    """Whether a clause may speak of a habit: it is told, or the owner wonders about a change (要不给它改成定点喂？)."""
    if reading.tone.usable:
        return True
    if reading.tone.why_not in ("question", "elsewhere") and WAVERS.search(scene.folded):
        return True
    asked = reading.tone.why_not in ("question", "hypothetical")
    at_times = AT_TIMES.search(reading.text) and STILL_SO.search(reading.text)
    return asked and bool(CANNOT_KEEP.search(reading.text) or at_times)


def _is_undecided(one: Found, found: list[Found]) -> bool:
    """有点想给它改一天遛三次，还在犹豫: what is only wished changes nothing."""
    place = next(place for place, other in enumerate(found) if other is one)
    thought = "，".join(other.reading.text for other in found[place : place + 3])
    return WAVERS.search(thought) is not None or _WISHED.search(one.reading.text) is not None


def _without_permissions(found: list[Found], scene: Scene) -> list[Found]:
    """医生说可以正常吃, beside the denial of a known danger: as a line of its own it would be served as if settled."""
    guarded = {fact.attribute for fact in scene.utterance.known if spec_of(fact.attribute).guards}
    if not any(draft.negated and draft.attribute in guarded for one in found for draft in one.drafts):
        return found
    for one in found:
        if PERMITTED.search(one.reading.text):
            one.drafts = [draft for draft in one.drafts if spec_of(draft.attribute).guards]
    return found


def _widen_to_its_times(one: Found, found: list[Found]) -> None:
    """周末睡懒觉，九点才遛: when it holds stands in the clause before."""
    place = next((place for place, other in enumerate(found) if other is one), 0)
    before = found[place - 1] if place else None
    if before is None or before.drafts or before.reading.sentence != one.reading.sentence:
        return
    told = AT_TIMES.search(one.reading.text) or CHANGED.search(one.reading.text)
    if AT_TIMES.search(before.reading.text) and not told:
        one.drafts = [replace(one.drafts[0], start=before.reading.start, act=SpeechAct.STATEMENT), *one.drafts[1:]]


def _read_as_a_whole(found: list[Found], habits: Sequence[KnownFact], scene: Scene) -> None:
    """来几拨客人都这样，见谁都不躲了: one clause names the habit, another says what became of it."""
    told = {draft.attribute for one in found for draft in one.drafts}
    pets = {pet for one in found for pet in one.reading.about.pets}
    if _replaced(found, [fact for fact in habits if fact.subject in pets], scene):
        return
    own = [fact for fact in habits if fact.subject in pets | {OWNER_SUBJECT} and fact.attribute not in told]
    if is_for_once(scene.folded):
        own = [fact for fact in own if not is_wish(fact)]
    if len(found) < 2 or len(pets) > 1:
        shared: list[KnownFact] = []
    else:
        shared = [fact for fact in own if any(_may_speak(one, fact, scene) for one in found)]
    if len({fact.attribute for fact in shared}) != 1:
        shared = _only_one_meant(own, found, scene)
    for fact in shared[:1]:
        for one in (*(one for one in found if MOVED.search(one.reading.text)), *reversed(found)):
            draft = _draft(fact, one) if _is_heard(one.reading, scene) else None
            if draft:
                words = "，".join(other.reading.text for other in found if _is_heard(other.reading, scene))
                draft = with_its_new_time(draft if draft.value else _fed_now(draft, words), fact, one, found)
                draft = replace(draft, certainty=Certainty.HEDGED) if WAVERS.search(words) else draft
                first = min(other.reading.start for other in found if _is_heard(other.reading, scene))
                draft = replace(draft, start=first if draft.end - first <= MAX_LINE else draft.start)
                for other in found:
                    other.drafts = [told for told in other.drafts if not _is_within(told, draft, fact)]
                one.drafts = [draft, *(other for other in one.drafts if not _gives_way(other, fact))]
                return


_SWAPPED = re.compile(r"(?:换|改)(?:成|用|了|上)?[^,。换改]{1,6}的(?:了|啦)?$")
"""给它全换松木的了, after a clause that named the old one."""


def _replaced(found: list[Found], own: Sequence[KnownFact], scene: Scene) -> bool:
    """电热毯收走，铺了羊羔绒垫子: the whole message tells what is there instead of the one known thing it names."""
    named = [fact for fact in own if any(_may_speak(one, fact, scene) for one in found)]
    if len({fact.attribute for fact in named}) != 1 or len(found) < 2:
        return False
    apart = [one for one in found if not _may_speak(one, named[0], scene)]
    swapped = any(_SWAPPED.search(one.reading.text) and one.reading.tone.usable for one in apart)
    if not REPLACED.search(scene.folded) and not swapped:
        return False
    fact, last, start = named[0], found[-1], found[0].reading.start
    draft = replace(_made(fact, last, act=SpeechAct.DECISION), value={})
    draft = replace(draft, start=start) if last.reading.end - start <= MAX_LINE else draft
    for one in found:
        kept = [other for other in one.drafts if not _gives_way(other, fact)]
        one.drafts = [other for other in kept if other.attribute != "symptom:wound"]  # 猫抓板被抓烂了
    last.drafts = [draft, *last.drafts]
    return True


def _may_speak(one: Found, fact: KnownFact, scene: Scene) -> bool:
    strange = one.reading.about.state in (State.STRANGER, State.GENERAL)
    return not strange and shares_a_word(fact, one.reading, scene)


def _only_one_meant(own: Sequence[KnownFact], found: list[Found], scene: Scene) -> list[KnownFact]:
    """A surprise, a new rhythm or another food, where only one known line can be meant and nothing else is said."""
    words = "，".join(one.reading.text for one in found if _is_heard(one.reading, scene))
    if WAVERS.search(words) and _FED.search(words):
        return [fact for fact in own if _FED.search(fact.content)]
    if any(one.drafts for one in found):
        return []
    if _FEARLESS.search(words) and not any(one.drafts for one in found):
        return [fact for fact in own if fact.attribute.startswith("behavior:fear")]
    if SURPRISING.search(words):
        return [fact for fact in own if spec_of(fact.attribute).attribute_class is AttributeClass.BEHAVIOR]
    if _FED.search(words) and not THIS_ONCE.search(words) and (fed := _fed_otherwise(own, words)):
        return fed
    if CHANGED.search(words) and (other := [fact for fact in own if figures_differ(fact.content, words)]):
        return other
    if CHANGED.search(words) and tells_a_rhythm(words):
        return [fact for fact in own if tells_a_rhythm(fact.content)]
    if _EXCEPTED.search(words) or (AT_TIMES.search(words) and STILL_SO.search(words) and _OF_THE_DAY.search(words)):
        return [fact for fact in own if _OF_THE_DAY.search(fact.content)]
    named = any(one.reading.has("brand") for one in found)
    if "换" in words and (named or _FOODS.search(words)):
        return [fact for fact in own if fact.attribute == "diet.staple_food"]
    return []


def _fed_otherwise(own: Sequence[KnownFact], words: str) -> list[KnownFact]:
    """最后还是喂一顿，320克: meals told in other figures than those on record are fed so now, without a word for it."""
    meals = [fact for fact in own if fact.attribute.startswith("diet") and _FED.search(fact.content)]
    return meals if len(meals) == 1 and figures_differ(meals[0].content, words) else []


def _is_habit(fact: KnownFact) -> bool:
    spec = spec_of(fact.attribute)
    happened = _WAS_ONCE.search(fact.content) and not CHANGED.search(fact.content)
    once = fact.attribute.startswith("other:missed_") or happened
    if spec.attribute_class is AttributeClass.OTHER and once:
        return False
    if spec.attribute_class is AttributeClass.SYMPTOM and TENDENCY.search(fact.content):
        return fact.subject is not None
    return spec.risk is Risk.LOW and spec.attribute_class in _HABITS and fact.subject is not None


def _concerned(one: Found, habits: Sequence[KnownFact], scene: Scene, last: KnownFact | None) -> KnownFact | None:
    """The one known line that the clause shares a slot or a telling word with; the one before it may go on."""
    reading = one.reading
    if not _is_heard(reading, scene) or reading.about.state in (State.STRANGER, State.GENERAL):
        return None
    pets = reading.about.pets or tuple(pet.id for pet in scene.utterance.pets if len(scene.utterance.pets) == 1)
    style = [fact for fact in habits if is_reply_style(fact)]
    if style and WISHED_REPLY.search(reading.text):
        return style[0]
    address = [fact for fact in habits if is_address(fact)]
    if len(address) == 1 and CALLED_NOW.search(reading.text):
        return address[0]
    own = [fact for fact in habits if fact.subject in (*pets, OWNER_SUBJECT)]
    slots = {draft.attribute for draft in one.drafts}
    shared = (
        [fact for fact in own if fact.attribute in slots]
        or [fact for fact in own if shares_a_word(fact, reading, scene)]
        or [fact for fact in own if shares_a_rhythm(fact.content, reading.text)]
        or [fact for fact in own if shares_an_amount(fact.content, reading.text)]
        or [fact for fact in own if _is_limited(reading, scene) and shares_a_deed(fact.content, reading.text)]
        or [fact for fact in own if CHANGED.search(reading.text) and _shares_a_thing(fact.content, reading.text)]
        or appointment_meant(own, reading)
    )
    if len({fact.attribute for fact in shared}) > 1:
        shared = _sharing_most(shared, reading, scene)
    if len({fact.attribute for fact in shared}) == 1:
        return shared[0]
    return last if last in own and AT_TIMES.search(reading.text) else None


_LIMITS = re.compile(f"{CHANGED.pattern}|{AT_TIMES.pattern}")


def _is_limited(reading: Reading, scene: Scene) -> bool:
    """Here, or by the clause before: 周末不赖床，还是早上六点遛."""
    before = scene.previous_of(reading)
    goes_on = before is not None and AT_TIMES.search(before.text) and STILL_SO.search(reading.text)
    return _LIMITS.search(reading.text) is not None or bool(goes_on)


_THINGS = re.compile(r"碗|盆|窝|笼|垫|绳|箱|砂|玩具|牙刷|牙膏|毯|项圈|背包|航空|推车|爬架|抓板")


def _shares_a_thing(known: str, said: str) -> bool:
    """水碗换成陶瓷的了, of the 塑料碗 it drank from."""
    return bool(set(_THINGS.findall(fold_text(known))) & set(_THINGS.findall(said)))


def _sharing_most(shared: list[KnownFact], reading: Reading, scene: Scene) -> list[KnownFact]:
    """Of several lines the one that more of the words are about; a loose remark gives way to a habit."""
    habits = [fact for fact in shared if not fact.attribute.startswith("other:")] or shared
    words = fold_text(scene.folded[reading.start : reading.end])
    pairs = {one + other for one, other in pairwise(words)} - COMMON_WORDS
    counted = [sum(pair in fold_text(fact.content) for pair in pairs) for fact in habits]
    most = max(counted)
    return [fact for fact, count in zip(habits, counted, strict=True) if count == most]


_MY_LIMITS = re.compile(r"我(?:们)?[^,。]{0,4}(?:扛|撑|熬|受|顶|起|忙|顾|吃)不")


def _draft(fact: KnownFact, one: Found) -> Draft | None:
    """What became of the habit, in the order in which the words weigh; None when they tell nothing of it."""
    text = one.reading.text
    if is_reply_style(fact) and WISHED_REPLY.search(text):
        return _made(fact, one, act=SpeechAct.DECISION, certainty=Certainty.PLAIN)
    if is_address(fact) and CALLED_NOW.search(text):
        return _made(fact, one, act=SpeechAct.DECISION, certainty=Certainty.PLAIN)
    if CANNOT_KEEP.search(text):
        return _made(fact, one, negated=True, act=SpeechAct.OBSERVATION)
    if one.reading.tone.why_not in ("question", "elsewhere") or UNDECIDED.search(text) or _TRIED.search(text):
        return _fed_now(_made(fact, one, certainty=Certainty.HEDGED), text)
    if SURPRISING.search(text):
        negated = NOT_SHOWN.search(text) is not None or _DREADED.search(fact.content) is not None
        return _made(fact, one, negated=negated, act=SpeechAct.OBSERVATION)
    if is_wish(fact) and is_for_once(text):
        return None
    if fact.subject == OWNER_SUBJECT and NO_LONGER_WISHED.search(text):
        return _made(fact, one, act=SpeechAct.DECISION, certainty=Certainty.PLAIN)
    if NO_MORE.search(text) and not THIS_ONCE.search(text) and not _MY_LIMITS.search(text):
        return _made(fact, one, negated=True, act=SpeechAct.STATEMENT)
    if is_back_at(fact, text):
        return _made(fact, one, act=SpeechAct.OBSERVATION)
    if CHANGED.search(text) and not AT_TIMES.match(text):
        wish = Certainty.PLAIN if fact.subject == OWNER_SUBJECT else None  # 吧 asks politely, it does not doubt
        return _fed_now(_made(fact, one, act=SpeechAct.DECISION, certainty=wish), text)
    if AT_TIMES.search(text) and not THIS_ONCE.search(text):
        return _made(fact, one, act=SpeechAct.STATEMENT)
    if NOT_SHOWN.search(text):
        return _made(fact, one, negated=True, act=SpeechAct.OBSERVATION)
    if _TURNED.search(text) and _AGAINST.search(fact.content) and not THIS_ONCE.search(text):
        sign = fact.attribute.startswith("symptom:")  # 不爱喝水 kept as a sign ends where 爱喝水了
        return _made(fact, one, negated=sign, act=SpeechAct.STATEMENT)
    if not THIS_ONCE.search(text) and figures_differ(fact.content, text):
        return _made(fact, one, act=SpeechAct.STATEMENT)
    still = STILL_SO.search(text) or _GETS_ON.search(text)
    return _made(fact, one, act=SpeechAct.OBSERVATION) if still else None


def _made(
    fact: KnownFact,
    one: Found,
    *,
    negated: bool = False,
    act: SpeechAct | None = None,
    certainty: Certainty | None = None,
) -> Draft:
    """The statement about the known line; what another rule read of this very slot (a time, a food) is kept."""
    told = next((draft for draft in one.drafts if draft.attribute == fact.attribute), None)
    if told is not None and told.value:
        return replace(told, negated=negated or told.negated, act=act, certainty=certainty or told.certainty)
    cls = spec_of(fact.attribute).attribute_class
    owner = fact.subject == OWNER_SUBJECT
    start, end = one.reading.start, one.reading.end
    return Draft(fact.attribute, start, end, {}, negated, cls, act=act, certainty=certainty, owner=owner)


def _fed_now(draft: Draft, text: str) -> Draft:
    """换成X了，Y不买了: the food is what follows the change, whatever else the clause names."""
    food = _NEW_FOOD.search(text)
    fed = draft.attribute == "diet.staple_food" or (draft.attribute.startswith("diet") and not draft.value)
    return replace(draft, value={"food": food["food"]}) if food and fed else draft


def _is_within(draft: Draft, wider: Draft, fact: KnownFact) -> bool:
    """朋友鼓动我分四餐喂，我没下决心: the loose line of the first clause, once both are read as a doubt."""
    covered = wider.start <= draft.start and draft.end <= wider.end
    return covered and wider.certainty is Certainty.HEDGED and _gives_way(draft, fact)


def _gives_way(draft: Draft, fact: KnownFact) -> bool:
    """Loose lines about habits made of the same words; what is of another kind stays."""
    cls = draft.cls or spec_of(draft.attribute).attribute_class
    visit = cls is AttributeClass.VISIT and fact.attribute.startswith("schedule:")
    return draft.attribute == fact.attribute or cls in _HABITS or visit
