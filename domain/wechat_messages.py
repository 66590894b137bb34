"""What WeChat pushes to us, read leniently: names differ in case, numbers come as text, one item is no list.

Values in, values out; nothing here trusts that a field is there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

POPUP = "subscribe_msg_popup_event"
CHANGE = "subscribe_msg_change_event"
SENT = "subscribe_msg_sent_event"
MEDIA = "wxa_media_check"
REVOKED = "user_authorization_revoke"
CANCELLED = "user_authorization_cancellation"

_NESTS = ("SubscribeMsgPopupEvent", "SubscribeMsgChangeEvent", "SubscribeMsgSentEvent")


@dataclass(frozen=True, slots=True)
class PushedMessage:
    """One message or event. `fields` as they came."""

    fields: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """The event's name in lower case, or `message` for what a person wrote."""
        return text_of(self.fields, "Event").lower() or "message"

    @property
    def openid(self) -> str:
        """Whom it is about. In the privacy events `FromUserName` is the platform."""
        return text_of(self.fields, "OpenID") if self.is_about_privacy else text_of(self.fields, "FromUserName")

    @property
    def is_about_privacy(self) -> bool:
        """Whether a person withdraws something."""
        return self.kind in (REVOKED, CANCELLED, "user_info_modified")

    @property
    def made_at(self) -> datetime | None:
        """When it happened, as WeChat tells; None when it does not."""
        seconds = number_of(self.fields, "CreateTime")
        return datetime.fromtimestamp(seconds, UTC) if seconds and 0 < seconds < 1 << 33 else None

    @property
    def items(self) -> list[Mapping[str, Any]]:
        """The entries of a subscribe event."""
        holders = [self.fields, *(value for name in _NESTS if isinstance(value := _get(self.fields, name), Mapping))]
        for holder in holders:
            found = _get(holder, "List")
            if found is not None:
                return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, Mapping)]
        return []

    @property
    def dedupe_key(self) -> str:
        """The same for every delivery of the same message. A hash: it would hold an openid."""
        return sha256("\n".join(self._identity()).encode()).hexdigest()

    def _identity(self) -> list[str]:
        if msgid := text_of(self.fields, "MsgId"):
            return ["message", msgid]
        if self.kind == MEDIA and (trace_id := text_of(self.fields, "trace_id")):
            return [MEDIA, trace_id]
        if self.kind == SENT and (msgids := [text_of(item, "MsgID") for item in self.items]):
            return [SENT, *sorted(msgids)]
        told = sorted(f"{text_of(item, 'TemplateId')} {text_of(item, 'SubscribeStatusString')}" for item in self.items)
        return [self.kind, self.openid, text_of(self.fields, "CreateTime"), text_of(self.fields, "RevokeInfo"), *told]


def text_of(fields: Mapping[str, Any], name: str) -> str:
    """A field as text, whatever case its name has; "" when it is missing or no plain value."""
    value = _get(fields, name)
    return str(value).strip() if isinstance(value, str | int | float) else ""


def number_of(fields: Mapping[str, Any], name: str) -> int | None:
    """A field as a whole number; None when it is none."""
    text = text_of(fields, name)
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 20 else None


def _get(fields: Mapping[str, Any], name: str) -> Any:
    if name in fields:
        return fields[name]
    return next((value for key, value in fields.items() if key.lower() == name.lower()), None)
