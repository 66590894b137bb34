"""The stream of a turn: what comes when, how it is resumed, and that a turn does not need its phone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fastapi import FastAPI
from sqlmodel import select

from app.container import Container, open_container
from app.database import Database
from app.main import create_app
from app.settings import Settings
from domain.running_turn import Run
from domain.turns import Turn
from memory.items import MemoryItem
from memory.messages import Message
from miniprogram_api.streaming import stream
from tests.conftest import on_sqlite
from tests.factories import Owner, problem
from tests.fakes.phone import STREAM, calling, hear, hear_again, heard_in, on_a_socket, say, turn_body
from tests.fakes.slow_assistant import SteppedAssistant, answer_with

PROBLEM_FIELDS = {"type", "title", "status", "detail", "code", "request_id", "retryable"}
TURNS = "/chat/turns"


async def only_turn(database: Database) -> str:
    async with database.read() as session:
        return (await session.exec(select(Turn.id))).one()


async def remembered(database: Database) -> list[str]:
    async with database.read() as session:
        return list((await session.exec(select(MemoryItem.id))).all())


async def test_a_stream_tells_the_turn_its_receipts_its_words_and_the_whole_answer(owner: Owner) -> None:
    await owner.pet("豆豆")
    heard = await hear(owner, "豆豆特别怕打雷")

    assert [event.seq for event in heard] == list(range(1, len(heard) + 1))
    names = [event.name for event in heard]
    assert names[:2] == ["turn", "memory"]
    assert set(names[2:-1]) == {"delta"}
    assert names[-1] == "done"
    turn, memory, *deltas, done = heard
    assert turn.data == {"turn_id": done.data["turn_id"], "ai_generated": True}
    assert done.data["memories"] == [memory.data]
    assert "".join(delta.data["text"] for delta in deltas) == done.data["text"]
    assert [delta.data["seq"] for delta in deltas] == [delta.seq for delta in deltas]
    assert done.data == await owner.get(f"/chat/turns/{done.data['turn_id']}")


async def test_a_question_to_the_owner_comes_after_its_receipt(owner: Owner) -> None:
    await owner.pet("豆豆")
    heard = await hear(owner, "豆豆好像对牛肉过敏")

    names = [event.name for event in heard]
    assert names.index("confirm") == names.index("memory") + 1
    asked = heard[names.index("confirm")].data
    assert heard[-1].data["confirmations"] == [asked]
    assert asked["id"]
    assert asked["question"]


async def test_a_stream_is_not_kept_by_proxies(owner: Owner) -> None:
    answer = await owner.ask("POST", TURNS, turn_body("你好"), headers=STREAM)
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-accel-buffering"] == "no"
    assert answer.content.isascii()


async def test_a_stream_and_a_json_answer_of_the_same_message_say_the_same(owner: Owner) -> None:
    first = await say(owner, "你好")
    heard = await hear(owner, "你好")
    assert heard[-1].data == first


async def test_a_stream_goes_on_after_any_event(owner: Owner) -> None:
    await owner.pet("豆豆")
    heard = await hear(owner, "豆豆特别怕打雷")
    turn_id = heard[0].data["turn_id"]

    for after in range(len(heard)):
        assert await hear_again(owner, turn_id, after) == heard[after:]


@pytest.mark.parametrize("beyond", [0, 1, 100])
async def test_who_has_heard_everything_is_told_the_end_again(owner: Owner, beyond: int) -> None:
    heard = await hear(owner, "你好")
    (end,) = await hear_again(owner, heard[0].data["turn_id"], heard[-1].seq + beyond)
    assert (end.name, end.data) == ("done", heard[-1].data)


async def test_an_event_source_names_the_last_event_in_a_header(owner: Owner) -> None:
    heard = await hear(owner, "你好")
    path = f"/v1/chat/turns/{heard[0].data['turn_id']}/events"
    answer = await owner.client.get(path, headers={"Last-Event-ID": str(heard[0].seq)})
    assert heard_in(answer.content) == heard[1:]


@pytest.mark.parametrize("after", ["-1", "x", "99999999999", "1.5"])
async def test_a_place_that_is_none_is_refused(owner: Owner, after: str) -> None:
    answer = await say(owner, "你好")
    refused = await owner.ask("GET", f"/chat/turns/{answer['turn_id']}/events", params={"after": after})
    assert problem(refused) == (422, "invalid_input")


class FullDisk:
    """Stores nothing that was said."""

    async def store(self, run: Run) -> None:
        raise OSError("no space left")


@on_sqlite
async def test_what_could_not_be_stored_leaves_no_gap_in_the_numbers(app: FastAPI, owner: Owner) -> None:
    answer_with(app, SteppedAssistant("说到一半。", "说完了。").let_go(), events=FullDisk())
    heard = await hear(owner, "在吗")
    assert heard[-1].name == "error"
    assert [one.seq for one in heard] == list(range(1, len(heard) + 1))


async def test_a_turn_that_failed_ends_its_stream_with_a_problem(app: FastAPI, owner: Owner) -> None:
    answer_with(app, SteppedAssistant("说到一半", error=RuntimeError("the model is away")).let_all_go())
    heard = await hear(owner, "在吗")

    end = heard[-1]
    assert end.name == "error"
    assert end.data.keys() >= PROBLEM_FIELDS
    assert (end.data["code"], end.data["retryable"]) == ("turn_failed", True)
    assert "the model is away" not in repr(heard)
    again = (await hear_again(owner, heard[0].data["turn_id"], 1))[-1]
    assert (again.name, again.data["code"], again.data["retryable"]) == ("error", "turn_failed", True)
    assert again.data.keys() >= PROBLEM_FIELDS


async def test_a_stream_hands_over_before_the_platform_cuts_it(
    app: FastAPI, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(stream.__kwdefaults__, "continue_seconds", 0.1)
    assistant = SteppedAssistant("一句。", "两句。")
    answer_with(app, assistant)
    first = await hear(owner, "讲个故事")
    assert [event.name for event in first] == ["turn", "continue"]
    turn_id = first[0].data["turn_id"]
    assert first[-1].data == {"turn_id": turn_id, "last_seq": 1}

    assistant.let_all_go()
    rest = await hear_again(owner, turn_id, first[-1].data["last_seq"])
    while rest[-1].name == "continue":
        rest = [*rest[:-1], *await hear_again(owner, turn_id, rest[-1].data["last_seq"])]
    assert [event.name for event in rest] == ["delta", "delta", "done"]
    assert rest[-1].data["text"] == "一句。两句。"


async def test_advice_in_an_emergency_comes_before_anything_is_thought(app: FastAPI, owner: Owner) -> None:
    await owner.pet("豆豆")
    assistant = SteppedAssistant("先去医院。")
    answer_with(app, assistant)
    async with (
        on_a_socket(app) as address,
        calling(address, owner, "POST", TURNS, turn_body("豆豆一直在抽搐，倒地不起")) as line,
    ):
        heard = await line.until("alert")
        assert [event.name for event in heard] == ["turn", "alert"]
        assert heard[-1].data["advice"]
        assistant.let_all_go()
        done = (await line.until("done"))[-1]
    assert done.data["alerts"][0] == heard[-1].data


async def test_the_first_sentence_is_heard_while_the_second_is_thought(app: FastAPI, owner: Owner) -> None:
    assistant = SteppedAssistant("一句。", "两句。")
    answer_with(app, assistant)
    async with on_a_socket(app) as address, calling(address, owner, "POST", TURNS, turn_body("讲个故事")) as line:
        assistant.let_go()
        first = (await line.until("delta"))[-1]
        assert first.data["text"] == "一句。"
        assistant.let_go(2)
        done = (await line.until("done"))[-1]
    assert done.data["text"] == "一句。两句。"


async def test_a_turn_goes_on_without_its_phone(app: FastAPI, owner: Owner, database: Database) -> None:
    assistant = SteppedAssistant("一句。", "两句。", "三句。")
    answer_with(app, assistant)
    async with on_a_socket(app) as address:
        async with calling(address, owner, "POST", TURNS, turn_body("讲个故事")) as line:
            assistant.let_go()
            last = (await line.until("delta"))[-1]
        assistant.let_go(3)
        turn_id = await only_turn(database)
        rest = await hear_again(owner, turn_id, last.seq)
    assert "".join(event.data["text"] for event in rest if event.name == "delta") == "两句。三句。"
    assert rest[-1].data["text"] == "一句。两句。三句。"
    assert await owner.get(f"/chat/turns/{turn_id}") == rest[-1].data


async def test_two_phones_hear_the_same_turn(app: FastAPI, owner: Owner) -> None:
    assistant = SteppedAssistant("一句。", "两句。")
    answer_with(app, assistant)
    body = turn_body("讲个故事")
    async with (
        on_a_socket(app) as address,
        calling(address, owner, "POST", TURNS, body) as phone,
        calling(address, owner, "POST", TURNS, body) as tablet,
    ):
        assistant.let_go()
        early = [await phone.until("delta"), await tablet.until("delta")]
        assert early[0] == early[1]
        assistant.let_go(2)
        assert await phone.until("done") == await tablet.until("done")


async def test_a_receipt_is_told_only_of_what_stands_in_the_database(
    app: FastAPI, owner: Owner, database: Database
) -> None:
    await owner.pet("豆豆")
    assistant = SteppedAssistant("好。", "还有吗？")
    answer_with(app, assistant)
    async with on_a_socket(app) as address, calling(address, owner, "POST", TURNS, turn_body("豆豆怕打雷")) as line:
        assistant.let_go()
        receipt = (await line.until("memory"))[-1]
        assert receipt.data["memory_id"] in await remembered(database)
        assistant.let_go(2)
        await line.until("done")


class _FailingCommits:
    """The real transactions, of which the one that would remember something fails at its end."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Any]:
        async with self._real.write() as session:
            yield session
            await session.flush()
            if (await session.exec(select(MemoryItem.id).limit(1))).first() is not None:
                raise OSError("the disk is full")


async def test_no_receipt_is_told_of_what_could_not_be_stored(app: FastAPI, owner: Owner, database: Database) -> None:
    await owner.pet("豆豆")
    container: Container = app.state.container
    answer_with(app, SteppedAssistant("好。").let_all_go(), transactions=_FailingCommits(container.database))
    heard = await hear(owner, "豆豆特别怕打雷")

    assert "memory" not in [event.name for event in heard]
    assert heard[-1].name in ("done", "error")
    assert heard[-1].data.get("memories", []) == []
    assert await remembered(database) == []


@pytest.fixture(scope="session")
def second_application() -> tuple[FastAPI, dict[str, Settings]]:
    """Another process's application, as far as one process can have one."""
    chosen: dict[str, Settings] = {}
    return create_app(Settings(env="test", _env_file=None), lambda _: open_container(chosen["settings"])), chosen


@pytest.fixture
async def replica(
    app: FastAPI, settings: Settings, second_application: tuple[FastAPI, dict[str, Settings]]
) -> AsyncIterator[FastAPI]:
    made, chosen = second_application
    chosen["settings"] = settings
    async with made.router.lifespan_context(made):
        yield made


async def test_a_stream_goes_on_at_another_replica(
    app: FastAPI, owner: Owner, database: Database, replica: FastAPI
) -> None:
    assistant = SteppedAssistant("一句。", "两句。")
    answer_with(app, assistant)
    async with (
        on_a_socket(app) as here,
        on_a_socket(replica) as there,
        calling(here, owner, "POST", TURNS, turn_body("讲个故事")) as first,
    ):
        assistant.let_go()
        heard = await first.until("delta")
        turn_id = heard[0].data["turn_id"]
        async with calling(there, owner, "GET", f"{TURNS}/{turn_id}/events?after=0") as second:
            assert await second.until("delta") == heard
            assistant.let_go(2)
            assert await second.until("done") == await first.until("done")


async def test_the_same_message_at_another_replica_joins_the_turn(
    app: FastAPI, owner: Owner, database: Database, replica: FastAPI
) -> None:
    assistant = SteppedAssistant("一句。")
    answer_with(app, assistant)
    body = turn_body("讲个故事")
    async with (
        on_a_socket(app) as here,
        on_a_socket(replica) as there,
        calling(here, owner, "POST", TURNS, body) as first,
        calling(there, owner, "POST", TURNS, body) as second,
    ):
        assistant.let_all_go()
        heard, joined = await asyncio.gather(first.until("done"), second.until("done"))
    assert joined == heard
    async with database.read() as session:
        assert len((await session.exec(select(Message.id))).all()) == 2


@on_sqlite
async def test_every_byte_of_a_stream_is_ascii_whatever_was_said(owner: Owner) -> None:
    answer = await owner.ask("POST", TURNS, turn_body("豆豆🐶说\u2028你好"), headers=STREAM)
    assert answer.content.isascii()
    assert heard_in(answer.content)[-1].name == "done"
