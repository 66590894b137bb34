"""Replies as bytes of the Chat Completions protocol."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

from tests.fakes.model_server.asked import Asked
from tests.fakes.model_server.replies import FOREVER, GARBAGE, Reply, ToolCall

CREATED = 1_780_000_000  # any time


class Cut(Exception):
    """The connection is to end here, without a proper end."""


def tokens_of(text: str) -> int:
    """As rough as it may be: a token for two characters."""
    return len(text) // 2 + 1


def usage_of(asked: Asked, reply: Reply) -> dict[str, int]:
    """What the endpoint bills."""
    prompt = sum(tokens_of(str(message.get("content"))) for message in asked.messages)
    completion = tokens_of(reply.text) + sum(tokens_of(call.arguments) for call in reply.tool_calls)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def error_body(status: int, words: str = "") -> dict[str, Any]:
    """The error object of the protocol."""
    return {
        "error": {
            "message": words or f"the fake model answers {status}",
            "type": "fake",
            "param": None,
            "code": str(status),
        }
    }


def completion(asked: Asked, reply: Reply) -> dict[str, Any]:
    """The whole answer at once."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None, "refusal": reply.refusal}
    if reply.tool_calls:
        message["tool_calls"] = [_call(call) for call in reply.tool_calls]
    choice = {"index": 0, "message": message, "finish_reason": reply.reason, "logprobs": None}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": CREATED, "model": asked.model}
    return {**head, "choices": [choice], **({"usage": usage_of(asked, reply)} if reply.usage else {})}


async def events(asked: Asked, reply: Reply) -> AsyncIterator[bytes]:
    """The answer as a stream. Raises Cut where the connection is to end."""
    if reply.think:
        await asyncio.sleep(reply.think)
    yield _event(asked, {"role": "assistant", "content": ""})
    for sent, piece in enumerate(reply.pieces):
        if (broken := _broken_at(reply, sent)) is not None:
            yield broken
            return
        if reply.pace:
            await asyncio.sleep(reply.pace)
        yield _event(asked, {"content": piece})
    if reply.stamped:
        yield _event(asked, {"content": f"收到{asked.at:.6f}发出{time.monotonic():.6f}。"})
    if (broken := _broken_at(reply, len(reply.pieces), last=True)) is not None:
        yield broken
        return
    async for event in _end(asked, reply):
        yield event


def _broken_at(reply: Reply, sent: int, *, last: bool = False) -> bytes | None:
    """What is sent instead of the next piece, if the reply fails here. Raises Cut."""
    if _is_here(reply.cut_after, sent, last):
        raise Cut()
    if _is_here(reply.garbled_after, sent, last):
        return GARBAGE
    if _is_here(reply.error_after, sent, last):
        return _data({"error": {"message": "the engine died", "type": "server_error", "code": 500}})
    return None


def _is_here(place: int | None, sent: int, last: bool) -> bool:
    return place is not None and (sent == place or (last and sent < place))


async def _end(asked: Asked, reply: Reply) -> AsyncIterator[bytes]:
    if reply.reason == "stall":
        await asyncio.sleep(FOREVER)
    if reply.refusal is not None:
        yield _event(asked, {"refusal": reply.refusal})
    for place, call in enumerate(reply.tool_calls):
        for delta in _call_deltas(place, call):
            yield _event(asked, {"tool_calls": [delta]})
    yield _event(asked, {}, reply.reason)
    if reply.usage and asked.body.get("stream_options", {}).get("include_usage"):
        yield _data({**_head(asked), "choices": [], "usage": usage_of(asked, reply)})
    yield b"data: [DONE]\n\n"


def _call_deltas(place: int, call: ToolCall) -> list[dict[str, Any]]:
    """The name first, the arguments in three parts, as endpoints do."""
    third = max(1, len(call.arguments) // 3 + 1)
    parts = [call.arguments[start : start + third] for start in range(0, len(call.arguments), third)]
    head = {"index": place, "id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}
    return [head, *({"index": place, "function": {"arguments": part}} for part in parts)]


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _head(asked: Asked) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": CREATED, "model": asked.model}


def _event(asked: Asked, delta: dict[str, Any], reason: str | None = None) -> bytes:
    return _data({**_head(asked), "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})


def _data(value: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"
