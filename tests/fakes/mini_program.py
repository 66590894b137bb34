"""A mini-program as WeChat runs it: what its network can do, and all that it gets wrong.

`wx.request` succeeds on any status, cannot send PATCH, holds ten calls at once, and fails with "interrupted" in the
background. Chunks of a stream arrive cut and merged anywhere, and old phones decode each on its own. Fingers tap twice.
"""

import asyncio
import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx

from tests.fakes.phone import Heard

METHODS = frozenset({"OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE", "CONNECT"})
AT_ONCE = 10
CUT_SECONDS = 60.0


class RequestFailed(Exception):
    """`fail` of wx.request: the transport, never a status."""


@dataclass
class Success:
    """What `success` is given, whatever the status."""

    status: int
    data: Any


@dataclass
class MiniProgram:
    """One phone. `taps` is how often each POST is sent at once."""

    client: httpx.AsyncClient
    taps: int = 2
    seed: int = 5
    token: str = ""
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def request(self, method: str, path: str, data: Any = None) -> Success:
        """One wx.request; a POST is tapped several times, and all taps must have got the same answer."""
        if method not in METHODS:
            raise RequestFailed("request:fail method is invalid")
        key = str(uuid4())
        taps = self.taps if method == "POST" else 1
        answers = await asyncio.gather(*(self._once(method, path, data, key) for _ in range(taps)))
        assert all(answer == answers[0] for answer in answers), (path, answers)
        return answers[0]

    async def ok(self, method: str, path: str, data: Any = None) -> Any:
        """The data of a call that must be answered well."""
        answer = await self.request(method, path, data)
        assert answer.status < 300, (method, path, answer)
        return answer.data

    async def _once(self, method: str, path: str, data: Any, key: str) -> Success:
        headers = {"content-type": "application/json", "Idempotency-Key": key, **self._bearer()}
        body = None if data is None or method == "GET" else json.dumps(data, ensure_ascii=False).encode()
        query = data if method == "GET" else None
        async with self._slots, asyncio.timeout(CUT_SECONDS):
            answer = await self.client.request(method, f"/v1{path}", content=body, params=query, headers=headers)
        text = answer.content.decode().removeprefix("\ufeff")
        return Success(answer.status_code, json.loads(text) if text else None)

    async def stream(self, method: str, path: str, data: Any = None, drop_after: int | None = None) -> bytes:
        """The bytes of a chunked request; the connection is dropped once so many have come."""
        headers = {"Accept": "text/event-stream", "content-type": "application/json", **self._bearer()}
        body = None if data is None else json.dumps(data).encode()
        got = b""
        async with self.client.stream(method, f"/v1{path}", content=body, headers=headers) as answer:
            assert answer.is_success, await answer.aread()
            async for chunk in answer.aiter_raw():
                got += chunk
                if drop_after is not None and len(got) >= drop_after:
                    return got[:drop_after]
        return got

    def _bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def frames_in(chunks: Iterable[bytes]) -> list[Heard]:
    """The whole events of a stream that arrives in these chunks; each is decoded alone, as phones without a decoder do.

    What is left of a frame that was cut off at the end is dropped.
    """
    left, heard = "", []
    for chunk in chunks:
        left += chunk.decode("latin-1")
        *whole, left = left.split("\n\n")
        heard += [_event(frame) for frame in whole if not frame.startswith(":")]
    return heard


def halves(stream: bytes) -> Iterator[list[bytes]]:
    """The stream cut in two at every offset."""
    return ([stream[:place], stream[place:]] for place in range(len(stream) + 1))


def shreds(stream: bytes, seed: int) -> list[bytes]:
    """The stream in pieces of one to seven bytes."""
    source, pieces = random.Random(seed), []
    while stream:
        size = source.randint(1, 7)
        pieces.append(stream[:size])
        stream = stream[size:]
    return pieces


def _event(frame: str) -> Heard:
    fields = dict(line.split(": ", 1) for line in frame.split("\n"))
    return Heard(int(fields["id"]), fields["event"], json.loads(fields["data"]))
