"""What a rule of bearings answers, how far one thought reaches, and how surely it is worded."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from domain.attributes import spec_of
from domain.offline.extractor.bearing_words import ASKED, DELETED, GUESSED, HEARD, POLITE
from domain.offline.extractor.reading import Draft, Reading
from domain.offline.extractor.threads import Found
from domain.pet_profiles import KnownFact
from memory.vocabulary import AttributeClass, Certainty, SpeechAct

REACH = 3  # clauses that one thought may take: what was eaten, how it went, what follows from it


@dataclass(frozen=True, slots=True)
class Bearing:
    """A statement about a known slot, standing on the clauses [first, last] of the message."""

    fact: KnownFact
    first: int
    last: int
    negated: bool
    act: SpeechAct | None = None
    certainty: Certainty | None = None
    value: tuple[tuple[str, object], ...] = ()
    on: date | None = None


Rule = Callable[[KnownFact, list[Found], int, Sequence[KnownFact]], Bearing | None]


def doubted(reading: Reading) -> Certainty:
    """The doubt that the clause is worded with; hedged where it is worded plainly."""
    return reading.tone.certainty if reading.tone.certainty is not Certainty.PLAIN else Certainty.HEDGED


def certainty_of(reading: Reading) -> Certainty | None:
    """Asked, guessed, or None: as surely as the clause is worded."""
    if reading.tone.why_not == "question" or ASKED.search(reading.text):
        return Certainty.QUESTION
    if HEARD.search(reading.text):
        return Certainty.HEARSAY
    if POLITE.search(reading.text) and reading.tone.first_hand:
        return Certainty.PLAIN
    return doubted(reading) if GUESSED.search(reading.text) and not DELETED.search(reading.text) else None


def reach(found: list[Found], place: int) -> int:
    """The last clause of the thought that begins here: same pets, no new name."""
    last = place
    while last + 1 < min(len(found), place + REACH):
        following = found[last + 1].reading
        pets = found[place].reading.about.pets
        if following.about.explicit and pets and following.about.pets != pets:
            break
        last += 1
    return last


SETTLED = (AttributeClass.VACCINE, AttributeClass.DEWORMING, AttributeClass.WEIGHT)
"""Rows in time stay beside a statement about a known fact; all else made of the same words gives way."""
HAPPENED = (AttributeClass.SYMPTOM, AttributeClass.VISIT)
"""What happened, told in a clause of its own before the one that draws the conclusion, stays as well."""


def stays(draft: Draft, slot: str, *also: AttributeClass) -> bool:
    """Whether a draft made of the same words as a statement about `slot` is kept beside it."""
    cls = draft.cls or spec_of(draft.attribute).attribute_class
    new_danger = cls is AttributeClass.ALLERGY and not draft.negated
    same_family = slot.startswith(("vaccine", "deworming")) and draft.attribute.startswith(slot.partition(":")[0])
    ended_too = draft.attribute.startswith("medication:") and slot.startswith("medication:") and draft.negated
    known = draft.act is SpeechAct.DECISION and "product" not in draft.value  # 两个药都不吃了 ends each of them
    return (
        draft.attribute != slot
        and not same_family
        and (new_danger or (ended_too and known) or cls in (*SETTLED, *also))
    )
