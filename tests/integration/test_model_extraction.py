"""A model reads beside the rules: beside the reply, or later from the outbox; it may add, never overrule."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from fastapi import FastAPI
from sqlmodel import col, select

from app.container import Container
from app.database import Database
from app.settings import Settings
from domain.late_extraction import CALL_SECONDS, EXTRACT_TOPIC, read_late
from domain.token_use import TokenUse
from memory.outbox import OutboxRow
from tests.conftest import SignIn, on_sqlite, with_model
from tests.factories import Json, Owner
from tests.fakes.model_server import FakeModel, Reply
from tests.fakes.phone import say
from tests.fakes.slow_assistant import SetClock

HEALTH = "豆豆有一只耳朵是折的，昨天吐了两次"
HABIT = "豆豆有个玩具叫小黄鸭"
ODD = "豆豆有一只耳朵是折的"


def fact(quote: str, kind: str = "behavior", about: str = "豆豆", **more: Any) -> Json:
    return {
        "message": 0,
        "about": about,
        "kind": kind,
        "quote": quote,
        "name": "",
        "number": None,
        "negated": False,
        **more,
    }


def facts(*told: Json, wait: float = 0.0) -> Reply:
    reply = Reply.json({"facts": list(told)})
    return Reply(reply.text, wait=wait)


@pytest.fixture
def settings(settings: Settings, model: FakeModel) -> Settings:
    return with_model(settings, model, model_read_seconds=5.0)


@pytest.fixture
async def owner(sign_in: SignIn) -> Owner:
    owner = await sign_in("lin")
    await owner.agree("model_provider")
    await owner.pet("豆豆")
    return owner


@pytest.fixture
def container(app: FastAPI) -> Container:
    found: Container = app.state.container
    found.real_now = SetClock()
    return found


async def waiting(database: Database) -> Sequence[OutboxRow]:
    async with database.read() as session:
        return (await session.exec(select(OutboxRow).where(col(OutboxRow.topic) == EXTRACT_TOPIC))).all()


async def later(container: Container) -> int:
    """What the job does once the rows are due."""
    clock = container.real_now
    assert isinstance(clock, SetClock)
    clock.pass_by(seconds=2 * CALL_SECONDS + 60)
    return await read_late(container.extraction_parts())


async def lines(owner: Owner) -> list[str]:
    return [item["content"] for item in (await owner.get("/memories"))["items"]]


@on_sqlite
async def test_a_message_of_health_is_read_beside_the_reply_and_its_receipt_joins_it(
    model: FakeModel, owner: Owner, database: Database
) -> None:
    model.always(facts(fact(ODD)), lane="chore")
    model.always(Reply("我记住了。多喝水。", think=0.3))
    answer = await say(owner, HEALTH)
    assert any("耳朵" in one["content"] for one in answer["memories"])
    assert await waiting(database) == []
    (asked,) = model.of("chore")
    assert asked.model == "small"
    async with database.read() as session:
        uses = (await session.exec(select(TokenUse).where(col(TokenUse.purpose) == "extract"))).all()
    assert [use.turn_id for use in uses] == [answer["turn_id"]]


@on_sqlite
async def test_what_is_read_later_stands_in_the_turn_and_in_the_inbox(
    model: FakeModel, owner: Owner, database: Database, container: Container
) -> None:
    model.always(facts(fact(HABIT)), lane="chore")
    answer = await say(owner, HABIT)
    assert (model.of("chore"), answer["memories"]) == ([], [])
    assert len(await waiting(database)) == 1
    await later(container)
    again = await owner.get(f"/chat/turns/{answer['turn_id']}")
    assert [one["content"] for one in again["memories"]] == [HABIT]
    assert await waiting(database) == []


@on_sqlite
async def test_several_messages_without_health_words_are_read_in_one_call(
    model: FakeModel, owner: Owner, container: Container, database: Database
) -> None:
    model.always(facts(), lane="chore")
    for number, words in enumerate((HABIT, "豆豆最爱趴在旧毛衣上睡觉", "豆豆会自己开冰箱门")):
        await say(owner, words, f"m-{number}")
    await later(container)
    assert len(model.of("chore")) == 1


UNUSABLE = {"refusal": Reply.refuses(), "no JSON": Reply("好的，我来看看。"), "another shape": Reply('{"facts": "无"}')}


@on_sqlite
@pytest.mark.parametrize("failure", UNUSABLE.values(), ids=UNUSABLE.keys())
async def test_a_reading_that_failed_stays_and_is_done_later(
    model: FakeModel, owner: Owner, database: Database, container: Container, failure: Reply
) -> None:
    model.always(failure, lane="chore")
    answer = await say(owner, HEALTH)
    assert len(await waiting(database)) == 1
    await later(container)
    (row,) = await waiting(database)
    assert row.attempts >= 1
    model.always(facts(fact(ODD)), lane="chore")
    await later(container)
    assert any("耳朵" in line for line in await lines(owner))
    told = await owner.get(f"/chat/turns/{answer['turn_id']}")
    assert any("耳朵" in one["content"] for one in told["memories"])
    inbox = await owner.get("/inbox")
    assert any(one["kind"] == "remembered" and "耳朵" in one["body"] for one in inbox["items"])


@on_sqlite
async def test_a_slow_reading_does_not_hold_up_the_reply_and_is_called_once(
    model: FakeModel, owner: Owner, database: Database, container: Container
) -> None:
    model.always(facts(fact(ODD), wait=1.5), lane="chore")
    answer = await say(owner, HEALTH)
    assert not any("耳朵" in one["content"] for one in answer["memories"])
    await read_to_the_end()
    told = await owner.get(f"/chat/turns/{answer['turn_id']}")
    assert any("耳朵" in one["content"] for one in told["memories"])
    assert await waiting(database) == []
    assert len(model.of("chore")) == 1


@on_sqlite
async def test_what_the_rules_are_sure_of_is_not_overruled(
    model: FakeModel, owner: Owner, container: Container
) -> None:
    model.always(
        facts(
            fact("豆豆对鸡肉过敏", "allergy", name="鸡肉", negated=True), fact("豆豆对鸡肉过敏", "diet", name="鸡肉")
        ),
        lane="chore",
    )
    await say(owner, "豆豆对鸡肉过敏，医生说的")
    await later(container)
    assert [line for line in await lines(owner) if "鸡肉" in line] == ["豆豆对鸡肉过敏，医生说的"]


INVENTIONS = {
    "words nobody said": fact("豆豆对牛肉过敏", "allergy", name="牛肉"),
    "another drug": fact("昨天吐了两次", "medication", name="阿莫西林"),
    "another figure": fact("昨天吐了两次", "weight", number=9.9),
    "a pet that is not there": fact("昨天吐了两次", "symptom", about="旺财", name="吐"),
    "another pet": fact("昨天吐了两次", "condition", about="咪咪", name="吐"),
    "English": fact("vomited twice", "symptom", name="vomited"),
}


@on_sqlite
@pytest.mark.parametrize("invented", INVENTIONS.values(), ids=INVENTIONS.keys())
async def test_what_the_words_do_not_carry_is_dropped_and_counted(
    model: FakeModel, owner: Owner, container: Container, invented: Json
) -> None:
    await owner.pet("咪咪", "cat")
    said = "豆豆昨天吐了两次，咪咪很好"
    model.always(facts(), lane="chore")
    await say(owner, said, "m-0")
    await later(container)
    known = await lines(owner)
    model.always(facts(invented), lane="chore")
    await say(owner, said, "m-1")
    await later(container)
    assert sorted(await lines(owner)) == sorted(known)
    assert "pawsignal_facts_not_kept_total" in container.metrics.text().decode()


@on_sqlite
async def test_a_model_sees_the_owners_words_alone(model: FakeModel, owner: Owner, container: Container) -> None:
    model.always(facts(), lane="chore")
    model.always(Reply("助手说过的一句话。"))
    await say(owner, "豆豆对鸡肉过敏", "m-0")
    await say(owner, "我电话13812345678，豆豆昨天吐了两次", "m-1")
    await later(container)
    read = [asked.words for asked in model.of("chore")]
    assert read
    assert not any("助手说过" in words or "13812345678" in words for words in read)
    assert not any("鸡肉过敏" in words and "吐了两次" in words for words in read[1:2])


@on_sqlite
@pytest.mark.parametrize("taken_back", ["model_provider", "long_term_memory"])
async def test_nothing_is_read_after_a_consent_was_taken_back(
    model: FakeModel, owner: Owner, database: Database, container: Container, taken_back: str
) -> None:
    await say(owner, HABIT)
    await owner.agree(taken_back, granted=False)
    await later(container)
    assert model.of("chore") == []
    assert await waiting(database) == []


@on_sqlite
async def test_without_consent_in_an_emergency_and_for_idle_words_no_model_reads(
    model: FakeModel, owner: Owner, database: Database, container: Container
) -> None:
    await say(owner, "豆豆刚刚吞了一整盒布洛芬，在抽搐", "m-0")
    await say(owner, "谢谢", "m-1")
    await owner.agree("model_provider", granted=False)
    await say(owner, HEALTH, "m-2")
    await later(container)
    assert model.of("chore") == []


@on_sqlite
async def test_a_message_deleted_meanwhile_teaches_nothing(
    model: FakeModel, owner: Owner, database: Database, container: Container
) -> None:
    answer = await say(owner, HABIT)
    model.always(facts(fact(HABIT)), lane="chore")
    await owner.delete(f"/chat/messages/{answer['message_id']}")
    await later(container)
    assert model.of("chore") == []
    assert await waiting(database) == []


@pytest.mark.parametrize("wait", [0.0, 0.3], ids=["beside the reply", "after the reply"])
async def test_a_reading_that_cannot_be_used_is_counted_whenever_it_comes(
    container: Container, owner: Owner, model: FakeModel, database: Database, wait: float
) -> None:
    model.always(Reply("不是 JSON", wait=wait), lane="chore")
    model.always(Reply("好的，我在听。", wait=0.0 if wait else 0.3))
    await say(owner, HEALTH, "m-1")
    await read_to_the_end()
    (row,) = await waiting(database)
    assert await spent_on_reading(database) == 1
    await later(container)
    assert [one.id for one in await waiting(database)] == [row.id]
    assert await spent_on_reading(database) == 2


async def read_to_the_end() -> None:
    """Until no call that reads is running, and what outlived its reply is written."""
    for name in ("reading ", "late "):
        if running := [task for task in asyncio.all_tasks() if task.get_name().startswith(name)]:
            await asyncio.wait(running)


async def spent_on_reading(database: Database) -> int:
    """How many readings were counted, each with the answer and its repair."""
    async with database.read() as session:
        rows = (await session.exec(select(TokenUse).where(col(TokenUse.purpose) == "extract"))).all()
    assert all(row.completion_tokens >= 2 * len("不是") for row in rows)
    return len(rows)
