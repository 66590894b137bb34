"""Reading what WeChat pushes: signatures, encryption, XML and JSON, and fields that come in every shape."""

import base64
from typing import Any

import pytest

from domain.wechat_messages import PushedMessage, number_of, text_of
from miniprogram_api.wechat_bodies import UnreadableBody, read_body
from miniprogram_api.wechat_crypto import BadPush, PushKey, check_signature, signature_of
from tests import golden_pushes as golden
from tests.fakes.wechat import crypto
from tests.fakes.wechat.events import Form, written

KEY = PushKey(golden.KEY, golden.APPID)
POPUP = {
    "Event": "subscribe_msg_popup_event",
    "FromUserName": "o-1",
    "List": [{"TemplateId": "t", "SubscribeStatusString": "accept", "PopupScene": 0}],
}


@pytest.mark.parametrize(("stamps", "expected"), golden.SIGNATURES)
def test_signatures_are_those_of_the_manual(stamps: tuple[str, str], expected: str) -> None:
    assert signature_of(golden.TOKEN, *stamps) == expected
    with pytest.raises(BadPush):
        check_signature(expected, golden.TOKEN, *stamps, "more")


def test_encryption_is_that_of_the_manual() -> None:
    assert KEY.open(golden.INCOMING) == golden.INCOMING_MESSAGE
    assert KEY.seal(golden.OUTGOING_MESSAGE, golden.OUTGOING_PREFIX) == golden.OUTGOING
    assert signature_of(golden.TOKEN, *golden.INCOMING_AT, golden.INCOMING) == golden.INCOMING_SIGNATURE
    assert signature_of(golden.TOKEN, *golden.OUTGOING_AT, golden.OUTGOING) == golden.OUTGOING_SIGNATURE


@pytest.mark.parametrize("length", range(0, 70, 3))
def test_every_length_comes_back(length: int) -> None:
    message = b"x" * length
    assert KEY.open(crypto.lock(golden.KEY, golden.APPID, message, b"r" * 16)) == message


@pytest.mark.parametrize(
    "spoiled",
    [
        "",
        "no base64!",
        golden.INCOMING[:-5],
        base64.b64encode(b"x" * 32).decode(),
        crypto.lock(golden.KEY, "wxsomebodyelse", b"{}", b"r" * 16),
        crypto.lock(golden.KEY, golden.APPID, b"{}", b"r" * 16, lambda padded: padded[:-1] + b"\x21"),
        crypto.lock(golden.KEY, golden.APPID, b"{}", b"r" * 16, lambda padded: padded[:-1] + b"\x00"),
        crypto.lock(golden.KEY, golden.APPID, b"{}", b"r" * 16, lambda padded: padded[:16] + b"\xff" + padded[17:]),
        crypto.lock(golden.KEY, golden.APPID, b"{}", b"r" * 16, lambda _padded: b"\x20" * 32),
    ],
)
def test_what_is_damaged_or_for_another_app_is_refused(spoiled: str) -> None:
    with pytest.raises(BadPush):
        KEY.open(spoiled)


@pytest.mark.parametrize("text", ["A" * 42, "A" * 44, "?" * 43, ""])
def test_a_key_has_43_letters(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        PushKey(text, golden.APPID)


@pytest.mark.parametrize(
    "form",
    [
        Form(xml=True),
        Form(),
        Form(always_array=True),
        Form(nested=True),
        Form(time_as_text=True, scene_as_text=True),
    ],
)
@pytest.mark.parametrize("count", [1, 2])
def test_an_event_reads_the_same_in_every_form(form: Form, count: int) -> None:
    item = POPUP["List"][0]
    event: dict[str, Any] = {**POPUP, "List": [{**item, "TemplateId": f"t-{number}"} for number in range(count)]}  # type: ignore[dict-item]  # a dict of the table
    message = PushedMessage(read_body(written(event, 1_780_000_000, form)))
    plain = PushedMessage(read_body(written(event, 1_780_000_000, Form())))
    assert (message.kind, message.openid) == ("subscribe_msg_popup_event", "o-1")
    assert [text_of(item, "templateid") for item in message.items] == [f"t-{number}" for number in range(count)]
    assert number_of(message.items[0], "PopupScene") == 0
    assert message.made_at == plain.made_at is not None
    assert message.dedupe_key == plain.dedupe_key


BILLION = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><xml><A>&a;</A></xml>'


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"1",
        b"{",
        b"<xml>",
        b"<xml>text</xml>",
        BILLION,
        b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><xml><A>1</A></xml>',
        b"<a>" * 50 + b"</a>" * 50,
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_what_is_no_message_is_refused(body: bytes) -> None:
    with pytest.raises(UnreadableBody):
        read_body(body)


@pytest.mark.parametrize(
    ("fields", "same"),
    [
        ({"Event": "a", "FromUserName": "o", "CreateTime": 1}, True),
        ({"Event": "a", "FromUserName": "o", "CreateTime": "1"}, True),
        ({"Event": "A", "fromusername": "o", "createtime": "1"}, True),
        ({"Event": "b", "FromUserName": "o", "CreateTime": 1}, False),
        ({"Event": "a", "FromUserName": "p", "CreateTime": 1}, False),
        ({"Event": "a", "FromUserName": "o", "CreateTime": 2}, False),
    ],
)
def test_repetitions_are_known(fields: dict[str, Any], same: bool) -> None:
    first = PushedMessage({"Event": "a", "FromUserName": "o", "CreateTime": 1})
    assert (PushedMessage(fields).dedupe_key == first.dedupe_key) is same


@pytest.mark.parametrize(
    "fields", [{}, {"List": "x"}, {"List": [1, None]}, {"CreateTime": "soon"}, {"Event": {"x": 1}}]
)
def test_missing_and_odd_fields_are_lived_with(fields: dict[str, Any]) -> None:
    message = PushedMessage(fields)
    assert (message.items, message.made_at, message.openid) == ([], None, "")
    assert message.dedupe_key


def test_the_person_of_a_privacy_event_is_not_its_sender() -> None:
    event = {"Event": "user_authorization_cancellation", "FromUserName": "gh_platform", "openid": "o-1"}
    assert PushedMessage(event).openid == "o-1"
    assert PushedMessage({**event, "openid": ""}).openid == ""
