"""What the slots of one message hold; `slot_reads` fills it.

Rows become the values that `conflict_policy` decides on; what is written while the message is worked through is put
into the book as well, so a second statement about the same slot meets the first.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memory.confirmations import Confirmation, is_open
from memory.items import EvidenceRow, MemoryItem
from memory.scope import Scope
from memory.slot_relations import LiveFact, Said
from memory.slot_state import Candidate, OpenQuestion, Rejection, Sighting, SlotState
from memory.tombstones import Tombstone
from memory.visibility import SERVED
from memory.vocabulary import ConfirmationKind, ConfirmationStatus, MemoryStatus, Source

SlotName = tuple[str | None, str]
"""Subject and attribute."""

_ENDED_WITHOUT_CHANGE = (ConfirmationStatus.WATCHING.value, ConfirmationStatus.LAPSED.value)


@dataclass(slots=True)
class SlotBook:
    """The rows behind the slots in question. `read` says what a row states, in the terms claims are compared in."""

    scope: Scope
    now: datetime
    read: Callable[[MemoryItem], Said]
    items: dict[str, MemoryItem] = field(default_factory=dict)
    evidence: dict[str, list[EvidenceRow]] = field(default_factory=lambda: defaultdict(list))
    confirmations: list[Confirmation] = field(default_factory=list)
    tombstones: Sequence[Tombstone] = ()
    told: list[tuple[EvidenceRow, MemoryItem]] = field(default_factory=list)  # written from this message before

    @property
    def pending(self) -> list[Confirmation]:
        """Open questions of the household, oldest first."""
        return [one for one in self.confirmations if is_open(one)]

    def state_of(self, slot: SlotName) -> SlotState:
        """All that is known of one slot now."""
        rows = [item for item in self.items.values() if (item.subject, item.attribute) == slot]
        return SlotState(
            facts=tuple(self._fact(item) for item in rows if item.status in SERVED and not self._is_over(item)),
            candidates=tuple(self._candidate(item) for item in rows if item.status == MemoryStatus.CANDIDATE.value),
            question=next((self._question(one) for one in self.pending if _slot_of(one) == slot), None),
            rejections=tuple(
                Rejection(self.read(item), item.retired_at)
                for item in rows
                if item.status == MemoryStatus.REJECTED.value and item.retired_at is not None
            ),
        )

    def question(self, confirmation_id: str) -> Confirmation:
        """An open or ended question of the book by its id."""
        return next(one for one in self.confirmations if one.id == confirmation_id)

    def _is_over(self, item: MemoryItem) -> bool:
        return item.expires_at is not None and item.expires_at <= self.now

    def _fact(self, item: MemoryItem) -> LiveFact:
        return LiveFact(
            id=item.id,
            said=self.read(item),
            affirmed_at=item.last_evidence_at,
            status=MemoryStatus(item.status),
            protected=item.locked or item.protected,
        )

    def _candidate(self, item: MemoryItem) -> Candidate:
        settled = [
            one.answered_at
            for one in self.confirmations
            if one.candidate_id == item.id and one.status in _ENDED_WITHOUT_CHANGE and one.answered_at is not None
        ]
        sightings = [self._sighting(row) for row in self.evidence[item.id] if row.counts]
        return Candidate(
            id=item.id,
            said=self.read(item),
            sightings=tuple(sorted(sightings, key=lambda one: one.said_at)),
            settled_at=max(settled, default=None),
        )

    def _sighting(self, row: EvidenceRow) -> Sighting:
        return Sighting(
            said_at=row.said_at,
            day=self.scope.local(row.said_at).date(),
            conversation_id=row.conversation_id,
            source=Source(row.source),
            verified=row.verified,
        )

    def _question(self, confirmation: Confirmation) -> OpenQuestion:
        return OpenQuestion(confirmation.id, ConfirmationKind(confirmation.kind), confirmation.candidate_id)


def _slot_of(confirmation: Confirmation) -> SlotName:
    return confirmation.subject, confirmation.attribute
