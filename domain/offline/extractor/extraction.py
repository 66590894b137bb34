"""The whole way from a message to its claims."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from domain.dose_times import dose_by_time, usual_dose
from domain.offline.extractor.alarms import find_alarm
from domain.offline.extractor.allergies import find_allergies
from domain.offline.extractor.also import told_of_another
from domain.offline.extractor.answers import find_answers
from domain.offline.extractor.assembly import claims_of
from domain.offline.extractor.avoided import find_avoided, find_kept_off
from domain.offline.extractor.bare_corrections import put_right
from domain.offline.extractor.bearings import with_bearings
from domain.offline.extractor.bearings_habits import with_habits
from domain.offline.extractor.bodily import find_bodily
from domain.offline.extractor.breeds_put_right import breed_put_right
from domain.offline.extractor.ceased import find_ceased, with_ceased
from domain.offline.extractor.changed_to import find_changed_to, find_done_now, find_new_rhythm, find_what_helps
from domain.offline.extractor.clinic import find_clinic, find_vet_findings
from domain.offline.extractor.contacts import find_contact
from domain.offline.extractor.contrasts import with_contrasts
from domain.offline.extractor.dangers_put_right import danger_put_right
from domain.offline.extractor.diet import find_diet
from domain.offline.extractor.ellipsis import (
    find_all_well,
    find_elided,
    find_mere_dislike,
    find_overcome,
    find_subsided,
    find_taught,
)
from domain.offline.extractor.exceptions import with_exceptions
from domain.offline.extractor.figures_put_right import restated, right_figure, told_again
from domain.offline.extractor.found_instead import find_only_that
from domain.offline.extractor.growth import find_growth
from domain.offline.extractor.habits import find_habits, find_habitual, find_new_gear, is_startled
from domain.offline.extractor.happenings import told_as_one
from domain.offline.extractor.illnesses import find_conditions, find_signs
from domain.offline.extractor.kinds import with_kinds_joined
from domain.offline.extractor.later_on import find_later_on
from domain.offline.extractor.likenesses import find_likened
from domain.offline.extractor.loose_twins import without_loose_twins
from domain.offline.extractor.medicines import find_dose_put_right, find_medicines
from domain.offline.extractor.medicines_told import medicines_as_one
from domain.offline.extractor.mock_praise import find_mocked, is_mocked_deed
from domain.offline.extractor.name_lists import with_names_joined
from domain.offline.extractor.own_facts import find_own_fact
from domain.offline.extractor.owner_asides import is_of_owner_alone
from domain.offline.extractor.owner_facts import find_owner_facts
from domain.offline.extractor.parallels import with_parallels
from domain.offline.extractor.plans import find_plans
from domain.offline.extractor.prevention import find_prevention
from domain.offline.extractor.put_changes import change_put, pet_put
from domain.offline.extractor.put_off import find_put_off
from domain.offline.extractor.put_right_within import find_put_right, without_the_wrong
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.recollection import (
    NAMED_REACH,
    REACH,
    as_known,
    may_put_right,
    said_just_before,
    swapped,
    tells_of,
    told_wrongly,
)
from domain.offline.extractor.refusals import find_refused_kind
from domain.offline.extractor.relevance import HAPPENED, I_OBSERVE, says_what_happened, tells_something
from domain.offline.extractor.results_beside import find_result_beside
from domain.offline.extractor.scenes import read_scene
from domain.offline.extractor.second_drafts import told_once
from domain.offline.extractor.second_look import with_second_look
from domain.offline.extractor.slips import as_meant_to_type, as_typed
from domain.offline.extractor.speakers import without_speaker
from domain.offline.extractor.swallowed_put_right import not_swallowed
from domain.offline.extractor.tellings import find_told
from domain.offline.extractor.threads import Found, tied_together
from domain.offline.extractor.tone import is_no_report
from domain.offline.extractor.visits_told import visits_as_one
from domain.offline.extractor.weights_beside import with_weights_dated
from domain.pet_mentions import MentionKind, State
from domain.pet_profiles import Utterance
from domain.pet_roll import BREEDS
from domain.spoken_changes import as_meant
from domain.strange_animals import OURS
from memory.claims import Claim, Evidence, Refusal
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass, Certainty, SpeechAct

MAX_READ_CHARS = 4000  # what a message may hold; more is not read
Rule = Callable[[Reading, Scene], Iterator[Draft]]

# In this order: an earlier rule takes its words away from the later ones.
RULES: tuple[Rule, ...] = (
    find_owner_facts,
    find_allergies,
    find_kept_off,
    find_mere_dislike,
    find_done_now,
    find_contact,
    find_prevention,
    find_conditions,
    find_medicines,
    find_clinic,
    find_all_well,
    find_plans,
    find_growth,
    find_signs,
    find_new_gear,
    find_habits,
    find_diet,
)


FALLBACKS: tuple[Rule, ...] = (
    find_avoided,
    find_taught,
    find_overcome,
    find_own_fact,
    find_later_on,
    find_subsided,
    find_put_off,
    find_elided,
    find_result_beside,
    find_answers,
    find_dose_put_right,
    find_put_right,
    find_only_that,
    find_what_helps,
    find_refused_kind,
    find_new_rhythm,
    find_vet_findings,
    find_alarm,
    find_likened,
    find_bodily,
    find_habitual,
    find_told,
    find_mocked,
)  # each only when nothing else spoke


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a message says. `clarify`: something was said of one of several pets and it is unclear of which one.

    put: the change that the assistant had just asked for in words of its own; it is said only if the message is a yes.
    """

    claims: tuple[Claim, ...] = ()
    clarify: bool = False
    refusals: tuple[Refusal, ...] = ()
    put: tuple[Claim, ...] = ()


def extract(utterance: Utterance) -> Extraction:
    """The claims of one owner message. Pure and linear in the length of the message."""
    return replace(_read(utterance), put=_put_before(utterance))


def _put_before(utterance: Utterance) -> tuple[Claim, ...]:
    """The change that the assistant's last words ask for, with the owner's whole message as its evidence."""
    last = utterance.history[-1] if utterance.history else None
    if last is None or last.role != "assistant":
        return ()
    names = [fold_text(pet.name) for pet in utterance.pets]
    told = (pet_put(last.text, names) if len(names) > 1 else "") or change_put(last.text)
    if not told:
        return ()
    quote = Evidence(utterance.text, 0, len(utterance.text))
    return tuple(
        replace(claim, evidence=quote, certainty=Certainty.PLAIN, act=SpeechAct.CORRECTION, first_hand=True)
        for claim in as_meant(_read(replace(utterance, text=told, history=())).claims, told, utterance.now)
        if claim.subject is not None
    )


def _read(utterance: Utterance) -> Extraction:
    folded = fold_text(utterance.text[:MAX_READ_CHARS])
    pets = [fold_text(name) for pet in utterance.pets for name in (pet.name, *pet.nicknames)]
    typed = with_names_joined(folded, pets)
    folded = as_meant_to_type(typed, pets)
    reason = "question" if _WHO_WHOM.fullmatch(folded) else is_no_report(folded, pets)
    if reason and not (reason == "empty" and _asks_for_number(utterance)):
        return Extraction(refusals=(Refusal(reason, utterance.text[:40]),))
    earlier = _said_earlier(utterance, folded)
    if moved := swapped(utterance, folded, earlier):
        return Extraction(moved)
    if breed := breed_put_right(utterance, folded):
        return Extraction(breed)
    if again := _with_the_right_figure(utterance, folded):
        return Extraction(again)
    if utterance.history and (danger := danger_put_right(utterance, folded, lambda one: _read(one).claims)):
        return Extraction(danger)
    if utterance.history and (taken_back := not_swallowed(utterance, folded, lambda one: _read(one).claims)):
        return Extraction(taken_back)
    if utterance.history and (otherwise := put_right(utterance, folded, lambda one: _read(one).claims)):
        return Extraction(otherwise)
    if utterance.history and (also := told_of_another(utterance, folded, lambda one: _read(one).claims)):
        return Extraction(also)
    utterance = replace(utterance, known=(*utterance.known, *as_known(earlier))) if earlier else utterance
    scene = read_scene(utterance, folded)
    scene.tells_something = tells_something(scene)
    for reading in scene.readings:
        without_speaker(reading)
        reading.reports = len(_rules_for(reading, scene)) > 1
    refusals = tuple(refusal for reading in scene.readings if (refusal := _refused(reading, scene)))
    found = with_ceased([Found(reading, _drafts(reading, scene)) for reading in scene.readings], scene)
    found = with_parallels(found, scene)
    with_kinds_joined(found)
    found = visits_as_one(medicines_as_one(without_the_wrong(tied_together(found))))
    found = told_once(told_as_one(with_habits(with_bearings(found, scene), scene), scene), scene)
    found = with_exceptions(with_weights_dated(with_contrasts(found, scene), scene), scene)
    found = with_second_look(found, scene)
    claims = tuple(_with_all_doses(claim) for one in found for claim in claims_of(one.reading, one.drafts, scene))
    claims = without_loose_twins(claims)
    return Extraction(as_typed(claims, typed, folded), any(claim.subject is None for claim in claims), refusals)


def _with_all_doses(claim: Claim) -> Claim:
    """A drug that is given in other amounts at other times keeps all of them as its dose, or the usual one."""
    is_drug = claim.attribute_class is AttributeClass.MEDICATION
    dose = (dose_by_time(claim.content) or usual_dose(claim.content)) if is_drug else ""
    if not dose:
        return claim
    others = {name: value for name, value in claim.value.items() if name not in ("number", "unit", "dose_text")}
    return replace(claim, value={**others, "dose_text": dose})


def _with_the_right_figure(utterance: Utterance, folded: str) -> tuple[Claim, ...]:
    """What the owner said just before, said again with the figure that this message puts right, a dose among them."""
    right = right_figure(folded) if utterance.history and may_put_right(folded) else ""
    words = restated(right, said_just_before(utterance)) if right else ""
    return told_again(_read(replace(utterance, text=words, history=())).claims, utterance, right) if words else ()


_WHO_WHOM = re.compile(
    r"(?:那|到底|平时|现在|一般|它们?俩?|他们?俩?|家里|究竟)*(?:是)?(?:都)?谁(?:老|先|总|更|爱)?[欺打追怕让咬抢惹黏骑舔凶][^,。它就]{0,3}谁[呢啊呀?？。\s]*"
)
"""谁欺负谁 asks; 谁逗它咬谁 tells."""


def _said_earlier(utterance: Utterance, folded: str) -> tuple[Claim, ...]:
    """What the owner's last messages said, for a message that may put it right; the newest that said what it names."""
    if not utterance.history or not may_put_right(folded):
        return ()
    told = told_wrongly(utterance, folded)
    for text in said_just_before(utterance, NAMED_REACH if told else REACH):
        claims = _read(replace(utterance, text=text, history=(), known=())).claims
        if claims := tuple(claim for claim in claims if tells_of(claim, told)):
            return claims
    return ()


_ASKS_FOR_NUMBER = re.compile(r"多少|多重|多大|几[斤公克片粒次天毫颗滴岁个度]|体重")


def _asks_for_number(utterance: Utterance) -> bool:
    """A bare figure says something only when the assistant has just asked for one."""
    last = utterance.history[-1] if utterance.history else None
    return last is not None and last.role == "assistant" and _ASKS_FOR_NUMBER.search(last.text) is not None


def _drafts(reading: Reading, scene: Scene) -> list[Draft]:
    if not reading.usable:
        return []
    drafts: list[Draft] = []
    for rule in _rules_for(reading, scene):
        drafts.extend(rule(reading, scene))
        if drafts and drafts[-1].owner:
            break  # a clause about the owner is not also about the pet
    if (
        len(drafts) > 1
        and any(draft.attribute.startswith("behavior:fear:") for draft in drafts)
        and is_startled(reading.text)
    ):
        drafts = [draft for draft in drafts if not draft.attribute.startswith(_OUT_OF_FRIGHT)]
    for fallback in FALLBACKS if _rules_for(reading, scene) is RULES else ():
        drafts = drafts or list(fallback(reading, scene))
    if _rules_for(reading, scene) is RULES:
        drafts.extend(find_ceased(reading, scene))
        drafts.extend(find_changed_to(reading, scene, drafts))
    return drafts


_OUT_OF_FRIGHT = ("other:stool", "symptom:stool", "symptom:urination", "behavior:inappropriate_urination")
_OF_WISHES = (find_owner_facts, find_allergies, find_conditions, find_clinic, find_plans, find_signs)


def _rules_for(reading: Reading, scene: Scene) -> tuple[Rule, ...]:
    """A wish tells at most what ails the pet or what is planned; the lead of a question only what happened."""
    if not _speaks_of_a_pet(reading, scene) or not says_what_happened(reading, scene):
        return RULES[:1]
    if _speaks_itself(reading, scene) or _asks_of_the_kind(reading, scene):
        return ()
    if _is_the_owners_doing(reading) or _goes_on_of_the_owner(reading, scene) or is_of_owner_alone(reading, scene):
        return RULES[:1]
    named = reading.about.explicit or _pet_was_named(reading, scene)
    if reading.tone.in_question and not named and not HAPPENED.search(reading.text):
        return ()
    return _OF_WISHES if reading.tone.wishing else RULES


# 豆豆说它想吃蟹: an animal that talks is joked about.
_SPEAKS_ITSELF = re.compile(
    r"\x00(?:刚才|昨晚|昨天|今天|偷偷|跟我|和我|对我|自己)*(?:说(?!不|明|实|是|来|到|一下|下|个|起|的|多|白)|表示|宣布|发誓|声明)"
)


def _speaks_itself(reading: Reading, scene: Scene) -> bool:
    """Whether an animal is said to speak here, or just before in the same sentence."""
    before = scene.readings[max(0, reading.place - 2) : reading.place]
    said = [other for other in before if other.sentence == reading.sentence and _named(other)]
    return any(_SPEAKS_ITSELF.search(one.text) for one in (reading, *said))


def _named(reading: Reading) -> bool:
    return any(mention.kind is MentionKind.NAME for mention in reading.about.mentions)


_OF_ONE = re.compile(
    r"[肿烂拉吐咳喘掉瘦]得|一(?:上午|下午|晚上|整天|宿|早上)|半天|好几|今|昨|刚|最近|一直|又|这|已经|我|前天|现在|突然|老是|总是|[上下]周|[了着]好?[几两三四五六七八九十\d]+[天次回个]"
)


_OPENS_WITH_ME = re.compile(
    r"^(?:完了|然后|结果|所以|最后|今天|现在|刚才|昨天|昨晚|后来|不过|但是|就)*我(?!家|们家|的|这|那|妈|爸)"
)
_I_SEE_TO = re.compile(
    r"停|减|加|喂|洗|剪|驱|滴|涂|抹|擦|掰|称|约|订|挂|挤|按|拌|配|试|煮|做|遛|训|教|开|放|收|藏|拦|骂|吼|凶|求|等|陪|叫|喊|让|准备|打算|决定|改|控制|坚持|每"
)


def _is_the_owners_doing(reading: Reading) -> bool:
    """我到家泡面都没力气泡: the owner's own evening; whatever I do with the pet is not meant."""
    opens = _OPENS_WITH_ME.match(reading.text) is not None and "\x00" not in reading.text
    return opens and not (I_OBSERVE.search(reading.text) or _I_SEE_TO.search(reading.text))


def _goes_on_of_the_owner(reading: Reading, scene: Scene) -> bool:
    """我这件羊绒衫算交代了，晚上就啃了个苹果: what follows the owner's own doing and names no pet."""
    previous = scene.previous_of(reading)
    same = previous is not None and previous.sentence == reading.sentence and not reading.about.mentions
    return (
        same
        and previous is not None
        and (_MY_THING.match(previous.text) is not None or _is_the_owners_doing(previous))
        and _I_ATE.match(reading.text) is not None
    )


_MY_THING = re.compile(r"我(?:这|那)[^,。\x00]{0,8}")
_I_ATE = re.compile(
    r"(?:今晚|晚上|中午|早上|到现在|到家|回家|一天|最后|晚饭|午饭)*(?:就|只|才|还没|都没|一口)?(?:啃|吃|喝|扒|垫|没|饿|躺|洗)"
)
_BREED = re.compile("|".join(words.pattern for words in BREEDS.values()))


def _asks_of_the_kind(reading: Reading, scene: Scene) -> bool:
    """猫得了猫瘟还能救活吗: the species alone, in a question, with nothing that ties it to one animal."""
    kinds = {mention.kind for mention in reading.about.mentions}
    asked = reading.tone.in_question or reading.tone.text_end is not None
    if asked and not kinds and _BREED.search(reading.text) and not OURS.search(reading.text):
        return not reading.times and not _OF_ONE.search(reading.text)
    told_apart = len(scene.utterance.pets) > 1 and bool(reading.quantities())  # 猫14斤，狗9斤
    loose = not (told_apart or reading.times or _OF_ONE.search(reading.text))
    return asked and kinds == {MentionKind.SPECIES} and loose


def _speaks_of_a_pet(reading: Reading, scene: Scene) -> bool:
    if not reading.tone.owners_life or is_mocked_deed(reading, scene):
        return True
    if (not reading.tone.owners_words or _DONE_TO_A_THING.match(reading.text)) and (
        _goes_on_about_a_pet(reading, scene) or _is_its_diagnosis(reading, scene)
    ):
        return True
    text = scene.folded[reading.about.start : reading.about.end]
    return reading.about.explicit and any(
        text[m.start - reading.start :][:1] not in ("她", "他") for m in reading.about.mentions
    )


_DONE_TO_A_THING = re.compile(
    r"(?:今天|昨天|昨晚|今早|刚才|又|还|直接|一口|偷偷|大?半夜|凌晨|早上|晚上|转头)*把(?!我(?:妈|爸)?[气吓累急愁]|\x00)"
)


def _is_its_diagnosis(reading: Reading, scene: Scene) -> bool:
    """豆豆生病我请了假，老板脸都绿了，还好血检没事: what was found, of the pet that the sentence opened with."""
    return reading.has("condition", "lab") and _pet_was_named(reading, scene)


def _goes_on_about_a_pet(reading: Reading, scene: Scene) -> bool:
    """Whether a pet was named in the sentence after the owner last spoke of their own day."""
    for earlier in reversed(scene.readings[: reading.place]):
        if earlier.sentence != reading.sentence:
            return False
        if earlier.about.explicit:
            return True
        if earlier.tone.owners_words:
            return False
    return False


def _pet_was_named(reading: Reading, scene: Scene) -> bool:
    """Whether the sentence named a pet before this clause ("我发现豆豆只要我加班，第二天必尿床")."""
    before = scene.readings[max(0, reading.place - 3) : reading.place]
    return any(earlier.sentence == reading.sentence and earlier.about.explicit for earlier in before)


def _refused(reading: Reading, scene: Scene) -> Refusal | None:
    quote = scene.utterance.text[reading.start : reading.end]
    if not reading.tone.usable:
        return Refusal(reading.tone.why_not, quote)
    if reading.about.state in (State.STRANGER, State.GENERAL):
        return Refusal(f"{reading.about.state} animal", quote)
    return None
