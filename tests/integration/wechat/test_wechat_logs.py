"""A whole run at every level of logging: no secret, token, code, key, person or full address is in it."""

import io
import logging
from collections.abc import Iterator
from datetime import UTC, datetime

import httpx
import pytest
import structlog
from fastapi import FastAPI
from sqlmodel import select

from app.container import Container
from app.logging import configure_logging
from app.settings import Settings
from app.wechat_doctor import examine
from domain.inbox import notify
from domain.owners import Owner as OwnerRow
from jobs.judge_words import judge_words
from jobs.look_at_photos import look_at_photos
from jobs.push_inbox import push_inbox
from jobs.wechat_events import work_off_events
from tests.factories import Owner
from tests.fakes.phone import say
from tests.fakes.wechat import subscribe
from tests.fakes.wechat.push import KEY, TOKEN, Emitter
from tests.fakes.wechat.server import FakeWeChat
from tests.fakes.wechat.world import OPENID, SECRET, TEMPLATE_IDS
from tests.photos import png

REMINDER = TEMPLATE_IDS["reminder"]
NOBODY = "http://127.0.0.1:9"  # nobody listens on the discard port
FAULTS = ("errcode:40125", "system_busy", "http_502", "malformed_json", "reset_mid_body", "token_invalid_once")
ENDPOINTS = (
    "/sns/jscode2session",
    "/cgi-bin/stable_token",
    "/cgi-bin/message/subscribe/send",
    "/wxa/msg_sec_check",
    "/wxa/media_check_async",
    "/wxa/business/getuserphonenumber",
    "/wxa/getwxacodeunlimit",
    "/wxa/generate_urllink",
    "/wxaapi/newtmpl/gettemplate",
)


@pytest.fixture(params=["DEBUG", "INFO", "WARNING", "ERROR"])
def written(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """Everything that is logged, at this level."""
    stream = io.StringIO()
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield stream
    configure_logging("WARNING")
    root.handlers[:], root.level = before, level


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """A service that WeChat can fetch photos from."""
    return settings.model_copy(update={"public_url": "http://test"})


@pytest.fixture
def _listening(written: io.StringIO, request: pytest.FixtureRequest, app: FastAPI) -> None:
    configure_logging(request.node.callspec.params["written"], written)


async def everything_happens(app: FastAPI, owner: Owner, fake: FakeWeChat, emitter: Emitter) -> list[str]:
    """Each part once as it should be and once with each fault. Returns the codes that were used."""
    container: Container = app.state.container
    codes = []
    pet = await owner.pet("豆豆")
    share = await owner.post(f"/pets/{pet['id']}/shares", {"expires_in_hours": 1})
    for number, fault in enumerate((None, *FAULTS)):
        for endpoint in ENDPOINTS if fault else ():
            fake.inject(endpoint, fault or "")
        codes += [fake.world.code("login", OPENID), fake.world.code("phone", OPENID)]
        await owner.client.post("/v1/auth/wechat", json={"code": codes[-2]})
        await owner.ask("PUT", "/me", {"phone_code": codes[-1]})
        await say(owner, f"豆豆今天体重{number + 10}公斤，我的电话是13912345678", f"m-{number}")
        await owner.client.post("/v1/photos", files={"file": ("p.png", png(number))})
        await owner.client.get(share["mini_code_url"])
        await push(container, owner, fake, number)
        subscribe.answer_popup(fake.world, OPENID, {REMINDER: "accept"})
        await emitter.deliver()
        await emitter.raw(b"{}", OPENID, msg_signature="0" * 40)
        await work_off_events(container.event_parts())
        await look_at_photos(container.photo_parts())
        for asked in list(fake.world.media.values())[-1:]:
            await owner.client.get(asked["media_url"], headers={"Authorization": ""})
            await owner.client.get(asked["media_url"] + "0", headers={"Authorization": ""})
        await owner.ask("GET", f"/shares/{share['id']}/url-link")
        await judge_words(container.word_parts())
        unreachable = container.settings.model_copy(update={"public_url": NOBODY})
        assert [finding async for finding in examine(unreachable, fake.world.now)]
        fake.world.now += 40
    return codes


async def push(container: Container, owner: Owner, fake: FakeWeChat, number: int) -> None:
    fake.world.quota[(OPENID, REMINDER)] = 1
    await owner.post("/subscriptions/grants", {"results": {REMINDER: "accept"}})
    now = datetime.now(UTC).replace(hour=4)
    async with container.database.write() as session:
        row = (await session.exec(select(OwnerRow))).one()
        await notify(session, row, "reminder", f"k-{number}", "狂犬疫苗", "", now)
    await push_inbox(container.push_parts(), now)


@pytest.mark.usefixtures("_listening")
async def test_nothing_that_must_stay_secret_is_logged(
    app: FastAPI, owner: Owner, fake: FakeWeChat, emitter: Emitter, written: io.StringIO, client: httpx.AsyncClient
) -> None:
    codes = await everything_happens(app, owner, fake, emitter)
    structlog.get_logger("end").error("the_end")
    log = written.getvalue()
    assert "the_end" in log
    keys = [person.session_key for person in fake.world.people.values() if person.session_key]
    secrets = [SECRET, TOKEN, KEY, OPENID, "13812345678", "13912345678", "access_token=", "secret=", "js_code", "sig="]
    assert fake.world.media
    secrets += [*fake.world.tokens, *codes, *keys, owner.tokens["access_token"], owner.tokens["refresh_token"]]
    assert keys
    assert [secret for secret in secrets if secret in log] == []
    assert "?" not in "".join(part.split('"')[0] for part in log.split("http://")[1:])
