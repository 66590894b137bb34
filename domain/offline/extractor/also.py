"""奶茶也是, 奶茶也吃这个: what the owner just told of one pet is told of another one, too."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from domain.offline.extractor.recollection import said_just_before
from domain.pet_profiles import PetProfile, Utterance
from memory.claims import Claim, Evidence
from memory.text_folding import fold_text

LONGEST = 16  # characters; whoever says more says it whole
_AFTER_NAME = (
    r"(?:今天|昨天|现在|其实|最近|好像)?(?:也|同样)(?:都)?(?:是|一样|这样|如此|"
    r"(?P<verb>[一-鿿]{1,3}?)(?:这个|这种|它|一样的?|同款|同一个|的)?)"
)
_END = r"(?:的|了|啊|呀|哈|吧|呢|[,，.。!！~\s])*"
_NO_VERB = re.compile(r"[不没吗么]|会|能|要|想|有|在|去|来")
Reader = Callable[[Utterance], Sequence[Claim]]


def told_of_another(utterance: Utterance, folded: str, read: Reader) -> tuple[Claim, ...]:
    """The claims of the message before, of the pet that this one names; () for every other message.

    read: the claims of an utterance, without its history.
    """
    may = len(folded) <= LONGEST and ("也" in folded or "同样" in folded)
    pet, verb = _named_too(folded, utterance.pets) if may else (None, "")
    before = said_just_before(utterance, 1)
    if pet is None or not before or verb not in fold_text(before[0]):
        return ()
    if verb and read(replace(utterance, history=())):
        return ()  # 旺财也吐了 tells it all; how often was told of the other one
    told = read(replace(utterance, text=before[0], history=(), known=()))
    first = {claim.subject for claim in told}
    other = next((one for one in utterance.pets if first == {one.id} and one.id != pet.id), None)
    if other is None or other.name not in before[0]:
        return ()
    again = before[0].replace(other.name, pet.name)
    quote = Evidence(utterance.text, 0, len(utterance.text))
    claims = read(replace(utterance, text=again, history=(), known=()))
    return tuple(replace(claim, evidence=quote) for claim in claims if claim.subject == pet.id)


def _named_too(folded: str, pets: Sequence[PetProfile]) -> tuple[PetProfile | None, str]:
    for pet in pets:
        for name in (pet.name, *pet.nicknames):
            found = re.fullmatch(
                rf"(?:[哦嗯对,，\s]|还有|我家)*{re.escape(fold_text(name))}(?:呢)?[,，\s]*{_AFTER_NAME}{_END}", folded
            )
            verb = (found["verb"] or "") if found else ""
            if found and not _NO_VERB.search(verb):
                return pet, verb
    return None, ""
