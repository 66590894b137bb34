"""The port to the vector engine: which memories lie near a question, inside one household.

Vectors are derived: SQL is the truth and the index can be rebuilt from it any time. Payloads hold ids and words of
closed lists only, never text.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

UNASSIGNED = "unassigned"  # how the payload writes subject None: engines filter values, not absence


@dataclass(frozen=True, slots=True)
class VectorPoint:
    """One memory in the index. `id` is the memory's UUID; `subject` is "owner", a pet id, or None for unassigned."""

    id: str
    vector: Sequence[float]
    household_id: str
    subject: str | None
    topic: str
    kind: str

    def payload(self) -> dict[str, str]:
        """What the engine stores beside the vector."""
        return {
            "household_id": self.household_id,
            "subject": self.subject or UNASSIGNED,
            "topic": self.topic,
            "kind": self.kind,
        }


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A memory id with its raw cosine similarity to the question."""

    id: str
    score: float


class VectorIndex(Protocol):
    """A collection of vectors of one embedder. No search can leave out the household.

    `subjects` and `topics` narrow a search; None means all. An empty collection of either finds nothing.
    Every method may raise IndexUnavailable; opening a folder that another process holds raises IndexLocked.
    """

    async def ensure(self) -> None:
        """Make the collection and its payload indexes if they are missing. Safe to repeat."""
        ...

    async def upsert(self, points: Sequence[VectorPoint]) -> None: ...

    async def delete(self, ids: Collection[str]) -> None: ...

    async def delete_household(self, household_id: str) -> None: ...

    async def search(
        self,
        household_id: str,
        vector: Sequence[float],
        limit: int,
        subjects: Collection[str | None] | None = None,
        topics: Collection[str] | None = None,
    ) -> list[VectorHit]:
        """Best first."""
        ...

    async def scroll_ids(self, household_id: str | None) -> list[str]:
        """All ids of a household (None: of everybody), in no particular order."""
        ...

    async def count(self) -> int: ...

    async def flush(self) -> None:
        """Put what was written on disk where the engine has one."""
        ...

    async def forget_deleted(self) -> None:
        """Leave nothing on disk of what was deleted; engines that clean up by themselves have nothing to do."""
        ...

    async def drop(self) -> None:
        """Remove the whole collection; `ensure` makes an empty one again. One that is gone already is no error."""
        ...

    async def close(self) -> None: ...
