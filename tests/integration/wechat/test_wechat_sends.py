"""Subscribe messages end to end: at most once, whatever WeChat does, and always in the inbox."""

import re
from datetime import UTC, datetime

import pytest
from fastapi import FastAPI
from sqlmodel import select

from app.container import Container
from app.database import Database
from app.settings import UnsafeSettings
from app.wechat_templates import mismatches, templates_of
from domain.inbox import notify
from domain.owners import Owner as OwnerRow
from domain.push_messages import NEUTRAL_SUBJECT
from jobs.push_inbox import push_inbox
from tests.conftest import on_sqlite
from tests.factories import Owner
from tests.fakes.wechat.server import FakeWeChat
from tests.fakes.wechat.world import OPENID, TEMPLATE_IDS
from tests.wechat_rush import Rush

REMINDER = TEMPLATE_IDS["reminder"]


@on_sqlite
async def test_a_rush_through_every_fault_doubles_nothing_and_loses_nothing(
    database: Database, fake: FakeWeChat
) -> None:
    outcome = await Rush(database, fake).run(owners=60, share=0.05)
    assert outcome.doubled == 0
    assert outcome.deliveries.total() == 60
    assert set(outcome.deliveries) <= {"pushed", "refused", "failed", "unknown"}
    assert outcome.arrived == outcome.deliveries["pushed"]  # the events have told of every lost answer
    assert outcome.token_fetches <= 4
    assert outcome.events_left == 0


async def _due(owner: Owner, database: Database, title: str) -> datetime:
    """A reminder that is due at noon in Shanghai."""
    now = datetime.now(UTC).replace(hour=4)
    pets = (await owner.get("/pets"))["items"]
    async with database.write() as session:
        row = (await session.exec(select(OwnerRow))).one()
        link = {"pet_id": pets[0]["id"]} if pets else {}
        await notify(session, row, "reminder", title, title, "", now, link=link)
    return now


NAMES = [
    "一" * 20,
    "豆" * 21,
    "🐶" * 12,
    "👨‍👩‍👧‍👦豆豆",
    "☀️",
    "豆\u200d豆",
    "𠮷野家的猫",
    "Lucky-the-2nd, of the house of cats",
    "豆豆️⃣",
]


@pytest.mark.parametrize("name", NAMES)
async def test_whatever_a_pet_is_called_wechat_takes_the_message(
    app: FastAPI, owner: Owner, database: Database, fake: FakeWeChat, name: str
) -> None:
    await owner.pet(name[:20] if re.search(r"\w", name) else "豆豆")
    fake.world.quota[(OPENID, REMINDER)] = 1
    await owner.post("/subscriptions/grants", {"results": {REMINDER: "accept"}})
    now = await _due(owner, database, f"{name}的狂犬疫苗")
    assert await push_inbox(container_of(app).push_parts(), now) == 1
    assert fake.world.sent[0].openid == OPENID


async def test_without_a_grant_the_prompt_stays_in_the_app_and_nothing_is_sent(
    app: FastAPI, owner: Owner, database: Database, fake: FakeWeChat
) -> None:
    now = await _due(owner, database, "狂犬疫苗")
    for _ in range(3):
        assert await push_inbox(container_of(app).push_parts(), now) == 0
    assert fake.world.calls("/cgi-bin/message/subscribe/send") == 0
    (row,) = (await owner.at(now).get("/inbox"))["items"]
    assert (row["title"], row["delivery"]) == ("狂犬疫苗", "refused")


async def test_a_grant_that_wechat_does_not_know_is_used_up_at_once(
    app: FastAPI, owner: Owner, database: Database, fake: FakeWeChat
) -> None:
    await owner.post("/subscriptions/grants", {"results": {REMINDER: "accept"}})  # "always" was ticked: nobody asked
    now = await _due(owner, database, "狂犬疫苗")
    for _ in range(3):
        await push_inbox(container_of(app).push_parts(), now)
    assert fake.world.calls("/cgi-bin/message/subscribe/send") == 1


async def test_a_word_that_wechat_dislikes_is_left_out_the_second_time(
    app: FastAPI, owner: Owner, database: Database, fake: FakeWeChat
) -> None:
    container = container_of(app)
    container.real_now = lambda: datetime.fromtimestamp(fake.world.now, UTC)
    fake.world.quota[(OPENID, REMINDER)] = 1
    await owner.post("/subscriptions/grants", {"results": {REMINDER: "accept"}})
    now = await _due(owner, database, "法轮疫苗")
    await push_inbox(container.push_parts(), now)
    fake.world.now += 31
    await push_inbox(container.push_parts(), now)
    (sent,) = fake.world.sent
    assert sent.data["thing1"] == NEUTRAL_SUBJECT
    assert "法轮" not in sent.data["thing2"]


async def test_the_settings_are_held_against_the_console(app: FastAPI, fake: FakeWeChat) -> None:
    container = container_of(app)
    assert container.wechat is not None
    assert mismatches(container.templates, await container.wechat.templates()) == []  # type: ignore[attr-defined]  # WeChatHttp
    fake.world.templates[REMINDER].keys = ["thing1", "date2"]
    del fake.world.templates[TEMPLATE_IDS["follow_up"]]
    told = mismatches(container.templates, await container.wechat.templates())  # type: ignore[attr-defined]  # WeChatHttp
    assert [line.split(":")[0] for line in told] == ["template reminder", "template follow_up"]


def test_a_field_that_takes_no_words_is_refused_at_start() -> None:
    with pytest.raises(UnsafeSettings):
        templates_of({"reminder": {"id": "x", "subject": "amount1"}}, production=True)


def container_of(app: FastAPI) -> Container:
    container: Container = app.state.container
    return container
