"""Both families of access tokens. Refreshing one does not touch the other."""

from typing import Any

from tests.fakes.wechat.answers import Refused
from tests.fakes.wechat.wire_types import Call
from tests.fakes.wechat.world import Token, World

LIFE = 7200.0
OVERLAP = 300.0  # both the old and the new one work this long
FORCE_EVERY, FORCE_A_DAY = 30.0, 20
DAILY_TOKENS = 2000  # of the plain family


def plain_token(world: World, call: Call) -> dict[str, Any]:
    """A new token each time; the one before dies five minutes later."""
    _check_app(world, call, call.query, "client_credential")
    world.counters["plain_tokens"] += 1
    if world.counters["plain_tokens"] > DAILY_TOKENS:
        raise Refused(45009)
    return _told(world, _replaced(world, "plain", OVERLAP))


def stable_token(world: World, call: Call) -> dict[str, Any]:
    """The same token until its last five minutes; a forced one kills it at once."""
    if call.method != "POST":
        raise Refused(43002)
    body = call.json()
    _check_app(world, call, body, "client_credential")
    world.counters["stable_tokens"] += 1
    current = _current(world, "stable")
    if body.get("force_refresh"):
        today = [at for at in world.forced if world.now - at < 86_400]
        if len(today) < FORCE_A_DAY and (not today or world.now - today[-1] >= FORCE_EVERY):
            world.forced.append(world.now)
            return _told(world, _replaced(world, "stable", 0.0))
    if current is not None and world.tokens[current].ends - world.now > OVERLAP:
        return _told(world, current)
    return _told(world, _replaced(world, "stable", OVERLAP))


def check_token(world: World, text: str | None) -> None:
    """Refuses a token that does not work now."""
    if not text:
        raise Refused(41001)
    if len(text) < 20:
        raise Refused(40014)
    token = world.tokens.get(text)
    if token is None:
        raise Refused(40001)
    if token.ends <= world.now:
        raise Refused(42001)
    if token.dead_at is not None and token.dead_at <= world.now:
        raise Refused(40001)


def _check_app(world: World, call: Call, given: dict[str, Any], grant: str) -> None:
    if given.get("grant_type") != grant:
        raise Refused(40002)
    if not given.get("appid"):
        raise Refused(41002)
    if not given.get("secret"):
        raise Refused(41004)
    app = world.apps.get(str(given["appid"]))
    if app is None:
        raise Refused(40013)
    if app.secret != given["secret"]:
        raise Refused(40125)
    if app.frozen:
        raise Refused(40243 if call.method == "GET" else 50002)
    if app.whitelist is not None and call.peer not in app.whitelist:
        raise Refused(40164, f"invalid ip {call.peer} ipv6 ::ffff:{call.peer}, not in whitelist")


def _current(world: World, family: str) -> str | None:
    live = [
        text
        for text, token in world.tokens.items()
        if token.family == family and token.dead_at is None and token.ends > world.now
    ]
    return live[-1] if live else None


def _replaced(world: World, family: str, overlap: float) -> str:
    for token in world.tokens.values():
        if token.family == family:
            token.dead_at = min(token.dead_at or world.now + overlap, world.now + overlap)
    text = f"{len(world.tokens)}_{world.word(134)}"
    world.tokens[text] = Token(family, world.now, world.now + LIFE)
    return text


def _told(world: World, text: str) -> dict[str, Any]:
    return {"access_token": text, "expires_in": int(world.tokens[text].ends - world.now)}
