"""What else a pet with a known allergy cannot bear, or bears: 鸭肉也不行, 鸽子肉也不成, 牛奶酸奶这些没事的."""

import re
from collections.abc import Sequence

from domain.offline.extractor.bearing import HAPPENED, stays
from domain.offline.extractor.bearing_words import ALSO_BAD, HARMLESS
from domain.offline.extractor.reading import Draft
from domain.offline.extractor.threads import Found
from domain.pet_profiles import KnownFact
from memory.vocabulary import SpeechAct

_WILL_NOT_DO = re.compile(
    r"(?:发现|看来|原来)?[^,，。]{1,5}(?:真|可|还是)?(?:不行|不成|不中|碰不得|吃不得)(?:啊|呀|哎|了)?"
)
_ALSO_NAMED = re.compile(
    r"^(?:今天|昨天|最近|又|刚|我|才)*(?:发现|原来|没想到|看来|感觉)?(?:\x00|吃|喝|碰|连)*(?P<what>[^\x00,。发现吃喝碰给喂了]{2,5}?)(?:也|一样)(?:不(?:太)?(?:成|行|中)|不(?:能|可以)(?:吃|喝|碰)|[碰吃]不得|吃不了|过敏|踩雷)"
)
"""鸽子肉也不成, of what no list holds."""


def add_further_allergies(found: list[Found], known: Sequence[KnownFact]) -> None:
    """鸭肉也不行: beside a known allergy, another substance that will not do is another allergy."""
    allergic = {fact.subject for fact in known if fact.attribute.startswith("allergy:")}
    for one in found:
        reading = one.reading
        if (
            not reading.usable
            or not allergic & set(reading.about.pets)
            or not (ALSO_BAD.search(reading.text) or _WILL_NOT_DO.fullmatch(reading.text))
        ):
            continue
        eaten = [hit for hit in reading.hits if hit.family in ("food", "allergen")]
        for hit in (*eaten, *reading.of("drug")):
            slot = f"allergy:{hit.word.allergen or hit.id}"
            told = any(draft.attribute == slot for draft in one.drafts)
            if not told:
                value = {"substance": hit.word.allergen or hit.id, "substance_name": hit.word.text}
                one.drafts = [draft for draft in one.drafts if stays(draft, slot, *HAPPENED)]
                one.drafts.append(Draft(slot, reading.start, reading.end, value))
        if (
            not one.drafts
            and not reading.of("food", "allergen", "drug")
            and (named := _ALSO_NAMED.search(reading.text))
        ):
            value = {"substance": named["what"], "substance_name": named["what"]}
            one.drafts = [Draft(f"allergy:{named['what']}", reading.start, reading.end, value)]


_AND_SO_ON = re.compile(r"也|都|一直|吃着|[喝吃]了[^,。]{0,4}(?:月|年|周|天)|没事|没问题|好好的")


def add_borne_foods(found: list[Found], known: Sequence[KnownFact]) -> None:
    """牛奶酸奶这些没事的, of one that is allergic to beef: another food that it bears stands beside the allergy."""
    allergic = {fact.attribute for fact in known if fact.attribute.startswith("allergy:")}
    owners = {fact.subject for fact in known if fact.attribute in allergic}
    for one in found:
        reading = one.reading
        if one.drafts or not reading.usable or not owners & set(reading.about.pets):
            continue
        named = [hit for hit in reading.of("food", "allergen") if hit.word.allergen]
        borne = [hit for hit in named if f"allergy:{hit.word.allergen}" not in allergic]
        if borne and HARMLESS.search(reading.text) and _AND_SO_ON.search(reading.text):
            slot, value = f"diet:{borne[0].word.allergen}", {"food": borne[0].word.text}
            one.drafts = [Draft(slot, reading.start, reading.end, value, act=SpeechAct.OBSERVATION)]
