"""Turns: taken exactly once, one at a time, in conversations, and never seen by another household."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from sqlmodel import col, select

from app.container import open_container
from app.database import Database
from app.settings import Settings
from domain.chat_turn import ChatTurns
from domain.running_turn import TurnRequest
from domain.turns import TURN_LEASE, Turn, TurnEvent
from memory.items import MemoryItem
from memory.messages import Message
from memory.scope import Scope
from tests.conftest import SignIn
from tests.factories import Json, Owner, problem
from tests.fakes.phone import say, turn_body
from tests.fakes.slow_assistant import SetClock, SteppedAssistant, answer_with

NOON = datetime(2026, 5, 20, 4, 0, tzinfo=UTC)

ANSWER_FIELDS: dict[str, type | tuple[type, ...]] = {
    "turn_id": str,
    "message_id": str,
    "status": str,
    "text": str,
    "ai_generated": bool,
    "citations": list,
    "alerts": list,
    "memories": list,
    "records": list,
    "confirmations": list,
    "schedules": list,
    "mode": str,
    "usage": dict,
}


async def rows_of(database: Database, table: Any) -> list[Any]:
    async with database.read() as session:
        return list((await session.exec(select(table).order_by(*table.__table__.primary_key))).all())


async def messages_of(owner: Owner) -> list[Json]:
    """The log, oldest first."""
    items: list[Json] = (await owner.get("/chat/messages", limit=100))["items"]
    return items[::-1]


async def started(owner: Owner, assistant: SteppedAssistant, text: str, client_msg_id: str = "m-1") -> Any:
    """A turn that has begun and waits for its assistant; await it for its answer."""
    asking = asyncio.create_task(say(owner, text, client_msg_id))
    await asyncio.wait_for(assistant.waiting.wait(), 10)
    return asking


async def running_turn(database: Database) -> str:
    (turn,) = [turn for turn in await rows_of(database, Turn) if turn.status == "running"]
    turn_id: str = turn.id
    return turn_id


async def test_an_answer_has_every_field_that_is_promised(owner: Owner) -> None:
    pet = await owner.pet("豆豆", "dog")
    answer = await say(owner, "豆豆对鸡肉过敏")

    assert {name: isinstance(answer[name], kind) for name, kind in ANSWER_FIELDS.items()} == dict.fromkeys(
        ANSWER_FIELDS, True
    )
    assert (answer["status"], answer["ai_generated"], answer["mode"]) == ("done", True, "basic")
    (memory,) = answer["memories"]
    assert {"outcome", "subject", "topic", "content"} <= memory.keys()
    assert (memory["outcome"], memory["subject"], memory["topic"]) == ("added", pet["id"], "medical")
    (record,) = answer["records"]
    assert (record["kind"], record["outcome"]) == ("allergies", "added")
    assert (await owner.get(f"/pets/{pet['id']}/allergies/{record['id']}"))["substance"]
    assert await owner.get(f"/chat/turns/{answer['turn_id']}") == answer


async def test_what_was_said_and_answered_stands_in_the_log(owner: Owner) -> None:
    answer = await say(owner, "你好呀")
    question, reply = await messages_of(owner)

    assert (question["id"], question["role"], question["text"]) == (answer["message_id"], "user", "你好呀")
    assert (reply["role"], reply["text"], reply["ai_generated"]) == ("assistant", answer["text"], True)
    assert {question["turn_id"], reply["turn_id"]} == {answer["turn_id"]}


async def test_the_same_message_sent_again_is_the_same_turn(owner: Owner, database: Database) -> None:
    await owner.pet("豆豆")
    first = await say(owner, "豆豆特别怕打雷")
    before = [await rows_of(database, table) for table in (Turn, TurnEvent, Message, MemoryItem)]

    assert await say(owner, "豆豆特别怕打雷") == first
    assert [await rows_of(database, table) for table in (Turn, TurnEvent, Message, MemoryItem)] == before


@pytest.mark.parametrize(
    "change", [{"text": "豆豆怕水"}, {"pet_id": "the other"}, {"temporary": True}, {"text": "豆豆怕打雷 "}]
)
async def test_the_same_id_for_another_message_is_refused(owner: Owner, change: Json) -> None:
    pet, other = await owner.pet("豆豆"), await owner.pet("团子", "cat")
    body = turn_body("豆豆怕打雷", pet_id=pet["id"])
    await owner.post("/chat/turns", body)

    changed = {**body, **change}
    changed["pet_id"] = other["id"] if "pet_id" in change else pet["id"]
    assert problem(await owner.ask("POST", "/chat/turns", changed)) == (409, "client_msg_id_reused")
    assert len(await messages_of(owner)) == 2


async def test_two_owners_may_use_the_same_message_id(sign_in: SignIn) -> None:
    lin, wang = await sign_in("lin"), await sign_in("wang")
    first, second = await say(lin, "你好"), await say(wang, "早上好")

    assert first["turn_id"] != second["turn_id"]
    assert next(message["text"] for message in await messages_of(wang)) == "早上好"


async def test_a_message_sent_twice_at_once_is_answered_once(app: FastAPI, owner: Owner) -> None:
    assistant = SteppedAssistant("一句。", "两句。")
    answer_with(app, assistant)
    asking = [asyncio.create_task(say(owner, "在吗")) for _ in range(4)]
    await assistant.waiting.wait()
    assistant.let_all_go()
    answers = await asyncio.gather(*asking)

    assert [answer["text"] for answer in answers] == ["一句。两句。"] * 4
    assert len({answer["turn_id"] for answer in answers}) == 1
    assert len(assistant.asked) == 1
    assert len(await messages_of(owner)) == 2


async def test_another_message_waits_until_the_running_turn_has_ended(
    app: FastAPI, owner: Owner, database: Database
) -> None:
    assistant = SteppedAssistant("好。")
    answer_with(app, assistant)
    asking = await started(owner, assistant, "第一句")

    refused = await owner.ask("POST", "/chat/turns", turn_body("第二句", "m-2"))
    assert problem(refused) == (409, "turn_in_progress")
    assert refused.json()["retryable"] is True
    assert refused.json()["turn_id"] == await running_turn(database)

    assistant.let_all_go(2)
    await asking
    assert (await say(owner, "第二句", "m-2"))["status"] == "done"


async def test_a_running_turn_of_one_owner_keeps_nobody_else_waiting(app: FastAPI, sign_in: SignIn) -> None:
    lin, wang = await sign_in("lin"), await sign_in("wang")
    assistant = SteppedAssistant("好。")
    answer_with(app, assistant)
    asking = [await started(lin, assistant, "我先说"), asyncio.create_task(say(wang, "我也说"))]
    assistant.let_all_go(2)

    assert [(await one)["status"] for one in asking] == ["done", "done"]


async def test_a_failed_turn_says_so_and_is_run_again(app: FastAPI, owner: Owner) -> None:
    answer_with(app, SteppedAssistant("说到一半", error=RuntimeError("the model is away")).let_all_go())
    failed = await say(owner, "在吗")
    assert (failed["status"], failed["code"], failed["retryable"]) == ("failed", "turn_failed", True)
    assert failed == await owner.get(f"/chat/turns/{failed['turn_id']}")

    answer_with(app, SteppedAssistant("在的。").let_all_go())
    again = await say(owner, "在吗")
    assert (again["turn_id"], again["message_id"]) == (failed["turn_id"], failed["message_id"])
    assert (again["status"], again["text"]) == ("done", "在的。")
    assert "code" not in again
    assert [message["text"] for message in await messages_of(owner)] == ["在吗", "在的。"]


async def test_a_failed_turn_keeps_what_it_had_learned_and_learns_it_once(
    app: FastAPI, owner: Owner, database: Database
) -> None:
    await owner.pet("豆豆")
    answer_with(app, SteppedAssistant(error=RuntimeError("the model is away")).let_all_go())
    await say(owner, "豆豆特别怕打雷")
    learned = await rows_of(database, MemoryItem)
    assert [item.content for item in learned] == ["豆豆特别怕打雷"]

    answer_with(app, SteppedAssistant("好。").let_all_go())
    again = await say(owner, "豆豆特别怕打雷")
    assert [item.id for item in await rows_of(database, MemoryItem)] == [learned[0].id]
    assert [(told["memory_id"], told["outcome"]) for told in again["memories"]] == [(learned[0].id, "added")]


async def test_the_log_is_never_edited(app: FastAPI, owner: Owner, database: Database) -> None:
    await owner.pet("豆豆")
    seen: dict[str, Json] = {}
    for number, text in enumerate(["豆豆怕打雷", "不对，豆豆不怕打雷了", "豆豆怕打雷", "谢谢"]):
        await say(owner, text, f"m-{number}")
        rows = {row.id: row.model_dump() for row in await rows_of(database, Message)}
        assert {message_id: rows[message_id] for message_id in seen} == seen
        seen = rows
    assert len(seen) == 8


@pytest.mark.parametrize(
    ("gap", "conversations"),
    [
        (timedelta(seconds=1), 1),
        (timedelta(minutes=29, seconds=59), 1),
        (timedelta(minutes=30), 2),
        (timedelta(days=300), 2),
        (timedelta(minutes=-10), 1),
    ],
)
async def test_a_silence_of_thirty_minutes_begins_a_new_conversation(
    owner: Owner, gap: timedelta, conversations: int
) -> None:
    await say(owner.at(NOON), "你好", "m-1")
    await say(owner.at(NOON + gap), "还在吗", "m-2")

    log = await messages_of(owner)
    assert len({message["conversation_id"] for message in log}) == conversations
    assert [message["conversation_id"] for message in log[:2]] == [log[0]["conversation_id"]] * 2


async def test_a_conversation_lasts_as_long_as_no_gap_is_too_long(owner: Owner) -> None:
    for number in range(4):
        await say(owner.at(NOON + timedelta(minutes=25 * number)), "嗯", f"m-{number}")

    assert len({message["conversation_id"] for message in await messages_of(owner)}) == 1


async def test_the_assistant_hears_this_conversation_and_how_long_it_was_silent(app: FastAPI, owner: Owner) -> None:
    assistant = SteppedAssistant("好。").let_all_go(3)
    answer_with(app, assistant)
    for number, later in enumerate([timedelta(0), timedelta(minutes=5), timedelta(days=3)]):
        await say(owner.at(NOON + later), f"第{number}句", f"m-{number}")

    histories = [[said.text for said in context.history] for context in assistant.asked]
    assert histories == [[], ["第0句", "好。"], []]
    silences = [context.since_last for context in assistant.asked]
    assert silences == [None, timedelta(minutes=5), timedelta(days=3) - timedelta(minutes=5)]


async def test_a_turn_whose_lease_ran_out_is_interrupted_and_keeps_nobody_waiting(
    app: FastAPI, owner: Owner, database: Database
) -> None:
    clock, stuck = SetClock(), SteppedAssistant("太晚了。")
    answer_with(app, stuck, real_now=clock)
    asking = await started(owner, stuck, "第一句", "m-1")
    turn_id = await running_turn(database)
    clock.pass_by(seconds=TURN_LEASE.total_seconds() + 1)

    answer = await owner.get(f"/chat/turns/{turn_id}")
    assert (answer["status"], answer["code"], answer["retryable"]) == ("failed", "turn_interrupted", True)
    answer_with(app, SteppedAssistant("好。").let_all_go(2), real_now=clock)
    assert (await say(owner, "第二句", "m-2"))["status"] == "done"
    assert (await say(owner, "第一句", "m-1"))["text"] == "好。"
    stuck.let_all_go()
    late = await asking
    assert late["text"] != "太晚了。"
    assert [message["text"] for message in await messages_of(owner)] == ["第一句", "第二句", "好。", "好。"]


async def test_a_message_whose_turn_was_interrupted_is_run_again_at_once(
    app: FastAPI, owner: Owner, database: Database
) -> None:
    clock, stuck = SetClock(), SteppedAssistant("太晚了。")
    answer_with(app, stuck, real_now=clock)
    asking = await started(owner, stuck, "在吗")
    clock.pass_by(seconds=TURN_LEASE.total_seconds() + 1)

    answer_with(app, SteppedAssistant("在的。").let_all_go(), real_now=clock)
    assert (await say(owner, "在吗"))["text"] == "在的。"
    stuck.let_all_go()
    await asking
    assert [message["text"] for message in await messages_of(owner)] == ["在吗", "在的。"]


async def test_a_run_that_outlived_its_lease_is_stopped_when_its_message_is_sent_again(
    app: FastAPI, owner: Owner
) -> None:
    clock, assistant = SetClock(), SteppedAssistant("一句。", "两句。")
    answer_with(app, assistant, real_now=clock)
    first = await started(owner, assistant, "讲个故事")
    assistant.waiting.clear()
    assistant.let_go()
    await assistant.waiting.wait()
    clock.pass_by(seconds=TURN_LEASE.total_seconds() + 1)
    assistant.waiting.clear()
    again = await started(owner, assistant, "讲个故事")
    assistant.let_all_go()

    assert await again == await first
    assert (await first)["text"] == "一句。两句。"
    assert len(assistant.asked) == 2
    assert [message["text"] for message in await messages_of(owner)] == ["讲个故事", "一句。两句。"]


async def test_a_lease_is_real_time(app: FastAPI, owner: Owner) -> None:
    assistant = SteppedAssistant("好。")
    answer_with(app, assistant)
    asking = await started(owner.at(NOON), assistant, "第一句")

    later = await owner.at(NOON + timedelta(days=9)).ask("POST", "/chat/turns", turn_body("第二句", "m-2"))
    assert problem(later) == (409, "turn_in_progress")
    assistant.let_all_go()
    assert (await asking)["status"] == "done"


async def test_a_cancelled_turn_keeps_what_was_said(app: FastAPI, owner: Owner, database: Database) -> None:
    assistant = SteppedAssistant("第一句。", "第二句。")
    answer_with(app, assistant)
    asking = await started(owner, assistant, "讲个故事")
    turn_id = await running_turn(database)
    assistant.waiting.clear()
    assistant.let_go()
    await assistant.waiting.wait()

    stopped = await owner.post(f"/chat/turns/{turn_id}/cancel")
    assert (stopped["status"], stopped["text"]) == ("done", "第一句。")
    assert await asking == stopped
    assert await say(owner, "讲个故事") == stopped
    assert [message["text"] for message in await messages_of(owner)] == ["讲个故事", "第一句。"]
    answer_with(app, SteppedAssistant("好。").let_all_go())
    assert (await say(owner, "换个话题", "m-2"))["status"] == "done"


async def test_cancelling_twice_at_once_stops_a_turn_once(app: FastAPI, owner: Owner, database: Database) -> None:
    assistant = SteppedAssistant("第一句。")
    answer_with(app, assistant)
    asking = await started(owner, assistant, "讲个故事")
    path = f"/chat/turns/{await running_turn(database)}/cancel"

    stopped = await asyncio.gather(*(owner.post(path) for _ in range(5)))
    assert [answer["status"] for answer in stopped] == ["done"] * 5
    await asking
    assert [event.event for event in await rows_of(database, TurnEvent)] == ["turn", "done"]


async def test_a_finished_turn_cannot_be_cancelled_any_more(owner: Owner) -> None:
    answer = await say(owner, "你好")
    assert await owner.post(f"/chat/turns/{answer['turn_id']}/cancel") == answer
    assert len(await messages_of(owner)) == 2


async def test_a_memory_that_was_cited_counts_once_a_turn(app: FastAPI, owner: Owner, database: Database) -> None:
    await owner.pet("豆豆")
    cited = (await say(owner, "豆豆特别怕打雷", "m-1"))["memories"][0]["memory_id"]

    async def count() -> int:
        (item,) = [item for item in await rows_of(database, MemoryItem) if item.id == cited]
        number: int = item.cited
        return number

    answer_with(app, SteppedAssistant("它怕。", "真的怕。", cites=[cited]).let_all_go(3))
    answer = await say(owner, "豆豆怕什么", "m-2")
    assert [citation["memory_id"] for citation in answer["citations"]] == [cited]
    assert await count() == 1
    await say(owner, "豆豆怕什么", "m-2")
    assert await count() == 1
    await say(owner, "豆豆怕什么来着", "m-3")
    assert await count() == 2


async def test_a_failed_turn_cites_nothing_until_it_is_run_again(
    app: FastAPI, owner: Owner, database: Database
) -> None:
    await owner.pet("豆豆")
    cited = (await say(owner, "豆豆特别怕打雷", "m-1"))["memories"][0]["memory_id"]
    answer_with(app, SteppedAssistant("它怕。", cites=[cited], error=RuntimeError()).let_all_go())
    await say(owner, "豆豆怕什么", "m-2")
    assert [item.cited for item in await rows_of(database, MemoryItem)] == [0]
    answer_with(app, SteppedAssistant("它怕。", cites=[cited]).let_all_go())
    await say(owner, "豆豆怕什么", "m-2")
    assert [item.cited for item in await rows_of(database, MemoryItem)] == [1]


async def test_history_is_read_page_by_page_newest_first(owner: Owner) -> None:
    for number in range(3):
        await say(owner, f"第{number}句", f"m-{number}")
    whole = (await owner.get("/chat/messages"))["items"]
    assert [message["text"] for message in whole if message["role"] == "user"] == ["第2句", "第1句", "第0句"]

    first = await owner.get("/chat/messages", limit=4)
    rest = await owner.get("/chat/messages", limit=4, cursor=first["next_cursor"])
    assert (first["items"] + rest["items"], rest["next_cursor"]) == (whole, None)
    before = await owner.get("/chat/messages", before=whole[2]["id"])
    assert before["items"] == whole[3:]


@pytest.fixture
async def replica(app: FastAPI, settings: Settings) -> Any:
    """The turns of a second process over the same database."""
    async with open_container(settings) as container:
        yield container


async def scope_of_owner(database: Database, owner: Owner) -> Scope:
    (turn, *_) = [turn for turn in await rows_of(database, Turn) if turn.owner_id == owner.id]
    return Scope(turn.household_id, owner.id)


async def test_another_replica_joins_a_running_turn_and_reads_its_answer(
    app: FastAPI, owner: Owner, database: Database, replica: Any
) -> None:
    assistant = SteppedAssistant("一句。", "两句。")
    answer_with(app, assistant)
    asking = await started(owner, assistant, "讲个故事")
    turn_id, scope = await running_turn(database), await scope_of_owner(database, owner)
    elsewhere = asyncio.create_task(replica.turns.wait(scope, turn_id))
    assert (await replica.turns.answer(scope, turn_id))["status"] == "running"
    assistant.let_all_go()

    assert await elsewhere == await asking == await replica.turns.answer(scope, turn_id)


async def test_another_replica_stops_a_turn(app: FastAPI, owner: Owner, database: Database, replica: Any) -> None:
    assistant = SteppedAssistant("一句。", "两句。")
    answer_with(app, assistant)
    asking = await started(owner, assistant, "讲个故事")
    turn_id, scope = await running_turn(database), await scope_of_owner(database, owner)

    await replica.turns.cancel(scope, turn_id)
    stopped = await asyncio.wait_for(asking, 10)
    assert (stopped["status"], stopped["text"]) == ("done", "")
    assert await replica.turns.answer(scope, turn_id) == stopped


async def test_a_message_sent_to_two_replicas_at_once_is_one_turn(
    app: FastAPI, owner: Owner, database: Database, replica: Any
) -> None:
    await say(owner, "你好", "m-0")
    scope = await scope_of_owner(database, owner)
    here: ChatTurns = app.state.container.turns

    async def send(turns: ChatTurns, number: int) -> Json:
        turn_id = await turns.start(scope, TurnRequest("在吗", f"m-{number}", NOON))
        return await turns.wait(scope, turn_id)

    for number in range(1, 6):
        first, second = await asyncio.gather(send(here, number), send(replica.turns, number))
        assert first == second
    assert len(await rows_of(database, Turn)) == 6
    assert len(await rows_of(database, Message)) == 12


async def test_a_failed_turn_sent_again_to_two_replicas_runs_once(
    app: FastAPI, owner: Owner, database: Database, replica: Any
) -> None:
    answer_with(app, SteppedAssistant(error=RuntimeError()).let_all_go(5))
    for number in range(5):
        await say(owner, "在吗", f"m-{number}")
    scope = await scope_of_owner(database, owner)
    assistants = [SteppedAssistant("在。").let_all_go(5) for _ in range(2)]
    parts = [app.state.container._turn_parts(), replica._turn_parts()]
    both = [ChatTurns(replace(one, assistant=assistant)) for one, assistant in zip(parts, assistants, strict=True)]

    for number in range(5):
        ids = await asyncio.gather(*(turns.start(scope, TurnRequest("在吗", f"m-{number}", NOON)) for turns in both))
        answers = [await turns.wait(scope, turn_id) for turns, turn_id in zip(both, ids, strict=True)]
        assert [answer["text"] for answer in answers] == ["在。", "在。"]
    assert sum(len(assistant.asked) for assistant in assistants) == 5
    assert len(await rows_of(database, Message)) == 10


async def test_households_with_pets_of_the_same_name_never_see_each_other(
    app: FastAPI, sign_in: SignIn, database: Database
) -> None:
    lin, wang = await sign_in("lin"), await sign_in("wang")
    pets = [await owner.pet("豆豆", "dog") for owner in (lin, wang)]
    taught = await say(lin, "豆豆特别怕吸尘器", "m-1")
    await say(lin, "豆豆对鸡肉过敏", "m-2")
    assistant = SteppedAssistant("好。").let_all_go(2)
    answer_with(app, assistant)
    await say(wang, "豆豆怕吸尘器吗，能吃鸡肉吗", "m-1")
    await say(wang, "豆豆最近怎么样", "m-2")

    for context in assistant.asked:
        told = repr(context)
        assert "特别怕吸尘器" not in told
        assert "鸡肉过敏" not in told
        assert pets[0]["id"] not in told
    turn = taught["turn_id"]
    for method, path in [
        ("GET", f"/chat/turns/{turn}"),
        ("GET", f"/chat/turns/{turn}/events"),
        ("POST", f"/chat/turns/{turn}/cancel"),
    ]:
        assert problem(await wang.ask(method, path)) == (404, "unknown_turn")
    assert {message["text"] for message in await messages_of(wang)} == {
        "豆豆怕吸尘器吗，能吃鸡肉吗",
        "豆豆最近怎么样",
        "好。",
    }
    stolen = await wang.get("/chat/messages", before=taught["message_id"])
    assert stolen["items"] == []
    async with database.read() as session:
        of_wang = await session.exec(select(MemoryItem).where(col(MemoryItem.subject) == pets[1]["id"]))
        assert of_wang.all() == []
