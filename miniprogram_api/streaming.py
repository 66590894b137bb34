"""Server-sent events as phones take them: ASCII frames, a ping in silence, and a hand-over before the time limit."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from domain.turn_store import Event

PING_SECONDS = 10.0  # a phone hears something at least every 15 s
CONTINUE_SECONDS = 50.0  # the platform cuts a request at 60 s; before 55 s the phone is told how to go on
PING = b": ping\n\n"


def frame(seq: int, event: str, data: dict[str, Any]) -> bytes:
    """One event. Data is ASCII-only JSON, so a chunk may be cut anywhere without breaking a character."""
    return f"id: {seq}\nevent: {event}\ndata: {json.dumps(data, ensure_ascii=True, separators=(',', ':'))}\n\n".encode(
        "ascii"
    )


async def stream(
    events: AsyncIterator[Event],
    turn_id: str,
    *,
    after: int = 0,
    ping_seconds: float = PING_SECONDS,
    continue_seconds: float = CONTINUE_SECONDS,
) -> AsyncIterator[bytes]:
    """Frames of a turn's events; the last one is `done`, `error` or `continue {turn_id, last_seq}`."""
    loop = asyncio.get_running_loop()
    until, seq = loop.time() + continue_seconds, after
    waiting: asyncio.Future[Event] | None = None
    iterator = aiter(events)
    try:
        while True:
            waiting = waiting or asyncio.ensure_future(_next(iterator))
            left = until - loop.time()
            done, _ = await asyncio.wait({waiting}, timeout=max(0.0, min(ping_seconds, left)))
            if not done:
                if left <= ping_seconds:
                    yield frame(seq, "continue", {"turn_id": turn_id, "last_seq": seq})
                    return
                yield PING
                continue
            try:
                seq, name, data = waiting.result()
            except StopAsyncIteration:
                return
            waiting = None
            yield frame(seq, name, data)
    finally:
        if waiting is not None:
            waiting.cancel()


async def _next(iterator: AsyncIterator[Event]) -> Event:
    return await anext(iterator)
