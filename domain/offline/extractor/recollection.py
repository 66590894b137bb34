"""What the owner said just before, for a message that puts it right: 刚才说错了，是可乐不是豆豆 / 15号打的，不是12号.

Only a message that tells of a slip, or denies one thing for another, is read beside the earlier words. What they said
counts as known then, so that the rules for known facts find what is corrected.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from domain.attributes import spec_of
from domain.offline.extractor.same_day import dated_as_put_right
from domain.pet_profiles import KnownFact, PetProfile, Utterance
from memory.claims import Claim, Evidence
from memory.confirmation_texts import TAKEN_BACK
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass, Certainty, SpeechAct

REACH = 2  # earlier messages of the owner that a correction may be about
NAMED_REACH = 12  # the same for one that says in words what was told of the wrong pet
LONGEST = 40  # characters; whoever writes more tells something of its own
_PUTS_RIGHT = re.compile(
    r"(?:说|记|写|打|搞|弄|填|听|看|认)(?:错|反|混|岔|串)|打快了|多了个|少了个|[打按写]多了|[多少漏][打按写]|口误|手[滑抖误]|更正|纠正|不对|不是|应该是|其实是|才对|(?:我)?的意思是"
)
_FILLING = re.compile(
    r"刚才|刚刚|上面|前面|之前|那[条句个件]|说的|其实|应该|而是|不是|抱歉|不好意思|不对|对不起|麻烦|[帮请]|一下|才对|改|我们?家?的?|"
    r"[哦噢啊呀哈嗯呃吧呢了的是]|[,.。!！~、\s]"
)
"""What a correction holds beside the pets' names and what was told of them."""
_WORDS_OF = {
    AttributeClass.VACCINE: "疫苗针",
    AttributeClass.DEWORMING: "驱虫药",
    AttributeClass.MEDICATION: "药",
    AttributeClass.ALLERGY: "过敏",
    AttributeClass.WEIGHT: "体重",
}
"""What owners call such a statement when they come back to it, although the statement may not hold the word."""
_ANSWERS = re.compile(r"^(?:对|是|嗯|好|行|确认|别改|先别|不改|改吧|更新|保持)")


def may_put_right(folded: str) -> bool:
    """Whether a message may correct what was said before it."""
    return len(folded) <= LONGEST and _PUTS_RIGHT.search(folded) is not None


def said_just_before(utterance: Utterance, reach: int = REACH) -> tuple[str, ...]:
    """The owner's last messages of this talk, the newest first; bare answers to a question are none."""
    told = [said for said in utterance.history if said.role == "user" and not _ANSWERS.match(said.text)]
    return tuple(said.text for said in reversed(told[-reach:]))


def told_wrongly(utterance: Utterance, folded: str) -> str:
    """舔爪子 of "刚才说错了，是年糕舔爪子，不是可乐"; empty where the words name the two pets alone."""
    if _right_and_wrong(folded, utterance.pets) is None:
        return ""
    for name in sorted((name for pet in utterance.pets for name in _names(pet)), key=len, reverse=True):
        folded = folded.replace(name, "")
    return _FILLING.sub("", _PUTS_RIGHT.sub("", folded))


def tells_of(claim: Claim, told: str) -> bool:
    """Whether a claim is what the words come back to: half of their letters are its own."""
    own = fold_text(claim.content) + _WORDS_OF.get(spec_of(claim.attribute).attribute_class, "")
    return sum(letter in own for letter in told) * 2 >= len(told)


def as_known(claims: Sequence[Claim]) -> tuple[KnownFact, ...]:
    """Claims of an earlier message as lines that are known, with their day."""
    return tuple(
        KnownFact(claim.subject, claim.attribute, _dated(claim))
        for claim in claims
        if claim.subject is not None and not claim.negated
    )


def swapped(utterance: Utterance, folded: str, earlier: Sequence[Claim]) -> tuple[Claim, ...]:
    """是可乐不是豆豆: what was told of the one pet is denied of it and told of the other."""
    pair = _right_and_wrong(folded, utterance.pets) or _mistaken(folded, utterance.pets, earlier)
    if pair is None:
        return ()
    right, wrong = pair
    moved: list[Claim] = []
    for claim in [claim for claim in earlier if claim.subject == wrong.id and not claim.negated]:
        moved.append(_put_right(claim, utterance, right, claim.content.replace(wrong.name, right.name), negated=False))
        moved.append(_put_right(claim, utterance, wrong, f"{claim.content}{TAKEN_BACK}", negated=True))
    return dated_as_put_right(moved, utterance)


_TOLD_WITHOUT_FIGURES = ("symptom:", "behavior:", "deworming:", "other:")
_MISTOOK = re.compile(r"(?:认|看|搞|弄|记|说|讲|写|打)(?:错|混|岔|反)")


def _mistaken(
    folded: str, pets: Sequence[PetProfile], earlier: Sequence[Claim]
) -> tuple[PetProfile, PetProfile] | None:
    """认错猫了，抽的那只是默默: it was told of the only other pet."""
    right = [pet for pet in pets if any(_is_asserted(folded, name) for name in _names(pet))]
    told = {claim.subject for claim in earlier if not claim.negated}
    wrong = [pet for pet in pets if pet.id in told]
    if any(not claim.attribute.startswith(_TOLD_WITHOUT_FIGURES) for claim in earlier):
        return None  # figures are told with their pet
    if not _MISTOOK.search(folded) or len(right) != 1 or len(wrong) != 1 or right == wrong:
        return None
    return right[0], wrong[0]


def _right_and_wrong(folded: str, pets: Sequence[PetProfile]) -> tuple[PetProfile, PetProfile] | None:
    """The pet that is meant and the one that is not, where the words name both."""
    right = [pet for pet in pets if any(_is_asserted(folded, name) for name in _names(pet))]
    wrong = [pet for pet in pets if any(_is_denied(folded, name) for name in _names(pet))]
    if len(right) != 1 or len(wrong) != 1 or right == wrong:
        return None
    return right[0], wrong[0]


def _names(pet: PetProfile) -> tuple[str, ...]:
    return tuple(fold_text(name) for name in (pet.name, *pet.nicknames) if name)


_IT_IS = re.compile(r"(?<!不)(?<!并)(?:是|说的)(?:我家)?")
_IT_IS_NOT = re.compile(r"(?:不是|并非)(?:我家)?")


def _is_asserted(folded: str, name: str) -> bool:
    return any(folded.startswith(name, match.end()) for match in _IT_IS.finditer(folded))


def _is_denied(folded: str, name: str) -> bool:
    return any(folded.startswith(name, match.end()) for match in _IT_IS_NOT.finditer(folded))


def _put_right(claim: Claim, utterance: Utterance, pet: PetProfile, content: str, *, negated: bool) -> Claim:
    return replace(
        claim,
        subject=pet.id,
        content=content,
        evidence=Evidence(utterance.text, 0, len(utterance.text)),
        negated=negated,
        act=SpeechAct.CORRECTION,
        certainty=Certainty.PLAIN,
        first_hand=True,
    )


def _dated(claim: Claim) -> str:
    day = claim.occurred_on
    return claim.content if day is None else f"{claim.content}（{day.year}年{day.month}月{day.day}日）"
