"""A danger on the record of one pet that is said to be another's: 阿莫西林过敏记到灰灰头上了，其实是白白."""

import re
from collections.abc import Sequence

from domain.attributes import spec_of
from domain.offline.extractor.bearing_mentions import mentions_disease, mentions_drug, mentions_substance
from domain.offline.extractor.bearing_words import TAKEN_BACK
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.threads import Found
from domain.pet_profiles import KnownFact
from memory.vocabulary import AttributeClass

_MISPLACED = re.compile(
    r"(?:记|写|算|登记|填|挂|安|放)(?:到|在|给|成)了?[^,。]{0,3}\x00+(?:的)?(?:头上|名下|身上|那|档案|上)?"
)
_WHOSE = re.compile(
    r"(?:其实|应该|明明|原来|实际上?|说的|指的|那|得)*(?:就|都|该)?是\x00+(?:的|才对|才是|啦|啊|呀|哦|呢)*"
)
"""A clause of nothing but whose it is."""


def is_misplaced(found: list[Found]) -> bool:
    """Whether something is said to stand under the wrong pet."""
    whole = "，".join(one.reading.text for one in found)
    return TAKEN_BACK.search(whole) is not None or _MISPLACED.search(whole) is not None


def add_misplaced(found: list[Found], known: Sequence[KnownFact], scene: Scene) -> None:
    """Tell the danger of the pet whose it is said to be, where its clause names that pet alone."""
    if len(scene.utterance.pets) < 2 or not is_misplaced(found):
        return
    guarded = [fact for fact in known if spec_of(fact.attribute).guards]
    spoken = [fact for fact in guarded if any(_speaks_of(fact, one.reading, guarded) for one in found)]
    if len(spoken) != 1:
        return
    (fact,) = spoken
    for one in found:
        meant = one.reading.about.pets
        if _WHOSE.fullmatch(one.reading.text) and len(meant) == 1 and fact.subject not in meant:
            name = _name_in(fact, found)
            value: dict[str, object] = {"name": name} if fact.attribute.startswith("condition:") else {}
            start, end = one.reading.start, one.reading.end
            one.drafts = [Draft(fact.attribute, start, end, value, about=name)]


def _speaks_of(fact: KnownFact, reading: Reading, guarded: Sequence[KnownFact]) -> bool:
    cls = spec_of(fact.attribute).attribute_class
    if cls is AttributeClass.ALLERGY:
        return mentions_substance(fact, reading, guarded)
    return (
        mentions_disease(fact, reading)
        if cls is AttributeClass.CHRONIC_CONDITION
        else mentions_drug(fact, reading, guarded)
    )


def _name_in(fact: KnownFact, found: list[Found]) -> str:
    """What the message calls the danger: 阿莫西林 with 过敏, 肾病, 贝那普利."""
    kind, _, key = fact.attribute.partition(":")
    hits = [hit for one in found for hit in one.reading.hits if key in (hit.id, hit.word.allergen)]
    name = hits[0].word.text if hits else key
    return f"{name}过敏" if kind == "allergy" else name
