"""The message push: what is taken, what is refused, and what follows from each event."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlmodel import col, select

from app.container import Container
from app.database import Database
from domain.inbox import InboxMessage, notify
from domain.owners import Owner as OwnerRow
from domain.pushes import Push, PushState
from domain.wechat_events import WeChatEvent
from jobs.push_inbox import push_inbox
from jobs.wechat_events import work_off_events
from tests.factories import Owner, problem
from tests.fakes.phone import say
from tests.fakes.wechat import subscribe
from tests.fakes.wechat.events import Form, written
from tests.fakes.wechat.push import Emitter
from tests.fakes.wechat.server import FakeWeChat
from tests.fakes.wechat.world import OPENID, TEMPLATE_IDS

REMINDER = TEMPLATE_IDS["reminder"]
HELLO = {"MsgType": "text", "MsgId": 22_841_234_567_890_123, "FromUserName": OPENID, "Content": "你好"}


def container_of(app: FastAPI) -> Container:
    container: Container = app.state.container
    return container


async def work_off(app: FastAPI) -> int:
    return await work_off_events(container_of(app).event_parts())


async def stored(database: Database) -> list[Any]:
    async with database.read() as session:
        return [*await (await session.connection()).execute(text("SELECT * FROM wechat_events"))]


async def left_of(owner: Owner, template_id: str = REMINDER) -> int:
    rows = (await owner.get("/subscriptions/templates"))["items"]
    return int(next(row["remaining"] for row in rows if row["template_id"] == template_id))


async def test_the_consoles_check_gets_its_echo_back(emitter: Emitter) -> None:
    answer = await emitter.verify()
    assert (answer.status_code, answer.text) == (200, "4375120948345356249")
    assert answer.headers["content-type"].startswith("text/plain")
    assert problem(await emitter.verify(token="another")) == (403, "push_refused")


@pytest.mark.parametrize("mode", ["safe", "compat"])
@pytest.mark.parametrize("xml", [False, True])
async def test_encrypted_pushes_are_taken_and_only_stored(
    emitter: Emitter, database: Database, mode: str, xml: bool
) -> None:
    emitter.mode, emitter.form = mode, Form(xml=xml)
    assert await emitter.push(HELLO)
    (row,) = await stored(database)
    assert row.kind == "message"
    assert "你好" not in str(row)
    assert OPENID not in str(row)


async def test_a_plain_push_is_refused_where_a_key_is_set(emitter: Emitter, database: Database) -> None:
    emitter.mode = "plain"
    assert problem(await emitter.raw(written(dict(HELLO), emitter.world.now, Form()), OPENID)) == (403, "push_refused")
    assert await stored(database) == []


@pytest.mark.parametrize("xml", [False, True])
async def test_a_plain_push_is_taken_where_none_is_set(
    app: FastAPI, emitter: Emitter, database: Database, xml: bool
) -> None:
    options = container_of(app).options
    assert options.push is not None
    object.__setattr__(options.push, "key", None)
    emitter.mode, emitter.form = "plain", Form(xml=xml)
    assert await emitter.push(HELLO)
    assert len(await stored(database)) == 1


BAD: list[dict[str, Any]] = [
    {"msg_signature": "0" * 40},
    {"msg_signature": "f" * 39},
    {"appid": "wxsomebodyelse"},
    {"spoil": lambda padded: padded[:-1] + b"\x00"},
    {"spoil": lambda padded: padded[:16] + b"\xff" + padded[17:]},
    {"change": lambda sealed: sealed[:-7]},
]


@pytest.mark.parametrize("bad", BAD)
async def test_what_wechat_did_not_make_is_refused(emitter: Emitter, database: Database, bad: dict[str, Any]) -> None:
    answer = await emitter.raw(written(dict(HELLO), emitter.world.now, Form()), OPENID, **bad)
    assert problem(answer) == (403, "push_refused")
    assert await stored(database) == []


async def test_an_old_signature_is_refused_and_a_late_one_is_not(emitter: Emitter) -> None:
    emitter.world.now -= 1800
    assert await emitter.push(HELLO)
    emitter.world.now -= 2 * 86_400
    assert not await emitter.push({**HELLO, "MsgId": 1})


XXE = b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><xml><Event>&e;</Event></xml>'


async def test_dangerous_and_huge_bodies_are_refused(emitter: Emitter, database: Database) -> None:
    emitter.form = Form(xml=True)
    assert (await emitter.raw(XXE)).status_code == 400
    assert (await emitter.raw(b"<xml><A>" + b"x" * 2_000_000 + b"</A></xml>")).status_code == 413
    assert await stored(database) == []


async def test_the_same_push_many_times_at_once_is_stored_once(emitter: Emitter, database: Database) -> None:
    assert all(await asyncio.gather(*(emitter.push(HELLO) for _ in range(8))))
    assert len(await stored(database)) == 1


async def test_unknown_events_and_missing_fields_are_taken_and_forgotten(
    app: FastAPI, emitter: Emitter, database: Database
) -> None:
    for event in ({"Event": "something_new"}, {"Event": "user_info_modified"}, {"Event": "wxa_media_check"}, {}):
        assert await emitter.push(event)
    assert await work_off(app) == 4
    assert {row.sealed for row in await stored(database)} == {None}


async def test_one_tap_counts_once_however_it_is_told(
    app: FastAPI, owner: Owner, fake: FakeWeChat, emitter: Emitter
) -> None:
    subscribe.answer_popup(fake.world, OPENID, {REMINDER: "accept"})
    (event,) = fake.world.due()
    for _ in range(3):
        await emitter.push(event)
    await work_off(app)
    await owner.post("/subscriptions/grants", {"results": {REMINDER: "accept"}})
    assert await left_of(owner) == 1
    await emitter.push(event)
    await work_off(app)
    assert await left_of(owner) == 1


async def test_switching_off_empties_the_ledger(app: FastAPI, owner: Owner, fake: FakeWeChat, emitter: Emitter) -> None:
    await owner.post("/subscriptions/grants", {"results": {REMINDER: "accept"}})
    subscribe.switch_off(fake.world, OPENID, REMINDER)
    await emitter.deliver()
    await work_off(app)
    assert await left_of(owner) == 0


async def prompt(database: Database, now: datetime, key: str = "k") -> None:
    async with database.write() as session:
        row = (await session.exec(select(OwnerRow))).one()
        await notify(session, row, "reminder", key, "狂犬疫苗", "该打疫苗了", now, link={})


async def pushes(database: Database) -> list[Push]:
    async with database.read() as session:
        return list((await session.exec(select(Push).order_by(col(Push.id)))).all())


def noon(real: datetime) -> datetime:
    """Noon in Shanghai, outside quiet hours."""
    return real.replace(hour=4, minute=0)


@pytest.fixture
def accept(owner: Owner, fake: FakeWeChat) -> Callable[[], Any]:
    async def grant() -> None:
        fake.world.quota[(OPENID, REMINDER)] += 1
        await owner.post("/subscriptions/grants", {"results": {REMINDER: "accept"}})

    return grant


async def test_an_answer_that_was_lost_is_made_up_for_by_the_event(
    app: FastAPI, database: Database, fake: FakeWeChat, emitter: Emitter, accept: Callable[[], Any]
) -> None:
    await accept()
    now = noon(datetime.now(UTC))
    await prompt(database, now)
    fake.inject("/cgi-bin/message/subscribe/send", "reset_mid_body")
    await push_inbox(container_of(app).push_parts(), now)
    assert [push.state for push in await pushes(database)] == [PushState.UNKNOWN]
    fake.world.now += 2
    await emitter.deliver()
    await work_off(app)
    (push,) = await pushes(database)
    assert (push.state, push.msgid) == (PushState.PUSHED, str(fake.world.sent[0].msgid))
    await push_inbox(container_of(app).push_parts(), now + timedelta(hours=2))
    assert len(fake.world.sent) == 1


async def test_an_event_that_overtakes_the_answer_waits_for_it(
    app: FastAPI, owner: Owner, database: Database, fake: FakeWeChat, emitter: Emitter
) -> None:
    now = datetime.now(UTC)
    async with database.write() as session:
        session.add(
            Push(
                owner_id=owner.id,
                kind="reminder",
                template_id=REMINDER,
                made_at=now,
                leased_until=now + timedelta(hours=1),
            )
        )
    item = {"TemplateId": REMINDER, "MsgID": 77, "ErrorCode": 0}
    await emitter.push({"Event": "subscribe_msg_sent_event", "FromUserName": OPENID, "List": [item]})
    assert await work_off(app) == 0
    async with database.write() as session:  # the answer was lost in the end
        (push,) = (await session.exec(select(Push))).all()
        push.state = PushState.UNKNOWN.value
        session.add(push)
        await (await session.connection()).execute(text("UPDATE wechat_events SET available_at = received_at"))
    assert await work_off(app) == 1
    assert [push.state for push in await pushes(database)] == [PushState.PUSHED]


async def test_a_message_that_did_not_arrive_is_no_pushed_one(
    app: FastAPI, database: Database, fake: FakeWeChat, emitter: Emitter, accept: Callable[[], Any]
) -> None:
    await accept()
    now = noon(datetime.now(UTC))
    await prompt(database, now)
    await push_inbox(container_of(app).push_parts(), now)
    fake.world.pending[0][1]["List"][0] |= {"ErrorCode": "1003", "ErrorStatus": "system error"}
    fake.world.now += 2
    await emitter.deliver()
    await work_off(app)
    assert [push.state for push in await pushes(database)] == [PushState.FAILED]
    async with database.read() as session:
        assert (await session.exec(select(InboxMessage.delivery))).one() == "failed"


async def test_whoever_leaves_wechat_is_forgotten_and_stays_so(
    app: FastAPI, owner: Owner, client: httpx.AsyncClient, database: Database, fake: FakeWeChat, emitter: Emitter
) -> None:
    pet = await owner.pet("豆豆")
    await owner.record(pet, "allergies", substance="鸡肉", category="food")
    await say(owner, "豆豆今天吐了两次")
    left = fake.world.now
    event = {"Event": "user_authorization_cancellation", "FromUserName": "gh_x", "OpenID": OPENID}
    await emitter.push(event)
    await work_off(app)
    assert problem(await owner.ask("GET", "/pets")) == (401, "not_signed_in")
    held = await everything(database)
    assert not [word for word in ("豆豆", "鸡肉", "吐了", OPENID) if word in held]

    fake.world.now += 600
    code = fake.world.code("login", OPENID)
    tokens = (await client.post("/v1/auth/wechat", json={"code": code}, headers={"Authorization": ""})).json()
    assert tokens["owner"]["id"] != owner.id
    await emitter.push({**event, "RevokeInfo": "late"}, created=left - 3600)  # an older word about the account before
    popup = {"TemplateId": REMINDER, "SubscribeStatusString": "accept"}
    await emitter.push(
        {"Event": "subscribe_msg_popup_event", "FromUserName": OPENID, "List": [popup]}, created=left - 3600
    )
    await work_off(app)
    client.headers["Authorization"] = f"Bearer {tokens['access_token']}"
    assert (await client.get("/v1/pets")).json()["items"] == []
    assert await left_of(owner) == 0


async def everything(database: Database) -> str:
    async with database.read() as session:
        connection = await session.connection()
        names = await connection.run_sync(lambda sync: sync.dialect.get_table_names(sync))
        rows = [
            str([*await connection.execute(text(f'SELECT * FROM "{name}"'))])  # noqa: S608  # names of our own tables
            for name in names
            if not name.startswith("search_fts")
        ]
    return "".join(rows)


async def test_what_is_withdrawn_is_forgotten(app: FastAPI, owner: Owner, fake: FakeWeChat, emitter: Emitter) -> None:
    await owner.put("/me", {"nickname": "小林", "phone_code": fake.world.code("phone", OPENID)})
    event = {"Event": "user_authorization_revoke", "FromUserName": "gh_x", "openid": OPENID, "RevokeInfo": "8"}
    await emitter.push(event)
    await work_off(app)
    assert (await owner.get("/me"))["phone"] is None
    assert (await owner.get("/me"))["nickname"] == "小林"
    await emitter.push({**event, "RevokeInfo": "6"})
    await work_off(app)
    assert (await owner.get("/me"))["nickname"] is None


async def test_an_event_that_cannot_be_worked_off_comes_back_and_is_given_up_in_the_end(
    app: FastAPI, database: Database, emitter: Emitter
) -> None:
    await emitter.push(HELLO)
    async with database.write() as session:
        await (await session.connection()).execute(text("UPDATE wechat_events SET sealed = 'spoiled'"))
    for _ in range(7):
        await work_off(app)
        async with database.write() as session:
            await (await session.connection()).execute(text("UPDATE wechat_events SET available_at = received_at"))
    (row,) = await stored(database)
    assert (row.given_up, row.sealed) == (True, None)


async def test_one_tap_that_cannot_be_noted_does_not_hold_up_the_others(
    app: FastAPI, emitter: Emitter, owner: Owner, database: Database
) -> None:
    for number in range(3):
        item = {"TemplateId": REMINDER, "SubscribeStatusString": "accept", "PopupScene": 0}
        tap = {"Event": "subscribe_msg_popup_event", "FromUserName": OPENID, "List": [item]}
        assert await emitter.push(tap, created=emitter.world.now + number)
    async with database.write() as session:
        broken = (await session.exec(select(WeChatEvent).order_by(col(WeChatEvent.id)))).first()
        assert broken is not None
        broken.sealed = "not ours"
        session.add(broken)
    assert await work_off(app) == 2
    assert await left_of(owner) == 2
