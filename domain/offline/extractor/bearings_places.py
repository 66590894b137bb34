"""A known habit that is done at another place or with another thing from now on: it is that habit, changed."""

from collections.abc import Sequence

from domain.attributes import spec_of
from domain.habit_places import done_elsewhere
from domain.offline.extractor.bearing_words import UNDECIDED
from domain.offline.extractor.reading import Draft, Scene
from domain.offline.extractor.threads import MAX_LINE, Found
from domain.pet_profiles import KnownFact
from memory.vocabulary import AttributeClass, SpeechAct

_HABITS = (AttributeClass.BEHAVIOR, AttributeClass.ACTIVITY, AttributeClass.GROOMING, AttributeClass.OTHER)
_LOOSE = (*_HABITS, AttributeClass.SYMPTOM)


def tell_another_place(found: list[Found], habits: Sequence[KnownFact], scene: Scene) -> None:
    """The one known habit that is done elsewhere or with something else from now on is changed."""
    told = [one for one in found if one.reading.usable]
    pets = {pet for one in told for pet in one.reading.about.pets}
    slots = {draft.attribute for one in found for draft in one.drafts}
    if len(told) < len(found) or len(pets) != 1 or UNDECIDED.search(scene.folded):
        return
    own = [fact for fact in habits if fact.subject in pets and spec_of(fact.attribute).attribute_class in _HABITS]
    moved = [fact for fact in own if done_elsewhere(fact.content, scene.folded)]
    if len({fact.attribute for fact in moved}) != 1 or moved[0].attribute in slots:
        return
    for one in found:
        one.drafts = [
            draft for draft in one.drafts if (draft.cls or spec_of(draft.attribute).attribute_class) not in _LOOSE
        ]
    start, last = told[0].reading.start, told[-1]
    start = start if last.reading.end - start <= MAX_LINE else last.reading.start
    last.drafts = [Draft(moved[0].attribute, start, last.reading.end, {}, act=SpeechAct.DECISION), *last.drafts]


def _class_of(draft: Draft) -> AttributeClass:
    return draft.cls or spec_of(draft.attribute).attribute_class
