"""What every request passes before and after its route, as one plain ASGI layer that never holds a stream back.

Coming in: a request id, a limit on the body, and clean text. Every body but a file is taken for JSON, whatever its
Content-Type says: a route would read it as such. Lone surrogates (they crash UTF-8 later) and NaN or
Infinity are refused with 422; control characters other than tab and line breaks are stripped from JSON texts and
refused in queries, and no path has any. Characters without a shape go the same way: 巧克力 with one inside reads the
same to its owner, and would be no chocolate to us. Going out: whatever was not handled becomes a 500 problem, and an
observer is told what happened.
"""

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from domain.pet_names import INVISIBLE
from memory.sqltypes import new_id
from miniprogram_api.errors import problem_of
from miniprogram_api.faults import BadText, BodyTooLarge, BodyUnreadable

MAX_JSON_BYTES = 262_144  # 256 KiB; the longest text an owner may send is 20,000 characters
MAX_FILE_BYTES = 52_428_800  # 50 MiB; an import of years of talk
MAX_DEPTH = 32  # brackets within brackets; ours nest five deep, and each level costs every reader a stack frame
RAW_PATHS = ("/wechat/callback",)  # signed and perhaps XML: checked by its route, byte for byte
FILE_TYPES = ("multipart/form-data", "application/octet-stream", "application/zip")
REQUEST_ID = re.compile(r"[\w.-]{1,64}")

_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_CONTROLS = re.compile(f"[{_CONTROL}]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_BRACKETS = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|([\[{])|([\]}])', re.DOTALL)
_TAGS = re.compile("(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+")
"""Characters that spell unseen; after a black flag they say which country's it is."""
_UNSEEN = (
    rb"\xc2\xad|\xcd\x8f|\xd8\x9c|\xe1\x85[\x9f\xa0]|\xe1\xa0\x8e|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xa9]"
    rb"|\xe3\x85\xa4|\xef\xbb\xbf|\xf3\xa0[\x80\x81]"
)  # where INVISIBLE or a tag may be, in UTF-8
_SUSPICIOUS = re.compile(
    rb"\\u|NaN|Infinity|[0-9][eE]\+?[0-9]{3}|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|" + _UNSEEN
)
_LEFT_TO_ROUTE = frozenset({"passcode"})  # what cannot be typed again is refused there, not left out


@dataclass(frozen=True, slots=True)
class Seen:
    """One answered request. `route` is the template ("/v1/pets/{pet_id}"), never the address itself."""

    request_id: str
    method: str
    route: str
    status: int
    seconds: float
    failure: Exception | None = None


class Door:
    """The layer. `observe` is told of each request once its last byte is sent."""

    def __init__(self, app: ASGIApp, observe: Callable[[Seen], None]) -> None:
        self._app = app
        self._observe = observe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; other kinds of connection pass untouched."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        request_id = given if REQUEST_ID.fullmatch(given) else new_id()
        scope.setdefault("state", {})["request_id"] = request_id
        answer = _Answer(send, request_id)
        failure: Exception | None = None
        try:
            _check_address(scope)
            await self._app(scope, await _checked_body(scope["path"], headers, receive), answer)
        except Exception as error:  # the HTTP edge: everything becomes a problem and is logged
            refused = problem_of(error, request_id)
            failure = error if refused.status_code >= 500 else None  # HTTP's own border
            if answer.status:
                raise  # half an answer is out; the server closes the connection
            await refused(scope, receive, answer)
        finally:
            route = _template(scope)
            seconds = time.perf_counter() - begun
            failure = failure or scope["state"].get("failure")
            self._observe(Seen(request_id, scope["method"], route, answer.status, seconds, failure))


class _Answer:
    """Remembers the status that was sent, and names the request in it."""

    def __init__(self, send: Send, request_id: str) -> None:
        self.status = 0
        self._send = send
        self._request_id = request_id

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["X-Request-Id"] = self._request_id
            headers.setdefault("X-Content-Type-Options", "nosniff")
            headers.setdefault("Cache-Control", "no-store")
        await self._send(message)


def clean_json(body: bytes) -> bytes:
    """The same JSON without control and invisible characters in its texts; what is not JSON is left to the route.

    Raises BadText for lone surrogates, NaN and Infinity, BodyUnreadable for what nests too deep.
    """
    if _depth(body) > MAX_DEPTH:
        raise BodyUnreadable()
    if not _SUSPICIOUS.search(body):
        return body
    try:
        value = json.loads(body, parse_constant=_refuse_constant, parse_float=_finite)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        return body
    cleaned = _clean(value)
    return body if cleaned == value else json.dumps(cleaned, ensure_ascii=False).encode()


def _depth(body: bytes) -> int:
    """How deep arrays and objects nest, up to one more than is allowed; brackets within texts are none."""
    if body.count(b"[") + body.count(b"{") <= MAX_DEPTH:
        return 0
    depth = deepest = 0
    for found in _BRACKETS.finditer(body):
        depth += (found[1] is not None) - (found[2] is not None)
        deepest = max(deepest, depth)
        if deepest > MAX_DEPTH:
            break
    return deepest


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        if _SURROGATES.search(value):
            raise BadText()
        return _TAGS.sub("", INVISIBLE.sub("", _CONTROLS.sub("", value)))
    if isinstance(value, list):
        return [_clean(one) for one in value]
    if isinstance(value, Mapping):
        return {_clean(key): _clean(one) if key not in _LEFT_TO_ROUTE else _checked(one) for key, one in value.items()}
    return value


def _checked(value: Any) -> Any:
    """The value as it came, unless it holds what cannot be stored."""
    cleaned = _clean(value)
    return _CONTROLS.sub("", value) if isinstance(value, str) else cleaned


def _refuse_constant(_word: str) -> Any:
    raise BadText("数值必须是有限的数字")


def _finite(digits: str) -> float:
    number = float(digits)
    return _refuse_constant(digits) if number in (float("inf"), float("-inf")) else number


def _template(scope: Scope) -> str:
    """ "/v1/pets/{pet_id}"; a route inside `/v1` knows only its own part of it."""
    path: str = getattr(scope.get("route"), "path", "")
    return f"/v1{path}" if scope["path"].startswith("/v1/") and path and not path.startswith("/v1/") else path


def _check_address(scope: Scope) -> None:
    query = scope.get("query_string", b"").lower()
    encoded = re.search(rb"%(?:0[0-8bcef]|1[0-9a-f]|7f)", query)
    if _CONTROLS.search(scope["path"]) or "\ufffd" in scope["path"]:
        raise HTTPException(404)
    if encoded:
        raise BadText()


async def _checked_body(path: str, headers: Headers, receive: Receive) -> Receive:
    if path in RAW_PATHS:
        return _limited(receive, MAX_JSON_BYTES)
    if headers.get("content-type", "").strip().lower().startswith(FILE_TYPES):
        return _limited(receive, MAX_FILE_BYTES)
    if "content-length" not in headers and "transfer-encoding" not in headers:
        return _limited(receive, MAX_JSON_BYTES)  # no body comes
    body = clean_json(await _whole_body(receive))
    return _replayed(body, receive)


async def _whole_body(receive: Receive) -> bytes:
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        part = message.get("body", b"")
        size += len(part)
        if size > MAX_JSON_BYTES:
            raise BodyTooLarge()
        parts.append(part)
        more = message.get("more_body", False)
    return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _limited(receive: Receive, most: int) -> Receive:
    size = 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            raise BodyTooLarge()
        return message

    return counted
