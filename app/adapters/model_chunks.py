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
        """The words of a chunk, None when it has none. Raises ValueError for what is no chunk."""
        self._usage = getattr(chunk, "usage", None) or self._usage
        self._model = getattr(chunk, "model", None) or self._model
        choices = getattr(chunk, "choices", None)
        if choices is None:
            raise ValueError("no chunk of a chat completion")
        if not choices:
            return None
        choice = choices[0]
        self._reason = choice.finish_reason or self._reason
        delta = choice.delta
        if delta is None:
            return None
        self._refused = self._refused or bool(getattr(delta, "refusal", None))
        for part in delta.tool_calls or ():
            self._add_call(part)
        if not delta.content:
            return None
        self._text.append(delta.content)
        return TextPiece(delta.content)

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
        place = part.index if part.index is not None else len(self._calls)
        known = self._calls.get(place) or ToolCall("", "", "")
        called = part.function
        name = (getattr(called, "name", None) or "") if called else ""
        arguments = (getattr(called, "arguments", None) or "") if called else ""
        self._calls[place] = ToolCall(part.id or known.id, name or known.name, known.arguments + arguments)
        written = sum(len(call.arguments) for call in self._calls.values())
        if len(self._calls) > MOST_CALLS or written > MOST_ARGUMENT_CHARS:
            raise ValueError("more tool calls than anybody means")
