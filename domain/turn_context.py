"""What the assistant is given for one turn, as plain values in a fixed order. `context` puts it together."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from domain.pet_profiles import PetProfile, SaidBefore
from domain.triage import Alert
from memory.vocabulary import Kind, Outcome


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of a core card. `safety` lines come from records and are never trimmed; `provisional` is 待确认."""

    memory_id: str
    text: str
    topic: str
    attribute: str
    safety: bool = False
    provisional: bool = False
    record_kind: str | None = None
    record_id: str | None = None
    told_at: datetime | None = None  # when we learned it


@dataclass(frozen=True, slots=True)
class PetCard:
    """A pet's ID card. `no_known_allergies` is a statement of its own, not the absence of lines."""

    pet: PetProfile
    lines: tuple[CardLine, ...] = ()
    no_known_allergies: bool = False


@dataclass(frozen=True, slots=True)
class RecalledLine:
    """One recalled memory. `text` already names the subject and ends with its date where one is known."""

    memory_id: str
    subject: str | None
    text: str
    topic: str
    attribute: str
    kind: Kind
    confidence: float
    happened_at: datetime | None = None
    learned_at: datetime | None = None
    pending: str = ""  # 待确认 or 观察中, when it is not a settled fact
    why: str = ""  # arms and scores that put it here
    until: date | None = None  # the last local day on which it holds, for what holds for a time only


@dataclass(frozen=True, slots=True)
class TalkLine:
    """An earlier conversation in a sentence that ends with its date, why it is told, and whom it is about."""

    text: str
    why: str
    subjects: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class InsightLine:
    """One finding over the records, with its advice. memory_ids: the mirrors of the records behind it."""

    subject: str
    text: str
    level: str
    memory_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """An open confirmation the assistant may raise at a natural moment. rests: it was put today, or this is none."""

    confirmation_id: str
    subject: str
    attribute: str
    question: str
    rests: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """What became of one statement of this message; the receipt shows it, and the assistant may speak of it."""

    outcome: Outcome
    subject: str | None
    topic: str
    content: str
    attribute: str = ""
    memory_id: str | None = None
    record_kind: str | None = None
    record_id: str | None = None
    reason: str | None = None
    confirmation: AskedQuestion | None = None


@dataclass(frozen=True, slots=True)
class TurnContext:
    """All the assistant may know. Order of the fields is the order of the prompt.

    subjects: the pets meant. unclear: it could not be told which, so ask. about_owner: the question is about the owner.
    others: pets of the household that are not meant, by profile only. remembers: the owner lets us keep memories.
    insights: findings over the records of the pets meant, when the message asks how they are.
    plans: lines of the calendar that the message asks for. past: what was on record at the time it asks about, None
    when it asks of none. arranged: what became of a request about plans, to be told
    as it stands. followed: the same of follow-ups.
    """

    now: datetime  # aware, owner's zone
    text: str
    owner_lines: tuple[CardLine, ...] = ()
    cards: tuple[PetCard, ...] = ()
    others: tuple[PetProfile, ...] = ()
    summaries: tuple[str, ...] = ()
    summary_reasons: tuple[str, ...] = ()
    recalled: tuple[RecalledLine, ...] = ()
    due: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()
    past: tuple[str, ...] | None = None
    insights: tuple[InsightLine, ...] = ()
    questions: tuple[AskedQuestion, ...] = ()
    history: Sequence[SaidBefore] = ()
    since_last: timedelta | None = None
    unclear: bool = False
    about_owner: bool = False
    alerts: tuple[Alert, ...] = ()
    written: tuple[Written, ...] = ()
    arranged: tuple[str, ...] = ()
    plans_changed: tuple[str, ...] = ()  # outcomes of real acts on the calendar: created, moved, cancelled, restored
    followed: tuple[str, ...] = ()
    remembers: bool = True
    temporary: bool = False
    trace: tuple[dict[str, object], ...] = field(default=())

    @property
    def subjects(self) -> tuple[PetProfile, ...]:
        """The pets meant, in the household's order."""
        return tuple(card.pet for card in self.cards)
