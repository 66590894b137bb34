"""Sign-in tokens: derived from a session's id, generation and end by HMAC, so that none is ever stored.

`<kind>.<session id>.<generation>.<expiry in Unix seconds>.<mac>`, kind `a` for access and `r` for refresh. The same
session row always gives the same pair. Values in, values out; every time here is real time.
"""

import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Literal

from miniprogram_api.faults import NotSignedIn

ACCESS_FOR = timedelta(hours=2)  # how long a stolen access token works
REFRESH_FOR = timedelta(days=30)  # an owner who opens the mini-program once a month stays signed in
PREVIOUS_FOR = timedelta(seconds=60)  # a phone that lost the answer may ask again with the token it had

TokenKind = Literal["a", "r"]


@dataclass(frozen=True, slots=True)
class Token:
    """What a valid token says. Whether its session still lives is another question."""

    kind: TokenKind
    session_id: str
    generation: int
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class TokenPair:
    """What a phone holds."""

    access_token: str
    refresh_token: str
    expires_in: int  # seconds, of the access token at the moment of its making


def pair_of(key: bytes, session_id: str, generation: int, rotated_at: datetime, expires_at: datetime) -> TokenPair:
    """The pair that belongs to this state of a session."""
    access = Token("a", session_id, generation, min(rotated_at + ACCESS_FOR, expires_at))
    refresh = Token("r", session_id, generation, expires_at)
    return TokenPair(write_token(key, access), write_token(key, refresh), int(ACCESS_FOR.total_seconds()))


def write_token(key: bytes, token: Token) -> str:
    """The text of a token."""
    stem = f"{token.kind}.{token.session_id}.{token.generation}.{int(token.expires_at.timestamp())}"
    return f"{stem}.{_mac(key, stem)}"


def read_token(key: bytes, text: str, kind: TokenKind, real_now: datetime) -> Token:
    """What the token says. Raises NotSignedIn when it is not ours, of another kind, or over."""
    stem, _, mac = text.rpartition(".")
    parts = stem.split(".")
    if len(parts) != 4 or not hmac.compare_digest(_mac(key, stem).encode(), mac.encode()):  # see above
        raise NotSignedIn()
    token = Token(kind, parts[1], int(parts[2]), datetime.fromtimestamp(int(parts[3]), UTC))
    if parts[0] != kind or token.expires_at <= real_now:
        raise NotSignedIn("登录已过期，请重新登录")
    return token


def _mac(key: bytes, stem: str) -> str:
    return urlsafe_b64encode(hmac.digest(key, stem.encode(), sha256)).decode().rstrip("=")
