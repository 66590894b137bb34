"""The message push of WeChat: checked, stored, answered `success`; the work comes later.

With an EncodingAESKey only what is encrypted counts (in compat mode the plain fields are ignored): the signature of a
plain push does not cover its body. Without one only plain pushes can be read.
"""

import json
from datetime import datetime, timedelta

import structlog
from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from domain.wechat import WeChatNotConfigured
from domain.wechat_events import event_row
from domain.wechat_messages import PushedMessage, text_of
from miniprogram_api.clock import RealNow
from miniprogram_api.faults import BodyUnreadable, PushRefused
from miniprogram_api.parts import Parts, parts_of
from miniprogram_api.wechat_bodies import UnreadableBody, read_body
from miniprogram_api.wechat_crypto import BadPush, check_signature

log = structlog.get_logger(__name__)

router = APIRouter(prefix="/wechat/callback", include_in_schema=False)

TAKEN = "success"  # what WeChat wants to hear; anything else and it sends again
STALE_AFTER = timedelta(days=1)  # of a signature: repetitions and verdicts on media are late by an hour at most


@router.get("")
async def verify(request: Request, real_now: RealNow) -> PlainTextResponse:
    """The check of the console: the echo comes back as it is when the signature is right."""
    _check(parts_of(request), request, "signature", real_now)
    return PlainTextResponse(request.query_params.get("echostr", ""))


@router.post("")
async def receive(request: Request, real_now: RealNow) -> PlainTextResponse:
    """Store one message or event."""
    parts = parts_of(request)
    message = _message(parts, request, await request.body(), real_now)
    sealed = parts.keys.seal(json.dumps(dict(message.fields), ensure_ascii=False))
    await parts.events.store(event_row(message.dedupe_key, message.kind, sealed, real_now))
    return PlainTextResponse(TAKEN)


def _message(parts: Parts, request: Request, body: bytes, real_now: datetime) -> PushedMessage:
    """What was pushed. Raises PushRefused, BodyUnreadable."""
    options = parts.options.push
    if options is None:
        raise WeChatNotConfigured()
    try:
        if options.key is None:
            _check(parts, request, "signature", real_now)
            return PushedMessage(read_body(body))
        encrypted = text_of(read_body(body), "Encrypt")
        _check(parts, request, "msg_signature", real_now, encrypted)
        return PushedMessage(read_body(options.key.open(encrypted)))
    except BadPush as bad:
        log.warning("wechat_push_refused", reason=str(bad))
        raise PushRefused() from None
    except UnreadableBody:
        raise BodyUnreadable() from None


def _check(parts: Parts, request: Request, name: str, real_now: datetime, *signed: str) -> None:
    """Raises PushRefused unless WeChat signed this lately, WeChatNotConfigured without a token."""
    options, query = parts.options.push, request.query_params
    if options is None:
        raise WeChatNotConfigured()
    stamp, nonce = query.get("timestamp", ""), query.get("nonce", "")
    try:
        check_signature(query.get(name, ""), options.token, stamp, nonce, *signed)
    except BadPush as bad:
        log.warning("wechat_push_refused", reason=str(bad))
        raise PushRefused() from None
    if not stamp.isdecimal() or abs(real_now.timestamp() - int(stamp[:12])) > STALE_AFTER.total_seconds():
        log.warning("wechat_push_refused", reason="the signature is old")
        raise PushRefused()
