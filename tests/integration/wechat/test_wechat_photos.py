"""A photo is shown only after WeChat's verdict, however late that comes, and never without one."""

from collections.abc import Callable
from datetime import UTC, datetime

import httpx
import pytest
from fastapi import FastAPI

from app.container import Container
from app.settings import Settings
from jobs.look_at_photos import look_at_photos
from jobs.wechat_events import work_off_events
from tests.factories import Json, Owner, problem
from tests.fakes.wechat.push import Emitter
from tests.fakes.wechat.server import FakeWeChat
from tests.fakes.wechat.world import OPENID
from tests.photos import png

CHECK = "/wxa/media_check_async"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """A service that WeChat can fetch from."""
    return settings.model_copy(update={"public_url": "http://test"})


@pytest.fixture
def container(app: FastAPI, fake: FakeWeChat) -> Container:
    """The parts of the service, by the fake's clock."""
    held: Container = app.state.container
    fake.world.now += 60  # ahead of whatever is stamped with the real time meanwhile
    held.real_now = lambda: datetime.fromtimestamp(fake.world.now, UTC)
    return held


@pytest.fixture
async def photo(owner: Owner) -> Json:
    """A photo that has just come in."""
    answer = await owner.client.post("/v1/photos", files={"file": ("p.png", png())})
    made: Json = answer.json()
    return made


Status = Callable[[], object]


async def status_of(owner: Owner, photo: Json) -> str:
    return str((await owner.get(f"/photos/{photo['id']}"))["status"])


def address_asked(fake: FakeWeChat) -> str:
    return str(list(fake.world.media.values())[-1]["media_url"])


async def verdict_comes(container: Container, emitter: Emitter) -> None:
    emitter.world.now += 61
    await emitter.deliver()
    await work_off_events(container.event_parts())


async def test_a_photo_waits_for_its_verdict_and_wechat_can_fetch_it(
    owner: Owner, photo: Json, container: Container, fake: FakeWeChat, emitter: Emitter, client: httpx.AsyncClient
) -> None:
    assert await look_at_photos(container.photo_parts()) == 1
    assert await look_at_photos(container.photo_parts()) == 0
    assert await status_of(owner, photo) == "pending"
    fetched = await client.get(address_asked(fake), headers={"Authorization": ""})
    assert fetched.content == png()
    assert problem(await client.get(address_asked(fake).replace("sig=", "sig=0")))[0] == 404
    await verdict_comes(container, emitter)
    assert await status_of(owner, photo) == "approved"


async def test_a_bad_photo_is_never_shown(
    owner: Owner, photo: Json, container: Container, fake: FakeWeChat, emitter: Emitter
) -> None:
    await look_at_photos(container.photo_parts())
    for _, event in fake.world.pending:
        event["result"] = {"suggest": "risky", "label": 20002}
    await verdict_comes(container, emitter)
    assert await status_of(owner, photo) == "rejected"
    assert problem(await owner.ask("GET", f"/photos/{photo['id']}/file")) == (409, "photo_not_ready")


async def test_a_doubt_and_a_verdict_that_never_comes_leave_it_pending(
    owner: Owner, photo: Json, container: Container, fake: FakeWeChat, emitter: Emitter
) -> None:
    for _ in range(8):
        await look_at_photos(container.photo_parts())
        fake.world.pending.clear()
        fake.world.now += 2800
        fake.world.visit(OPENID)
    assert await status_of(owner, photo) == "pending"
    assert fake.world.calls(CHECK) == 4
    event = {"Event": "wxa_media_check", "trace_id": list(fake.world.media)[-1], "errcode": 0}
    await emitter.push({**event, "FromUserName": OPENID, "result": {"suggest": "review", "label": 20002}})
    await work_off_events(container.event_parts())
    assert await status_of(owner, photo) == "pending"


async def test_a_picture_that_could_not_be_fetched_is_asked_about_again(
    owner: Owner, photo: Json, container: Container, fake: FakeWeChat, emitter: Emitter
) -> None:
    await look_at_photos(container.photo_parts())
    fake.world.pending[0][1].update({"errcode": -1008, "errmsg": "download failed"})
    await verdict_comes(container, emitter)
    assert await look_at_photos(container.photo_parts()) == 1
    await verdict_comes(container, emitter)
    assert await status_of(owner, photo) == "approved"


async def test_a_verdict_that_overtakes_the_answer_waits_for_it(
    owner: Owner, photo: Json, container: Container, fake: FakeWeChat, emitter: Emitter
) -> None:
    fake.inject(CHECK, "timeout_after_commit", times=0)
    event = {"Event": "wxa_media_check", "trace_id": "not-known-yet", "FromUserName": OPENID}
    await emitter.push({**event, "result": {"suggest": "pass"}})
    assert await work_off_events(container.event_parts()) == 0


async def test_an_owner_who_was_not_seen_lately_does_not_use_up_the_askings(
    owner: Owner, photo: Json, container: Container, fake: FakeWeChat, emitter: Emitter
) -> None:
    fake.world.people[OPENID].last_visit = fake.world.now - 7300
    for _ in range(6):
        await look_at_photos(container.photo_parts())
        fake.world.now += 400
    fake.world.visit(OPENID)
    assert await look_at_photos(container.photo_parts()) == 1
    await verdict_comes(container, emitter)
    assert await status_of(owner, photo) == "approved"


async def test_withdrawing_pictures_deletes_them(
    owner: Owner, photo: Json, container: Container, emitter: Emitter
) -> None:
    event = {"Event": "user_authorization_revoke", "FromUserName": "gh_x", "OpenID": OPENID, "RevokeInfo": "14"}
    await emitter.push(event)
    await work_off_events(container.event_parts())
    assert (await owner.get("/photos"))["items"] == []
