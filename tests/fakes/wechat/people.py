"""Signing in, session keys, phone numbers and risk ranks."""

import base64
import hashlib
import hmac
from typing import Any

from tests.fakes.wechat.answers import Refused, fine
from tests.fakes.wechat.wire_types import Call, Text
from tests.fakes.wechat.world import World

CODE_SECONDS = 300.0


def code2session(world: World, call: Call) -> Text:
    """No errcode in a success, and `text/plain` for all of it."""
    if call.method != "GET":
        raise Refused(41002)
    for name, missing in (("appid", 41002), ("secret", 41004), ("js_code", 41008)):
        if not call.query.get(name):
            raise Refused(missing)
    app = world.apps.get(call.query["appid"])
    if app is None:
        raise Refused(40013)
    if app.secret != call.query["secret"]:
        raise Refused(40125)
    person = world.people[_spent(world, call.query["js_code"], "login", app.appid)]
    if person.blocked:
        raise Refused(40226)
    person.session_key = base64.b64encode(world.random.randbytes(16)).decode()
    world.visit(person.openid)
    answer = {"openid": person.openid, "session_key": person.session_key}
    return Text({**answer, "unionid": person.unionid} if app.bound else answer)


def check_session(world: World, call: Call) -> dict[str, Any]:
    """The signature is an HMAC of nothing under the session key."""
    person = world.people.get(call.query.get("openid", ""))
    if person is None:
        raise Refused(40003)
    made = hmac.new((person.session_key or "").encode(), b"", hashlib.sha256).hexdigest()
    if call.query.get("signature") != made:
        raise Refused(87009)
    return fine()


def phone_number(world: World, call: Call) -> dict[str, Any]:
    """The code counts only in the body, and only a phone code."""
    body = call.json()
    person = world.people[_spent(world, str(body.get("code", "")), "phone", call.appid, used=40029)]
    world.counters["phone_billed"] += 1
    country: Any = 86 if world.counters["phone_billed"] % 2 else "86"
    info = {
        "phoneNumber": person.phone,
        "purePhoneNumber": person.phone,
        "countryCode": country,
        "watermark": {"timestamp": int(world.now), "appid": call.appid},
    }
    return fine(phone_info=info)


def risk_rank(world: World, call: Call) -> dict[str, Any]:
    """0 is no risk, 4 the highest."""
    person = world.people.get(str(call.json().get("openid", "")))
    if person is None:
        raise Refused(40003)
    return fine(risk_rank=person.risk)


def _spent(world: World, text: str, kind: str, appid: str, used: int = 40163) -> str:
    """Use a code up; whose it was."""
    code = world.codes.get(text)
    if code is None or code.kind != kind or code.appid != appid or world.now - code.issued > CODE_SECONDS:
        raise Refused(40029)
    if code.used:
        raise Refused(used)
    code.used = True
    return code.openid
