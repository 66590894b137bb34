"""The port to what answers: the offline assistant, or a model. Both get the same context and pass the same review."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from domain.token_use import Tokens
from domain.turn_context import TurnContext

Mode = Literal["model", "basic"]


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """One sentence of an answer and the memories it really used (`cited` signals come from here).

    tells_back: made by us from what was written, quoting the owner: an open question and the record a vet must hear are
    shown as they are, and a receipt too, with a warning behind it when it quotes a plan that would harm; a notice is a
    word of ours about the answer itself; a recap tells an earlier talk and is shown like a receipt. A model's sentences
    never are any of these.
    """

    text: str
    citations: tuple[str, ...] = ()
    tells_back: Literal["receipt", "question", "record", "notice", "recap"] | None = None


class Assistant(Protocol):
    """Something that answers a turn sentence by sentence.

    `mode` says what the owner is told: basic mode is honest about being one.
    """

    @property
    def mode(self) -> Mode: ...

    def answer(self, context: TurnContext) -> AsyncIterator[AnswerSentence]:
        """Sentences in order. Ends by itself; must never end without one sentence."""
        ...


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A thing a model may ask for. parameters: a JSON Schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answers the model. lines: memories it brought up, by id, that may be cited from now on."""

    text: str
    lines: dict[str, str]


class Hands(Protocol):
    """What a model may do in one turn, and what it may cost. Everything it does goes through the owner's scope.

    until: the event loop's time by which the answer must be over. cheap: the owner's budget runs low, so the small
    model answers.
    """

    @property
    def until(self) -> float: ...

    @property
    def cheap(self) -> bool: ...

    @property
    def tools(self) -> Sequence[ToolSpec]: ...

    async def use(self, name: str, arguments: str) -> ToolResult:
        """Run a tool with what the model wrote as its arguments. A mistake is answered, never raised."""
        ...

    def spent(self, tokens: Tokens, model: str) -> None:
        """Count what a call cost."""
        ...


class ModelAssistant(Protocol):
    """A model that answers. Raises `model_faults.ModelFault` when it cannot, also in the middle of an answer."""

    def answer(self, context: TurnContext, hands: Hands) -> AsyncGenerator[AnswerSentence, None]:
        """Sentences in order, reviewed by nobody yet. A sentence without words only carries late citations."""
        ...
