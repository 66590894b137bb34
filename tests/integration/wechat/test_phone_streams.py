"""Streams as real phones need them: each promise of the stream by itself."""

import asyncio

import httpx
import pytest
from fastapi import FastAPI

from domain import sentence_batches
from miniprogram_api import streaming
from tests.conftest import on_sqlite
from tests.factories import Owner, problem
from tests.fakes.mini_program import frames_in
from tests.fakes.phone import STREAM, calling, hear, hear_again, on_a_socket, turn_body
from tests.fakes.slow_assistant import SteppedAssistant, answer_with

TURNS = "/chat/turns"
PLATFORM_CUTS = 60.0  # seconds after which WeChat ends a request


async def streamed(owner: Owner, text: str, client_msg_id: str = "m-1") -> httpx.Response:
    return await owner.ask("POST", TURNS, turn_body(text, client_msg_id), headers=STREAM)


def test_the_pace_of_streams_is_what_phones_take() -> None:
    assert 0.1 <= sentence_batches.GATHER_SECONDS <= 0.2
    assert streaming.PING_SECONDS <= 15
    assert streaming.CONTINUE_SECONDS < 55 < PLATFORM_CUTS


@on_sqlite
async def test_a_second_stream_of_an_owner_is_refused_while_the_first_one_runs(app: FastAPI, owner: Owner) -> None:
    assistant = SteppedAssistant("好。")
    answer_with(app, assistant)
    async with (
        on_a_socket(app) as address,
        calling(address, owner, "POST", TURNS, turn_body("第一句")) as line,
    ):
        first = await line.next()
        refused = await streamed(owner, "第二句", "m-2")
        assert problem(refused) == (409, "turn_in_progress")
        assistant.let_all_go()
        done = (await line.until("done"))[-1]
    assert done.data["turn_id"] == first.data["turn_id"]
    assistant.let_all_go()
    assert (await hear(owner, "第二句", "m-2"))[-1].name == "done"


@on_sqlite
async def test_two_taps_of_one_message_are_one_stream(app: FastAPI, owner: Owner) -> None:
    assistant = SteppedAssistant("好。").let_all_go()
    answer_with(app, assistant)
    first, second = await asyncio.gather(hear(owner, "你好呀"), hear(owner, "你好呀"))
    assert first == second
    assert len(assistant.asked) == 1


@on_sqlite
async def test_a_stream_can_be_dropped_after_every_byte(app: FastAPI, owner: Owner) -> None:
    answer_with(app, SteppedAssistant("猫🐱。", "狗🐶。", "都好。").let_all_go())
    stream = (await streamed(owner, "你好呀")).content
    whole = frames_in([stream])
    turn_id = whole[0].data["turn_id"]
    rests = {seq: await hear_again(owner, turn_id, seq) for seq in (0, *(event.seq for event in whole))}
    for place in range(len(stream) + 1):
        heard = frames_in([stream[:place]])
        rest = rests[heard[-1].seq if heard else 0]
        assert heard + rest == whole or (heard == whole and rest == whole[-1:])


@on_sqlite
async def test_a_handed_over_stream_goes_on_by_the_id_of_its_turn(
    app: FastAPI, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(streaming.stream.__kwdefaults__, "continue_seconds", 0.05)
    assistant = SteppedAssistant("好。")
    answer_with(app, assistant)
    handed = (await hear(owner, "讲个故事"))[-1]
    assert handed.name == "continue"
    again = (await hear_again(owner, handed.data["turn_id"], handed.data["last_seq"]))[-1]
    assert (again.name, again.data) == ("continue", handed.data)
    assistant.let_all_go()
    monkeypatch.setitem(streaming.stream.__kwdefaults__, "continue_seconds", 30.0)
    rest = await hear_again(owner, handed.data["turn_id"], handed.data["last_seq"])
    assert (rest[-1].name, rest[-1].data["text"]) == ("done", "好。")
