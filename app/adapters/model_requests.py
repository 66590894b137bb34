"""What is asked of a model and what comes back, as plain values: the vocabulary of the model adapters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from domain.token_use import Purpose, Tokens

CallPurpose = Purpose | Literal["embed_question", "embed_passages"]
WAITED_FOR: frozenset[CallPurpose] = frozenset({"reply", "embed_question"})
"""What an owner waits for; all the rest is done when it can be done."""

Message = Mapping[str, Any]
"""One message of the Chat Completions protocol."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The JSON an answer must be: a JSON Schema and its name."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call. tools: specifications as the protocol writes them, in a fixed order. max_tokens: of the answer."""

    purpose: Purpose
    messages: Sequence[Message]
    max_tokens: int
    temperature: float = 0.3
    tools: Sequence[Mapping[str, Any]] = ()
    shape: Shape | None = None
    cheap: bool = False  # the small model, whatever the purpose


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model makes; `arguments` is what it wrote, which may be no JSON at all."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A few characters of a streamed answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a streamed answer. cut_short: the answer reached its token limit."""

    tool_calls: tuple[ToolCall, ...] = ()
    refused: bool = False
    cut_short: bool = False
    tokens: Tokens = field(default_factory=Tokens)
    model: str = ""


Piece = TextPiece | Finished


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer that was not streamed."""

    text: str
    refused: bool = False
    cut_short: bool = False
    tokens: Tokens = field(default_factory=Tokens)
    model: str = ""


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of some texts, in their order."""

    vectors: list[list[float]]
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class Called:
    """How one call to one endpoint went; for metrics. outcome: `ok` or the reason of the fault."""

    endpoint: str
    purpose: CallPurpose
    outcome: str
    seconds: float
    tokens: Tokens
