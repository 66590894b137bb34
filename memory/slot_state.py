"""All that a decision looks at: the new statement, and what is known of one attribute of one subject. Plain values."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from memory.slot_relations import LiveFact, Said
from memory.vocabulary import Certainty, ConfirmationKind, Source, SpeechAct


class Route(StrEnum):
    """How a statement reached us. Only an act of the owner's own hand applies at once."""

    TALK = "talk"  # chat, a vet's note, an imported line, a tool call of the assistant
    FORM = "form"  # the owner changed the row in a form or by an explicit edit
    ANSWER = "answer"  # the owner answers a confirmation


@dataclass(frozen=True, slots=True)
class Sighting:
    """One piece of evidence for a candidate. `day` is the owner's local date of `said_at`."""

    said_at: datetime
    day: date
    conversation_id: str | None
    source: Source = Source.CHAT
    verified: bool = False

    @property
    def is_verified_vet(self) -> bool:
        return self.source is Source.VET and self.verified


@dataclass(frozen=True, slots=True)
class Statement:
    """The new statement. `sighting.said_at` is when it was said, which may be earlier than when it is decided."""

    said: Said
    sighting: Sighting
    certainty: Certainty = Certainty.PLAIN
    act: SpeechAct = SpeechAct.STATEMENT
    first_hand: bool = True
    route: Route = Route.TALK


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement in the observation pool.

    sightings: oldest first, without those that never count (questions, machine words, unverified notes).
    settled_at: when a question about it last ended without a change (watched or lapsed); older evidence is spent.
    """

    id: str
    said: Said
    sightings: tuple[Sighting, ...] = ()
    settled_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """The pending confirmation of the slot; `about` is the candidate or provisional row that it would settle."""

    id: str
    kind: ConfirmationKind
    about: str


@dataclass(frozen=True, slots=True)
class Rejection:
    """A claim the owner (or a verified vet) rejected."""

    said: Said
    at: datetime


@dataclass(frozen=True, slots=True)
class SlotState:
    """All that is known of one attribute of one subject."""

    facts: tuple[LiveFact, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    question: OpenQuestion | None = None
    rejections: tuple[Rejection, ...] = ()


def corroborates(sightings: Sequence[Sighting]) -> bool:
    """Whether the evidence holds two independent sources."""
    return any(independent(one, other) for index, one in enumerate(sightings) for other in sightings[index + 1 :])


def independent(one: Sighting, other: Sighting) -> bool:
    """Another day and another conversation, or the owner's word beside a verified vet entry."""
    if one.is_verified_vet != other.is_verified_vet:
        return True
    apart = one.conversation_id is None or one.conversation_id != other.conversation_id
    return one.day != other.day and apart
