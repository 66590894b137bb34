"""What a model reads from an owner's message, turned into claims beside those of the rules. Pure.

A model answers facts: about whom, of which kind, the owner's words, a figure. Each must pass three gates: it is worth
keeping, the words carry it (`proposed_claims`, the same that tools pass), and no rule has read the words already.
Rules win where both have read: a model may add, never overrule. What is not kept is a refusal with its reason.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from domain.offline.extractor.reading import Reading, Scene
from domain.pet_profiles import PetProfile, Utterance
from domain.proposed_claims import MAX_QUOTE, Proposal, claim_of, read_message
from domain.slot_keys import MAX_KEY, slot_key
from domain.token_use import Tokens
from memory.claims import Claim, Refusal
from memory.grounding import ground
from memory.text_folding import fold_text
from memory.topics import Topic
from memory.vocabulary import OWNER_SUBJECT, AttributeClass

FactKind = Literal[
    "allergy",
    "condition",
    "medication",
    "vaccine",
    "deworming",
    "weight",
    "symptom",
    "visit",
    "diet",
    "behavior",
    "activity",
    "grooming",
    "owner",
]

MOST_FACTS = 12  # of one message that are looked at; a message adds five memories at most
LEAST_WORDS = 3  # letters of a quote; less says nothing that could be used later
OWNER_NAMES = frozenset({"主人", "我", "owner"})

NO_SUCH_PET = "no such pet"
TOO_LITTLE = "too little to be of use"
READ_BY_RULES = "read by rules"
RULES_ARE_SURE = "rules are sure"
TOO_MANY = "too many facts"
NO_FIGURE = "no figure"
ANOTHER_LANGUAGE = "not in Chinese"

_VALUE_KEYS: dict[str, str] = {
    "allergy": "substance_name",
    "condition": "name",
    "medication": "product",
    "vaccine": "product",
    "deworming": "product",
    "symptom": "name",
    "diet": "food",
}
"""Kinds whose slot is named by a word of the owner, and the key of the claim's value that holds it."""
_MEDICAL = frozenset(
    {
        AttributeClass.ALLERGY,
        AttributeClass.CHRONIC_CONDITION,
        AttributeClass.MEDICATION,
        AttributeClass.VACCINE,
        AttributeClass.DEWORMING,
    }
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact as a model tells it; nothing of it is believed yet.

    about: a pet's name, or 主人. name: the word of the quote that names the allergen, illness, drug, sign or food.
    """

    about: str
    kind: FactKind
    quote: str
    name: str = ""
    number: float | None = None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class ToRead:
    """One message for a model: the owner's words and the pets they may be about, nothing else."""

    text: str
    pets: Sequence[PetProfile]


@dataclass(frozen=True, slots=True)
class FactsRead:
    """Facts of each message, in the order of the messages, and what the one call cost."""

    facts: tuple[tuple[Fact, ...], ...]
    tokens: Tokens = field(default_factory=Tokens)
    model: str = ""


class FactReader(Protocol):
    """A model that reads messages. One call for all of them. Raises `model_faults.ModelFault`."""

    async def read(self, messages: Sequence[ToRead], until: float) -> FactsRead:
        """until: the event loop's time by which it must be over."""
        ...


@dataclass(frozen=True, slots=True)
class Added:
    """What a model adds to the rules' reading of one message, and what of its facts is not kept, with the reason."""

    claims: tuple[Claim, ...] = ()
    refusals: tuple[Refusal, ...] = ()


def may_be_read(utterance: Utterance) -> bool:
    """Whether any words of the message report something: if none do, no fact of a model could be kept.

    The lead of a question (豆豆最近胃口怎么样) reports something only where it speaks of health (豆豆吐了怎么办).
    """
    return any(
        reading.usable
        and len(reading.text.strip()) >= LEAST_WORDS
        and (not reading.tone.in_question or _is_of_health(reading))
        for reading in read_message(utterance).readings
    )


def speaks_of_health(utterance: Utterance) -> bool:
    """Whether a word of the message is one of health: what a model finds in it must not wait."""
    return any(_is_of_health(reading) for reading in read_message(utterance).readings)


_HEALTH_FAMILIES = ("sign", "condition", "drug", "drug_name", "drug_word", "vaccine", "dewormer", "visit", "lab")
_HEALTH = re.compile(r"过敏|病|药|医|疫苗|驱虫|诊|手术|体重|公斤|吐|拉稀|便|血|痛|疼|肿|症|痒|瘸|喘|咳")


def _is_of_health(reading: Reading) -> bool:
    return reading.has(*_HEALTH_FAMILIES) or _HEALTH.search(reading.text) is not None


def added_by_model(facts: Sequence[Fact], utterance: Utterance, by_rules: Sequence[Claim]) -> Added:
    """Claims that stand in the words and that the rules have not read there."""
    scene = read_message(utterance)
    claims: list[Claim] = []
    refusals = [Refusal(TOO_MANY, fact.quote[:MAX_QUOTE]) for fact in facts[MOST_FACTS:]]
    for fact in facts[:MOST_FACTS]:
        read = _read(fact, utterance, scene, [*by_rules, *claims])
        if isinstance(read, Refusal):
            refusals.append(read)
        else:
            claims.append(read)
    return Added(tuple(claims), tuple(refusals))


def _read(fact: Fact, utterance: Utterance, scene: Scene, known: Sequence[Claim]) -> Claim | Refusal:
    reason = _worthless(fact)
    pet = _pet(fact, utterance.pets)
    if not reason and pet is None and not _is_of_owner(fact):
        reason = NO_SUCH_PET
    if reason:
        return Refusal(reason, fact.quote[:MAX_QUOTE])
    claim = claim_of(_proposal(fact, OWNER_SUBJECT if pet is None else pet.id), scene)
    if isinstance(claim, Refusal):
        return claim
    names = () if pet is None else (pet.name, *pet.nicknames)
    others = [one.name for one in utterance.pets if one is not pet]
    refusal = ground(claim, utterance.text, subject_names=names, other_names=others)
    reason = _known_to(known, claim)
    return refusal or (Refusal(reason, claim.evidence.quote) if reason else claim)


def _worthless(fact: Fact) -> str:
    """The gate of worth: too little to be of use, nothing that names a slot, or not the owner's language."""
    letters = [character for character in fact.quote if character.isalnum()]
    if len(letters) < LEAST_WORDS or (fact.kind in _VALUE_KEYS and not fact.name.strip()):
        return TOO_LITTLE
    if not any("\u4e00" <= character <= "\u9fff" for character in letters):
        return ANOTHER_LANGUAGE
    return NO_FIGURE if fact.kind == "weight" and fact.number is None else ""


def _is_of_owner(fact: Fact) -> bool:
    return fact.kind == "owner" and fold_text(fact.about).strip() in OWNER_NAMES


def _pet(fact: Fact, pets: Sequence[PetProfile]) -> PetProfile | None:
    wanted = fold_text(fact.about).strip()
    found = [pet for pet in pets if wanted in {fold_text(name) for name in (pet.name, *pet.nicknames)}]
    return found[0] if len(found) == 1 and fact.kind != "owner" else None


def _proposal(fact: Fact, subject: str) -> Proposal:
    """The slot is named by our own word list; what no list knows, by the owner's words."""
    key = _VALUE_KEYS.get(fact.kind)
    if key is not None:
        name = fact.name.strip()
        return Proposal(
            subject, slot_key(fact.kind, name), fact.quote, {key: name}, (name,), fact.number, negated=fact.negated
        )
    if fact.kind == "weight":
        return Proposal(subject, "weight", fact.quote, number=fact.number, negated=fact.negated)
    words = "".join(fold_text(fact.quote).split())[:MAX_KEY]
    topic = Topic.OWNER if fact.kind == "owner" else None
    return Proposal(subject, f"{fact.kind}:{words}", fact.quote, number=fact.number, topic=topic, negated=fact.negated)


def _known_to(known: Sequence[Claim], claim: Claim) -> str:
    """Why the rules' reading stands: the same slot, or the same words read as something of the same weight."""
    for one in known:
        same_words = one.evidence.start < claim.evidence.end and claim.evidence.start < one.evidence.end
        if one.subject == claim.subject and one.attribute == claim.attribute:
            return READ_BY_RULES
        medical = {one.attribute_class, claim.attribute_class} & _MEDICAL
        if same_words and medical:
            return RULES_ARE_SURE
        if same_words and (one.subject != claim.subject or one.attribute_class is claim.attribute_class):
            return READ_BY_RULES
        if same_words and _says_the_same(one, claim):
            return READ_BY_RULES
    return ""


def _says_the_same(one: Claim, claim: Claim) -> bool:
    """One quote lies within the other."""
    first, second = fold_text(one.evidence.quote), fold_text(claim.evidence.quote)
    return first in second or second in first
