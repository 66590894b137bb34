"""One OpenAI-compatible endpoint: our requests in its protocol, its answers and failures in our words.

Retries and the choice between endpoints are `model_client`'s. What the endpoint can do (JSON schema, JSON mode, tools,
usage in streams) is found out by the first request it refuses, and kept.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypeVar

import httpx2
import openai

from app.adapters.model_chunks import Gathered
from app.adapters.model_requests import (
    WAITED_FOR,
    CallPurpose,
    Completion,
    Embedded,
    Message,
    ModelRequest,
    Piece,
    Shape,
)
from app.adapters.model_tokens import tokens_of_answer, tokens_of_embedding
from domain.model_faults import BadAnswer, ModelAway, ModelMisconfigured
from domain.token_use import Purpose
from memory.late_breaker import LateBreaker
from memory.personal_numbers import mask_numbers, mask_value

Form = Literal["json_schema", "json_object_schema", "json_object", "prompt"]
FORMS: tuple[Form, ...] = ("json_schema", "json_object_schema", "json_object", "prompt")  # the strictest first
UNSUPPORTED = (400, 415, 422, 501)  # statuses by which endpoints refuse a field they do not know
OPTIONAL_FIELDS = ("response_format", "stream_options", "'tools'")  # what `Abilities.weaker` can leave out
MOST_CONNECTIONS = 1000  # of one process to one endpoint; each running stream holds one
_PATH = "/chat/completions"
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds. read: between two pieces of a stream, and before the first one."""

    connect: float = 3.0
    read: float = 20.0


@dataclass(frozen=True, slots=True)
class EndpointAddress:
    """Where an endpoint is and which of its models does what. base_url "" is OpenAI's own."""

    name: str
    base_url: str
    api_key: str
    model: str
    small_model: str = ""
    embedding_model: str = ""
    models: Mapping[Purpose, str] = field(default_factory=dict)  # exceptions by purpose

    def model_for(self, request: ModelRequest) -> str:
        """The main model replies; the small one does the chores, and replies when the owner's budget runs low."""
        small = self.small_model or self.model
        if request.cheap:
            return small
        return self.models.get(request.purpose) or (self.model if request.purpose == "reply" else small)


@dataclass(frozen=True, slots=True)
class Abilities:
    """What the endpoint takes. form: how it is told to answer in JSON; `json_object_schema` is llama.cpp's and others'
    way, JSON mode with the schema beside it.
    """

    form: Form = "json_schema"
    tools: bool = True
    stream_usage: bool = True

    def weaker(self, request: ModelRequest, *, streamed: bool) -> "Abilities | None":
        """What to try after a refusal of this request; None when nothing is left to leave out."""
        if streamed and self.stream_usage:
            return replace(self, stream_usage=False)
        if request.tools and self.tools:
            return replace(self, tools=False)
        if request.shape is not None and self.form != FORMS[-1]:
            return replace(self, form=FORMS[FORMS.index(self.form) + 1])
        return None


class ModelEndpoint:
    """Speaks with one endpoint. Raises ModelAway, ModelMisconfigured and BadAnswer, nothing else.

    `until` is the event loop's time by which all must be over.
    """

    def __init__(
        self, address: EndpointAddress, patience: Patience | None = None, abilities: Abilities | None = None
    ) -> None:
        waits = patience or Patience()
        self.address = address
        self._breakers = {True: LateBreaker(), False: LateBreaker()}
        self.abilities = abilities or Abilities()
        self._client = openai.AsyncOpenAI(
            api_key=address.api_key or "none",
            base_url=address.base_url or None,
            max_retries=0,
            timeout=httpx2.Timeout(waits.read, connect=waits.connect),
            http_client=openai.DefaultAsyncHttpxClient(
                limits=httpx2.Limits(max_connections=MOST_CONNECTIONS, max_keepalive_connections=MOST_CONNECTIONS),
                timeout=httpx2.Timeout(waits.read, connect=waits.connect),
                trust_env=False,  # the address is a setting; no proxy of the machine's environment gets owners' words
            ),
        )

    def breaker(self, purpose: CallPurpose) -> LateBreaker:
        """What an owner waits for and what nobody waits for have one each: neither cuts the other off."""
        return self._breakers[purpose in WAITED_FOR]

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def stream(self, request: ModelRequest, until: float) -> AsyncGenerator[Piece, None]:
        """Pieces of text as they come, then one Finished. A stream without a proper end raises ModelAway(cut)."""
        chunks = await self._create(request, until, streamed=True)
        gathered = Gathered(request)
        try:
            while (chunk := await _bounded(anext(chunks, None), until)) is not None:
                with _translated():
                    piece = gathered.add(chunk)
                if piece is not None:
                    yield piece
        finally:
            await chunks.close()
        yield gathered.finished()

    async def complete(self, request: ModelRequest, until: float) -> Completion:
        """The whole answer at once."""
        answer = await self._create(request, until, streamed=False)
        with _translated():
            choice = answer["choices"][0]
            message, reason = choice["message"], choice.get("finish_reason")
            text = message.get("content") or ""
            return Completion(
                text=text,
                refused=bool(message.get("refusal")) or reason == "content_filter",
                cut_short=reason == "length",
                tokens=tokens_of_answer(answer.get("usage"), request, text),
                model=str(answer.get("model") or ""),
            )

    async def embed(self, texts: Sequence[str], until: float, dimensions: int | None = None) -> Embedded:
        """One vector a text, in order. Raises BadAnswer(form) when the endpoint refuses the texts themselves."""
        size: dict[str, Any] = {} if dimensions is None else {"dimensions": dimensions}
        model = self.address.embedding_model
        asked = self._client.embeddings.create(
            model=model, input=[mask_numbers(text) for text in texts], encoding_format="float", **size
        )
        try:
            answer = await _bounded(asked, until)
        except _RefusedForm:
            raise BadAnswer("form") from None
        with _translated():
            rows = sorted(answer.data, key=lambda row: row.index)
            if [row.index for row in rows] != list(range(len(texts))):
                raise ValueError("another vector a text than one")
            return Embedded([row.embedding for row in rows], tokens_of_embedding(answer.usage, texts))

    async def _create(self, request: ModelRequest, until: float, *, streamed: bool) -> Any:
        """Ask; when the form of the request is refused, ask in a weaker form and keep to what worked."""
        tried: Abilities | None = self.abilities
        while tried is not None:
            fields = _fields(request, self.address.model_for(request), tried, streamed=streamed)
            try:
                answer = await _bounded(self._post(fields, streamed=streamed), until)
            except _RefusedForm:
                tried = tried.weaker(request, streamed=streamed)
            else:
                self.abilities = tried
                return answer
        raise BadAnswer("form")

    async def _post(self, fields: dict[str, Any], *, streamed: bool) -> Any:
        """The SDK's own request without its types: turning a prompt with tools into them, and every chunk back, costs
        tens of milliseconds of the event loop. What comes is plain JSON.
        """
        if streamed:
            return await self._client.post(
                _PATH, cast_to=object, body=fields, stream=True, stream_cls=openai.AsyncStream[object]
            )
        return await self._client.post(_PATH, cast_to=object, body=fields)


class _RefusedForm(Exception):
    """The endpoint does not take a request of this form."""


def _fields(request: ModelRequest, model: str, can: Abilities, *, streamed: bool) -> dict[str, Any]:
    """The request in the protocol's words."""
    fields: dict[str, Any] = {
        "model": model,
        "messages": [_masked(message) for message in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
    }
    if request.tools and can.tools:
        fields["tools"] = list(request.tools)
    if request.shape is not None:
        fields |= _shape_fields(request.shape, fields["messages"], can.form)
    if streamed:
        fields["stream"] = True
        if can.stream_usage:
            fields["stream_options"] = {"include_usage": True}
    return fields


def _masked(message: Message) -> dict[str, Any]:
    """The message as it may leave: phone and identity numbers and addresses hidden, whoever wrote them."""
    return {key: value if key in ("role", "tool_call_id") else mask_value(value) for key, value in message.items()}


def _shape_fields(shape: Shape, messages: list[Any], form: Form) -> dict[str, Any]:
    if form == "json_schema":
        schema = {"name": shape.name, "schema": dict(shape.schema), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    schema_text = json.dumps(shape.schema, ensure_ascii=False)
    told = f"只输出一个 JSON 对象，不要别的文字。它必须符合这个 JSON Schema：\n{schema_text}"
    fields = {"messages": [*messages, {"role": "system", "content": told}]}
    if form == "prompt":
        return fields
    beside = {"schema": dict(shape.schema)} if form == "json_object_schema" else {}
    return {**fields, "response_format": {"type": "json_object", **beside}}


async def _bounded(work: Awaitable[Answer], until: float) -> Answer:
    """Wait for it until then, with its failures in our words."""
    with _translated():
        async with asyncio.timeout_at(until):
            return await work


@contextmanager
def _translated() -> Iterator[None]:
    """Failures of the protocol, the network and the SDK in our words."""
    try:
        yield
    except (TimeoutError, openai.APITimeoutError):
        raise ModelAway("timeout") from None
    except openai.APIConnectionError:
        raise ModelAway("connection") from None
    except openai.APIStatusError as error:
        raise _fault_of_error(error) from None
    except openai.APIError:
        raise ModelAway("stream_error") from None
    except (ValueError, TypeError, AttributeError, IndexError, KeyError):  # whatever that was, it was not the protocol
        raise ModelAway("malformed") from None


def _fault_of_error(error: openai.APIStatusError) -> Exception:
    """Some endpoints (llama.cpp's among them) answer 500 to a field they do not know, and name it."""
    if error.status_code == 500 and any(name in str(error.body) for name in OPTIONAL_FIELDS):
        return _RefusedForm()
    return _fault_of_status(error.status_code, error.response.headers)


def _fault_of_status(status: int, headers: Mapping[str, str]) -> Exception:
    if status in UNSUPPORTED:
        return _RefusedForm()
    if status == 429:
        return ModelAway("rate_limited", retry_after(headers.get("retry-after"), datetime.now(UTC)))
    if status >= 500 or status in (408, 409, 425):
        return ModelAway("server_error", retry_after(headers.get("retry-after"), datetime.now(UTC)))
    return ModelMisconfigured(status)


def retry_after(header: str | None, now: datetime) -> float | None:
    """Seconds of a `Retry-After` header, which may be a number or an HTTP date; None when it says nothing usable."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - now).total_seconds())
    except (ValueError, TypeError):
        return None
