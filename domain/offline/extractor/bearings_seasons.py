"""A habit that rests at a time of the year and comes back: 一入冬就不碰水，年年如此; 天暖和了又往水里跳.

The first limits what is known, the second says it again; neither ends it, nor is it news of its own.
"""

import re
from collections.abc import Sequence

from domain.attributes import spec_of
from domain.change_words import COMES_BACK, EVERY_YEAR, SEASON
from domain.offline.extractor.bearings_remarks import shares_a_word
from domain.offline.extractor.reading import Draft, Scene
from domain.offline.extractor.threads import MAX_LINE, Found
from domain.pet_profiles import KnownFact
from memory.text_folding import fold_text
from memory.vocabulary import OWNER_SUBJECT, AttributeClass, SpeechAct

_MADE_OF_IT = re.compile(r"symptom:(?:appetite|ate|sleep|lethargy)")
_LASTING = (AttributeClass.BEHAVIOR, AttributeClass.ACTIVITY, AttributeClass.DIET_PREFERENCE, AttributeClass.OTHER)


def tell_season(found: list[Found], habits: Sequence[KnownFact], scene: Scene) -> bool:
    """Whether the message tells how a known habit goes with the seasons; its drafts are set accordingly."""
    season, yearly = SEASON.search(scene.folded), EVERY_YEAR.search(scene.folded)
    back = COMES_BACK.search(scene.folded) is not None
    told = [one for one in found if one.reading.usable]
    if not told or not (season or (yearly and back)) or not (yearly or back):
        return False
    pets = {pet for one in told for pet in one.reading.about.pets}
    own = [fact for fact in habits if fact.subject in pets and _may_rest(fact)]
    meant = [fact for fact in own if any(shares_a_word(fact, one.reading, scene) for one in told)]
    if not meant and all(_is_the_same(draft) for one in found for draft in one.drafts):
        meant = own
    if len({fact.attribute for fact in meant}) != 1 or len(pets) != 1:
        return False
    act = SpeechAct.OBSERVATION if back else SpeechAct.STATEMENT
    start, end = told[0].reading.start, told[-1].reading.end
    last = told[-1]
    for one in found:
        one.drafts = [draft for draft in one.drafts if not _is_the_same(draft)]
    start = start if end - start <= MAX_LINE else last.reading.start
    last.drafts = [Draft(meant[0].attribute, start, end, {}, act=act), *last.drafts]
    return True


def _may_rest(fact: KnownFact) -> bool:
    """A way of living that is told without a season of its own."""
    cls = spec_of(fact.attribute).attribute_class
    return fact.subject != OWNER_SUBJECT and cls in _LASTING and SEASON.search(fold_text(fact.content)) is None


def _is_the_same(draft: Draft) -> bool:
    """What else was made of the words of the habit."""
    cls = draft.cls or spec_of(draft.attribute).attribute_class
    return cls in _LASTING or _MADE_OF_IT.match(draft.attribute) is not None


_BACK_AT = re.compile(r"(?:搬|跑|躺|睡|挪|钻|窝|爬|蹲|趴|换)回(?:到|了|去)?(?P<where>[^,，。了到去]{2})")


def is_back_at(fact: KnownFact, text: str) -> bool:
    """搬回暖气片上睡, of one that sleeps there: the known habit again, no other one."""
    back = _BACK_AT.search(text)
    return back is not None and back["where"] in fold_text(fact.content)
