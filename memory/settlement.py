"""How a confirmation ends: answered by the owner, or lapsed. Values in, one settlement out; no clock, no rows.

更新 applies what was asked about, 保持原样 rejects it, 再观察 leaves everything as it is and goes on watching. A lapse
ends only the question: the old fact stays, and a caution stays until the owner or a verified vet rejects it.
"""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from memory.conflict_policy import Closing
from memory.vocabulary import ConfirmationKind, ConfirmationStatus, MemoryStatus


class Answer(StrEnum):
    ACCEPT = "accept"  # 更新
    KEEP = "keep"  # 保持原样
    WATCH = "watch"  # 再观察


@dataclass(frozen=True, slots=True)
class Asked:
    """What a pending confirmation is about: the row with the new statement and the rows served meanwhile.

    kind MERGE: `about` is the row that would fold into `established[0]`.
    """

    kind: ConfirmationKind
    about: str
    established: tuple[str, ...] = ()
    became_true_on: date | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """What follows. `promotes` becomes active and inherits from what `closes` supersedes.

    merges_into: the row that takes over the evidence and signals of a row closed by a MERGE.
    rejected: the claim counts as rejected from now on (not asked again for 30 days without new evidence).
    spent: evidence gathered so far no longer asks by itself; a fresh pair of observations is needed.
    """

    status: ConfirmationStatus
    promotes: str | None = None
    closes: tuple[Closing, ...] = ()
    merges_into: str | None = None
    rejected: bool = False
    spent: bool = False


STATUS_OF_ANSWER = {
    Answer.ACCEPT: ConfirmationStatus.ACCEPTED,
    Answer.KEEP: ConfirmationStatus.KEPT,
    Answer.WATCH: ConfirmationStatus.WATCHING,
}


def settle(asked: Asked, answer: Answer) -> Settlement:
    """What the owner's answer does."""
    if answer is Answer.WATCH:
        return Settlement(ConfirmationStatus.WATCHING, spent=True)
    if answer is Answer.KEEP:
        return _keep(asked)
    return _accept(asked)


def lapse(asked: Asked) -> Settlement:
    """What the end of the fourteen days does: nothing but end the question."""
    return Settlement(ConfirmationStatus.LAPSED, spent=True)


def has_lapsed(lapses_at: datetime, now: datetime) -> bool:
    """A question may still be answered up to the moment it lapses, not at it."""
    return now >= lapses_at


def _accept(asked: Asked) -> Settlement:
    if asked.kind is ConfirmationKind.MERGE:
        folded = Closing(asked.about, MemoryStatus.SUPERSEDED)
        return Settlement(ConfirmationStatus.ACCEPTED, closes=(folded,), merges_into=asked.established[0])
    replaced = () if asked.kind is ConfirmationKind.NEW_DANGER else asked.established
    closes = tuple(Closing(row, MemoryStatus.SUPERSEDED, asked.became_true_on) for row in replaced)
    return Settlement(ConfirmationStatus.ACCEPTED, promotes=asked.about, closes=closes)


def _keep(asked: Asked) -> Settlement:
    if asked.kind is ConfirmationKind.MERGE:
        return Settlement(ConfirmationStatus.KEPT)
    return Settlement(ConfirmationStatus.KEPT, closes=(Closing(asked.about, MemoryStatus.REJECTED),), rejected=True)
