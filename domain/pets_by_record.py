"""Which pet a message without a name is about, by what stands on record: 匹莫苯丹加量了, of the one that takes it."""

import re

from domain.knowledge.lexicon import find_entities
from domain.pet_profiles import Utterance

_RECORDS = ("medication:", "condition:")
_GOES_ON = re.compile(
    r"[加减改换调停降增撤]|剂量|继续|还在|一直|仍|照旧|吃完|打完|没吃|没打|忘|漏|复查|指标|好了|稳定|从(?:今|明|后)天起|现在一[次天]"
)
"""Said of a treatment or an illness that is there; of another pet it would be said that it begins."""
_BEGINS = re.compile(r"也|开了|确诊|查出|得了|刚诊断|新开")


def pet_on_record(folded: str, utterance: Utterance) -> str | None:
    """The id of the only pet whose drug or illness on record the message goes on about; None when it is not clear.

    folded: the whole message.
    """
    held = [
        (fact.attribute.partition(":")[2], fact.subject)
        for fact in utterance.known
        if fact.subject is not None and fact.attribute.startswith(_RECORDS)
    ]
    if not held or not _GOES_ON.search(folded) or _BEGINS.search(folded):
        return None
    named = {found.entity_id for found in find_entities(folded)}
    owners = {subject for key, subject in held if key in named or (len(key) > 1 and key in folded)}
    return owners.pop() if len(owners) == 1 else None
