"""The ASGI application: records every request, checks the token, finds the handler, lets faults happen."""

import asyncio
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import Message, Receive, Scope, Send

from tests.fakes.wechat import codes, people, quotas, security, subscribe, tokens
from tests.fakes.wechat.answers import Refused, refusal
from tests.fakes.wechat.injections import AFTER_COMMIT, HANGS, Injection
from tests.fakes.wechat.wire_types import Call, Image, Text
from tests.fakes.wechat.world import APPID, Seen, World

Handler = Callable[[World, Call], "dict[str, Any] | Text | Image"]

OPEN: dict[str, Handler] = {
    "/sns/jscode2session": people.code2session,
    "/cgi-bin/token": tokens.plain_token,
    "/cgi-bin/stable_token": tokens.stable_token,
}
READ: dict[str, Handler] = {
    "/wxa/checksession": people.check_session,
    "/wxaapi/newtmpl/gettemplate": subscribe.templates,
}
POSTED: dict[str, Handler] = {
    "/cgi-bin/message/subscribe/send": subscribe.send,
    "/wxa/msg_sec_check": security.check_text,
    "/wxa/media_check_async": security.check_media,
    "/wxa/getuserriskrank": people.risk_rank,
    "/wxa/getwxacodeunlimit": codes.mini_code,
    "/wxa/generate_urllink": codes.url_link,
    "/wxa/generatescheme": codes.scheme,
    "/wxa/query_urllink": codes.query_link,
    "/wxa/business/getuserphonenumber": people.phone_number,
    "/cgi-bin/openapi/quota/get": quotas.quota,
    "/cgi-bin/clear_quota": quotas.clear_quota,
    "/cgi-bin/openapi/rid/get": quotas.request_of,
    "/cgi-bin/message/custom/send": quotas.custom_message,
}
LATENCY_PATHS = frozenset({"/cgi-bin/message/subscribe/send"})


class WeChatApp:
    """The fake as an ASGI application. `control` serves what lies below /_fake/."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.injections: list[Injection] = []
        self.control: Callable[[Scope, Receive, Send], Any] | None = None
        self.latency = 0.0  # real seconds that a send is in flight: lets concurrent ones meet

    def inject(self, endpoint: str, kind: str, **more: Any) -> Injection:
        """Let something go wrong."""
        made = Injection(endpoint, kind, **more)
        self.injections.append(made)
        return made

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        if scope["path"].startswith("/_fake/") and self.control is not None:
            await self.control(scope, receive, send)
            return
        call = await _read(scope, receive)
        self.world.requests.append(Seen(call.method, call.path, call.query, call.body, call.headers))
        fault = self._fault(call)
        name = fault.name if fault else ""
        if name == "slow" and fault is not None:
            await asyncio.sleep(fault.number)
        if name == "timeout_before":
            await _hang(receive)
            return
        if name in ("http_502", "http_200_html"):
            await _send(send, b"<html>gateway</html>", "text/html", 502 if name == "http_502" else 200)
            return
        content, media_type = _shaped(await self._answer(call, fault), name)
        if name in HANGS:
            await _hang(receive)
            return
        await _send(send, content, media_type, 200, cut=name in AFTER_COMMIT)

    def _fault(self, call: Call) -> Injection | None:
        for one in self.injections:
            if one.wants(call.path, call.body, self.world.random.random()):
                one.times -= 1
                self.world.counters[f"injected {one.name}"] += 1
                return one
        return None

    async def _answer(self, call: Call, fault: Injection | None) -> "dict[str, Any] | Text | Image":
        try:
            code = fault.errcode(self.world.now) if fault else None
            if code is not None:
                raise Refused(code)
            if call.path in LATENCY_PATHS and self.latency:
                return await self._slow_send(call)
            return self._handled(call, stale=fault is not None and fault.name == "stale_replica")
        except Refused as refused:
            return refusal(self.world, refused.errcode, refused.text)

    async def _slow_send(self, call: Call) -> "dict[str, Any] | Text | Image":
        """A send takes a while; two to one person at once are refused."""
        openid = str(json.loads(call.body).get("touser", "")) if call.body else ""
        if self.world.in_flight[openid]:
            raise Refused(43108)
        self.world.in_flight[openid] += 1
        try:
            await asyncio.sleep(self.latency)
        finally:
            self.world.in_flight[openid] -= 1
        return self._handled(call)

    def _handled(self, call: Call, stale: bool = False) -> "dict[str, Any] | Text | Image":
        if call.path in OPEN:
            return OPEN[call.path](self.world, call)
        token = call.query.get("access_token")
        half = self.world.random.random() < 0.5
        if not (stale and token in self.world.tokens and half):
            tokens.check_token(self.world, token)
        call.appid = APPID
        if call.path in READ:
            return READ[call.path](self.world, call)
        if call.path in POSTED:
            if call.method != "POST":
                raise Refused(43002)
            return POSTED[call.path](self.world, call)
        raise Refused(48001)


async def _read(scope: Scope, receive: Receive) -> Call:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    headers = {name.decode().lower(): value.decode("latin-1") for name, value in scope["headers"]}
    query = dict(parse_qsl(scope["query_string"].decode(), keep_blank_values=True))
    return Call(scope["method"], scope["path"], query, body, headers, peer=(scope.get("client") or ("127.0.0.1",))[0])


def _shaped(answer: "dict[str, Any] | Text | Image", kind: str) -> tuple[bytes, str]:
    if isinstance(answer, Image):
        return b"" if kind == "empty_body" else answer.content, answer.media_type
    media_type = (
        "text/plain" if isinstance(answer, Text) or kind == "text_plain" else "application/json; encoding=utf-8"
    )
    value = dict(answer.body if isinstance(answer, Text) else answer)
    if kind == "missing_errcode" and value.get("errcode") == 0:
        del value["errcode"], value["errmsg"]
    if kind == "errcode_as_string" and "errcode" in value:
        value["errcode"] = str(value["errcode"])
    if kind == "extra_fields":
        value |= {"hint": "[x]", "expires_in_ms": 7_200_000}
    content = json.dumps(value, ensure_ascii=False).encode()
    if kind == "malformed_json":
        content = content[: len(content) // 2]
    if kind == "empty_body":
        content = b""
    return (b"\xef\xbb\xbf" + content if kind == "bom" else content), media_type


async def _hang(receive: Receive) -> None:
    """Never answer; return when the caller has hung up."""
    while True:
        message: Message = await receive()
        if message["type"] == "http.disconnect":
            return


async def _send(send: Send, content: bytes, media_type: str, status: int, *, cut: bool = False) -> None:
    headers = [(b"content-type", media_type.encode()), (b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if cut:
        await send({"type": "http.response.body", "body": content[: len(content) // 2], "more_body": True})
        return  # the server notices that bytes are missing and closes the connection
    await send({"type": "http.response.body", "body": content})
