"""WeChat's servers over HTTP: the port of `domain/wechat.py` with real calls."""

import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

import structlog

from app.adapters.wechat_token import AccessTokens
from app.adapters.wechat_token_rows import Seals, TokenRows
from app.adapters.wechat_wire import Refusal, Unanswered, Unsent, WeChatWire, WireFault
from domain.moderation import Suggest, Verdict, WeChatNotSeenLately, verdict_of
from domain.wechat import (
    PushOutcome,
    PushResult,
    SubscribeMessage,
    WeChatCodeRefused,
    WeChatFault,
    WeChatIdentity,
    WeChatMisconfigured,
    WeChatPhoneCodeRefused,
    WeChatTooOften,
    WeChatUnavailable,
    WeChatUserBlocked,
)
from memory.transactions import Transactions

log = structlog.get_logger(__name__)

TOKEN_REJECTED = frozenset({40001, 40014, 42001})
Answer = TypeVar("Answer")

_KEYS = re.compile(r"\{\{(\w+)\.DATA\}\}")
RETRY_AFTER_SECONDS = 60  # WeChat's limits are by the minute

PICTURE_MAGIC = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")  # a JPEG, a PNG
COMMENT_SCENE, IMAGE = 2, 2  # WeChat's numbers for a comment and a picture
NOT_SEEN_LATELY, RISKY_ERRCODE = 61010, 87014  # the second is the old check's way to say it
CODE_SPENT = frozenset({-1, 40029, 40163})  # a code may be used up even when the answer is "busy": never tried again
TOO_OFTEN = frozenset({44990, 44991, 45009, 45011})
MISCONFIGURED = frozenset(
    {
        40002,
        40013,
        40125,
        40164,
        40243,
        41002,
        41004,
        41008,
        48001,
        41030,
        40165,
        50002,
        50004,
        50007,
        89503,
        89506,
        89507,
    }
)


OUTCOMES: dict[int, PushOutcome] = {
    43101: PushOutcome.REFUSED,
    43107: PushOutcome.BANNED,
    45168: PushOutcome.WORDING,
    **dict.fromkeys((-1, 43108, *TOO_OFTEN, *TOKEN_REJECTED, *MISCONFIGURED), PushOutcome.RETRY_LATER),
    41030: PushOutcome.INVALID,  # the page of this very push; where a code is made, the release is missing
}
"""What follows from an errcode of a send; all others are arguments that no second try would change."""


class WeChatHttp:
    """One mini-program's calls. End it with `close`."""

    def __init__(
        self,
        appid: str,
        secret: str,
        wire: WeChatWire,
        transactions: Transactions,
        seals: Seals,
        real_now: Callable[[], datetime],
    ) -> None:
        self.appid = appid
        self.env_version = "release"
        self._secret = secret
        self._wire = wire
        self._tokens = AccessTokens(TokenRows(transactions, seals, appid), self._fetch_token, real_now)

    async def close(self) -> None:
        """End all connections."""
        await self._wire.close()

    async def code2session(self, code: str) -> WeChatIdentity:
        """The identity behind a login code. The session key is not kept: nothing here decrypts with it."""
        query = {
            "appid": self.appid,
            "secret": self._secret,
            "js_code": code,
            "grant_type": "authorization_code",
        }
        try:
            answer = await self._wire.get("/sns/jscode2session", query)
        except WireFault as fault:
            raise _fault_of(fault, spent=CODE_SPENT) from None
        return WeChatIdentity(self.appid, str(answer.get("openid") or ""), answer.get("unionid") or None)

    async def phone_number(self, code: str) -> str:
        """The number behind a `getPhoneNumber` code, as +<country><number>."""
        try:
            answer = await self.post("/wxa/business/getuserphonenumber", {"code": code})
        except WireFault as fault:
            if isinstance(fault, Refusal) and fault.errcode in CODE_SPENT:
                raise WeChatPhoneCodeRefused() from None
            raise _fault_of(fault) from None
        info = answer.get("phone_info") or {}
        number = str(info.get("purePhoneNumber") or info.get("phoneNumber") or "").lstrip("+")
        return f"+{info.get('countryCode') or 86}{number}" if number else ""

    async def send_subscribe_message(self, message: SubscribeMessage) -> PushResult:
        """Send once. After no answer it may have gone out, so nothing is sent again here."""
        body: dict[str, Any] = {
            "touser": message.openid,
            "template_id": message.template_id,
            "data": {name: {"value": text} for name, text in message.fields.items()},
        }
        if message.page:
            body["page"] = message.page
        try:
            answer = await self.post("/cgi-bin/message/subscribe/send", body)
        except Refusal as refusal:
            outcome = OUTCOMES.get(refusal.errcode, PushOutcome.INVALID)
            if outcome is PushOutcome.INVALID:
                log.error("push_invalid", errcode=refusal.errcode, rid=refusal.rid, field=refusal.field)
            return PushResult(outcome, refusal.errcode)
        except Unanswered:
            return PushResult(PushOutcome.UNKNOWN)
        except (Unsent, WeChatFault):
            return PushResult(PushOutcome.RETRY_LATER)
        return PushResult(PushOutcome.SENT, 0, str(answer["msgid"]) if answer.get("msgid") else None)

    async def check_text(self, openid: str, text: str) -> Verdict:
        """What WeChat thinks of a text of at most 2,500 characters."""
        body = {"version": 2, "openid": openid, "scene": COMMENT_SCENE, "content": text}
        try:
            return verdict_of(await self.post("/wxa/msg_sec_check", body))
        except WireFault as fault:
            if isinstance(fault, Refusal) and fault.errcode == RISKY_ERRCODE:
                return Verdict(Suggest.RISKY)
            raise _judging_fault_of(fault) from None

    async def check_image(self, openid: str, url: str) -> str:
        """Ask for a verdict on a picture; the trace id by which it will be pushed."""
        body = {"version": 2, "openid": openid, "scene": COMMENT_SCENE, "media_url": url, "media_type": IMAGE}
        try:
            return str((await self.post("/wxa/media_check_async", body)).get("trace_id") or "")
        except WireFault as fault:
            raise _judging_fault_of(fault) from None

    async def mini_code(self, scene: str, page: str) -> bytes:
        """The picture of a code. What is no picture is never given out."""
        body: dict[str, Any] = {"scene": scene}
        if page:  # empty optionals are refused
            body["page"] = page
        if self.env_version != "release":
            body |= {"env_version": self.env_version, "check_path": False}
        try:
            picture = await self.post_for_bytes("/wxa/getwxacodeunlimit", body)
        except WireFault as fault:
            raise _fault_of(fault) from None
        if not picture.startswith(PICTURE_MAGIC):
            raise WeChatUnavailable()
        return picture

    async def url_link(self, page: str, query: str, days: int) -> str:
        """An address that opens the mini-program."""
        body: dict[str, Any] = {"path": page, "query": query, "expire_type": 1, "expire_interval": days}
        if self.env_version != "release":
            body["env_version"] = self.env_version
        try:
            link = str((await self.post("/wxa/generate_urllink", body)).get("url_link") or "")
        except WireFault as fault:
            raise _fault_of(fault) from None
        if not link:
            raise WeChatUnavailable()
        return link

    async def templates(self) -> dict[str, tuple[str, ...]]:
        """The field keys of every subscribe template in the console, by template id. Raises WeChatFault."""
        try:
            answer = await self.get("/wxaapi/newtmpl/gettemplate")
        except WireFault as fault:
            raise _fault_of(fault) from None
        return keys_by_template(answer)

    async def post(self, endpoint: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """A POST with the access token, tried once more with another when WeChat rejects it. Raises WireFault."""
        return await self._with_token(lambda query: self._wire.post(endpoint, query, body))

    async def get(self, endpoint: str) -> dict[str, Any]:
        """A GET with the access token; see `post`."""
        return await self._with_token(lambda query: self._wire.get(endpoint, query))

    async def post_for_bytes(self, endpoint: str, body: Mapping[str, Any]) -> bytes:
        """A POST that answers a file; see `post`."""
        return await self._with_token(lambda query: self._wire.post_for_bytes(endpoint, query, body))

    async def _with_token(self, call: Callable[[dict[str, str]], Awaitable[Answer]]) -> Answer:
        token = await self._tokens.current()
        try:
            return await call({"access_token": token})
        except Refusal as refusal:
            if refusal.errcode not in TOKEN_REJECTED:
                raise
        return await call({"access_token": await self._tokens.instead_of(token)})

    async def _fetch_token(self, force: bool) -> tuple[str, int]:
        body = {"grant_type": "client_credential", "appid": self.appid, "secret": self._secret, "force_refresh": force}
        try:
            answer = await self._asked_for_token(body)
            return str(answer["access_token"]), int(answer["expires_in"])
        except (KeyError, ValueError, TypeError):
            raise WeChatUnavailable() from None
        except WireFault as fault:
            raise _fault_of(fault) from None

    async def _asked_for_token(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Asking twice is harmless unless it is forced: the same token comes back."""
        try:
            return await self._wire.post("/cgi-bin/stable_token", {}, body)
        except WireFault as fault:
            busy = isinstance(fault, Refusal) and fault.errcode == -1
            if body["force_refresh"] or not (busy or isinstance(fault, Unanswered)):
                raise
        return await self._wire.post("/cgi-bin/stable_token", {}, body)


def keys_by_template(told: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The field keys of each template that the console lists."""
    rows = [row for row in told.get("data") or () if isinstance(row, dict)]
    return {str(row.get("priTmplId")): tuple(_KEYS.findall(str(row.get("content", "")))) for row in rows}


def _judging_fault_of(fault: WireFault) -> WeChatFault:
    if isinstance(fault, Refusal) and fault.errcode == NOT_SEEN_LATELY:
        return WeChatNotSeenLately()
    return _fault_of(fault)


def _fault_of(fault: WireFault, spent: frozenset[int] = frozenset()) -> WeChatFault:
    """What a wire fault means to whoever asked."""
    if not isinstance(fault, Refusal):
        return WeChatUnavailable()
    if fault.errcode in spent:
        return WeChatCodeRefused()
    if fault.errcode == 40226:
        return WeChatUserBlocked()
    if fault.errcode in TOO_OFTEN:
        return WeChatTooOften(retry_after=RETRY_AFTER_SECONDS)
    if fault.errcode in MISCONFIGURED:
        log.error("wechat_misconfigured", errcode=fault.errcode, rid=fault.rid, server_address=fault.address)
        return WeChatMisconfigured()
    return WeChatUnavailable()
