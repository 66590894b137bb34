"""Subscribe messages: what is checked, in which order, what a send uses up, and what is told afterwards."""

from typing import Any

from tests.fakes.wechat.answers import Refused, fine
from tests.fakes.wechat.field_rules import acceptable, type_of
from tests.fakes.wechat.wire_types import Call
from tests.fakes.wechat.world import Sent, Template, World

SENT_EVENT_AFTER = 1.0  # seconds
FIRST_MSGID = 1_316_263_177_503_703_040  # beyond what a JavaScript number holds


def send(world: World, call: Call) -> dict[str, Any]:
    """One send; a refused one uses nothing up."""
    body = call.json()
    openid = str(body.get("touser", ""))
    person = world.people.get(openid)
    if person is None or person.appid != call.appid:
        raise Refused(40003)
    template = world.templates.get(str(body.get("template_id", "")))
    if template is None:
        raise Refused(40037)
    _check_page(world, body)
    values = _checked(world, template, body.get("data"))
    with world.flying(openid) as alone:
        if not alone:
            raise Refused(43108)
        if world.quota[(openid, template.id)] < 1:
            raise Refused(43101)
        if template.banned:
            raise Refused(43107)
        return _delivered(world, openid, template, values, body.get("page"))


def templates(world: World, _call: Call) -> dict[str, Any]:
    """What the console lists."""
    rows = [
        {
            "priTmplId": one.id,
            "title": one.title,
            "content": "".join(f"字段:{{{{{key}.DATA}}}}\n" for key in one.keys),
            "example": "",
            "type": one.type,
            "keywordEnumValueList": [
                {"keywordCode": f"{key}.DATA", "enumValueList": values} for key, values in one.enums.items()
            ],
        }
        for one in world.templates.values()
    ]
    return fine(data=rows)


def answer_popup(world: World, openid: str, results: dict[str, str]) -> None:
    """The person answers a subscription popup: an accept is one more send."""
    items = []
    for template_id, result in results.items():
        world.quota[(openid, template_id)] += result == "accept"
        items.append({"TemplateId": template_id, "SubscribeStatusString": result, "PopupScene": 0})
    world.later(0, {"Event": "subscribe_msg_popup_event", "FromUserName": openid, "List": items})


def switch_off(world: World, openid: str, template_id: str) -> None:
    """The person turns a template off in the settings."""
    world.quota[(openid, template_id)] = 0
    item = {"TemplateId": template_id, "SubscribeStatusString": "reject"}
    world.later(0, {"Event": "subscribe_msg_change_event", "FromUserName": openid, "List": [item]})


def _check_page(world: World, body: dict[str, Any]) -> None:
    page = str(body.get("page") or "").partition("?")[0]
    if page and page not in world.pages:
        raise Refused(41030)


def _checked(world: World, template: Template, data: Any) -> dict[str, str]:
    if not isinstance(data, dict):
        raise Refused(47003, "argument invalid! data")
    values: dict[str, str] = {}
    for key in template.keys:
        given = data.get(key)
        value = given.get("value") if isinstance(given, dict) else None
        if not isinstance(value, str) or not value:
            raise Refused(47003, f"argument invalid! data.{key}.value is emtpy")
        if not acceptable(key, value, template.enums.get(key)):
            raise Refused(47003, f"argument invalid! data.{key}.value invalid")
        values[key] = value
    said = "".join(value for key, value in values.items() if type_of(key) in ("thing", "name", "phrase"))
    if any(word in said for word in world.sensitive_words):
        raise Refused(45168)
    return values


def _delivered(world: World, openid: str, template: Template, values: dict[str, str], page: Any) -> dict[str, Any]:
    world.quota[(openid, template.id)] -= 1
    world.counters["messages"] += 1
    msgid = FIRST_MSGID + world.counters["messages"]
    world.sent.append(Sent(openid, template.id, values, msgid, page, world.now))
    item = {"TemplateId": template.id, "MsgID": str(msgid), "ErrorCode": "0", "ErrorStatus": "success"}
    world.later(SENT_EVENT_AFTER, {"Event": "subscribe_msg_sent_event", "FromUserName": openid, "List": [item]})
    return fine(msgid=msgid)
