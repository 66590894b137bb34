"""The fake on a real socket, and the handle that tests hold."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn

from tests.fakes.wechat.control import control_of
from tests.fakes.wechat.injections import Injection
from tests.fakes.wechat.wire import WeChatApp
from tests.fakes.wechat.world import World


@dataclass
class FakeWeChat:
    """A running fake: its state, its address, its levers."""

    world: World
    app: WeChatApp
    address: str

    def inject(self, endpoint: str, kind: str, **more: Any) -> Injection:
        """Let something go wrong."""
        return self.app.inject(endpoint, kind, **more)


@asynccontextmanager
async def fake_wechat(world: World | None = None) -> AsyncIterator[FakeWeChat]:
    """A fake that listens on a free port of this machine until the block ends."""
    app = WeChatApp(world or World())
    app.control = control_of(app)
    config = uvicorn.Config(app, lifespan="off", log_config=None, access_log=False, ws="none", timeout_keep_alive=60)
    config.timeout_graceful_shutdown = 1
    server = uvicorn.Server(config)
    listening = socket.create_server(("127.0.0.1", 0))
    serving = asyncio.create_task(server.serve([listening]))
    try:
        yield FakeWeChat(app.world, app, f"http://127.0.0.1:{listening.getsockname()[1]}")
    finally:
        server.should_exit = True
        await serving
        listening.close()
