"""What a pet was said to have swallowed, taken back: 咪咪误食了百合 / 看错了，没吃，只是闻了闻.

没吃 alone is no such thing: a pet that has been poisoned and does not eat is worse, not well. It takes a word of the
mistake or of a look, or the thing's own name.
"""

import re
from dataclasses import replace

from domain.exposures import EXPOSURE_SLOT, same_substance, swallowed_in
from domain.offline.extractor.bare_corrections import Reader, as_corrected
from domain.offline.extractor.recollection import said_just_before
from domain.pet_profiles import Utterance
from memory.claims import Claim
from memory.text_folding import fold_text

REACH = 4  # the owner's messages before this one
LONGEST = 40  # characters; whoever writes more tells something of its own
_NOT_SWALLOWED = re.compile(
    r"(?:没有?|并没有?|未|不是)(?:真的?|怎么)?(?:误食|偷吃|吃|吞|舔|咽|碰|喝|咬|啃|动|沾)(?:到|着|下去?|进去?|上|过|它|那个|那些|那东西)*(?P<what>[^,，。!！~\s了的呢啊呀哈吧]{0,8})"
)
_MISTAKEN = re.compile(
    r"(?:搞|看|弄|说|记|听|想)错|误会|虚惊|原来|其实|监控|录像|回放|只(?:是)?[闻舔看玩叼]|闻了闻|(?:都|还)(?:在|找到|好好)|一[颗片粒个口点]?(?:都|也)?没少|数(?:了|过)|检查"
)
_STILL_GRAVE = re.compile(r"但|可是|不过|还是|又吐|在吐|吐了|抽|没精神|蔫")


def not_swallowed(utterance: Utterance, folded: str, read: Reader) -> tuple[Claim, ...]:
    """The exposure told just before, denied as a correction; () for every other message.

    read: the claims of an utterance, without its history.
    """
    told = _NOT_SWALLOWED.search(folded) if len(folded) <= LONGEST else None
    if told is None or _STILL_GRAVE.search(folded) or not (told["what"] or _MISTAKEN.search(folded)):
        return ()
    before = _exposure_before(utterance, read)
    if before is None or _names_another(utterance, folded, before):
        return ()
    if not same_substance(told["what"], swallowed_in(before.content)):
        return ()
    pet = next((pet.name for pet in utterance.pets if pet.id == before.subject), "")
    words = utterance.text.strip()
    line = words if pet in words else f"{pet}：{words}"
    return (replace(as_corrected(utterance, before, line), negated=True),)


def _exposure_before(utterance: Utterance, read: Reader) -> Claim | None:
    """The newest exposure of one known pet that the owner's last messages told."""
    for text in said_just_before(utterance, REACH):
        for claim in read(replace(utterance, text=text, history=(), known=())):
            if claim.attribute == EXPOSURE_SLOT and not claim.negated and claim.subject is not None:
                return claim
    return None


def _names_another(utterance: Utterance, folded: str, before: Claim) -> bool:
    others = (pet for pet in utterance.pets if pet.id != before.subject)
    return any(fold_text(name) in folded for pet in others for name in (pet.name, *pet.nicknames) if name)
