"""Server-sent events as phones take them: ASCII frames, a ping in silence, and a hand-over before the time limit."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from typing import Any

import structlog
from fastapi.responses import JSONResponse

from domain.turn_feed import TERMINAL
from domain.turn_store import Event
from miniprogram_api.errors import problem, problem_of

log = structlog.get_logger(__name__)

PING_SECONDS = 10.0  # a phone hears something at least every 15 s
CONTINUE_SECONDS = 50.0  # the platform cuts a request at 60 s; before 55 s the phone is told how to go on
PING = b": ping\n\n"

_as_json = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def frame(seq: int, event: str, data: dict[str, Any]) -> bytes:
    """One event. Data is ASCII-only JSON, so a chunk may be cut anywhere without breaking a character."""
    return f"id: {seq}\nevent: {event}\ndata: {_as_json(data)}\n\n".encode("ascii")


async def stream(
    events: AsyncIterator[Event],
    turn_id: str,
    *,
    after: int = 0,
    request_id: str = "",
    ping_seconds: float = PING_SECONDS,
    continue_seconds: float = CONTINUE_SECONDS,
) -> AsyncIterator[bytes]:
    """Frames of a turn's events; the last one is `done`, `error` or `continue {turn_id, last_seq}`.

    Frames that are ready together go out together. `error` carries a problem like any refusal; whatever `events`
    raises becomes one.
    """
    loop = asyncio.get_running_loop()
    until, seq = loop.time() + continue_seconds, after
    coming = _Coming()
    pump = asyncio.create_task(_pump(events, coming))
    try:
        while (left := until - loop.time()) > 0:
            ready = await coming.ready(min(ping_seconds, left))
            frames, ended, over = [], False, coming.over
            for seq, name, data in ready:
                frames.append(frame(seq, name, _as_problem(data, request_id) if name == "error" else data))
                if ended := name in TERMINAL:
                    break
            if frames:
                yield b"".join(frames)
            elif not over and left > ping_seconds:
                yield PING
            if ended:
                return
            if over:
                await pump  # raises what broke the events
                break
        yield frame(seq, "continue", {"turn_id": turn_id, "last_seq": seq})
    except Exception as error:  # the HTTP edge: the answer has begun, so what breaks it is told as an event
        log.exception("stream_failed", turn_id=turn_id)
        yield frame(seq + 1, "error", _body(problem_of(error, request_id)))
    finally:
        pump.cancel()


class _Coming:
    """Events on their way to one phone. over: no more will come."""

    def __init__(self) -> None:
        self.over = False
        self._events: list[Event] = []
        self._came = asyncio.Event()

    def add(self, event: Event) -> None:
        self._events.append(event)
        self._came.set()

    def end(self) -> None:
        self.over = True
        self._came.set()

    async def ready(self, seconds: float) -> list[Event]:
        """All that have come, waiting for the first one at most so long; [] when none came, or all is over."""
        if not self._came.is_set():
            time_is_up = asyncio.get_running_loop().call_later(seconds, self._came.set)
            try:
                await self._came.wait()
            finally:
                time_is_up.cancel()
        taken, self._events = self._events, []
        self._came.clear()
        return taken


async def _pump(events: AsyncIterator[Event], coming: _Coming) -> None:
    """Hand over events as they come; a task of its own, because looking for them must not be cut off by a ping."""
    try:
        async for event in events:
            coming.add(event)
    finally:
        coming.end()


def _as_problem(data: Mapping[str, Any], request_id: str) -> dict[str, Any]:
    """Why a turn gave no answer, in the shape of every refusal; what need not be sent again is gone for good."""
    status = HTTPStatus.SERVICE_UNAVAILABLE if data["retryable"] else HTTPStatus.GONE
    return _body(problem(request_id, status, data["code"], data["detail"]))


def _body(answer: JSONResponse) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(bytes(answer.body))
    return told
