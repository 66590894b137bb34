"""Owners' words in pushes: judged while their owner is there, and not asked about again when nobody is."""

from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI
from sqlmodel import select

from app.container import Container
from domain.moderation import Suggest
from domain.push_messages import NEUTRAL_SUBJECT
from domain.word_verdicts import WordVerdict
from jobs.judge_words import judge_words
from jobs.push_inbox import push_inbox
from jobs.send_reminders import send_reminders
from tests.conftest import SignIn
from tests.factories import Json, Owner
from tests.fakes.phone import say
from tests.fakes.wechat.server import FakeWeChat
from tests.fakes.wechat.world import OPENID, TEMPLATE_IDS, Sent

CHECK = "/wxa/msg_sec_check"
REMINDER = TEMPLATE_IDS["reminder"]
AWAY = timedelta(hours=3)


@pytest.fixture
def container(app: FastAPI, fake: FakeWeChat) -> Container:
    """The parts of the service, by the fake's clock, which stands at noon in Shanghai tomorrow."""
    held: Container = app.state.container
    noon = datetime.now(UTC).replace(hour=4, minute=0, second=0, microsecond=0) + timedelta(days=1)
    fake.world.now = noon.timestamp()
    held.real_now = lambda: datetime.fromtimestamp(fake.world.now, UTC)
    return held


async def plan(owner: Owner, container: Container, title: str, pet: Json | None = None) -> Json:
    """A plan whose reminder comes when its owner has been away for long."""
    starts = container.real_now() + AWAY
    fields = {"title": title, "starts_at": starts.isoformat(), "remind_before_minutes": [0]}
    made: Json = await owner.post("/schedules", {**fields, "pet_id": pet["id"] if pet else None})
    return made


async def pushed(container: Container, fake: FakeWeChat) -> Sent:
    """The message that goes out three hours later."""
    fake.world.now += AWAY.total_seconds() + 1
    fake.world.quota[(OPENID, REMINDER)] = 1
    await send_reminders(container.reminder_parts(), container.real_now())
    assert await push_inbox(container.push_parts(), container.real_now()) == 1
    return fake.world.sent[-1]


async def allow(owner: Owner) -> None:
    await owner.post("/subscriptions/grants", {"results": {REMINDER: "accept"}})


async def test_words_are_judged_while_their_owner_is_there_and_pushed_when_nobody_is(
    container: Container, owner: Owner, fake: FakeWeChat
) -> None:
    await allow(owner)
    await plan(owner, container, "打狂犬疫苗", await owner.pet("豆豆"))
    assert await judge_words(container.word_parts()) == 2
    asked = fake.world.calls(CHECK)
    sent = await pushed(container, fake)
    assert (sent.data["thing1"], sent.data["thing2"]) == ("豆豆", "豆豆：打狂犬疫苗")
    assert await judge_words(container.word_parts()) == 0
    assert fake.world.calls(CHECK) == asked


async def test_a_plan_made_by_chat_is_judged_as_one_of_a_form_is(
    container: Container, owner: Owner, fake: FakeWeChat
) -> None:
    await owner.pet("豆豆")
    await say(owner.at(container.real_now()), "提醒我后天上午十点带豆豆去洗澡")
    asked = fake.world.calls(CHECK)
    assert await judge_words(container.word_parts()) == 2
    assert fake.world.calls(CHECK) == asked + 2


@pytest.mark.parametrize(("title", "told"), [("裸聊", "提醒"), ("安乐死咨询", "豆豆：安乐死咨询")])
async def test_harmful_words_are_left_out_and_doubtful_ones_are_not(
    container: Container, owner: Owner, fake: FakeWeChat, title: str, told: str
) -> None:
    await allow(owner)
    await plan(owner, container, title, await owner.pet("豆豆"))
    await judge_words(container.word_parts())
    sent = await pushed(container, fake)
    assert sent.data["thing1"] == "豆豆"
    assert told in sent.data["thing2"]
    assert (title in sent.data["thing2"]) is (title in told)


async def test_a_harmful_name_is_left_out_wherever_it_stands(
    container: Container, owner: Owner, fake: FakeWeChat
) -> None:
    await allow(owner)
    await plan(owner, container, "打疫苗", await owner.pet("裸聊"))
    await judge_words(container.word_parts())
    sent = await pushed(container, fake)
    assert sent.data["thing1"] == NEUTRAL_SUBJECT
    assert "裸聊" not in sent.data["thing2"]


async def test_words_that_nobody_could_judge_stay_in_the_app(
    container: Container, owner: Owner, fake: FakeWeChat
) -> None:
    await allow(owner)
    await plan(owner, container, "打狂犬疫苗", await owner.pet("豆豆"))
    fake.world.people[OPENID].last_visit = fake.world.now - 7201  # 61010
    assert await judge_words(container.word_parts()) == 0
    sent = await pushed(container, fake)
    assert sent.data["thing1"] == NEUTRAL_SUBJECT
    assert "狂犬" not in sent.data["thing2"]
    (row,) = (await owner.at(container.real_now()).get("/inbox"))["items"]
    assert "打狂犬疫苗" in row["title"]


async def test_words_are_asked_about_again_when_their_owner_is_back(
    container: Container, owner: Owner, fake: FakeWeChat
) -> None:
    await owner.pet("豆豆")
    fake.world.people[OPENID].last_visit = fake.world.now - 7201
    for _ in range(14):  # until it is given up
        assert await judge_words(container.word_parts()) == 0
        fake.world.now += 3700
    calls = fake.world.calls(CHECK)
    assert await judge_words(container.word_parts()) == 0
    assert fake.world.calls(CHECK) == calls
    code = fake.world.code("login", OPENID)
    await owner.client.post("/v1/auth/wechat", json={"code": code})
    assert await judge_words(container.word_parts()) == 1


async def test_a_verdict_goes_with_its_words(container: Container, owner: Owner) -> None:
    pet = await owner.pet("豆豆")
    await judge_words(container.word_parts())
    await owner.put(f"/pets/{pet['id']}", {"name": "团子"})
    assert await judge_words(container.word_parts()) == 1
    async with container.database.read() as session:
        (row,) = (await session.exec(select(WordVerdict))).all()
    assert row.suggest == Suggest.PASS
    assert row.word_hash == container.word_parts().keeper.hash_of(owner.id, "团子")


async def test_a_title_that_was_changed_after_its_prompt_is_left_out(
    container: Container, owner: Owner, fake: FakeWeChat
) -> None:
    await allow(owner)
    made = await plan(owner, container, "裸聊")
    await judge_words(container.word_parts())
    fake.world.now += AWAY.total_seconds() + 1
    await send_reminders(container.reminder_parts(), container.real_now())
    await owner.put(f"/schedules/{made['id']}", {"title": "打疫苗"})
    fake.world.visit(OPENID)
    await judge_words(container.word_parts())
    fake.world.quota[(OPENID, REMINDER)] = 1
    await push_inbox(container.push_parts(), container.real_now())
    assert "裸聊" not in str(fake.world.sent[-1].data)


async def test_whoever_signed_in_without_wechat_waits_for_no_verdict(container: Container, sign_in: SignIn) -> None:
    lin = await sign_in("lin")
    await lin.pet("豆豆")
    assert await judge_words(container.word_parts()) == 0
    assert await judge_words(container.word_parts()) == 0
