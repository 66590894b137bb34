"""Text and media checks. A risky text is an answer, not an error: errcode stays 0."""

from typing import Any

from tests.fakes.wechat.answers import Refused, fine
from tests.fakes.wechat.wire_types import Call
from tests.fakes.wechat.world import World

MAX_CONTENT = 2500
VISIT_SECONDS = 7200.0
MEDIA_SECONDS = 60.0
WORST = ("pass", "review", "risky")


def check_text(world: World, call: Call) -> dict[str, Any]:
    r"""Keywords decide; a body with \u escapes always passes, as in the field."""
    body = call.json()
    if body.get("version") != 2:
        raise Refused(40097)
    if body.get("scene") not in (1, 2, 3, 4):
        raise Refused(40129)
    content = body.get("content")
    if not content or not isinstance(content, str):
        raise Refused(44002)
    if len(content) > MAX_CONTENT:
        raise Refused(47001)
    _check_visit(world, call, str(body.get("openid", "")))
    suggest, label = ("pass", 100) if call.escaped else _verdict(world, content)
    world.counters["texts_checked"] += 1
    return fine(
        result={"suggest": suggest, "label": label},
        detail=[
            {"strategy": "content_model", "errcode": 0, "suggest": suggest, "label": label, "prob": 90},
            {"strategy": "keyword", "errcode": -1},
        ],
        trace_id=_trace(world),
    )


def check_media(world: World, call: Call) -> dict[str, Any]:
    """The verdict comes later as an event."""
    body = call.json()
    if body.get("version") != 2 or body.get("media_type") not in (1, 2):
        raise Refused(40004 if body.get("version") == 2 else 40097)
    address = str(body.get("media_url", ""))
    _check_visit(world, call, str(body.get("openid", "")))
    if any(one["media_url"] == address for one in world.media.values()):
        raise Refused(87020)
    trace_id = _trace(world)
    world.media[trace_id] = body
    event: dict[str, Any] = {"Event": "wxa_media_check", "FromUserName": body["openid"], "appid": call.appid}
    event |= {"trace_id": trace_id, "version": 2}
    if address in world.unreachable:
        event |= {"errcode": -1008, "errmsg": "download failed"}
    else:
        risky = address in world.bad_images
        suggest = {"suggest": "risky" if risky else "pass", "label": 20002 if risky else 100}
        event |= {"errcode": 0, "errmsg": "ok", "result": suggest}
        event["detail"] = [{"strategy": "content_model", "errcode": 0, **suggest, "prob": 90}]
    world.later(MEDIA_SECONDS, event)
    return fine(trace_id=trace_id)


def _check_visit(world: World, call: Call, openid: str) -> None:
    person = world.people.get(openid)
    if person is None:
        raise Refused(40003)
    if person.appid != call.appid:
        raise Refused(43104)
    if person.last_visit is None or world.now - person.last_visit > VISIT_SECONDS:
        raise Refused(61010)


def _verdict(world: World, content: str) -> tuple[str, int]:
    found = [verdict for word, verdict in world.banned_words.items() if word in content]
    return max(found, key=lambda verdict: WORST.index(verdict[0]), default=("pass", 100))


def _trace(world: World) -> str:
    return f"{world.word(8, '0123456789abcdef')}-{world.word(8, '0123456789abcdef')}"
