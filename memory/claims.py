"""A claim: one typed statement taken from one message of an owner, before anything is decided about it.

Extractors (rules or a model) make claims; `grounding` checks them against the message; `conflict_policy` compares
them with what is known; `intake` writes what follows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Any

from memory.topics import Topic
from memory.vocabulary import AttributeClass, Certainty, Kind, MemoryType, Precision, SpeechAct


@dataclass(frozen=True, slots=True)
class Evidence:
    """The owner's own words that a claim stands on: `text[start:end] == quote` of the message it came from."""

    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement about one subject.

    subject: "owner", a pet id, or None when it is unclear which pet is meant.
    attribute: the slot, `class` or `class:value` (`allergy:chicken`, `medication:amoxicillin`, `symptom:vomiting`,
        `diet.staple_food`, `weight`). Two statements can only conflict when subject and attribute are the same.
    content: one Chinese line as memory would show it, naming the subject.
    value: what the slot holds, JSON-ready. Keys in use: number, unit, substance, product, ingredient, dose_text,
        frequency_text, name, reaction, time ("HH:MM"), times, end (ISO date), recurrence {every, unit, weekdays, days,
        month, times, times_per_day}, reaction_seen (bool), corrects (what a correction takes back).
    negated: the statement denies the slot (不过敏, 没吐, 不吃, 停药).
    occurred_on: local date of the happening with its precision; None when no date can be fixed (never guessed).
    first_hand: the owner saw or decided it, not somebody else's word.
    """

    subject: str | None
    attribute: str
    attribute_class: AttributeClass
    topic: Topic
    content: str
    evidence: Evidence
    value: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    negated: bool = False
    certainty: Certainty = Certainty.PLAIN
    act: SpeechAct = SpeechAct.STATEMENT
    kind: Kind = Kind.FACT
    memory_type: MemoryType = MemoryType.SEMANTIC
    confidence: float = 0.95
    weight_level: int = 2
    occurred_on: date | None = None
    occurred_on_precision: Precision = Precision.UNKNOWN
    first_hand: bool = True


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that looked like a claim and is not kept, with the reason (counted, and shown on request)."""

    reason: str
    quote: str
