"""One call to WeChat's servers: sent as plain UTF-8 JSON, read by its body alone.

WeChat answers HTTP 200 also when it refuses; `errcode` absent or 0 is a success. Addresses carry secrets in their
query, so nothing that httpx says of a call is ever logged or passed on.

WireFault
├── Unsent      the call did not leave: nothing can have happened
├── Unanswered  it left, and no answer that can be read came back: it may have happened
└── Refusal     WeChat answered an `errcode`
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import httpx
import structlog

log = structlog.get_logger(__name__)

API_BASE = "https://api.weixin.qq.com"
CALL_SECONDS = 8.0  # WeChat answers within one second or not at all; a phone waits for some of these calls
CONNECT_SECONDS = 3.0
MAX_CONNECTIONS = 50

_RID = re.compile(r"rid: ?([0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8})")
_FIELD = re.compile(r"data\.([a-z_]+\d+)\.value")
_ADDRESS = re.compile(r"invalid ip ([0-9a-f.:]+)")

Observe = Callable[[str, str], None]
"""Told of each call: the endpoint, and its errcode, `unsent` or `unanswered`."""


class WireFault(Exception):
    """Root of what can go wrong on the wire. The message names the endpoint and never holds an address."""


class Unsent(WireFault):
    """Nothing can have happened."""


class Unanswered(WireFault):
    """It may have happened."""


class Refusal(WireFault):
    """WeChat refuses. `field` is the message field that an argument error names, `address` ours if it is not let in."""

    def __init__(self, endpoint: str, errcode: int, errmsg: str) -> None:
        super().__init__(f"{endpoint} answered {errcode}")
        self.errcode = errcode
        self.rid = _first(_RID, errmsg)
        self.field = _first(_FIELD, errmsg)
        self.address = _first(_ADDRESS, errmsg)


class WeChatWire:
    """Calls one WeChat server. `client` belongs to it; end it with `close`."""

    def __init__(
        self,
        base: str = "",
        *,
        seconds: float = CALL_SECONDS,
        observe: Observe | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._observe = observe
        self._client = httpx.AsyncClient(
            base_url=base or API_BASE,
            timeout=httpx.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)),
            limits=httpx.Limits(max_connections=MAX_CONNECTIONS, max_keepalive_connections=MAX_CONNECTIONS),
            transport=transport,
        )

    async def get(self, endpoint: str, query: Mapping[str, str]) -> dict[str, Any]:
        """The JSON of a GET. Raises WireFault."""
        return self._json(endpoint, await self._bytes("GET", endpoint, query, None))

    async def post(self, endpoint: str, query: Mapping[str, str], body: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON of a POST. Raises WireFault."""
        return self._json(endpoint, await self._bytes("POST", endpoint, query, body))

    async def post_for_bytes(self, endpoint: str, query: Mapping[str, str], body: Mapping[str, Any]) -> bytes:
        """What a POST answers when that is no JSON object. Raises WireFault, also when it is one with an errcode."""
        content = await self._bytes("POST", endpoint, query, body)
        if content.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{"):
            self._json(endpoint, content)
            raise Unanswered(f"{endpoint} answered JSON without a file")
        self._told(endpoint, "0")
        return content

    async def close(self) -> None:
        """End all connections."""
        await self._client.aclose()

    async def _bytes(
        self, method: str, endpoint: str, query: Mapping[str, str], body: Mapping[str, Any] | None
    ) -> bytes:
        content = None if body is None else json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            answer = await self._client.request(method, endpoint, params=query, content=content, headers=headers)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout):
            self._told(endpoint, "unsent")
            raise Unsent(f"{endpoint} cannot be reached") from None  # its text holds the address
        except httpx.HTTPError:
            self._told(endpoint, "unanswered")
            raise Unanswered(f"{endpoint} gave no answer") from None
        if answer.status_code >= 300:
            self._told(endpoint, "unanswered")
            raise Unanswered(f"{endpoint} answered HTTP {answer.status_code}")
        return answer.content

    def _json(self, endpoint: str, content: bytes) -> dict[str, Any]:
        try:
            value = json.loads(content.decode("utf-8-sig"))
            errcode = int(value.get("errcode") or 0)
        except (ValueError, AttributeError, TypeError):
            self._told(endpoint, "unanswered")
            raise Unanswered(f"{endpoint} answered no JSON") from None
        self._told(endpoint, str(errcode))
        if errcode:
            refusal = Refusal(endpoint, errcode, str(value.get("errmsg", "")))
            log.info("wechat_refused", endpoint=endpoint, errcode=errcode, rid=refusal.rid)
            raise refusal
        return dict(value)

    def _told(self, endpoint: str, outcome: str) -> None:
        if self._observe is not None:
            self._observe(endpoint, outcome)


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found[1] if found else None
