"""A correction that says only what is otherwise: 不对，是凌晨四点 / 不是阳台，是客厅 / 哦不对，是奶茶不爱喝.

The owner's last statement is told again with the new words in place of the old ones, and is read like any other. Only
what is of low risk is put right so; doses, weights, shots and allergies have their own rules, bare figures
`figures_put_right`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from domain.attributes import spec_of
from domain.offline.extractor.recollection import said_just_before
from domain.pet_profiles import PetProfile, Utterance
from memory.claims import Claim, Evidence
from memory.confirmation_texts import TAKEN_BACK
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass, Certainty, Risk, SpeechAct

LONGEST = 30  # characters; whoever writes more tells something whole
_FEWEST_SHARED = 2  # characters of a predicate by which an earlier statement is found

_ASIDE = r"(?:[哦噢啊呀嗯呃哎诶,，.。!！~\s]|抱歉|不好意思|对不起|等等|等下)*"
_SLIP = (
    r"(?:刚才|刚刚|上面|前面|之前)?我?(?:又)?(?:(?:说|记|写|打|搞|弄|讲)(?:错|岔)了?|不对(?:不对)?"
    r"|错了|口误|更正一?下?|纠正一?下?)(?:了|啊|哈)*"
)
_END = r"(?:才对|才是|的?吧|啦|哈|哦|啊|呀|[.。!！~\s])*"
_NEW = r"(?:应该|其实|要|得)?(?:是|改成|改为)(?P<new>[^,，。;；是]{1,14}?)"
_A_NOT_B = re.compile(
    rf"{_ASIDE}(?:{_SLIP})?{_ASIDE}(?:不是|并非)(?P<old>[^,，。;；是]{{1,10}}?)[,，\s]*(?:而|其实)?{_NEW}{_END}"
)
_B_NOT_A = re.compile(
    rf"{_ASIDE}(?:{_SLIP})?{_ASIDE}{_NEW}[,，\s]*(?:而)?(?:不是|并非)(?P<old>[^,，。;；是]{{1,10}}?){_END}"
)
_ONLY_NEW = re.compile(
    rf"{_ASIDE}{_SLIP}{_ASIDE}(?:应该|其实|要|得)?(?:是|改成|改为)?(?P<new>[^,，。;；是]{{1,14}}?){_END}"
)
_CLOCK = re.compile(
    r"(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜)*(?:\d{1,2}|"
    r"[一二两三四五六七八九十]{1,3})(?:点半?(?:[\d一二三四五十]+分?)?|[:：]\d{2})"
)
_LONGEST_NAME = 6  # characters of a food, a toy
_NAMED = ("food", "brand", "product")
_NO_NAME = re.compile(r"[吃喝用怕爱睡玩去在会能不没]|\d|它|他|她")
_NOT_SO_PUT = frozenset(
    {
        AttributeClass.ALLERGY,
        AttributeClass.MEDICATION,
        AttributeClass.VACCINE,
        AttributeClass.DEWORMING,
        AttributeClass.WEIGHT,
        AttributeClass.CHRONIC_CONDITION,
        AttributeClass.SYMPTOM,
        AttributeClass.VISIT,
    }
)
Reader = Callable[[Utterance], Sequence[Claim]]


def put_right(utterance: Utterance, folded: str, read: Reader) -> tuple[Claim, ...]:
    """The last statement with what this message puts right, as a correction; () for every other message.

    read: the claims of an utterance, without its history.
    """
    found = shape_of(folded) if len(folded) <= LONGEST else None
    if found is None:
        return ()
    new, old = found["new"].strip(), (found.groupdict().get("old") or "").strip()
    for text in said_just_before(utterance):
        before = tuple(read(replace(utterance, text=text, history=(), known=())))
        told = fold_text(text)
        if moved := () if old else _of_another_pet(utterance, new, before):
            return moved
        again = _instead(told, old, new) if old else _replaced(told, new, before)
        if again and before:
            return _as_correction(utterance, before, tuple(read(replace(utterance, text=again, history=(), known=()))))
    return ()


def shape_of(folded: str) -> re.Match[str] | None:
    """The match of a message that only puts right: `new`, and `old` where it is named; None for every other."""
    return _A_NOT_B.fullmatch(folded) or _B_NOT_A.fullmatch(folded) or _ONLY_NEW.fullmatch(folded)


def _instead(told: str, old: str, new: str) -> str:
    """我爸遛狗 of 我老公遛狗 and 不是我老公，是我爸遛: what follows in both is said once."""
    if told.count(old) != 1:
        return ""
    before, _, after = told.partition(old)
    ahead = next((size for size in range(len(new) - 1, 0, -1) if before.endswith(new[:size])), 0)
    shared = next((size for size in range(len(new) - 1, 0, -1) if after.startswith(new[-size:])), 0)
    return f"{before}{new[ahead:]}{after[shared:]}"


def _replaced(told: str, new: str, before: Sequence[Claim]) -> str:
    return _of_its_kind(told, new) or _of_its_name(told, new, before) or _of_its_ending(told, new)


def _of_its_kind(told: str, new: str) -> str:
    """The one clock time of the statement gives way to the new one; "" where it holds none or several."""
    clocks = list(_CLOCK.finditer(told)) if _CLOCK.fullmatch(new) else []
    return f"{told[: clocks[0].start()]}{new}{told[clocks[0].end() :]}" if len(clocks) == 1 else ""


def _of_its_name(told: str, new: str, before: Sequence[Claim]) -> str:
    """是渴望 of 咪咪吃皇家: the one thing that the statement names gives way to another."""
    if len(before) != 1 or len(new) > _LONGEST_NAME or _NO_NAME.search(new):
        return ""
    named = [fold_text(str(before[0].value[key])) for key in _NAMED if before[0].value.get(key)]
    return _instead(told, named[0], new) if named else ""


def _of_its_ending(told: str, new: str) -> str:
    """西门 of 在小区东门: the one word of the same make gives way."""
    if not 1 < len(new) <= _LONGEST_NAME or told.count(new[-1]) != 1:
        return ""
    end = told.index(new[-1]) + 1
    return f"{told[: end - len(new)]}{new}{told[end:]}" if end >= len(new) else ""


def _of_another_pet(utterance: Utterance, new: str, before: Sequence[Claim]) -> tuple[Claim, ...]:
    """是奶茶不爱喝: what was told of the other pet in these words is told of this one."""
    right = next((pet for pet in utterance.pets for name in _names(pet) if new.startswith(name)), None)
    if right is None:
        return ()
    predicate = new[max(len(name) for name in _names(right) if new.startswith(name)) :]
    if len(predicate) < _FEWEST_SHARED:
        return ()
    meant = [one for one in before if one.subject not in (None, right.id) and predicate in fold_text(one.content)]
    moved: list[Claim] = []
    for one in meant[:1]:
        wrong = next((pet for pet in utterance.pets if pet.id == one.subject), None)
        if wrong is None or not _is_low(one):
            return ()
        moved.append(
            as_corrected(utterance, replace(one, subject=right.id), one.content.replace(wrong.name, right.name))
        )
        moved.append(replace(as_corrected(utterance, one, f"{one.content}{TAKEN_BACK}"), negated=not one.negated))
    return tuple(moved)


def _as_correction(utterance: Utterance, before: Sequence[Claim], after: Sequence[Claim]) -> tuple[Claim, ...]:
    """What differs from the first telling; what is gone with it is taken back."""
    held = {(one.subject, one.attribute, one.content) for one in before}
    fresh = [one for one in after if (one.subject, one.attribute, one.content) not in held]
    if not fresh or not all(_is_low(one) for one in (*before, *fresh)):
        return ()
    slots = {(one.subject, one.attribute) for one in fresh}
    kept = {(one.subject, one.attribute, one.content) for one in after}
    gone = [
        one
        for one in before
        if (one.subject, one.attribute, one.content) not in kept
        and (one.subject, one.attribute) not in slots
        and not one.negated
    ]
    return (
        *(as_corrected(utterance, one, one.content) for one in fresh),
        *(replace(as_corrected(utterance, one, f"{one.content}{TAKEN_BACK}"), negated=True) for one in gone),
    )


def as_corrected(utterance: Utterance, claim: Claim, content: str) -> Claim:
    """The claim as a correction that this whole message makes, with this line."""
    return replace(
        claim,
        content=content,
        evidence=Evidence(utterance.text, 0, len(utterance.text)),
        act=SpeechAct.CORRECTION,
        certainty=Certainty.PLAIN,
        first_hand=True,
    )


def _is_low(claim: Claim) -> bool:
    return spec_of(claim.attribute).risk is Risk.LOW and claim.attribute_class not in _NOT_SO_PUT


def _names(pet: PetProfile) -> tuple[str, ...]:
    return tuple(fold_text(name) for name in (pet.name, *pet.nicknames) if name)
