"""旺财不是田园犬，是柴犬: the breed on a pet's page put right. Only breeds that are known by name are read."""

import re
from collections.abc import Sequence

from domain.attributes import spec_of
from domain.knowledge.breeds import load_breeds
from domain.pet_profiles import PetProfile, Utterance
from domain.text_marks import NAME, with_names_masked
from memory.claims import Claim, Evidence
from memory.text_folding import fold_text
from memory.vocabulary import Certainty, SpeechAct

SLOT = "breed"
LONGEST = 40  # characters; whoever writes more tells something else, too

_OPENS = r"(?:[哦噢啊呀嗯,，\s]|刚才|档案里?|你|那个|其实|不对|说错了|记错了|写错了|搞错了|弄错了|我们?家?的?|对了)*"
_WRONG = r"(?:的?品种)?(?:你)?(?:[记写搞弄填登]错了?|不对)?[,，\s]*(?:其实|应该|它|并)*"
_BREED = r"[一-鿿a-z]{2,8}?"
_SHAPES = (
    rf"(?:不是|并非)(?:只|条|个)?(?P<old>{_BREED})[,，\s]*(?:而|它|其实|应该)*是(?:只|条|个)?(?P<new>{_BREED})",
    rf"是(?:只|条|个)?(?P<new>{_BREED})[,，\s]*(?:而|并)?不是(?:只|条|个)?(?P<old>{_BREED})",
    rf"(?<=品种)(?:是|应该是|改成|改为)(?P<new>{_BREED})",
)
_END = r"(?:[啊呀哦哈的吧。.!！~\s]|才对)*"


_PUT_RIGHT = tuple(re.compile(rf"{_OPENS}(?P<pet>{NAME})?{_WRONG}{shape}{_END}") for shape in _SHAPES)
_TELLS_A_SLIP = re.compile(r"不是|并非|品种")  # what every shape holds


def breed_put_right(utterance: Utterance, folded: str) -> tuple[Claim, ...]:
    """The breed as a correction; () for every other message."""
    if len(folded) > LONGEST or not _TELLS_A_SLIP.search(folded):
        return ()
    masked = with_names_masked(folded, [name for pet in utterance.pets for name in _names(pet)])
    for shape in _PUT_RIGHT:
        found = shape.fullmatch(masked)
        if found is None or load_breeds().find(found["new"]) is None:
            continue
        old = found.groupdict().get("old")
        if old is not None and load_breeds().find(old) is None:
            continue
        name = folded[found.start("pet") : found.end("pet")] if found["pet"] else None
        pet = _meant(utterance.pets, name, old)
        return (_claim(utterance, pet, found["new"]),) if pet is not None else ()
    return ()


def _meant(pets: Sequence[PetProfile], name: str | None, old: str | None) -> PetProfile | None:
    """The pet named, or the only one of that breed."""
    if name:
        return next((pet for pet in pets if name in _names(pet)), None)
    was = load_breeds().find(old) if old else None
    fitting = [pet for pet in pets if was is not None and load_breeds().find(pet.breed) == was]
    return fitting[0] if len(fitting) == 1 else None


def _names(pet: PetProfile) -> tuple[str, ...]:
    return tuple(fold_text(name) for name in (pet.name, *pet.nicknames) if name)


def _claim(utterance: Utterance, pet: PetProfile, breed: str) -> Claim:
    spec = spec_of(SLOT)
    return Claim(
        subject=pet.id,
        attribute=SLOT,
        attribute_class=spec.attribute_class,
        topic=spec.topic,
        content=f"{pet.name}是{breed}",
        evidence=Evidence(utterance.text, 0, len(utterance.text)),
        value={"breed": breed},
        certainty=Certainty.PLAIN,
        act=SpeechAct.CORRECTION,
        kind=spec.kind,
        memory_type=spec.memory_type,
        weight_level=spec.weight_level,
    )
