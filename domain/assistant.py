"""The port to what answers: the offline assistant, or a model. Both get the same context and pass the same review."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal, Protocol

from domain.turn_context import TurnContext

Mode = Literal["model", "basic"]


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """One sentence of an answer and the memories it really used (`cited` signals come from here).

    tells_back: made by us from what was written, quoting the owner: an open question and the record a vet must hear are
    shown as they are, and a receipt too, with a warning behind it when it quotes a plan that would harm. A model's
    sentences never are.
    """

    text: str
    citations: tuple[str, ...] = ()
    tells_back: Literal["receipt", "question", "record"] | None = None


class Assistant(Protocol):
    """Something that answers a turn sentence by sentence.

    `mode` says what the owner is told: basic mode is honest about being one.
    """

    @property
    def mode(self) -> Mode: ...

    def answer(self, context: TurnContext) -> AsyncIterator[AnswerSentence]:
        """Sentences in order. Ends by itself; must never end without one sentence."""
        ...
