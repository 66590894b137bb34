"""A service on a port of its own, and a household in it that is always there: what fuzzing calls.

Some calls close the account, sign it out or delete what the next call would ask for. `FuzzedHome.open` is asked before
each call and moves into a new household when the old one is gone, so that every call is made by somebody who is there.
"""

import asyncio
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx
import requests
import schemathesis
import uvicorn
from fastapi import FastAPI
from schemathesis.core.transport import Response

from app.main import create_app
from app.settings import Settings
from tests.confusable_households import PARAMETER, House, open_house
from tests.factories import sign_in_as

START_SECONDS = 60
Case = schemathesis.Case[Any]
LOGS_OUT = ("POST", "/v1/auth/logout")


class _Server(uvicorn.Server):
    """A server in a thread of its own, which leaves signals to pytest and tells its event loop."""

    loop: asyncio.AbstractEventLoop

    def install_signal_handlers(self) -> None:
        """Not ours to handle."""

    async def startup(self, sockets: Any = None) -> None:
        """As always, in a loop that is known from now on."""
        self.loop = asyncio.get_running_loop()
        await super().startup(sockets)


@dataclass(frozen=True, slots=True)
class Service:
    """A running service: where it listens, and the loop it runs in."""

    app: FastAPI
    address: str
    loop: asyncio.AbstractEventLoop

    def run(self, work: Coroutine[Any, Any, House]) -> House:
        """Do it in the service's own loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(START_SECONDS)


@contextmanager
def running_service(data_dir: Path) -> Iterator[Service]:
    """A service with an empty database, over real HTTP."""
    settings = Settings(env="test", data_dir=data_dir, embedder="none", requests_a_minute=1_000_000, _env_file=None)
    app = create_app(settings)
    server = _Server(uvicorn.Config(app, port=0, log_config=None))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + START_SECONDS
    while not server.started:
        assert time.monotonic() < until, "the server did not start"
        time.sleep(0.05)
    yield Service(app, f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", server.loop)
    server.should_exit = True
    thread.join(30)


@dataclass
class FuzzedHome:
    """A household with one of everything in it, its owner's token, and which calls were made and succeeded."""

    service: Service
    session: requests.Session
    house: House | None = None
    moves: int = 0
    share_token: str = ""
    keys: set[str] = field(default_factory=set)
    tried: set[tuple[str, str]] = field(default_factory=set)
    done: set[tuple[str, str]] = field(default_factory=set)

    def open(self) -> House:
        """The household; a new one when the old one is gone or emptied."""
        if self.house is None:
            self.moves += 1
            self.house = self.service.run(self._move_in(f"fuzz{self.moves}"))
        return self.house

    def ask(self, case: Case) -> Response:
        """Make a call as an owner who is signed in, never twice with one Idempotency-Key."""
        call = (case.method, case.path)
        headers = {"Authorization": f"Bearer {self.open().owner.tokens['access_token']}"}
        key = str(case.headers.get("Idempotency-Key", ""))
        if key and key in self.keys:
            headers["Idempotency-Key"] = str(uuid4())
        self.keys.add(key)
        answer = case.call(base_url=self.service.address, headers=headers, session=self.session)
        self.tried.add(call)
        if answer.status_code < 300:
            self.done.add(call)
            if call == LOGS_OUT or (case.method == "DELETE" and not case.path.endswith("{record_id}")):
                self.house = None
        return answer

    def own(self, path: str) -> dict[str, str]:
        """The path parameters of a call, as this household has them; {} when it has none of these."""
        names = PARAMETER.findall(path)
        if not path.startswith("/v1/"):
            return dict.fromkeys(names, self.share_token) if names == ["token"] else {}
        if "receipt" in names or not names:
            return {}
        parts = self.open().fill(path).split("/")
        asked = path.removeprefix("/v1").split("/")
        return {name[1:-1]: value for name, value in zip(asked, parts, strict=True) if name.startswith("{")}

    def vet_page(self, token: str | None) -> str:
        """The address of a vet's page; None is that of this household's open share."""
        self.open()
        return f"{self.service.address}/vet/{quote(token or self.share_token, safe='', errors='replace')}"

    async def _move_in(self, name: str) -> House:
        async with httpx.AsyncClient(base_url=self.service.address, timeout=START_SECONDS) as client:
            owner = await sign_in_as(client, name)
            house = await open_house(self.service.app, owner, "鹧鸪紫苏")
            share = await owner.post(f"/pets/{house.ids['pet_id']}/shares", {"expires_in_hours": 1})
            self.share_token = share["url"].rpartition("/")[2]
            return house
