"""What a phone does with a turn's stream: hears frames, hangs up in the middle, comes back."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI

from tests.factories import Json, Owner

STREAM = {"Accept": "text/event-stream"}
TERMINAL = ("done", "error", "continue")


@dataclass(frozen=True)
class Heard:
    """One event of a stream."""

    seq: int
    name: str
    data: Json


def turn_body(text: str, client_msg_id: str = "m-1", **more: Any) -> Json:
    """The body of POST /chat/turns."""
    return {"text": text, "client_msg_id": client_msg_id, **more}


async def say(owner: Owner, text: str, client_msg_id: str = "m-1", **more: Any) -> Json:
    """The JSON answer of a turn that must be accepted."""
    answer: Json = await owner.post("/chat/turns", turn_body(text, client_msg_id, **more))
    return answer


async def hear(owner: Owner, text: str, client_msg_id: str = "m-1", **more: Any) -> list[Heard]:
    """The whole stream of a turn."""
    return await _whole(owner, "POST", "/chat/turns", json=turn_body(text, client_msg_id, **more))


async def hear_again(owner: Owner, turn_id: str, after: int = 0) -> list[Heard]:
    """The rest of a stream, from another connection."""
    return await _whole(owner, "GET", f"/chat/turns/{turn_id}/events", params={"after": after})


async def _whole(owner: Owner, method: str, path: str, **more: Any) -> list[Heard]:
    answer = await owner.ask(method, path, headers=STREAM, **more)
    assert answer.is_success, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return heard_in(answer.content)


def heard_in(stream: bytes) -> list[Heard]:
    """The events of a stream, pings left out; every byte must be ASCII."""
    frames = stream.decode("ascii").split("\n\n")
    assert frames.pop() == "", "a stream ends with a whole frame"
    return [_event(frame.split("\n")) for frame in frames if not frame.startswith(":")]


def _event(lines: Iterable[str]) -> Heard:
    fields = dict(line.split(": ", 1) for line in lines)
    assert fields.keys() == {"id", "event", "data"}
    return Heard(int(fields["id"]), fields["event"], json.loads(fields["data"]))


@asynccontextmanager
async def on_a_socket(app: FastAPI) -> AsyncIterator[str]:
    """The address of the running app on a real socket: streams arrive as they are sent, and can be cut."""
    config = uvicorn.Config(app, lifespan="off", log_config=None, ws="none", timeout_graceful_shutdown=5)
    server = uvicorn.Server(config)
    listening = socket.create_server(("127.0.0.1", 0))
    serving = asyncio.create_task(server.serve([listening]))
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await serving
        listening.close()


class Line:
    """One open stream over a real connection."""

    def __init__(self, response: httpx.Response) -> None:
        self._chunks = response.aiter_raw()
        self._left = b""
        self._frames: list[bytes] = []

    async def next(self) -> Heard:
        """The next event, pings left out."""
        while True:
            while not self._frames:
                *self._frames, self._left = (self._left + await anext(self._chunks)).split(b"\n\n")
            frame = self._frames.pop(0)
            if not frame.startswith(b":"):
                return _event(frame.decode("ascii").split("\n"))

    async def until(self, name: str) -> list[Heard]:
        """Events up to and with the first one of this name."""
        heard = [await self.next()]
        while heard[-1].name != name:
            assert heard[-1].name not in TERMINAL, heard
            heard.append(await self.next())
        return heard


@asynccontextmanager
async def calling(address: str, owner: Owner, method: str, path: str, body: Json | None = None) -> AsyncIterator[Line]:
    """Open a stream as this owner; leaving the block hangs up."""
    headers = {"Authorization": owner.client.headers["Authorization"], **STREAM}
    async with (
        httpx.AsyncClient(base_url=address, headers=headers) as client,
        client.stream(method, f"/v1{path}", json=body) as response,
    ):
        assert response.is_success, await response.aread()
        yield Line(response)
