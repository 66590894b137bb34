"""What is pushed: an event as JSON or XML, with the switches that the field has been seen to flip."""

import json
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

NESTS = {
    "subscribe_msg_popup_event": "SubscribeMsgPopupEvent",
    "subscribe_msg_change_event": "SubscribeMsgChangeEvent",
    "subscribe_msg_sent_event": "SubscribeMsgSentEvent",
}


@dataclass
class Form:
    """How an event is written."""

    xml: bool = False
    always_array: bool = False
    nested: bool = False  # JSON with SubscribeMsg…Event.List, as XML has it
    time_as_text: bool = False
    scene_as_text: bool = False


def written(event: dict[str, Any], created: float, form: Form, to_user: str = "gh_97417a04a28d") -> bytes:
    """The bytes of an event."""
    whole: dict[str, Any] = {"ToUserName": to_user, "CreateTime": int(created), "MsgType": "event", **event}
    if form.time_as_text:
        whole["CreateTime"] = str(whole["CreateTime"])
    if form.scene_as_text and "List" in whole:
        whole["List"] = [
            {**item, "PopupScene": str(item["PopupScene"])} if "PopupScene" in item else item for item in whole["List"]
        ]
    return _xml(whole) if form.xml else _json(whole, form)


def _json(whole: dict[str, Any], form: Form) -> bytes:
    items = whole.get("List")
    if items is not None:
        listed = items if form.always_array or len(items) > 1 else items[0]
        if form.nested:
            del whole["List"]
            whole[NESTS[whole["Event"]]] = {"List": listed}
        else:
            whole["List"] = listed
    return json.dumps(whole, ensure_ascii=False).encode()


def _xml(whole: dict[str, Any]) -> bytes:
    items = whole.pop("List", None)
    inner = "".join(_element(name, value) for name, value in whole.items())
    if items is not None:
        rows = "".join(f"<List>{''.join(_element(*pair) for pair in item.items())}</List>" for item in items)
        nest = NESTS[whole["Event"]]
        inner += f"<{nest}>{rows}</{nest}>"
    return f"<xml>{inner}</xml>".encode()


def _element(name: str, value: Any) -> str:
    if isinstance(value, dict):
        return f"<{name}>{''.join(_element(*pair) for pair in value.items())}</{name}>"
    if isinstance(value, list):
        return "".join(_element(name, one) for one in value)
    if isinstance(value, int):
        return f"<{name}>{value}</{name}>"
    text = str(value)
    return f"<{name}>{escape(text)}</{name}>" if "]]>" in text else f"<{name}><![CDATA[{text}]]></{name}>"
