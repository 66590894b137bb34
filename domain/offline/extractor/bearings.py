"""What a message says of facts that are known, though it names them only in passing.

吃了鸡胸肉没事 bears on the known chicken allergy, 药不吃了 on the one drug that is given, 肾好了 on the kidney disease,
换回普通粮 on the prescribed diet, 打错了，是3.6 on the recorded weight. Such a sentence becomes a statement about the
known slot, so that the conflict policy can weigh it; the loose lines that the other rules made of the same words (a
liking for chicken) are dropped, for they would be served as if the question were settled.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from domain.attributes import spec_of
from domain.offline.extractor.bearing import HAPPENED, Bearing, Rule, certainty_of, doubted, stays
from domain.offline.extractor.bearing_mentions import (
    disease_words,
    mentions_drug,
    mentions_substance,
    names_a_sibling,
)
from domain.offline.extractor.bearing_rules import RULES, reacted_by
from domain.offline.extractor.bearing_words import (
    DELETED,
    GUESSED,
    MISSED_DOSE,
    NEVER_MISSED,
    NOT_GIVEN,
    UNDECIDED,
)
from domain.offline.extractor.bearings_amounts import amount, is_changed
from domain.offline.extractor.bearings_doubts import doubt, doubt_by_the_next
from domain.offline.extractor.bearings_further import add_borne_foods, add_further_allergies
from domain.offline.extractor.bearings_hearsay import add_hearsay
from domain.offline.extractor.bearings_loose import LOOSE_RULES
from domain.offline.extractor.bearings_pets import add_misplaced, is_misplaced
from domain.offline.extractor.bearings_swaps import swap_allergens
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.threads import Found
from domain.offline.extractor.wordlist import known_words
from domain.pet_mentions import State
from domain.pet_profiles import KnownFact
from memory.text_folding import fold_text
from memory.topics import Topic
from memory.vocabulary import AttributeClass, Certainty, SpeechAct

_DENIAL = re.compile(r"不过敏|阴性|没有?过敏|停用|停了|没有")


def with_bearings(found: list[Found], scene: Scene) -> list[Found]:
    """The drafts of a message together with what it says of known facts. Nothing known, nothing added."""
    _doubt_the_undecided(found)
    _add_reactions(found, scene)
    known = [fact for fact in scene.utterance.known if fact.subject is not None and not _is_denial(fact)]
    if not known:
        return found
    _tell_siblings_apart(found, known)
    for rules in (RULES, LOOSE_RULES):
        for place in range(len(found)):
            for fact in _concerned(found[place].reading, known, scene):
                bearing = _bearing(rules, fact, found, place, known)
                if bearing is not None:
                    _enter(bearing, found)
    _add_amounts(found, known, scene)
    _doubt_what_is_asked(found, known, scene)
    _add_doubts(found, known, scene)
    doubt_by_the_next(found, known)
    found = add_hearsay(found, known, scene)
    _keep_missed_doses_apart(found, known)
    add_further_allergies(found, known)
    add_borne_foods(found, known)
    swap_allergens(found, known)
    add_misplaced(found, known, scene)
    return _swapped_subjects(found, known, scene)


def _tell_siblings_apart(found: list[Found], known: Sequence[KnownFact]) -> None:
    """卡洛芬也过敏, of one that is allergic to 美洛昔康; 不是虾，是螃蟹: of one kind, and yet an allergy of its own."""
    whole = "，".join(one.reading.text for one in found)
    for fact in [fact for fact in known if fact.attribute.startswith("allergy:")]:
        content = fold_text(fact.content)
        named = [hit.word.text for hit in known_words().find(content)]
        contrasted = _IS_NOT.search(whole) and any(word.removeprefix("对") in whole for word in named)
        for one in found:
            told = [draft for draft in one.drafts if draft.attribute == fact.attribute and not draft.negated]
            for draft in told if fact.subject in one.reading.about.pets else ():
                name = str(draft.value.get("substance_name", ""))
                apart = contrasted or names_a_sibling(fact, one.reading)
                if name and apart and named and name not in content:
                    value = {"substance": name, "substance_name": name}
                    renamed = replace(draft, attribute=f"allergy:{name}", value=value)
                    one.drafts = [renamed if other is draft else other for other in one.drafts]


_IS_NOT = re.compile(r"(?<!是)不是|并非")


def _add_amounts(found: list[Found], known: Sequence[KnownFact], scene: Scene) -> None:
    """匹莫苯丹一次7.5: figures that the drug on record does not have, where no rule took them for a change."""
    drugs = [fact for fact in known if fact.attribute.startswith("medication:")]
    for place, one in enumerate(found):
        for fact in _concerned(one.reading, drugs, scene):
            if not is_changed(fact, found) and (bearing := amount(fact, found, place, drugs)) is not None:
                _enter(bearing, found)


_ASKS_OF_THE_RECORD = re.compile(
    r"[错混岔串反误]|去掉|清[掉除]|抹掉|划掉|删|撤|取消|拿掉|留着|[要用]留|留不留|作数|好了|没有?了|[标记写挂留提防避]着?了|还(?:算|是|有|会|要)|(?:能|可以)[^,。]{0,4}(?:吃|喝|用|碰|打|停)|真的|不过敏|没了|没(?:啥|什么|大)?(?:问题|事|大碍|毛病)|正常了"
)


def _doubt_what_is_asked(found: list[Found], known: Sequence[KnownFact], scene: Scene) -> None:
    """疫苗过敏是不是可以去掉了: what stands before the question is what is asked about, not told once more."""
    guarded = {(fact.subject, fact.attribute) for fact in known if spec_of(fact.attribute).guards}
    for one in found:
        if one.reading.tone.text_end is None:
            continue
        asked = re.split(r"[,，。;；\n]", scene.folded[one.reading.end :])[0]
        if not _ASKS_OF_THE_RECORD.search(asked):
            continue
        for fact in _named_in(one.reading.text + asked, one.reading, known):
            start = one.reading.end
            doubt = Draft(fact.attribute, start, start + len(asked), {}, negated=True, act=SpeechAct.OBSERVATION)
            if not _is_told(fact, found):
                one.drafts.append(replace(doubt, certainty=Certainty.QUESTION))
        one.drafts = [_asked_about(draft, one.reading, guarded) for draft in one.drafts]


def _asked_about(draft: Draft, reading: Reading, guarded: set[tuple[str | None, str]]) -> Draft:
    """The known danger that the draft repeats, or the only allergy where it names one in general, as a question."""
    own = {slot for pet, slot in guarded if pet in reading.about.pets}
    allergies = {slot for slot in own if slot.startswith("allergy:")}
    slot = draft.attribute
    if slot not in own and slot.startswith("allergy:") and len(allergies) == 1:
        slot = next(iter(allergies))
    if slot not in own:
        return draft
    if draft.negated:
        return replace(draft, act=SpeechAct.OBSERVATION, certainty=Certainty.QUESTION)
    value = {} if slot != draft.attribute else draft.value
    return replace(
        draft, attribute=slot, value=value, negated=True, act=SpeechAct.OBSERVATION, certainty=Certainty.QUESTION
    )


def _named_in(asked: str, reading: Reading, known: Sequence[KnownFact]) -> list[KnownFact]:
    """The known illnesses that a question names: 血压都正常了|是不是高血压就算好了."""
    ill = [fact for fact in known if fact.attribute.startswith("condition:") and fact.subject in reading.about.pets]
    return [fact for fact in ill if any(word in asked for word in disease_words(fact.content))]


def _add_doubts(found: list[Found], known: Sequence[KnownFact], scene: Scene) -> None:
    """Whether the known danger still holds, asked or wondered in words that no rule reads: it is only watched."""
    for place, one in enumerate(found):
        for fact in _concerned(one.reading, known, scene):
            if _is_told(fact, found):
                continue
            bearing = doubt(fact, found, place, known)
            if bearing is not None:
                _enter(bearing, found)


def _keep_missed_doses_apart(found: list[Found], known: Sequence[KnownFact]) -> None:
    """没吃上，今天补 is something that happened, not the end of the drug; 吃药 beside a known drug is no other one."""
    given = {fact.attribute for fact in known if fact.attribute.startswith("medication:")}
    treated = {fact.subject for fact in known if fact.attribute in given}
    for one in found:
        if treated & set(one.reading.about.pets):
            told = [_of_the_known_drug(draft, one.reading, known) for draft in one.drafts]
            one.drafts = [draft for draft in told if draft is not None]
        if MISSED_DOSE.search(one.reading.text) or _was_left_out(one, found):
            became = _spared if _only_weighs(one.reading.text) else _missed
            one.drafts = [became(draft) if _is_given(draft, given) else draft for draft in one.drafts]
        if treated & set(one.reading.about.pets) and NEVER_MISSED.search(one.reading.text):
            one.drafts = [draft for draft in one.drafts if not draft.attribute.startswith("behavior")]
        if not one.reading.tone.first_hand and _RECOMMENDED.search(one.reading.text):
            one.drafts = [draft for draft in one.drafts if draft.attribute in given or _is_no_remedy(draft)]
        _add_missed(one, known)


_RECOMMENDED = re.compile(r"管用|一样(?:用|好|灵)|好使|也行|省钱|便宜|效果|通用|(?:可以|能)(?:吃|用)|试试|好用|划算|灵")


def _is_no_remedy(draft: Draft) -> bool:
    """What somebody recommends (护肝片一样用还省钱) is neither given nor eaten."""
    return not draft.attribute.startswith(("medication:", "diet"))


_NAMES_NO_DRUG = re.compile(
    r"medication:(?:unnamed|[这那]?[个种]?(?:消炎|口服|心脏|降压)?(?:药[片丸粉水膏物剂]?|胶囊|滴剂|针剂?|[喂吃打]药))"
)


def _of_the_known_drug(draft: Draft, reading: Reading, known: Sequence[KnownFact]) -> Draft | None:
    """药片 beside a known drug is that drug, no other one; a dose that is put right is that of the only one."""
    if _NAMES_NO_DRUG.fullmatch(draft.attribute) is None:
        return draft
    own = [f for f in known if f.attribute.startswith("medication:") and f.subject in reading.about.pets]
    put_right = SpeechAct.CORRECTION in (draft.act, reading.tone.act) and "number" in draft.value
    return replace(draft, attribute=own[0].attribute) if put_right and len(own) == 1 else None


_WAS_DUE = re.compile(r"该[^,。]{1,8}的$|本来|本该")


def _was_left_out(one: Found, found: list[Found]) -> bool:
    """昨天该补液的，太累没补: what was due stands in one clause, that it was not done in the next."""
    after = [other for other in found if other.reading.sentence == one.reading.sentence and other is not one]
    return _WAS_DUE.search(one.reading.text) is not None and any(MISSED_DOSE.search(o.reading.text) for o in after)


def _add_missed(one: Found, known: Sequence[KnownFact]) -> None:
    """昨晚没打针: the only drug that is given, or the one that is named, was left out once."""
    if not NOT_GIVEN.search(one.reading.text) or not one.reading.usable:
        return
    meant = [
        fact
        for fact in known
        if fact.attribute.startswith("medication:")
        and fact.subject in one.reading.about.pets
        and mentions_drug(fact, one.reading, known)
    ]
    if len(meant) == 1:
        own = [draft for draft in one.drafts if draft.attribute != meant[0].attribute]
        draft = Draft(meant[0].attribute, one.reading.start, one.reading.end, dict(_named(meant[0])))
        one.drafts = own if any("missed" in draft.attribute for draft in own) else [*own, _missed(draft)]


def _is_given(draft: Draft, given: set[str]) -> bool:
    """The known drug, or a shorter name of it (补液 of 皮下补液)."""
    kind, _, name = draft.attribute.partition(":")
    return draft.attribute in given or (kind == "medication" and any(slot.endswith(name) for slot in given))


_SPARED = re.compile(r"(?:可以|(?<!不)(?<!没)能|要不|是不是|应该|想|打算|不如)[^,。]{0,6}(?:少|停|断)(?!食)")


def _spared(draft: Draft) -> Draft:
    """可以少吃一顿药了吧: a dose that somebody would like to leave out is a doubt about the drug."""
    doubt = Certainty.HEDGED if draft.certainty in (None, Certainty.PLAIN) else draft.certainty
    return replace(draft, negated=True, act=SpeechAct.OBSERVATION, certainty=doubt)


_DID_SO = re.compile(r"昨|今|前天|早上|中午|晚上|刚|忘|漏|了(?:[一二两三半\d]|$|,)|吐")


def _only_weighs(text: str) -> bool:
    """Whether to leave a dose out is only weighed (少吃一顿应该不碍事), and none was."""
    return _SPARED.search(text) is not None or (GUESSED.search(text) is not None and not _DID_SO.search(text))


def _missed(draft: Draft) -> Draft:
    slot = f"other:missed_{draft.attribute.partition(':')[2]}"
    return replace(draft, attribute=slot, negated=False, act=SpeechAct.STATEMENT, topic=Topic.MEDICAL)


def _add_reactions(found: list[Found], scene: Scene) -> None:
    """吃了点鳕鱼，耳朵红得发烫, of one that was not allergic to fish: a reaction, whatever the test had said."""
    cleared = [fact for fact in scene.utterance.known if fact.attribute.startswith("allergy:") and _is_denial(fact)]
    for place, one in enumerate(found):
        for fact in cleared:
            named = one.reading.usable and fact.subject in one.reading.about.pets
            if not named or not mentions_substance(fact, one.reading, cleared) or _is_told(fact, found):
                continue
            last = reacted_by(found, place)
            if last is not None:
                start, end = one.reading.start, found[last].reading.end
                found[last].drafts.append(Draft(fact.attribute, start, end, _named(fact), act=SpeechAct.OBSERVATION))


def _doubt_the_undecided(found: list[Found]) -> None:
    """想试试一天三顿，还没定 is a plan, not how it is."""
    for place, one in enumerate(found):
        near = [other for other in found[place : place + 2] if other.reading.usable]
        if UNDECIDED.search("".join(other.reading.text for other in near)):
            one.drafts = [replace(draft, certainty=draft.certainty or doubted(one.reading)) for draft in one.drafts]


def _bearing(
    rules: Mapping[str, Rule], fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]
) -> Bearing | None:
    if rules is LOOSE_RULES and _is_told(fact, found):
        return None
    slots = ("diet.prescription",) if _prescribes(fact) else ()
    for slot in (*slots, fact.attribute):
        rule = rules.get(slot) or rules.get(_class_of(slot))
        bearing = rule(fact, found, place, known) if rule else None
        if bearing is not None:
            return bearing
    return None


def _is_told(fact: KnownFact, found: list[Found]) -> bool:
    """Whether something in the message speaks of the slot already, or of a dose of it that was missed."""
    missed = f"other:missed_{fact.attribute.partition(':')[2]}"
    return any(draft.attribute in (fact.attribute, missed) for one in found for draft in one.drafts)


def _prescribes(fact: KnownFact) -> bool:
    """A prescribed diet under whatever slot: 胰腺炎，医生要求低脂处方粮 may be kept as the illness or as a trial."""
    fed = fact.attribute.startswith("diet") or (fact.attribute.startswith("condition:") and "粮" in fact.content)
    return fed and re.search(r"处方|水解|医嘱|医生", fact.content) is not None


@lru_cache(maxsize=4096)
def _class_of(attribute: str) -> str:
    return spec_of(attribute).attribute_class.value


def _concerned(reading: Reading, known: Sequence[KnownFact], scene: Scene) -> Iterator[KnownFact]:
    """Known facts about the pets that a clause is about; with one pet in the house there is no doubt."""
    if reading.about.state in (State.STRANGER, State.GENERAL):
        return
    pets = reading.about.pets or tuple(pet.id for pet in scene.utterance.pets if len(scene.utterance.pets) == 1)
    asked = reading.tone.why_not == "question"
    ordered = reading.tone.why_not == "chore" and DELETED.search(reading.text) is not None
    if reading.tone.usable or asked or ordered:
        yield from (fact for fact in known if fact.subject in pets)


def _enter(bearing: Bearing, found: list[Found]) -> None:
    """Put the statement in place of what else was made of its words."""
    span = found[bearing.first : bearing.last + 1]
    slot = bearing.fact.attribute
    told = next((draft for one in span for draft in one.drafts if draft.attribute == slot), None)
    said = told.value if told is not None and not bearing.negated else _named(bearing.fact)
    value = {**said, **dict(bearing.value)}
    first, last = found[bearing.first].reading, found[bearing.last].reading
    for one in span[:-1]:
        kept = [draft for draft in one.drafts if stays(draft, slot, *HAPPENED)]
        one.drafts = [replace(draft, end=min(draft.end, one.reading.end)) for draft in kept]
    for one in found[: bearing.first]:
        one.drafts = [
            replace(draft, end=one.reading.end) if draft.end > first.start >= one.reading.end else draft
            for draft in one.drafts
        ]
    seen_again = () if bearing.negated or bearing.value else HAPPENED
    span[-1].drafts = [draft for draft in span[-1].drafts if stays(draft, slot, *seen_again)]
    draft = Draft(
        slot, first.start, last.end, value, bearing.negated, act=bearing.act, certainty=bearing.certainty, on=bearing.on
    )
    span[-1].drafts.append(replace(draft, about=_what_was_dated(bearing, span)))


def _what_was_dated(bearing: Bearing, span: Sequence[Found]) -> str:
    """日期写错了，是5月1日 leaves out what was done that day; the line must name it (内驱)."""
    if bearing.on is None or any(one.reading.has("vaccine", "dewormer") for one in span):
        return ""
    hits = known_words().find(fold_text(bearing.fact.content))
    return next((hit.word.text for hit in hits if hit.family in ("vaccine", "dewormer")), "")


def _named(fact: KnownFact) -> dict[str, object]:
    """The value of a slot by its id alone; what the owner calls it stands in the known row."""
    key = fact.attribute.partition(":")[2]
    names = {AttributeClass.ALLERGY: "substance", AttributeClass.MEDICATION: "ingredient"}
    name = names.get(spec_of(fact.attribute).attribute_class)
    return {name: key} if name and key else {}


def _is_not_meant(name: str, folded: str) -> bool:
    """吃药的是灰灰，不是咪咪: the drug on record is another pet's."""
    return re.search(rf"(?:不是|并非|而非){re.escape(name)}的?(?:$|[,，。!！;；啊呀哦哈啦了])", folded) is not None


def _swapped_subjects(found: list[Found], known: Sequence[KnownFact], scene: Scene) -> list[Found]:
    """说反了，过敏的是麦穗: the allergy of one pet is said to be another's, so it is taken back for the first."""
    swapped = is_misplaced(found)
    denied = {pet.id for pet in scene.utterance.pets if _is_not_meant(fold_text(pet.name), scene.folded)}
    if not (swapped or denied) or len(scene.utterance.pets) < 2:
        return found
    meant = [fact for fact in known if swapped or (fact.subject in denied and spec_of(fact.attribute).guards)]
    for one in tuple(found):
        for draft in [draft for draft in one.drafts if not draft.negated]:
            for fact in meant:
                elsewhere = fact.attribute == draft.attribute and fact.subject not in one.reading.about.pets
                if elsewhere and (denied or not _puts_own_right(draft, one.reading, known, scene)):
                    _take_back(fact, draft, one, found, scene)
    return found


_REVERSED = re.compile(r"[说记写搞弄讲认看](?:反|混|岔|串)")


def _puts_own_right(draft: Draft, reading: Reading, known: Sequence[KnownFact], scene: Scene) -> bool:
    """说错了，奶茶吃的是渴望: of a pet that had a food of its own it says which, and takes nothing from another."""
    asserted = any(f"是{fold_text(pet.name)}" in scene.folded for pet in scene.utterance.pets)
    if asserted or _REVERSED.search(scene.folded):
        return False
    cls = draft.cls or spec_of(draft.attribute).attribute_class
    about = set(reading.about.pets)
    return any(fact.subject in about and spec_of(fact.attribute).attribute_class is cls for fact in known)


def _take_back(fact: KnownFact, draft: Draft, one: Found, found: list[Found], scene: Scene) -> None:
    """Deny the slot for the pet that had it: in the clause that names this pet, else in a copy of the same words."""
    doubt = draft.certainty or certainty_of(one.reading)
    denial = replace(draft, negated=True, act=SpeechAct.CORRECTION, certainty=doubt)
    own = next((other for other in found if other.reading.about.pets == (fact.subject,)), None)
    if own is not None:
        name = str(draft.value.get("name", ""))
        unsaid = name if name and name not in own.reading.text else ""
        own.drafts = [replace(denial, start=own.reading.start, end=own.reading.end, about=unsaid)]
        return
    about = replace(one.reading.about, pets=(fact.subject or "",), mentions=())
    copied = replace(one.reading, about=about)
    scene.readings.append(copied)
    found.append(Found(copied, [denial]))


def _is_denial(fact: KnownFact) -> bool:
    return _DENIAL.search(fact.content) is not None
