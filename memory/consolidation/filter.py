"""Phase 2, filter: which of the new messages must be read once more, and why the others need not be."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.consolidation.collect import HeardMessage
from memory.intake import MAX_NEW_MEMORIES

READ_IN_FULL = "read_in_full"
LEFT_OVER = "left_over"


@dataclass(frozen=True, slots=True)
class Sifted:
    """What becomes of one message: `dominated` ones hold nothing that is not kept already."""

    message: HeardMessage
    dominated: bool
    reason: str


def sift(messages: Sequence[HeardMessage], most_a_turn: int = MAX_NEW_MEMORIES) -> tuple[Sifted, ...]:
    """A message that filled its turn's places may hold more; every other was read to its end when it was said."""
    return tuple(
        Sifted(
            message, message.lines_made < most_a_turn, LEFT_OVER if message.lines_made >= most_a_turn else READ_IN_FULL
        )
        for message in messages
    )
