"""The one named thing of a statement of risk put right by itself: 旺财对鸡肉过敏 / 不对，是牛肉.

The statement is told again with the right name, and what it named first is said to be told wrongly: the right danger
stands at once, and the owner is asked before the first one goes.
"""

from collections.abc import Sequence
from dataclasses import replace

from domain.attributes import spec_of
from domain.offline.extractor.bare_corrections import LONGEST, Reader, as_corrected, shape_of
from domain.offline.extractor.recollection import said_just_before
from domain.pet_profiles import Utterance
from memory.claims import Claim
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass

_SO_PUT = (
    AttributeClass.ALLERGY,
    AttributeClass.MEDICATION,
    AttributeClass.CHRONIC_CONDITION,
)
_NAMES = ("substance_name", "product", "name")  # of a claim's value, as the owner wrote them
_TOLD_WITH_IT = "过敏"  # 是牛肉过敏 names the beef


def danger_put_right(utterance: Utterance, folded: str, read: Reader) -> tuple[Claim, ...]:
    """The last statement with the right name, and the wrong one denied, both as corrections; () for other messages.

    read: the claims of an utterance, without its history.
    """
    found = shape_of(folded) if len(folded) <= LONGEST else None
    if found is None:
        return ()
    new, old = (
        fold_text(found.groupdict().get(key) or "").strip().removesuffix(_TOLD_WITH_IT) for key in ("new", "old")
    )
    for text in said_just_before(utterance):
        before = tuple(read(replace(utterance, text=text, history=(), known=())))
        if before:
            return _told_again(utterance, fold_text(text), before, old, new, read)
    return ()


def _told_again(
    utterance: Utterance, told: str, before: Sequence[Claim], old: str, new: str, read: Reader
) -> tuple[Claim, ...]:
    wrong = before[0]
    named = _named(wrong)
    if len(before) > 1 or wrong.negated or _class_of(wrong) not in _SO_PUT or told.count(named or "\n") != 1:
        return ()
    if not new or (old and old != named):
        return ()
    again = tuple(read(replace(utterance, text=told.replace(named, new), history=(), known=())))
    if len(again) != 1 or again[0].negated or _named(again[0]) != new or not _is_another_of_its_kind(again[0], wrong):
        return ()
    pet = next((pet.name for pet in utterance.pets if pet.id == wrong.subject), "")
    denied = as_corrected(utterance, wrong, f"{pet}：{utterance.text.strip()}")
    return as_corrected(utterance, again[0], again[0].content), replace(denied, negated=True)


def _named(claim: Claim) -> str:
    """The thing that a claim names, as the owner wrote it."""
    return next((fold_text(str(claim.value[key])) for key in _NAMES if claim.value.get(key)), "")


def _is_another_of_its_kind(right: Claim, wrong: Claim) -> bool:
    same = right.subject == wrong.subject and _class_of(right) is _class_of(wrong)
    return same and right.attribute != wrong.attribute


def _class_of(claim: Claim) -> AttributeClass:
    return spec_of(claim.attribute).attribute_class
