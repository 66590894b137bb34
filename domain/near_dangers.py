"""What is told beside a known danger and was read as plain news is held back: watched, never served as a fact.

鸡肉可以重新上桌了 names what a pet is allergic to, 药收起来了 its drug, 改吃渴望了 leaves its diet. Where no rule
knew such words they would become a line of their own and be served as if the danger were settled. So a line that
touches a known danger is a doubt about it unless it surely is none: a sign, a dose given or missed, what keeps the
danger away. Pure, and the same for whoever extracted the claims.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from domain.attributes import spec_of
from domain.danger_words import (
    CORRECTS,
    ENDS_OR_ALLOWS,
    GIVEN,
    GIVES_DIFFERENTLY,
    IN_FUN,
    KEPT_AWAY,
    LEFT_OUT,
    MEASURED,
    NO_MORE_CARE,
    OF_A_PLAN,
    OF_BREEDING,
    ONE_MORE,
    ONLY_WATCHED,
    RAISED,
    SUPPLIES,
    wishes_a_treat,
)
from domain.lines_apart import told_apart
from domain.offline.extractor.bearing_mentions import mentions_disease, mentions_drug, mentions_substance
from domain.offline.extractor.bearing_words import ALSO_BAD, AVOIDED, MISSED_DOSE, NOT_GIVEN, PERMITTED, STOPPED
from domain.offline.extractor.wordlist import Hit, known_words
from domain.pet_profiles import KnownFact
from memory.claims import Claim
from memory.items import MemoryItem
from memory.text_folding import fold_text
from memory.visibility import SERVED
from memory.vocabulary import OWNER_SUBJECT, AttributeClass, Certainty, SpeechAct

_CLS = AttributeClass
_HAPPENINGS = (_CLS.VACCINE, _CLS.DEWORMING, _CLS.WEIGHT)
GUARDED_FAMILIES = frozenset(
    cls.value for cls in (_CLS.ALLERGY, _CLS.CHRONIC_CONDITION, _CLS.MEDICATION, _CLS.DIET_PREFERENCE, *_HAPPENINGS)
)
"""Classes whose rows must be known before a line may be taken for plain news."""
GUARDED_SLOTS = ("neutered",)

_LOOSE = frozenset(
    (_CLS.DIET_PREFERENCE, _CLS.BEHAVIOR, _CLS.ACTIVITY, _CLS.GROOMING, _CLS.SCHEDULE, _CLS.OTHER, _CLS.VISIT)
)
"""Classes that may hold whatever an owner tells; signs, shots and weights are what they are."""
_THINGS = frozenset(
    ("food", "allergen", "brand", "drug", "drug_name", "dewormer", "vaccine", "condition", "sign", "lab")
)


@dataclass(frozen=True, slots=True)
class Words:
    """A stretch of an owner's words with the known words in it, the names of pets blanked."""

    text: str
    hits: list[Hit]
    around: str = ""
    """The whole message that they stand in."""

    def has(self, *families: str) -> bool:
        return any(hit.family in families for hit in self.hits)


def may_touch_a_danger(claims: Iterable[Claim]) -> bool:
    """Whether any of the claims could be news beside a danger, so that the dangers must be read."""
    return any(_is_loose(claim) for claim in claims)


def held_back(
    claims: Sequence[Claim], rows: Iterable[MemoryItem], names: Mapping[str, Sequence[str]], message: str = ""
) -> list[Claim]:
    """The claims, with those that touch a danger among `rows` turned into a doubt about it.

    names: what the pets are called, by id; a dish that a pet is named after is no food. message: all that was said.
    """
    dangers = [KnownFact(row.subject, row.attribute, row.content) for row in rows if _is_danger(row)]
    called = sorted((fold_text(name) for own in names.values() for name in own if name), key=len, reverse=True)
    said_again = {(one.subject, one.attribute) for one in claims if not one.negated and not _is_loose(one)}
    around = fold_text(message)
    held = [_as_doubt(claim, dangers, called, said_again, around) if _is_loose(claim) else claim for claim in claims]
    return told_apart(held, dangers)


def _is_loose(claim: Claim) -> bool:
    if claim.subject in (None, OWNER_SUBJECT) or claim.attribute.startswith(("lab", "other:missed_")):
        return False
    loose = claim.attribute_class in _LOOSE and claim.attribute not in GUARDED_SLOTS
    return loose or _is_no_shot(claim)


def _is_no_shot(claim: Claim) -> bool:
    """狂犬失效了, 驱虫三个月一次就行: what is said of a shot or a deworming and tells of none that was given."""
    given = claim.attribute_class in (_CLS.VACCINE, _CLS.DEWORMING) and not claim.negated
    quote = fold_text(claim.evidence.quote)
    if given and (_CAME_TO_NOTHING.search(quote) or _is_another_day_by_hearsay(claim, quote)):
        return True
    undated = claim.occurred_on is None and claim.act is not SpeechAct.CORRECTION and not ONE_MORE.search(quote)
    return given and undated and (CORRECTS.search(quote) or OF_A_PLAN.search(quote)) is not None


def _is_another_day_by_hearsay(claim: Claim, quote: str) -> bool:
    """老伴说狂犬是五月份打的, of a shot that everybody knows of: when it was given is doubted, and no other is told."""
    unsure = not claim.first_hand or claim.certainty is not Certainty.PLAIN or _SAYS.search(quote) is not None
    return unsure and _WHEN_IT_WAS.search(quote) is not None


_SAYS = re.compile(r"(?:^|[,，。])[^,，。我你]*[说讲](?![错岔混反])|到底|还是")  # 我之前说成28号 is no hearsay
_WHEN_IT_WAS = re.compile(r"(?:是|在)[^,，。]{1,10}(?:打|喂|吃|滴|做|驱|种|用)的")
_CAME_TO_NOTHING = re.compile(
    r"(?:等于|跟|算是?)[^,，。]{0,2}(?:没|白)(?:打|喂|吃|滴|做|驱|种|用)|(?:那|上)[回次][^,，。]{0,8}(?:吐(?:出来)?了|没滴[到进上])"
)


def _is_danger(row: MemoryItem) -> bool:
    if row.status not in SERVED or row.negated:
        return False
    happened = row.attribute_class in {cls.value for cls in _HAPPENINGS}
    return happened or spec_of(row.attribute).guards or row.attribute in GUARDED_SLOTS or _is_prescribed(row)


def _is_prescribed(row: MemoryItem) -> bool:
    ordered = re.search(r"处方|水解|医嘱|医生|兽医", row.content) is not None
    return row.attribute.startswith("diet") and (ordered or row.attribute == "diet.prescription")


def _as_doubt(
    claim: Claim,
    dangers: Sequence[KnownFact],
    called: Sequence[str],
    said_again: set[tuple[str | None, str]],
    around: str,
) -> Claim:
    own = [fact for fact in dangers if fact.subject == claim.subject]
    if not own or (any(fact.attribute == claim.attribute for fact in own) and not _is_no_shot(claim)):
        return claim
    words = _words_of(claim, called, around)
    for fact in own:
        again = (fact.subject, fact.attribute) in said_again and not ENDS_OR_ALLOWS.search(words.text)
        if not again and _goes_against(fact, words, own, claim):
            return _against(fact, claim, words)
    return claim


def _words_of(claim: Claim, called: Sequence[str], around: str) -> Words:
    text = fold_text(claim.evidence.quote)
    for name in called:
        text, around = text.replace(name, "\x00"), around.replace(name, "\x00")
    return Words(text, list(known_words().find(text)), around)


def _goes_against(fact: KnownFact, words: Words, own: Sequence[KnownFact], claim: Claim) -> bool:
    """Whether the line touches the danger and is none of the things that surely leave it as it is."""
    cls = spec_of(fact.attribute).attribute_class
    ends = ENDS_OR_ALLOWS.search(words.text) is not None
    if cls in (_CLS.CHRONIC_CONDITION, _CLS.DIET_PREFERENCE) and _is_only_a_treat(fact, words):
        return True
    if claim.attribute_class is _CLS.VISIT and not ends:
        return False
    if claim.attribute_class is _CLS.BEHAVIOR and not ends and not GIVES_DIFFERENTLY.search(words.text):
        return False
    return _AGAINST[cls](fact, words, own, claim) if cls in _AGAINST else False


def _is_only_a_treat(fact: KnownFact, words: Words) -> bool:
    laughed = IN_FUN.search(words.text) is not None and words.has("food", "allergen", "brand")
    return wishes_a_treat(fact.content, words.text, laughed)


def _eats_the_allergen(fact: KnownFact, words: Words, own: Sequence[KnownFact], claim: Claim) -> bool:
    named = mentions_substance(fact, words, own) or (
        _is_unnamed(words, "allergy:", own) and PERMITTED.search(words.text)
    )
    away = AVOIDED.search(words.text) or ALSO_BAD.search(words.text) or KEPT_AWAY.search(words.text)
    harmless = ENDS_OR_ALLOWS.search(words.text) is not None
    return bool(named) and not (away and not harmless) and not ONLY_WATCHED.search(words.text)


def _ends_the_illness(fact: KnownFact, words: Words, own: Sequence[KnownFact], claim: Claim) -> bool:
    steady = MEASURED.search(words.text) or RAISED.search(words.text)
    return mentions_disease(fact, words) and not (steady and not NO_MORE_CARE.search(words.text))


def _changes_the_drug(fact: KnownFact, words: Words, own: Sequence[KnownFact], claim: Claim) -> bool:
    ends, differs = ENDS_OR_ALLOWS.search(words.text), GIVES_DIFFERENTLY.search(words.text)
    if MISSED_DOSE.search(words.text) or NOT_GIVEN.search(words.text) or LEFT_OUT.search(words.text):
        return False
    if not mentions_drug(fact, words, own):
        if STOPPED.search(words.text) and not words.has(*_THINGS) and _names_it_elsewhere(fact, words, own):
            return True
        return not _is_of_meals_or_home(claim, words) and (
            _is_unnamed(words, "medication:", own)
            and bool(ends or differs)
            and _IS_GIVEN.search(words.text) is not None
        )
    return not ((SUPPLIES.search(words.text) or GIVEN.search(words.text)) and not (ends or differs))


def _names_it_elsewhere(fact: KnownFact, words: Words, own: Sequence[KnownFact]) -> bool:
    """匹莫苯丹太贵了，这个月起我给断了: the drug stands in another clause of the message."""
    whole = Words(words.around, list(known_words().find(words.around)))
    return bool(words.around) and mentions_drug(fact, whole, own)


def _is_of_meals_or_home(claim: Claim, words: Words) -> bool:
    """一顿32克一天三顿, 木屑换成厕纸 and 见保安就钻床底: whatever changes there, it is no drug."""
    meal = claim.attribute == "diet.amount" and _MEAL.search(words.text) is not None
    at_home = claim.attribute_class is _CLS.BEHAVIOR or claim.attribute.startswith("other:living")
    return (meal or at_home) and _DOSED.search(words.text) is None


_MEAL = re.compile(r"顿|餐|粮|碗|勺|克")
_DOSED = re.compile(r"药|mg|毫克|ml|毫升|单位|[片粒颗滴针]|停|断")
_IS_GIVEN = re.compile(r"[吃喂打滴涂抹喷用针]|mg|毫克|ml|单位|[片粒颗]")


def _leaves_the_diet(fact: KnownFact, words: Words, own: Sequence[KnownFact], claim: Claim) -> bool:
    if "diet" not in fact.attribute:
        return False
    unnamed = _is_unnamed(words, "diet", own) and PERMITTED.search(words.text) is not None
    ends = ENDS_OR_ALLOWS.search(words.text) is not None
    if any(food in fold_text(fact.content) for food in _LATIN.findall(words.text)) and not ends:
        return False
    if "处方" in words.text and not ends:
        return claim.attribute_class is _CLS.OTHER
    eats = claim.attribute_class is _CLS.DIET_PREFERENCE or "粮" in words.text
    if claim.attribute in ("diet.amount", "diet.pickiness") and not re.search(r"什么都|随便|都吃", words.text):
        return False
    return unnamed or (eats and not (KEPT_AWAY.search(words.text) and not ends))


_LATIN = re.compile(r"[a-z][a-z/]{1,}")
"""A line of food by its letters (c/d, k/d)."""


def _denies_the_neutering(fact: KnownFact, words: Words, own: Sequence[KnownFact], claim: Claim) -> bool:
    return OF_BREEDING.search(words.text) is not None


def _corrects_the_record(fact: KnownFact, words: Words, own: Sequence[KnownFact], claim: Claim) -> bool:
    """The shot, the deworming or the weight is named, and said to be wrong, moved or worth nothing."""
    kinds = {_CLS.VACCINE: ("vaccine",), _CLS.DEWORMING: ("dewormer",)}
    cls = spec_of(fact.attribute).attribute_class
    named = words.has(*kinds[cls]) if cls in kinds else "体重" in words.text or _figure_of(fact) in words.text
    unread = cls is _CLS.WEIGHT and _is_an_unread_figure(claim, words)
    same_kind = {one.attribute for one in own if spec_of(one.attribute).attribute_class is cls}
    corrected = named and (_is_no_shot(claim) or CORRECTS.search(words.text) is not None)
    return (corrected or unread) and len(same_kind) == 1


def _is_an_unread_figure(claim: Claim, words: Words) -> bool:
    """毛豆是18.1, put right in words that no rule read: of a pet that was weighed it may be its weight."""
    put_right = claim.act is SpeechAct.CORRECTION and claim.attribute_class is _CLS.OTHER
    return put_right and not words.has(*_THINGS) and _BARE.search(words.text) is not None


_BARE = re.compile(r"(?<![\d.])\d+(?:\.\d+)?\s?(?:kg|公斤|千克|斤)?(?=$|[,，。啊呀哈啦吧才])")


_AGAINST = {
    _CLS.ALLERGY: _eats_the_allergen,
    _CLS.CHRONIC_CONDITION: _ends_the_illness,
    _CLS.MEDICATION: _changes_the_drug,
    _CLS.DIET_PREFERENCE: _leaves_the_diet,
    _CLS.VACCINE: _corrects_the_record,
    _CLS.DEWORMING: _corrects_the_record,
    _CLS.WEIGHT: _corrects_the_record,
    _CLS.OTHER: _denies_the_neutering,
}


def _is_unnamed(words: Words, kind: str, own: Sequence[KnownFact]) -> bool:
    """Nothing is named that the words could be about, and there is one danger of this kind."""
    return not words.has(*_THINGS) and len({one.attribute for one in own if one.attribute.startswith(kind)}) == 1


_FIGURE = re.compile(r"\d+(?:\.\d+)?")


def _figure_of(fact: KnownFact) -> str:
    found = _FIGURE.search(fact.content)
    return found[0] if found else "体重"


def _against(fact: KnownFact, claim: Claim, words: Words) -> Claim:
    """The line as a doubt about the danger: a decision or a permission as it was said, all else as a hint."""
    spec = spec_of(fact.attribute)
    meant = claim.act in (SpeechAct.DECISION, SpeechAct.CORRECTION) or PERMITTED.search(words.text) is not None
    meant = meant and not _is_only_a_treat(fact, words)
    doubtful = Certainty.HEDGED if claim.certainty is Certainty.PLAIN else claim.certainty
    return replace(
        claim,
        attribute=fact.attribute,
        attribute_class=spec.attribute_class,
        topic=spec.topic,
        value=_named(fact),
        negated=True,
        occurred_on=None if _is_no_shot(claim) else claim.occurred_on,  # not another shot of another day
        act=SpeechAct.STATEMENT if meant else SpeechAct.OBSERVATION,
        certainty=claim.certainty if meant else doubtful,
        kind=spec.kind,
        memory_type=spec.memory_type,
        weight_level=spec.weight_level,
    )


def _named(fact: KnownFact) -> dict[str, object]:
    key = fact.attribute.partition(":")[2]
    cls = spec_of(fact.attribute).attribute_class
    if cls is _CLS.WEIGHT:
        return {"number": float(_figure_of(fact)), "unit": "斤" if "斤" in fact.content.replace("公斤", "") else "kg"}
    name = {_CLS.ALLERGY: "substance", _CLS.MEDICATION: "ingredient"}.get(cls)
    return {name: key} if name and key else {}
