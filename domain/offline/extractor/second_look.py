"""A second opinion on what the rules found: trained heads take out what was no report, and take in what no rule knew.

The rules decide what a claim means (its slot, day, value, polarity); the heads only whether there is one. They never
silence what an owner asks to keep, says of themselves or says of a slot that memory knows, and what has medical weight
only when they are as good as certain. What they take in is a remark: words with a topic, no slot, no record, nothing
that counts for safety or can be in conflict, and only where the rules found nothing in the whole message.
"""

import re
from dataclasses import replace

from domain.attributes import spec_of
from domain.offline.extractor.alarms import is_in_danger
from domain.offline.extractor.bearings_remarks import is_a_reading
from domain.offline.extractor.mock_praise import is_mocked_deed
from domain.offline.extractor.put_right_within import puts_something_right
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.second_drafts import HOUR_OF_IT
from domain.offline.extractor.threads import Found
from domain.offline.heads import Heads, load_heads
from domain.offline.heads.ngrams import NAME, without_names
from domain.pet_mentions import MentionKind
from domain.strange_animals import OURS
from memory.text_folding import fold_text
from memory.topics import Topic
from memory.vocabulary import AttributeClass, SpeechAct

NOTHING_FROM = 0.75  # a message that so likely tells nothing is not kept: see the false share of `bench.train_heads`
WEIGHTY_NOTHING_FROM = 0.9  # the same for what has medical weight: one in five hundred messages that tell some
KEPT_FROM = 0.8  # a clause that no rule knew is kept as a remark
KEPT_OF_OWNER_FROM = 0.9  # the same for owners' own day, and where nothing points at a pet: idle more often
DROPPED_UNTIL = 0.1  # a find without medical weight in a clause that so unlikely tells anything is dropped
ENOUGH_LETTERS = 10  # of a message: with fewer the heads have nothing to go by

_LIKENED = re.compile(
    r"像(?:一|个|块|只|条|极|是在|[^,。]{0,8}(?:似的|一样))|似的$|跟[^,。]{1,8}(?:似的|一样)|仿佛|宛如|简直|镶了|像极|活脱脱|成了?一[朵尊座]"
)
_ASKS = re.compile(
    r"几[克斤岁点号颗片粒]|多少|多[大重久长高]|什么|啥|怎么|咋|哪|谁|为何|吗|呢$|是不是|能不能|要不要|可不可以"
)
_IS_OVER = re.compile(r"好(?:多|些)?了$|[没不][^,。]{1,3}了$")  # a remark cannot say of a sign that it is gone
_ORDERED = re.compile(r"物流|快递|发货|退货|退款|下单|客服|包裹|驿站")  # what was bought is on its way
_OF_ME = re.compile(r"我|咱|本人")
_I = re.compile(
    rf"^(?:其实|反正|平时|最近|以后)?(?:我|本人)(?!们?家)[^{NAME}]*$"
)  # says it of the owner, whatever it is about
_WEIGHTY = frozenset(
    {
        AttributeClass.ALLERGY,
        AttributeClass.CHRONIC_CONDITION,
        AttributeClass.MEDICATION,
        AttributeClass.VACCINE,
        AttributeClass.DEWORMING,
        AttributeClass.WEIGHT,
        AttributeClass.SYMPTOM,
        AttributeClass.VISIT,
    }
)
_TOLD_IN_FULL = (
    "behavior:training:",
    "behavior:manner",
    "other:living:apart",
    "other:litter",
    "visit:result",
)  # a known word and what became of it
_FED_IT = re.compile(r"(?:喂|塞)(?:了|给|过)*\x00|给\x00+[^,。]{0,4}(?:吃|喂|喝)了")  # 我婆婆非喂它一块腊肠
_WITH_RECORDS = _WEIGHTY - {AttributeClass.SYMPTOM, AttributeClass.VISIT}
"""Classes that a remark never is: they have slots of their own, and a conflict over them is settled by the owner."""


def with_second_look(found: list[Found], scene: Scene) -> list[Found]:
    """The same readings, with drafts dropped or, where there are none at all, added."""
    message = message_of(scene)
    if len(message) < ENOUGH_LETTERS:
        return found
    heads = load_heads()
    nothing, of_message = heads.read(message)
    if nothing >= NOTHING_FROM and not puts_something_right(scene):
        spared = frozenset() if nothing >= WEIGHTY_NOTHING_FROM and not _puts_right(found, scene) else _WEIGHTY
        return [_only_what_must_stay(one, scene, spared) for one in found]
    kept = [
        one if _ended_a_sign(found, place) else _without_the_unlikely(one, scene, heads, of_message)
        for place, one in enumerate(found)
    ]
    if any(one.drafts for one in kept):
        return kept
    return _without_what_goes_on([_with_remark(one, scene, heads, of_message) for one in kept])


def _ended_a_sign(found: list[Found], place: int) -> bool:
    """如今改啃胡萝卜条，一次没再出过: what is done instead, right before the sign that it ended."""
    one, after = found[place], found[place + 1 : place + 2]
    changed = any(draft.attribute.startswith(("diet:", "other:living:gear")) for draft in one.drafts)
    return changed and any(
        draft.negated and draft.attribute.startswith("symptom:")
        for other in after
        if other.reading.sentence == one.reading.sentence
        for draft in other.drafts
    )


def _puts_right(found: list[Found], scene: Scene) -> bool:
    """Whether the message corrects what is known; what it puts in its place is no idle talk."""
    known = {fact.attribute for fact in scene.utterance.known}
    return any(draft.act is SpeechAct.CORRECTION and draft.attribute in known for one in found for draft in one.drafts)


_GOES_ON = re.compile(r"^(?:是个?|到现在|至今|也|才|就是|算是|不过|反正)")


def _without_what_goes_on(found: list[Found]) -> list[Found]:
    """割过脾，是个良性瘤子: a remark that only goes on with the one before is told with it."""
    told: list[Found] = []
    for one in found:
        last = told[-1] if told else None
        same = last is not None and last.reading.sentence == one.reading.sentence
        goes_on = _GOES_ON.match(one.reading.text) or HOUR_OF_IT.fullmatch(one.reading.text)
        if last and same and last.drafts and one.drafts and goes_on:
            last.drafts = [replace(last.drafts[0], end=one.drafts[0].end)]
            one = replace(one, drafts=[])  # noqa: PLW2901 - the remark has moved
        told.append(one)
    return told


def _without_the_unlikely(one: Found, scene: Scene, heads: Heads, of_message: float) -> Found:
    if (
        not one.drafts
        or one.drafts[0].attribute.startswith((*_TOLD_IN_FULL, "behavior:fear:"))
        or (one.drafts[0].negated and one.drafts[0].about and one.drafts[0].attribute == "behavior:habit")  # 都不躲了
        or (one.drafts[0].attribute.startswith("diet") and _FED_IT.search(one.reading.text))
        or heads.keep(clause_of(one.reading, scene), of_message) >= DROPPED_UNTIL
    ):
        return one
    dated = one.reading.about.explicit and any(time.on is not None for time in one.reading.times)  # 他去年做过输血
    return _only_what_must_stay(one, scene, _WITH_RECORDS | ({AttributeClass.VISIT} if dated else set()))


def _only_what_must_stay(one: Found, scene: Scene, spared: frozenset[AttributeClass]) -> Found:
    """spared: classes that stay although no pet is named beside them."""
    known = {fact.attribute for fact in scene.utterance.known}
    named = _names_ours(one.reading, scene)
    ill = any(fact.attribute.startswith("condition:") for fact in scene.utterance.known)
    mocked = is_mocked_deed(one.reading, scene)
    measured = ill and is_a_reading(one.reading)

    def must_stay(draft: Draft) -> bool:
        if measured or draft.owner or (draft.act or one.reading.tone.act) is SpeechAct.KEEP or draft.attribute in known:
            return True
        answers = bool(scene.utterance.history) and bool(
            draft.about or _answers(one.reading, scene)
        )  # 还没呢, of what was asked
        wrecked = draft.attribute == "behavior:destroying" and _is_named_in_the_sentence(one.reading, scene)
        return (
            named
            or wrecked
            or mocked
            or (draft.attribute.startswith("symptom:") and _is_urgent(one.reading, scene))
            or answers
            or draft.attribute.startswith(_TOLD_IN_FULL)
            or (draft.cls or spec_of(draft.attribute).attribute_class) in spared
        )

    return replace(one, drafts=[draft for draft in one.drafts if must_stay(draft)])


_URGENT = re.compile(
    r"站(?:都|也)?(?:站)?不|瘫|没知觉|昏|抽[搐了]|叫不(?:应|醒)|没反应|尿不出|一滴尿|发紫|发青|喘不|歪倒|倒地|拖着"
)


def _is_urgent(reading: Reading, scene: Scene) -> bool:
    """喘得厉害，站都站不起来: a sign that may not wait, of a pet that the sentence names or of a body in danger."""
    if scene.tells_something and is_in_danger(reading, scene):
        return True
    return _URGENT.search(reading.text) is not None and _is_named_in_the_sentence(reading, scene)


MAX_ANSWER = 30  # characters of a message that answers a question


def _answers(reading: Reading, scene: Scene) -> bool:
    """小鱼干吧, right after the assistant asked what it likes: no idle talk."""
    last = scene.utterance.history[-1]
    asked = last.role == "assistant" and _IS_ASKED.search(last.text.rstrip()) is not None
    return asked and reading.place == 0 and len(scene.folded) <= MAX_ANSWER


_IS_ASKED = re.compile(r"[?？]$|[吗呢呀]$")


def _is_named_in_the_sentence(reading: Reading, scene: Scene) -> bool:
    """谢谢豆豆手下留情，只刨了两盆绿萝: irony about a pet that is named tells what it did."""
    before = scene.readings[max(0, reading.place - 2) : reading.place]
    return any(_names_ours(other, scene) for other in before if other.sentence == reading.sentence)


def _names_ours(reading: Reading, scene: Scene) -> bool:
    """Whether the clause says whose it is by a name, or by 我家: what rules find there is no idle talk."""
    kinds = {mention.kind for mention in reading.about.mentions}
    ours = kinds - {MentionKind.PRONOUN} and OURS.search(scene.folded, reading.start, reading.end)
    several = {MentionKind.ROLE} if len(scene.utterance.pets) > 1 else set()  # 短毛的那只 is told from the others
    return bool(kinds & {MentionKind.NAME, MentionKind.GROUP, *several}) or bool(ours)


def _with_remark(one: Found, scene: Scene, heads: Heads, of_message: float) -> Found:
    clause = clause_of(one.reading, scene)
    likely = heads.keep(clause, of_message)
    if not one.reading.usable or one.reading.tone.in_question or likely < KEPT_FROM:
        return one
    remark = _remark(one.reading, heads, clause)
    pointed = scene.utterance.history or any(reading.about.mentions for reading in scene.readings)
    if (remark.owner or not pointed) and likely < KEPT_OF_OWNER_FROM:
        return one
    if (
        _ASKS.search(clause)
        or _IS_OVER.search(clause)
        or _ORDERED.search(clause)
        or (not remark.owner and (not one.reading.reports or _LIKENED.search(clause)))
    ):
        return one
    return replace(one, drafts=[remark] if not remark.owner or _OF_ME.search(clause) else [])


def _remark(reading: Reading, heads: Heads, clause: str) -> Draft:
    about = heads.about(clause)
    of_owner = about.topic is Topic.OWNER or _I.search(clause) is not None
    cls = AttributeClass.OTHER if of_owner or about.attribute_class in _WITH_RECORDS else about.attribute_class
    return Draft(
        "other:remark",
        reading.start,
        reading.end,
        {"text": reading.text},
        cls=cls,
        topic=Topic.OWNER if of_owner else about.topic,
        owner=of_owner,
    )


def message_of(scene: Scene) -> str:
    """The whole message as the heads read it: folded, without pets' names."""
    return without_names(scene.folded, _names(scene))


def clause_of(reading: Reading, scene: Scene) -> str:
    """One clause as the heads read it: to its end, also where the rules leave off at a question."""
    return without_names(scene.folded[reading.start : max(reading.end, reading.about.end)], _names(scene))


def _names(scene: Scene) -> list[str]:
    names = {fold_text(name) for pet in scene.utterance.pets for name in (pet.name, *pet.nicknames) if name}
    return sorted(names, key=len, reverse=True)
