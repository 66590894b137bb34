"""The push emitter: signs, encrypts, sends up to three times, and keeps the verdict of each delivery."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.fakes.wechat import crypto
from tests.fakes.wechat.events import Form, written
from tests.fakes.wechat.world import APPID, World

TRIES, SECONDS = 3, 5.0
TOKEN, KEY = "push-token-of-the-fake", "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"


@dataclass
class Delivery:
    """One try and what came back."""

    event: dict[str, Any]
    status: int
    answer: str

    @property
    def taken(self) -> bool:
        return 200 <= self.status < 300 and self.answer in ("success", "")


@dataclass
class Emitter:
    """Sends events to the product. `client` reaches it; `path` is where it listens."""

    world: World
    client: httpx.AsyncClient
    path: str = "/wechat/callback"
    mode: str = "safe"  # plain, compat, safe
    form: Form = field(default_factory=Form)
    token: str = TOKEN
    key: str = KEY
    appid: str = APPID
    deliveries: list[Delivery] = field(default_factory=list)

    async def deliver(self) -> None:
        """Push everything whose time has come."""
        for event in self.world.due():
            await self.push(event)

    async def verify(self, echo: str = "4375120948345356249", token: str | None = None) -> httpx.Response:
        """The GET by which the console checks an address."""
        stamp, nonce = self._stamps()
        signature = crypto.digest(token or self.token, stamp, nonce)
        query = {"signature": signature, "timestamp": stamp, "nonce": nonce, "echostr": echo}
        return await self.client.get(self.path, params=query)

    async def push(self, event: dict[str, Any], *, created: float | None = None) -> bool:
        """Send until it is taken, at most three times, with the same id and time."""
        body = written(dict(event), self.world.now if created is None else created, self.form)
        for _ in range(TRIES):
            answer = await self.raw(body, str(event.get("FromUserName", "")))
            self.deliveries.append(Delivery(event, answer.status_code, answer.text))
            if self.deliveries[-1].taken:
                return True
        return False

    async def raw(
        self,
        message: bytes,
        openid: str = "",
        *,
        signature: str | None = None,
        msg_signature: str | None = None,
        appid: str | None = None,
        spoil: Callable[[bytes], bytes] | None = None,
        change: Callable[[str], str] | None = None,
    ) -> httpx.Response:
        """One POST of these bytes; the keywords make it a bad one."""
        stamp, nonce = self._stamps()
        query = {"signature": signature or crypto.digest(self.token, stamp, nonce), "timestamp": stamp, "nonce": nonce}
        query["openid"] = openid
        if self.mode != "plain":
            locked = crypto.lock(self.key, appid or self.appid, message, self.world.word(16).encode(), spoil)
            locked = change(locked) if change else locked
            made = crypto.digest(self.token, stamp, nonce, locked)
            query |= {"encrypt_type": "aes", "msg_signature": msg_signature or made}
            message = self._wrapped(message, locked)
        kind = "text/xml" if self.form.xml else "application/json"
        return await self.client.post(
            self.path, params=query, content=message, headers={"Content-Type": kind}, timeout=SECONDS
        )

    def _wrapped(self, message: bytes, locked: str) -> bytes:
        if self.form.xml:
            plain = message.removeprefix(b"<xml>").removesuffix(b"</xml>") if self.mode == "compat" else b""
            return b"<xml>" + plain + f"<Encrypt><![CDATA[{locked}]]></Encrypt></xml>".encode()
        told = json.loads(message) if self.mode == "compat" else {"ToUserName": "gh_97417a04a28d"}
        return json.dumps({**told, "Encrypt": locked}, ensure_ascii=False).encode()

    def _stamps(self) -> tuple[str, str]:
        return str(int(self.world.now)), self.world.word(9, "0123456789")
