"""Looks at a WeChat configuration and says what is wrong with it, in words an operator can act on."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx
import structlog

from app.adapters.wechat_http import keys_by_template
from app.adapters.wechat_wire import Refusal, WeChatWire, WireFault
from app.settings import Settings
from app.wechat_templates import TITLES, mismatches, templates_of
from domain.mini_links import CONFIRMATION_PAGE
from domain.push_messages import Template
from domain.wechat import WeChatFault
from miniprogram_api.wechat_crypto import signature_of

log = structlog.get_logger(__name__)

CALLBACK_SECONDS = 5.0  # WeChat waits as long
ECHO, NONCE = "pawsignal-doctor", "20261130"

EXPLAINED: dict[int, str] = {
    40013: "WECHAT_APPID is not known to WeChat",
    40125: "WECHAT_SECRET is wrong, or was reset in the console",
    40164: "this machine's address ({address}) is not in the console's IP whitelist",
    40243: "the secret is frozen in the console",
    41030: "the page is not in the published version of the mini-program",
    40165: "the page is not in the published version of the mini-program",
    45009: "today's quota of this call is used up",
    48001: "the app may not use this call: its category or verification is missing",
    50002: "the account is frozen",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `good` None: it could not be looked at."""

    what: str
    good: bool | None
    words: str = ""


async def examine(settings: Settings, now: float) -> AsyncIterator[Finding]:
    """Everything that can be seen from here, the settings first. `now`: Unix seconds."""
    for finding in _settings(settings):
        yield finding
    if not (settings.wechat_appid and settings.wechat_secret.get_secret_value()):
        return
    wire = WeChatWire(settings.wechat_api_base)
    try:
        token, finding = await _token(settings, wire)
        yield finding
        if token:
            async for finding in _calls(settings, wire, {"access_token": token}):
                yield finding
    finally:
        await wire.close()
    if settings.public_url and settings.wechat_token.get_secret_value():
        yield await _callback(settings, now)


async def tell_mismatches(
    templates: tuple[Template, ...], listed: Callable[[], Awaitable[dict[str, tuple[str, ...]]]]
) -> None:
    """At start: tell the operator which templates of the settings the console has otherwise."""
    try:
        there = await listed()
    except WeChatFault as fault:
        log.warning("wechat_templates_not_checked", because=fault.code)
        return
    for line in mismatches(templates, there):
        log.error("wechat_template_mismatch", finding=line)


def _settings(settings: Settings) -> list[Finding]:
    push_token, key = settings.wechat_token.get_secret_value(), settings.wechat_encoding_aes_key.get_secret_value()
    missing = [key for key in TITLES if key not in settings.wechat_templates]
    secret = settings.wechat_secret.get_secret_value()
    return [
        Finding("WECHAT_APPID", settings.wechat_appid.startswith("wx"), "must be set, and begins with wx"),
        Finding("WECHAT_SECRET", bool(secret), "must be set: Development > Development settings > AppSecret"),
        Finding(
            "PAWSIGNAL_PUBLIC_URL",
            settings.public_url.startswith("https://"),
            "must be an https address: phones, message push and picture checks need it",
        ),
        Finding("WECHAT_TOKEN", bool(push_token), "must be set: without it no message push is taken"),
        Finding("WECHAT_ENCODING_AES_KEY", bool(key), "should be set, with the push in safe mode"),
        Finding("WECHAT_TEMPLATES", not missing, f"has no {', '.join(missing)}: these prompts stay in the inbox"),
    ]


async def _token(settings: Settings, wire: WeChatWire) -> tuple[str, Finding]:
    body = {
        "grant_type": "client_credential",
        "appid": settings.wechat_appid,
        "secret": settings.wechat_secret.get_secret_value(),
        "force_refresh": False,
    }
    try:
        return str((await wire.post("/cgi-bin/stable_token", {}, body)).get("access_token") or ""), Finding(
            "access token", True
        )
    except WireFault as fault:
        return "", Finding("access token", False, _explained(fault))


async def _calls(settings: Settings, wire: WeChatWire, query: dict[str, str]) -> AsyncIterator[Finding]:
    templates = templates_of(settings.wechat_templates, production=True)
    try:
        told = mismatches(templates, keys_by_template(await wire.get("/wxaapi/newtmpl/gettemplate", query)))
        yield Finding("subscribe templates", not told, "; ".join(told))
    except WireFault as fault:
        yield Finding("subscribe templates", False, _explained(fault))
    probe: dict[str, Any] = {"version": 2, "openid": "o" + "0" * 27, "scene": 2, "content": "你好"}
    yield await _allowed("text check", wire.post("/wxa/msg_sec_check", query, probe), {40003, 61010})
    for page in dict.fromkeys((settings.wechat_vet_page, CONFIRMATION_PAGE, *(one.page for one in templates))):
        body = {"scene": "doctor", "page": page, "env_version": settings.wechat_env_version}
        yield await _allowed(f"page {page}", wire.post_for_bytes("/wxa/getwxacodeunlimit", query, body), set())


async def _allowed(what: str, call: Awaitable[object], expected: set[int]) -> Finding:
    """Whether a call may be made; `expected` are refusals of the probe itself."""
    try:
        await call
    except Refusal as refusal:
        return Finding(what, refusal.errcode in expected, _explained(refusal))
    except WireFault as fault:
        return Finding(what, None, _explained(fault))
    return Finding(what, True)


async def _callback(settings: Settings, now: float) -> Finding:
    """Ask our own public address as the console does."""
    stamp = str(int(now))
    signature = signature_of(settings.wechat_token.get_secret_value(), stamp, NONCE)
    query = urlencode({"signature": signature, "timestamp": stamp, "nonce": NONCE, "echostr": ECHO})
    try:
        async with httpx.AsyncClient(timeout=CALLBACK_SECONDS) as client:
            answer = await client.get(f"{settings.public_url.rstrip('/')}/wechat/callback?{query}")
    except httpx.HTTPError:
        return Finding(
            "message push", False, "our own public address does not answer: is the service up, is TLS right?"
        )
    return Finding("message push", answer.text == ECHO, "our own public address does not give the echo back")


def _explained(fault: WireFault) -> str:
    if not isinstance(fault, Refusal):
        return "WeChat gives no answer from here; look at the network and WECHAT_API_BASE"
    words = EXPLAINED.get(fault.errcode, "see WeChat's list of errcodes").format(address=fault.address or "unknown")
    return f"{words} (errcode {fault.errcode}{f', rid {fault.rid}' if fault.rid else ''})"
