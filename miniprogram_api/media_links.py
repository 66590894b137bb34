"""Addresses at which a picture can be fetched for a while without sign-in: signed, and over after two hours."""

import hmac
from datetime import datetime, timedelta
from hashlib import sha256

LINK_LASTS = timedelta(hours=2)  # WeChat fetches within half an hour, and may try again


def media_link(key: bytes, public_url: str, photo_id: str, real_now: datetime) -> str:
    """An address of this picture that works from now on."""
    until = int((real_now + LINK_LASTS).timestamp())
    return f"{public_url.rstrip('/')}/media/{photo_id}?until={until}&sig={_signature(key, photo_id, until)}"


def may_fetch(key: bytes, photo_id: str, until: int, signature: str, real_now: datetime) -> bool:
    """Whether we made this address, and it is not over."""
    right = hmac.compare_digest(_signature(key, photo_id, until).encode(), signature.encode())
    return right and real_now.timestamp() <= until


def _signature(key: bytes, photo_id: str, until: int) -> str:
    return hmac.new(key, f"{photo_id} {until}".encode(), sha256).hexdigest()[:40]
