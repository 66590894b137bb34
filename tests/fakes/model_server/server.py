"""Runs the model server: an ASGI application on a loopback socket, with a script and a log of what it was asked."""

import asyncio
import base64
import json
import socket
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import uvicorn

from tests.fakes.model_server.asked import Asked, Lane
from tests.fakes.model_server.replies import Reply
from tests.fakes.model_server.wire import Cut, completion, error_body, events, tokens_of
from tests.fakes.stub_embedder import hashed

Plan = Reply | Callable[[Asked], Reply]
Send = Callable[[dict[str, Any]], Any]

DEFAULT_WORDS = "好的，我在听。"


class FakeModel:
    """An OpenAI-compatible endpoint. `asked` is everything it was sent, oldest first.

    formats: the response formats it takes; others get `refuses_with`. takes_tools, takes_stream_options: the same.
    """

    def __init__(self) -> None:
        self.address = ""
        self.asked: list[Asked] = []
        self.formats = {"json_schema", "json_object"}
        self.takes_tools = True
        self.refuses_with = Reply.error(400)
        self.takes_stream_options = True
        self._next: dict[Lane, deque[Plan]] = {"chat": deque(), "chore": deque(), "embeddings": deque()}
        self._always: dict[Lane, Plan] = {
            "chat": Reply(DEFAULT_WORDS),
            "chore": Reply("{}"),
            "embeddings": Reply(),
        }

    def will(self, *plans: Plan, lane: Lane = "chat") -> "FakeModel":
        """The next answers of a lane, one a request."""
        self._next[lane].extend(plans)
        return self

    def always(self, plan: Plan, lane: Lane = "chat") -> "FakeModel":
        """What a lane answers when nothing else was planned."""
        self._always[lane] = plan
        return self

    def of(self, lane: Lane) -> list[Asked]:
        """What one lane was asked."""
        return [one for one in self.asked if one.lane == lane]

    def heard(self, words: str) -> bool:
        """Whether these words stood in any request."""
        return any(words in one.words for one in self.asked)

    async def __call__(self, scope: dict[str, Any], receive: Callable[[], Any], send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            return
        headers = {name.decode().lower(): value.decode() for name, value in scope["headers"]}
        asked = Asked(scope["path"], await _body(receive), headers, time.monotonic())
        if scope["method"] == "GET":
            await _send_json(send, 200, {"object": "list", "data": [{"id": "fake", "object": "model"}]})
            return
        self.asked.append(asked)
        reply = self._reply(asked)
        if reply.wait:
            await asyncio.sleep(reply.wait)
        await _answer(send, asked, reply)

    def _reply(self, asked: Asked) -> Reply:
        if self._refuses_the_form(asked):
            return self.refuses_with
        waiting = self._next[asked.lane]
        plan = waiting.popleft() if waiting else self._always[asked.lane]
        return plan if isinstance(plan, Reply) else plan(asked)

    def _refuses_the_form(self, asked: Asked) -> bool:
        body = asked.body
        return bool(
            (asked.format and asked.format not in self.formats)
            or (asked.tools and not self.takes_tools)
            or ("stream_options" in body and not self.takes_stream_options)
        )


@asynccontextmanager
async def running_model(model: FakeModel | None = None) -> AsyncIterator[FakeModel]:
    """A model server on a free port of this machine; `address` is what OPENAI_BASE_URL would be."""
    served = model or FakeModel()
    config = uvicorn.Config(served, lifespan="off", log_config=None, ws="none", timeout_graceful_shutdown=0)  # type: ignore[arg-type]  # an ASGI application
    server = uvicorn.Server(config)
    listening = socket.create_server(("127.0.0.1", 0))
    served.address = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    serving = asyncio.create_task(server.serve([listening]))
    try:
        yield served
    finally:
        server.should_exit = server.force_exit = True
        await serving
        listening.close()


async def _answer(send: Send, asked: Asked, reply: Reply) -> None:
    if reply.status != 200:
        await _send_json(send, reply.status, error_body(reply.status, reply.text), reply.headers)
    elif asked.lane == "embeddings":
        await _send_chore(send, reply, _embeddings(asked, reply))
    elif asked.lane == "chat":
        await _send_events(send, asked, reply)
    else:
        await _send_chore(send, reply, completion(asked, reply))


async def _send_chore(send: Send, reply: Reply, answer: Any) -> None:
    if reply.garbled_after is not None:
        await _send(send, 200, {}, b'{"choices": [{"mess', more=False)
    elif reply.cut_after is not None:
        await _send(send, 200, {"content-length": "1000"}, b'{"choices": [{"mess', more=True)
    else:
        await _send_json(send, 200, answer)


async def _send_events(send: Send, asked: Asked, reply: Reply) -> None:
    """Returning without the last part makes the server hang up, which is what a cut stream looks like."""
    await _send(send, 200, {"content-type": "text/event-stream", **reply.headers}, b"", more=True)
    try:
        async for event in events(asked, reply):
            await send({"type": "http.response.body", "body": event, "more_body": True})
    except Cut:
        return
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _send_json(send: Send, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
    given = {"content-type": "application/json", **(headers or {})}
    await _send(send, status, given, json.dumps(value).encode(), more=False)


async def _send(send: Send, status: int, headers: dict[str, str], body: bytes, *, more: bool) -> None:
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body, "more_body": more})


async def _body(receive: Callable[[], Any]) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


def _embeddings(asked: Asked, reply: Reply) -> dict[str, Any]:
    """Vectors of hashed character pairs: like texts are near each other. In the encoding that was asked for."""
    given = asked.body["input"]
    texts = [given] if isinstance(given, str) else list(given)
    as_text = asked.body.get("encoding_format") == "base64"
    rows = [
        {
            "object": "embedding",
            "index": place,
            "embedding": base64.b64encode(row.tobytes()).decode() if as_text else row.tolist(),
        }
        for place, row in enumerate(hashed(texts))
    ]
    tokens = sum(tokens_of(text) for text in texts)
    used = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "model": asked.model, "data": reply.rows(rows), "usage": used}
