"""Whether a link opens: guesses of links are slowed down, passcodes asked for, link previews told nothing.

A link preview (or a crawler) gets a page without any data and leaves no trace, so it neither uses a link up nor fills
the owner's access log. Who shows the right passcode carries a signed cookie for this one link.
"""

import hmac
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from fastapi import Request
from fastapi.responses import Response

from domain.errors import DomainFault
from domain.share_tries import try_passcode
from domain.shares import UnknownShare, VetShare, live_share
from memory.scope import Scope
from miniprogram_api.faults import PasscodeNeeded
from miniprogram_api.parts import Parts, parts_of

PASSCODE_HEADER = "X-Vet-Passcode"
COOKIE = "vet_pass"
COOKIE_LIFE = timedelta(hours=12)  # a shift at the clinic
MAX_TOKEN = 64  # characters; ours have 24

_PREVIEWS = re.compile(
    r"(?<!cu)bot\b|bot/|crawl|spider|slurp|preview|facebookexternalhit|embedly|whatsapp|telegram|discord|skype|"
    r"linkedin|pinterest|vkshare|iframely|mattermost|bingpreview|wechatbot|yisouspider|bytespider|headless.*lighthouse",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Opened:
    """A share that opens, and the scope of the owner who made it. passed: the passcode has been shown (or none is)."""

    share: VetShare
    scope: Scope
    passed: bool


async def find_share(request: Request, token: str, real_now: datetime) -> Opened:
    """The live share of a token. Raises UnknownShare, TooManyRequests."""
    parts = parts_of(request)
    address = f"vet:{request.client.host if request.client else ''}"
    parts.vet_limits.check(address)
    try:
        opened = await _find(parts, token, request, real_now)
    except UnknownShare:
        parts.vet_limits.take(address)
        raise
    parts.rate_limits.take(f"share:{opened.share.id}")
    return opened


async def open_share(request: Request, token: str, real_now: datetime) -> Opened:
    """The same, the passcode asked for where there is one. Raises also PasscodeNeeded, WrongPasscode, TooManyTries."""
    opened = await find_share(request, token, real_now)
    if opened.passed:
        return opened
    given = request.headers.get(PASSCODE_HEADER)
    if given is None:
        raise PasscodeNeeded()
    await try_passcode(parts_of(request).transactions, opened.share, given, real_now)
    return opened


async def check_passcode(request: Request, token: str, given: str, real_now: datetime) -> Opened:
    """Try a passcode typed into the page. An unknown link takes as long as a wrong passcode. Raises as above."""
    transactions = parts_of(request).transactions
    try:
        opened = await find_share(request, token, real_now)
    except UnknownShare as unknown:
        try:
            await try_passcode(transactions, None, given, real_now)
        except DomainFault:
            raise unknown from None
        raise
    if opened.share.passcode_hash is not None:
        await try_passcode(transactions, opened.share, given, real_now)
    return opened


def let_in(request: Request, answer: Response, opened: Opened, real_now: datetime) -> None:
    """Give the browser the cookie that stands for the passcode, on this link only."""
    ends = min(opened.share.expires_at, real_now + COOKIE_LIFE)
    seconds = int(ends.timestamp())
    answer.set_cookie(
        COOKIE,
        f"{seconds}.{_signature(parts_of(request), opened.share, seconds)}",
        max_age=max(0, seconds - int(real_now.timestamp())),
        path=request.url.path,
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def is_link_preview(request: Request) -> bool:
    """Whether this is a program that looks at links for others, not a person's browser."""
    purpose = request.headers.get("purpose", "") + request.headers.get("sec-purpose", "")
    agent = request.headers.get("user-agent", "")
    return request.method == "HEAD" or "prefetch" in purpose or _PREVIEWS.search(agent) is not None


def client_of(request: Request) -> str:
    """A coarse word for the device: 手机 · 微信, 电脑 · Chrome. No version, no address."""
    agent = request.headers.get("user-agent", "")
    device = "手机" if re.search(r"Mobile|Android|iPhone", agent) else "平板" if "iPad" in agent else "电脑"
    names = (("MicroMessenger", "微信"), ("Edg", "Edge"), ("Firefox", "Firefox"), ("Chrome", "Chrome"))
    found = next((name for word, name in names if word in agent), None)
    if found is None and "Safari" in agent:
        found = "Safari"
    return f"{device} · {found}" if found else "程序"


async def _find(parts: Parts, token: str, request: Request, real_now: datetime) -> Opened:
    async with parts.transactions.quick_read() as quick:
        share, scope = await live_share(quick, token[:MAX_TOKEN], real_now)
    return Opened(share, scope, share.passcode_hash is None or _has_passed(request, parts, share, real_now))


def _has_passed(request: Request, parts: Parts, share: VetShare, real_now: datetime) -> bool:
    ends, _, signature = request.cookies.get(COOKIE, "").partition(".")
    if not ends.isdecimal() or not ends.isascii() or len(ends) > 12 or int(ends) < real_now.timestamp():
        return False
    return hmac.compare_digest(signature.encode(), _signature(parts, share, int(ends)).encode())


def _signature(parts: Parts, share: VetShare, ends: int) -> str:
    told = f"vet-pass:{share.id}:{share.passcode_hash}:{ends}"
    return hmac.new(parts.keys.shares, told.encode(), sha256).hexdigest()
