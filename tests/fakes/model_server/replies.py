"""What the model server can answer: words, tool calls, JSON, and every way in which real endpoints fail."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

PIECE_CHARS = 2  # of a streamed token; Chinese tokens are one or two characters
FOREVER = 3600.0  # seconds; longer than any client waits
ENDLESS = 200_000  # characters of an answer that does not end
GARBAGE = b'data: {"choices": [{"delta": {"cont\n\ndata: <html>502</html>\n\n'


@dataclass(frozen=True)
class ToolCall:
    """A call as the model writes it; `arguments` may be anything but should be JSON."""

    name: str
    arguments: str
    id: str = ""

    @classmethod
    def of(cls, tool: str, **arguments: Any) -> "ToolCall":
        """A well-formed call."""
        return cls(tool, json.dumps(arguments, ensure_ascii=False))


@dataclass(frozen=True)
class Reply:
    """One answer. Seconds are real ones.

    wait: before the status line. think: between the headers and the first token. pace: between tokens. cut_after,
    garbled_after: after so many streamed pieces the connection is cut, or garbage is sent. error_after: an error event
    instead of the rest. usage False: the endpoint does not tell its tokens. stamped: the last piece ends with the
    monotonic times at which the request came and the piece went, for benches: 收到1.500000发出2.500000. rows: what is
    made of the rows of an embedding before they are sent.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    think: float = 0.0
    pace: float = 0.0
    piece: int = PIECE_CHARS
    cut_after: int | None = None
    garbled_after: int | None = None
    error_after: int | None = None
    finish_reason: str | None = None
    refusal: str | None = None
    usage: bool = True
    stamped: bool = False
    rows: Callable[[list[Any]], list[Any]] = list

    @classmethod
    def calls(cls, *calls: ToolCall, text: str = "") -> "Reply":
        """Tool calls in one round, side by side."""
        numbered = tuple(
            ToolCall(one.name, one.arguments, one.id or f"call_{place}") for place, one in enumerate(calls)
        )
        return cls(text=text, tool_calls=numbered)

    @classmethod
    def json(cls, value: Any) -> "Reply":
        """A structured answer."""
        return cls(json.dumps(value, ensure_ascii=False))

    @classmethod
    def error(cls, status: int, **headers: str) -> "Reply":
        """A status with an error body."""
        return cls(status=status, headers=headers)

    @classmethod
    def too_many(cls, retry_after: float | None = None) -> "Reply":
        """429, with or without `Retry-After` in seconds."""
        return cls(status=429, headers={} if retry_after is None else {"retry-after": f"{retry_after:g}"})

    @classmethod
    def silent(cls) -> "Reply":
        """The request is taken and nothing is ever answered."""
        return cls(wait=FOREVER)

    @classmethod
    def stalled(cls, text: str, pieces: int) -> "Reply":
        """Speaks, then says nothing more without hanging up."""
        return cls(text[: pieces * PIECE_CHARS], finish_reason="stall")

    @classmethod
    def cut(cls, text: str, pieces: int) -> "Reply":
        """The connection ends in the middle."""
        return cls(text, cut_after=pieces)

    @classmethod
    def garbled(cls, text: str = "", pieces: int = 0) -> "Reply":
        """What comes is no event stream any more."""
        return cls(text, garbled_after=pieces)

    @classmethod
    def failing_inside(cls, text: str, pieces: int) -> "Reply":
        """An error event in the middle of a stream that began well."""
        return cls(text, error_after=pieces)

    @classmethod
    def refuses(cls, words: str = "I'm sorry, I can't help with that.") -> "Reply":
        """The refusal field of the protocol."""
        return cls(refusal=words)

    @classmethod
    def filtered(cls, text: str = "") -> "Reply":
        """Stopped by the endpoint's content filter."""
        return cls(text, finish_reason="content_filter")

    @classmethod
    def endless(cls, text: str = "再说一句同样的话也没有新意。") -> "Reply":
        """Far too much."""
        return cls(text * (ENDLESS // len(text)), piece=200)

    @property
    def reason(self) -> str:
        """The finish reason that goes with it."""
        return self.finish_reason or ("tool_calls" if self.tool_calls else "stop")

    @property
    def pieces(self) -> list[str]:
        """The text as it is streamed."""
        return [self.text[start : start + self.piece] for start in range(0, len(self.text), self.piece)]
