"""Puts the chunks of a streamed answer together: text leaves at once, tool calls are gathered from their parts."""

from typing import Any

from app.adapters.model_requests import Finished, ModelRequest, TextPiece, ToolCall
from app.adapters.model_tokens import tokens_of_answer
from domain.model_faults import ModelAway

MOST_CALLS = 16  # tool calls of one round; an index beyond is no call anybody meant
MOST_ARGUMENT_CHARS = 20_000  # of all arguments of one round


class Gathered:
    """What one stream has said so far."""

    def __init__(self, request: ModelRequest) -> None:
        self._request = request
        self._calls: dict[int, ToolCall] = {}
        self._text: list[str] = []
        self._reason: str | None = None
        self._refused = False
        self._usage: Any = None
        self._model = ""

    def add(self, chunk: Any) -> TextPiece | None:
        """The words of a chunk (its parsed JSON), None when it has none. Raises ValueError and its kin for no chunk."""
        self._usage = chunk.get("usage") or self._usage
        self._model = chunk.get("model") or self._model
        choices = chunk["choices"]
        if not choices:
            return None
        self._reason = choices[0].get("finish_reason") or self._reason
        delta = choices[0].get("delta") or {}
        self._refused = self._refused or bool(delta.get("refusal"))
        for part in delta.get("tool_calls") or ():
            self._add_call(part)
        words = delta.get("content")
        if not words:
            return None
        if not isinstance(words, str):
            raise ValueError("words that are no text")
        self._text.append(words)
        return TextPiece(words)

    def finished(self) -> Finished:
        """The end. Raises ModelAway(cut) when the stream stopped without saying why."""
        if self._reason is None:
            raise ModelAway("cut")
        calls = tuple(self._calls[place] for place in sorted(self._calls))
        said = "".join((*self._text, *(call.arguments for call in calls)))
        return Finished(
            tool_calls=calls,
            refused=self._refused or self._reason == "content_filter",
            cut_short=self._reason == "length",
            tokens=tokens_of_answer(self._usage, self._request, said),
            model=self._model,
        )

    def _add_call(self, part: Any) -> None:
        index = part.get("index")
        place = index if isinstance(index, int) else len(self._calls)
        known = self._calls.get(place) or ToolCall("", "", "")
        called = part.get("function") or {}
        name, arguments = called.get("name") or known.name, known.arguments + (called.get("arguments") or "")
        self._calls[place] = ToolCall(part.get("id") or known.id, name, arguments)
        written = sum(len(call.arguments) for call in self._calls.values())
        if len(self._calls) > MOST_CALLS or written > MOST_ARGUMENT_CHARS:
            raise ValueError("more tool calls than anybody means")
