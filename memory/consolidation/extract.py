"""Phase 3, extract: how much of what did not fit its turn may still come in tonight."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.consolidation.collect import HeardMessage
from memory.consolidation.filter import Sifted

MOST_GROWTH = 20  # new lines a run; a night that adds more than this repeats somebody's raw log


@dataclass(frozen=True, slots=True)
class Reading:
    """One message to read again. `room`: how many new lines it may add beside those it made before."""

    message: HeardMessage
    room: int


def next_reading(sifted: Sequence[Sifted], read: frozenset[str], added: int) -> Reading | None:
    """The next message to read, oldest first; None when all are read or the run has grown enough."""
    if added >= MOST_GROWTH:
        return None
    waiting = (one.message for one in sifted if not one.dominated and one.message.id not in read)
    message = next(waiting, None)
    return Reading(message, MOST_GROWTH - added) if message else None
