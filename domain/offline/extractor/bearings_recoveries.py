"""A known sign that is better: 今天走路好多了, of one that was lame."""

import re

from domain.attributes import spec_of
from domain.offline.extractor.reading import Draft, Scene
from domain.offline.extractor.threads import Found
from memory.vocabulary import AttributeClass, SpeechAct

BETTER = re.compile(
    r"吃了(?:大半|一|两|三|好|半|整)|(?:拉|尿|排)(?:了|出来)|正常|成[形型条]|不(?:吐|拉|咳|瘸|跛|流|挠|喘|抖)了|看不出|好(?:多|些|点|一点|转)了?|(?<![量排约说定备买弄谈想])好了|恢复|利索|精神了|没事了|消(?:下去|了|肿)|(?:肯|敢|能)(?:踩|落|着)地|轻多了|缓过来"
)


_FOOD_UNCHANGED = re.compile(r"\x00*的?[主口]?粮食?(?:还)?没(?:有)?(?:动|换|变|改)过?")


def without_untouched_food(found: list[Found]) -> None:
    """粮食没动，吃麦富迪: where what it eats stands beside it, the food was not left but stayed the same."""
    for one in found:
        eats = any(
            draft.attribute == "diet.staple_food" for other in found if other is not one for draft in other.drafts
        )
        if eats and _FOOD_UNCHANGED.fullmatch(one.reading.text):
            one.drafts = [draft for draft in one.drafts if draft.attribute != "symptom:appetite_loss"]


def with_recoveries(found: list[Found], scene: Scene) -> list[Found]:
    """今天走路好多了 after a lameness: a known sign that is better, where no other rule has read the clause."""
    known = [fact for fact in scene.utterance.known if fact.attribute.startswith("symptom:")]
    signs = [
        fact for fact in known if not fact.attribute.startswith("symptom:ate")
    ]  # what was eaten does not get better
    for one in found:
        own = {fact.attribute: fact for fact in signs if fact.subject in one.reading.about.pets}
        told = any(
            (draft.cls or spec_of(draft.attribute).attribute_class) is not AttributeClass.BEHAVIOR
            for draft in one.drafts
        )
        if told or len(own) != 1 or not one.reading.usable or not BETTER.search(one.reading.text):
            continue
        (slot,) = own
        value = {"name": slot.partition(":")[2]}
        one.drafts = [Draft(slot, one.reading.start, one.reading.end, value, negated=True, act=SpeechAct.OBSERVATION)]
    return found
