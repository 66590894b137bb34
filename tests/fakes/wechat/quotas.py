"""Call quotas, request ids and customer service."""

from typing import Any

from tests.fakes.wechat.answers import Refused, fine
from tests.fakes.wechat.wire_types import Call
from tests.fakes.wechat.world import World

CLEARS_A_MONTH = 10


def quota(world: World, call: Call) -> dict[str, Any]:
    """How often an endpoint was called."""
    path = str(call.json().get("cgi_path", ""))
    used = world.calls(path)
    return fine(quota={"daily_limit": 10_000_000, "used": used, "remain": 10_000_000 - used})


def clear_quota(world: World, _call: Call) -> dict[str, Any]:
    """Ten times a month."""
    world.counters["clears"] += 1
    if world.counters["clears"] > CLEARS_A_MONTH:
        raise Refused(48001)
    return fine()


def request_of(world: World, call: Call) -> dict[str, Any]:
    """What a rid stands for."""
    return fine(request={"invoke_time": int(world.now), "rid": str(call.json().get("rid", ""))})


def custom_message(_world: World, _call: Call) -> dict[str, Any]:
    """Nobody has written to this account within 48 hours."""
    raise Refused(45015)
