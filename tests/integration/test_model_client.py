"""The client of an OpenAI-compatible endpoint, over real HTTP against a server that fails in every way it can."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from pydantic import BaseModel

from app.adapters.model_client import TRIES, ModelClient
from app.adapters.model_endpoint import EndpointAddress, ModelEndpoint, Patience, retry_after
from app.adapters.model_requests import Called, Finished, ModelRequest, Piece, TextPiece
from app.adapters.structured_answers import ask_structured
from domain.model_faults import BadAnswer, ModelAway
from tests.fakes.model_server import FakeModel, Reply, ToolCall

QUICK = Patience(connect=0.3, read=0.3)
WORDS = "豆豆对鸡肉过敏。换一种肉吧！"
MUTE = "connection"


class Seen(BaseModel):
    """Some structured answer."""

    pet: str
    times: int


def address_of(model: FakeModel, name: str = "main") -> EndpointAddress:
    return EndpointAddress(name, model.address, "sk-test", "big", "small", "vectors")


@asynccontextmanager
async def client_of(*addresses: EndpointAddress, calls: list[Called] | None = None) -> AsyncIterator[ModelClient]:
    client = ModelClient([ModelEndpoint(one, QUICK) for one in addresses], ([] if calls is None else calls).append)
    yield client
    await client.close()


def within(seconds: float = 10.0) -> float:
    return asyncio.get_running_loop().time() + seconds


def asking(**more: object) -> ModelRequest:
    return ModelRequest("reply", [{"role": "user", "content": "豆豆能吃什么"}], 400, **more)  # type: ignore[arg-type]


def chore() -> ModelRequest:
    return ModelRequest("extract", [{"role": "user", "content": "豆豆吐了"}], 400)


async def pieces_of(client: ModelClient, request: ModelRequest | None = None, seconds: float = 10.0) -> list[Piece]:
    return [piece async for piece in client.stream(request or asking(), within(seconds))]


async def fault_while_hearing(client: ModelClient, heard: list[Piece]) -> ModelAway:
    """The fault that ends a stream; `heard` keeps what came before it."""
    try:
        async for piece in client.stream(asking(), within()):
            heard.append(piece)
    except ModelAway as away:
        return away
    raise AssertionError("the stream came to its end")


def said(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, TextPiece))


async def test_an_answer_comes_piece_by_piece_and_ends_with_its_tokens(model: FakeModel) -> None:
    model.will(Reply(WORDS))
    async with client_of(address_of(model)) as client:
        pieces = await pieces_of(client)
    assert said(pieces) == WORDS
    assert len(pieces) > 3
    assert isinstance(pieces[-1], Finished)
    assert pieces[-1].tokens.completion_tokens > 0
    assert model.asked[0].model == "big"
    assert model.asked[0].headers["authorization"] == "Bearer sk-test"


async def test_tool_calls_are_gathered_from_their_parts(model: FakeModel) -> None:
    model.will(Reply.calls(ToolCall.of("read_records", kind="allergies"), ToolCall.of("remember", content="怕打雷")))
    async with client_of(address_of(model)) as client:
        end = (await pieces_of(client))[-1]
    assert isinstance(end, Finished)
    assert [(call.name, call.arguments) for call in end.tool_calls] == [
        ("read_records", '{"kind": "allergies"}'),
        ("remember", '{"content": "怕打雷"}'),
    ]


@pytest.mark.parametrize(
    "failure",
    [
        Reply.silent(),
        Reply.too_many(),
        Reply.too_many(0.1),
        Reply.error(500),
        Reply.error(503),
        Reply.cut(WORDS, 0),
        Reply.garbled(),
        Reply.failing_inside(WORDS, 0),
    ],
    ids=["silent", "429", "429 with Retry-After", "500", "503", "cut", "garbled", "error event"],
)
async def test_a_failure_before_the_first_word_is_tried_again(model: FakeModel, failure: Reply) -> None:
    model.will(failure, Reply(WORDS))
    async with client_of(address_of(model)) as client:
        assert said(await pieces_of(client)) == WORDS
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (Reply.cut(WORDS, 3), "connection"),
        (Reply.garbled(WORDS, 3), "malformed"),
        (Reply.failing_inside(WORDS, 3), "stream_error"),
        (Reply.stalled(WORDS, 3), "timeout"),
    ],
    ids=["cut", "garbled", "error event", "stalled"],
)
async def test_a_failure_after_the_first_word_is_told_and_not_tried_again(
    model: FakeModel, failure: Reply, reason: str
) -> None:
    model.will(failure)
    heard: list[Piece] = []
    async with client_of(address_of(model)) as client:
        away = await fault_while_hearing(client, heard)
    assert away.reason == reason
    assert said(heard) == WORDS[:6]
    assert len(model.asked) == 1


async def test_retry_after_is_waited_for(model: FakeModel) -> None:
    model.will(Reply.too_many(0.5), Reply(WORDS))
    begun = time.monotonic()
    async with client_of(address_of(model)) as client:
        await pieces_of(client)
    assert time.monotonic() - begun >= 0.5


async def test_a_retry_after_beyond_the_turn_is_not_waited_for(model: FakeModel) -> None:
    model.always(Reply.too_many(60))
    async with client_of(address_of(model)) as client:
        with pytest.raises(ModelAway) as away:
            await pieces_of(client)
    assert away.value.reason == "rate_limited"
    assert len(model.asked) == 1


async def test_no_more_than_three_tries(model: FakeModel) -> None:
    model.always(Reply.error(502))
    async with client_of(address_of(model)) as client:
        with pytest.raises(ModelAway):
            await pieces_of(client)
    assert len(model.asked) == TRIES


async def test_nothing_goes_on_beyond_the_deadline(model: FakeModel) -> None:
    model.always(Reply(WORDS * 100, pace=0.05))
    begun = time.monotonic()
    async with client_of(address_of(model)) as client:
        with pytest.raises(ModelAway) as away:
            await pieces_of(client, seconds=1.0)
    assert away.value.reason == "timeout"
    assert time.monotonic() - begun < 5.0


async def test_a_key_that_is_refused_is_not_tried_again(model: FakeModel) -> None:
    model.always(Reply.error(401))
    async with client_of(address_of(model)) as client:
        with pytest.raises(ModelAway) as away:
            await pieces_of(client)
    assert away.value.reason == "refused_us"
    assert len(model.asked) == 1


def closed_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return f"http://127.0.0.1:{listening.getsockname()[1]}/v1"


async def test_an_endpoint_that_is_down_is_replaced_by_the_other_one(model: FakeModel) -> None:
    model.will(Reply(WORDS))
    calls: list[Called] = []
    down = EndpointAddress("main", closed_port(), "", "big")
    async with client_of(down, address_of(model, "other"), calls=calls) as client:
        assert said(await pieces_of(client)) == WORDS
    assert [(call.endpoint, call.outcome) for call in calls] == [("main", "connection")] * TRIES + [("other", "ok")]


async def test_an_endpoint_that_keeps_failing_is_left_alone_for_a_while(model: FakeModel) -> None:
    model.always(Reply.error(500))
    async with client_of(address_of(model)) as client:
        with pytest.raises(ModelAway):
            await pieces_of(client)
        with pytest.raises(ModelAway) as away:
            await pieces_of(client)
    assert away.value.reason == "resting"
    assert len(model.asked) == TRIES


async def test_chores_that_fail_do_not_silence_the_answers(model: FakeModel) -> None:
    model.will(Reply(WORDS)).always(Reply.error(500), lane="chore")
    async with client_of(address_of(model)) as client:
        for reason in ("server_error", "resting"):
            with pytest.raises(ModelAway, match=reason):
                await client.complete(chore(), within())
        assert said(await pieces_of(client)) == WORDS


async def test_answers_that_fail_do_not_stop_the_chores(model: FakeModel) -> None:
    model.always(Reply.error(500)).always(Reply(WORDS), lane="chore")
    async with client_of(address_of(model)) as client:
        with pytest.raises(ModelAway, match="server_error"):
            await pieces_of(client)
        assert (await client.complete(chore(), within())).text == WORDS


async def test_a_refusal_in_a_stream_is_no_text(model: FakeModel) -> None:
    model.will(Reply.refuses(), Reply.filtered("豆豆"))
    async with client_of(address_of(model)) as client:
        ends = [(await pieces_of(client))[-1] for _ in range(2)]
    assert all(isinstance(end, Finished) and end.refused for end in ends)


async def test_tokens_are_estimated_when_the_endpoint_does_not_tell_them(model: FakeModel) -> None:
    model.takes_stream_options = False
    model.will(Reply(WORDS))
    async with client_of(address_of(model)) as client:
        end = (await pieces_of(client))[-1]
        assert isinstance(end, Finished)
        assert end.tokens.prompt_tokens >= len("豆豆能吃什么")
        assert end.tokens.completion_tokens == len(WORDS)
        await pieces_of(client)
    assert [("stream_options" in one.body) for one in model.asked] == [True, False, False]


async def test_an_endpoint_without_tools_is_asked_without_them(model: FakeModel) -> None:
    model.takes_tools = False
    model.will(Reply(WORDS))
    tool = {"type": "function", "function": {"name": "remember", "parameters": {"type": "object"}}}
    async with client_of(address_of(model)) as client:
        assert said(await pieces_of(client, asking(tools=[tool]))) == WORDS
    assert [one.tools for one in model.asked][-1] == []


@pytest.mark.parametrize(
    ("formats", "used"),
    [
        ({"json_schema", "json_object"}, ["json_schema", "json_schema"]),
        ({"json_object_schema"}, ["json_schema", "json_object_schema", "json_object_schema"]),
        ({"json_object"}, ["json_schema", "json_object_schema", "json_object", "json_object"]),
        (set(), ["json_schema", "json_object_schema", "json_object", "", ""]),
    ],
    ids=["schema", "JSON mode that keeps to a schema", "JSON mode", "neither"],
)
async def test_what_an_endpoint_can_do_is_found_out_once(model: FakeModel, formats: set[str], used: list[str]) -> None:
    model.formats = formats
    model.always(Reply.json({"pet": "豆豆", "times": 2}), lane="chore")
    async with client_of(address_of(model)) as client:
        for _ in range(2):
            answer = await ask_structured(client, asking(), Seen, within())
            assert answer.value == Seen(pet="豆豆", times=2)
    assert [one.format for one in model.asked] == used


async def test_an_endpoint_that_answers_500_to_a_form_it_does_not_know_is_asked_in_another(model: FakeModel) -> None:
    model.formats = {"json_object"}
    model.refuses_with = Reply("[{'loc': ('body', 'response_format', 'type')}]", status=500)
    model.always(Reply.json({"pet": "豆豆", "times": 2}), lane="chore")
    async with client_of(address_of(model)) as client:
        assert (await ask_structured(client, asking(), Seen, within())).value.times == 2
    assert [one.format for one in model.asked] == ["json_schema", "json_object_schema", "json_object"]


@pytest.mark.parametrize(
    "unfit",
    ['{"pet": "豆豆"}', "豆豆吐了两次", "", '{"pet": "豆豆", "times": "许多"}', "```json\n{]\n```"],
)
async def test_an_unfit_answer_is_given_back_once(model: FakeModel, unfit: str) -> None:
    good = Reply('好的：\n```json\n{"pet": "豆豆", "times": 2}\n```')
    model.will(Reply(unfit), good, lane="chore")
    async with client_of(address_of(model)) as client:
        answer = await ask_structured(client, asking(), Seen, within())
    assert answer.repaired
    assert answer.value.times == 2
    assert "不符合要求" in model.asked[1].last


async def test_an_answer_that_stays_unfit_is_a_bad_answer(model: FakeModel) -> None:
    model.always(Reply("不会"), lane="chore")
    async with client_of(address_of(model)) as client:
        with pytest.raises(BadAnswer) as bad:
            await ask_structured(client, asking(), Seen, within())
    assert bad.value.reason == "shape"
    assert len(model.asked) == 2


@pytest.mark.parametrize("failure", [Reply.garbled(), Reply.cut("{}", 0), Reply.error(500), Reply.silent()])
async def test_a_chore_that_fails_is_tried_again(model: FakeModel, failure: Reply) -> None:
    model.will(failure, Reply.json({"pet": "豆豆", "times": 2}), lane="chore")
    async with client_of(address_of(model)) as client:
        assert (await ask_structured(client, asking(), Seen, within())).value.pet == "豆豆"


async def test_vectors_come_in_the_order_of_the_texts(model: FakeModel) -> None:
    async with client_of(address_of(model)) as client:
        first, second = (await client.embed(["豆豆怕打雷", "咪咪吐了"], within(), "embed_passages")).vectors
        assert (await client.embed(["咪咪吐了"], within(), "embed_question")).vectors == [second]
    assert first != second
    assert model.asked[0].model == "vectors"


@pytest.mark.parametrize(
    ("purpose", "cheap", "used"), [("reply", False, "big"), ("reply", True, "small"), ("extract", False, "small")]
)
async def test_each_purpose_has_its_model(model: FakeModel, purpose: str, cheap: bool, used: str) -> None:
    request = ModelRequest(purpose, [{"role": "user", "content": "好"}], 10, cheap=cheap)  # type: ignore[arg-type]
    async with client_of(address_of(model)) as client:
        await client.complete(request, within())
    assert model.asked[0].model == used


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("2.5", 2.5),
        ("-1", 0.0),
        ("Mon, 30 Nov 2026 00:00:10 GMT", 10.0),
        ("Mon, 30 Nov 2026 00:00:10", None),
        ("soon", None),
    ],
)
def test_retry_after_is_a_number_or_a_date(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, datetime(2026, 11, 30, tzinfo=UTC)) == seconds
