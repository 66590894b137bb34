"""A whole mini-program against the service: cold starts, double taps, cut streams, and phones that cannot decode."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from domain.owners import POLICIES
from tests.fakes.mini_program import METHODS, MiniProgram, RequestFailed, Success, frames_in, halves, shreds
from tests.fakes.phone import on_a_socket, turn_body
from tests.fakes.slow_assistant import SteppedAssistant, answer_with
from tests.fakes.wechat.server import FakeWeChat
from tests.fakes.wechat.world import OPENID, TEMPLATE_IDS

SENTENCES = ("猫🐱和狗🐶都好。", "👨‍👩‍👧一家\u2028换行。", "最后一句。")


@pytest.fixture
async def phone(app: FastAPI, fake: FakeWeChat) -> AsyncIterator[MiniProgram]:
    """A phone on a real connection, signed in."""
    async with on_a_socket(app) as address, httpx.AsyncClient(base_url=address, timeout=60) as client:
        made = MiniProgram(client)
        code = fake.world.code("login", fake.world.person(OPENID).openid)
        made.token = (await made.ok("POST", "/auth/wechat", {"code": code}))["access_token"]
        consent = {"purpose": "long_term_memory", "version": POLICIES["long_term_memory"].version, "granted": True}
        await made.ok("PUT", "/me/consents", consent)
        yield made


async def test_a_stream_reads_the_same_wherever_it_is_cut(app: FastAPI, phone: MiniProgram) -> None:
    answer_with(app, SteppedAssistant(*SENTENCES).let_all_go())
    stream = await phone.stream("POST", "/chat/turns", turn_body("你好呀"))
    assert stream.isascii()
    whole = frames_in([stream])
    assert "".join(event.data["text"] for event in whole if event.name == "delta") == "".join(SENTENCES)
    for chunks in halves(stream):
        assert frames_in(chunks) == whole
    for seed in range(20):
        assert frames_in(shreds(stream, seed)) == whole


async def test_a_stream_that_is_dropped_anywhere_is_gone_on_with(app: FastAPI, phone: MiniProgram) -> None:
    answer_with(app, SteppedAssistant(*SENTENCES).let_all_go())
    stream = await phone.stream("POST", "/chat/turns", turn_body("你好呀"))
    whole = frames_in([stream])
    turn_id = whole[0].data["turn_id"]
    for place in range(0, len(stream), 37):
        heard = frames_in([stream[:place]])
        last = heard[-1].seq if heard else 0
        rest = frames_in([await phone.stream("GET", f"/chat/turns/{turn_id}/events?after={last}")])
        expected = whole if not heard else whole[len(heard) :] or whole[-1:]
        assert rest == expected


async def test_a_phone_that_goes_into_the_background_finds_its_answer_later(app: FastAPI, phone: MiniProgram) -> None:
    assistant = SteppedAssistant(*SENTENCES)
    answer_with(app, assistant.let_go(1))
    begun = frames_in([await phone.stream("POST", "/chat/turns", turn_body("你好呀"), drop_after=150)])
    assistant.let_all_go()
    turn_id = begun[0].data["turn_id"]
    rest = frames_in([await phone.stream("GET", f"/chat/turns/{turn_id}/events?after={begun[-1].seq}")])
    assert rest[-1].name == "done"
    assert rest[-1].data["text"] == "".join(SENTENCES)
    assert (await phone.ok("GET", f"/chat/turns/{turn_id}"))["text"] == "".join(SENTENCES)


async def test_every_double_tap_makes_one_thing(phone: MiniProgram, fake: FakeWeChat) -> None:
    pet = await phone.ok("POST", "/pets", {"name": "豆豆", "species": "dog"})
    await phone.ok(
        "POST", f"/pets/{pet['id']}/weights", {"value": 12.3, "unit": "kg", "measured_at": "2026-03-01T08:00:00+08:00"}
    )
    await phone.ok("POST", "/memories", {"subject": pet["id"], "content": "豆豆喜欢绳结"})
    await phone.ok(
        "POST", "/schedules", {"title": "打疫苗", "starts_at": "2027-03-04T15:00:00+08:00", "pet_id": pet["id"]}
    )
    await phone.ok("POST", "/subscriptions/grants", {"results": {TEMPLATE_IDS["reminder"]: "accept"}})
    await phone.ok("POST", f"/pets/{pet['id']}/shares", {"expires_in_hours": 1})
    await phone.ok("POST", "/chat/turns", turn_body("豆豆特别怕打雷"))

    assert len((await phone.ok("GET", "/pets"))["items"]) == 1
    assert len((await phone.ok("GET", f"/pets/{pet['id']}/weights"))["items"]) == 1
    assert len((await phone.ok("GET", "/schedules"))["items"]) == 1
    assert len((await phone.ok("GET", f"/pets/{pet['id']}/shares"))["items"]) == 1
    templates = (await phone.ok("GET", "/subscriptions/templates"))["items"]
    assert sum(one["remaining"] for one in templates) == 1
    messages = (await phone.ok("GET", "/chat/messages"))["items"]
    assert [one["role"] for one in messages].count("user") == 1


async def test_a_cold_start_asks_for_everything_at_once(phone: MiniProgram, fake: FakeWeChat) -> None:
    codes = [fake.world.code("login", OPENID) for _ in range(3)]
    signing_in = [phone.request("POST", "/auth/wechat", {"code": code}) for code in codes]
    looking = [phone.request("GET", path) for path in ("/me", "/pets", "/inbox", "/chat/opening", "/schedules")]
    answers: list[Success] = await asyncio.gather(*signing_in, *looking)
    assert {answer.status for answer in answers} == {200}
    assert len({answer.data["owner"]["id"] for answer in answers[:3]}) == 1


async def test_a_second_question_waits_for_the_first_answer(app: FastAPI, phone: MiniProgram) -> None:
    phone.taps = 1
    assistant = SteppedAssistant("好。")
    answer_with(app, assistant)
    first = asyncio.create_task(phone.request("POST", "/chat/turns", turn_body("第一句")))
    await assistant.waiting.wait()
    second = await phone.request("POST", "/chat/turns", turn_body("第二句", "m-2"))
    assert (second.status, second.data["code"]) == (409, "turn_in_progress")
    assistant.let_all_go()
    assert (await first).status == 200


async def test_nothing_asks_for_what_wx_request_cannot_send(app: FastAPI, phone: MiniProgram) -> None:
    used = {method.upper() for path in app.openapi()["paths"].values() for method in path}
    assert used <= METHODS
    with pytest.raises(RequestFailed):
        await phone.request("PATCH", "/me", {})
