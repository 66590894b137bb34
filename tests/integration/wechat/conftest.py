"""A service that talks to a fake WeChat over real HTTP."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from app.settings import Settings
from tests.factories import Owner
from tests.fakes.wechat.push import KEY, TOKEN, Emitter
from tests.fakes.wechat.server import FakeWeChat, fake_wechat
from tests.fakes.wechat.world import APPID, OPENID, SECRET, TEMPLATE_IDS, World


@pytest.fixture
async def fake() -> AsyncIterator[FakeWeChat]:
    """A fake whose clock starts at the machine's and then stands still."""
    world = World(now=datetime.now(UTC).timestamp())
    for key, template_id in TEMPLATE_IDS.items():
        world.template("thing1", "thing2", "time3", title=key, template_id=template_id)
    async with fake_wechat(world) as running:
        yield running


@pytest.fixture
def settings(database_url: str, tmp_path: Path, fake: FakeWeChat) -> Settings:
    """Settings of a test service with WeChat."""
    return Settings(
        env="test",
        data_dir=tmp_path,
        database_url=database_url,
        embedder="none",
        requests_a_minute=1_000_000,
        wechat_appid=APPID,
        wechat_secret=SECRET,
        wechat_api_base=fake.address,
        wechat_token=TOKEN,
        wechat_encoding_aes_key=KEY,
        wechat_templates={key: {"id": template_id} for key, template_id in TEMPLATE_IDS.items()},
        _env_file=None,
    )


@pytest.fixture
async def emitter(app: FastAPI, fake: FakeWeChat) -> AsyncIterator[Emitter]:
    """What pushes the fake's events to the service."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test") as client:
        yield Emitter(fake.world, client)


@pytest.fixture
async def owner(client: httpx.AsyncClient, fake: FakeWeChat) -> Owner:
    """The person with `OPENID`, signed in by WeChat, who agrees to be remembered and to be pushed to."""
    code = fake.world.code("login", fake.world.person(OPENID).openid)
    tokens = (await client.post("/v1/auth/wechat", json={"code": code})).json()
    client.headers["Authorization"] = f"Bearer {tokens['access_token']}"
    made = Owner(tokens["owner"]["id"], client, tokens)
    await made.agree()
    await made.agree("push")
    return made
