"""Whatever is sent to the doors without a sign-in is refused or taken; nothing breaks, nothing refused is kept."""

import json
import random
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.container import Container
from app.database import Database
from jobs.wechat_events import work_off_events
from tests.conftest import on_sqlite
from tests.fakes.wechat import crypto
from tests.fakes.wechat.push import Emitter
from tests.fakes.wechat.world import OPENID

ODD_VALUES = (
    None,
    True,
    -1,
    10**40,
    1.5,
    "",
    "\x00",
    "\ud83d",
    "豆豆",
    "9" * 5000,
    [],
    [[]],
    {},
    {"List": [1, None, "x"]},
)
FIELDS = (
    "Event",
    "MsgId",
    "CreateTime",
    "FromUserName",
    "OpenID",
    "List",
    "RevokeInfo",
    "trace_id",
    "result",
    "errcode",
)
EVENTS = (
    "subscribe_msg_popup_event",
    "subscribe_msg_change_event",
    "subscribe_msg_sent_event",
    "wxa_media_check",
    "user_authorization_revoke",
    "user_authorization_cancellation",
    "user_info_modified",
)
ROUNDS = 60


def odd_message(source: random.Random) -> bytes:
    """A JSON object whose fields have the right names and any values."""
    fields: dict[str, Any] = {"Event": source.choice(EVENTS), "FromUserName": OPENID, "OpenID": OPENID}
    for name in source.sample(FIELDS, 4):
        fields[name] = source.choice(ODD_VALUES)
    if source.random() < 0.5:
        fields["List"] = [{"TemplateId": source.choice(ODD_VALUES), "MsgID": source.choice(ODD_VALUES)}]
    return json.dumps(fields).encode()


def spoiled(source: random.Random, body: bytes) -> bytes:
    """The same bytes with something wrong."""
    place = source.randrange(len(body) + 1)
    junk = bytes(source.randrange(256) for _ in range(source.randrange(1, 9)))
    return source.choice((body[:place], body[:place] + junk + body[place:], junk, body[::-1], body + body, b""))


async def stored(database: Database) -> int:
    async with database.read() as session:
        return int(
            (await (await session.connection()).execute(text("SELECT count(*) FROM wechat_events"))).scalar_one()
        )


async def test_signed_messages_of_any_shape_are_taken_or_refused_and_worked_off(
    app: FastAPI, emitter: Emitter, database: Database
) -> None:
    source, taken = random.Random(9), 0
    for number in range(ROUNDS):
        body = odd_message(source)
        answer = await emitter.raw(body if number % 3 else spoiled(source, body), OPENID)
        assert answer.status_code in (200, 400), (body, answer.text)
        taken += answer.status_code == 200
    assert 0 < await stored(database) <= taken
    container: Container = app.state.container
    while await work_off_events(container.event_parts()):
        pass
    async with database.read() as session:
        rows = (
            await (await session.connection()).execute(text("SELECT given_up, attempts, done_at FROM wechat_events"))
        ).all()
    assert {row.done_at is None for row in rows} <= {False, True}
    assert not [row for row in rows if row.done_at is None and row.attempts == 0]


@on_sqlite
async def test_what_is_not_signed_leaves_nothing(app: FastAPI, emitter: Emitter, database: Database) -> None:
    source = random.Random(10)
    for number in range(ROUNDS):
        stamp, nonce = str(int(emitter.world.now)), "n"
        locked = crypto.lock(emitter.key, emitter.appid, odd_message(source), b"0" * 16)
        right = crypto.digest(emitter.token, stamp, nonce, locked)
        query = {"timestamp": stamp, "nonce": nonce, "msg_signature": right, "encrypt_type": "aes"}
        body = json.dumps({"Encrypt": locked}).encode()
        match number % 4:
            case 0:
                body = spoiled(source, body[:-20])
            case 1:
                query["msg_signature"] = source.choice(("", right[:-1], right.upper(), "é" * 40, "0" * 100_0))
            case 2:
                query["timestamp"] = source.choice(("", "x", "-1", "9" * 400, "٣", stamp + "0"))
            case 3:
                query.pop(source.choice(("msg_signature", "timestamp", "nonce")))
        answer = await emitter.client.post("/wechat/callback", params=query, content=body)
        assert answer.status_code in (400, 403), (query, body, answer.text)
    assert await stored(database) == 0


BODIES: list[bytes] = [
    b"",
    b"\x00" * 100,
    b"\xff\xfe<xml/>",
    b"<xml>" * 20_000,
    b"<xml><a/></b>",
    b"[" * 100_000,
    b'{"Encrypt":' * 5_000,
    b'{"Encrypt": {"a": 1}}',
    b'{"Encrypt": "\xe8\xb1\x86"}',
    b'{"Encrypt": "\\ud83d"}',
    b'<?xml version="1.0" encoding="utf-16"?><xml/>',
    b'<?xml version="1.0" encoding="nowhere"?><xml/>',
    b"<!DOCTYPE x [" + b'<!ENTITY a "aaaa">' * 1000 + b"]><xml/>",
    b"<xml>" + b"<a>1</a>" * 20_000 + b"</xml>",
    b"x" * 3_000_000,
]


@on_sqlite
@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
@pytest.mark.parametrize("signed", [True, False])
async def test_no_body_breaks_the_callback(emitter: Emitter, database: Database, body: bytes, signed: bool) -> None:
    stamp, nonce = str(int(emitter.world.now)), "n"
    right = {
        "signature": crypto.digest(emitter.token, stamp, nonce),
        "msg_signature": crypto.digest(emitter.token, stamp, nonce, ""),
    }
    query = {"timestamp": stamp, "nonce": nonce, **(right if signed else {})}
    answer = await emitter.client.post("/wechat/callback", params=query, content=body)
    assert answer.status_code in (400, 403, 413), answer.text
    assert await stored(database) == 0


@on_sqlite
async def test_no_address_breaks_the_door_for_pictures(client: httpx.AsyncClient) -> None:
    source = random.Random(11)
    odd = ("", "0", "-1", "x", "1e9", "9" * 400, "٣", "%00", "é" * 60, "a" * 40, "../../etc/passwd", "' OR 1=1 --")
    for _ in range(ROUNDS):
        photo_id = source.choice(("x", "0198-1", "é", "a" * 300, "%2e%2e", "."))
        query = {name: source.choice(odd) for name in source.sample(("until", "sig", "other"), 2)}
        answer = await client.get(f"/media/{photo_id}", params=query)
        assert answer.status_code in (404, 422), (photo_id, query, answer.text)
