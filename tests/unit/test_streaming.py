"""Frames of a stream: their form, pings in silence, the hand-over, and that a stream always ends with a word."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from domain.errors import UnknownTurn
from domain.turn_store import Event
from miniprogram_api.streaming import PING, frame, stream
from tests.fakes.phone import Heard, heard_in

DONE: Event = (3, "done", {"text": "好"})
PROBLEM_FIELDS = {"type", "title", "status", "detail", "code", "request_id", "retryable"}


async def told(events: Sequence[Event], *, error: Exception | None = None, stay: bool = False) -> AsyncIterator[Event]:
    """These events; then an error, or silence, or the end."""
    for event in events:
        yield event
    if error is not None:
        raise error
    if stay:
        await asyncio.Event().wait()


async def whole(events: AsyncIterator[Event], **more: Any) -> list[Heard]:
    return heard_in(b"".join([part async for part in stream(events, "t", **more)]))


def test_a_frame_is_ascii_and_one_line_of_data() -> None:
    sent = frame(7, "delta", {"seq": 7, "text": "两行\n🐶\u2028"})
    assert sent.isascii()
    head, name, data, end, last = sent.decode().split("\n")
    assert (head, name, end, last) == ("id: 7", "event: delta", "", "")
    assert json.loads(data.removeprefix("data: ")) == {"seq": 7, "text": "两行\n🐶\u2028"}


@pytest.mark.parametrize("end", ["done", "error"])
async def test_nothing_comes_after_the_end(end: str) -> None:
    last: Event = (2, end, {"code": "turn_failed", "detail": "回复中断了", "retryable": True})
    heard = await whole(told([(1, "turn", {}), last, (3, "delta", {"text": "late"})]))
    assert [event.name for event in heard] == ["turn", end]


async def test_an_error_has_the_shape_of_every_refusal() -> None:
    error: Event = (1, "error", {"code": "turn_interrupted", "detail": "回复中断了，请再发一次", "retryable": True})
    (heard,) = await whole(told([error]), request_id="r-1")
    assert heard.data.keys() == PROBLEM_FIELDS
    assert (heard.data["code"], heard.data["retryable"]) == ("turn_interrupted", True)
    assert (heard.data["request_id"], heard.data["status"]) == ("r-1", 503)


@pytest.mark.parametrize(
    ("broken", "code"), [(RuntimeError("豆豆的秘密"), "internal_error"), (UnknownTurn(), "unknown_turn")]
)
async def test_what_breaks_a_stream_is_told_as_its_last_event(broken: Exception, code: str) -> None:
    heard = await whole(told([(1, "turn", {}), (2, "delta", {"text": "好"})], error=broken), request_id="r-1")
    end = heard[-1]
    assert (end.seq, end.name, end.data["code"], end.data["request_id"]) == (3, "error", code, "r-1")
    assert "秘密" not in repr(heard)


async def test_events_that_end_without_a_word_are_handed_over() -> None:
    heard = await whole(told([(1, "turn", {}), (2, "delta", {"text": "好"})]))
    assert (heard[-1].name, heard[-1].data) == ("continue", {"turn_id": "t", "last_seq": 2})


async def test_events_that_are_ready_together_go_out_together_and_none_is_lost_while_the_phone_is_slow() -> None:
    parts = []
    async for part in stream(told([(1, "turn", {}), (2, "delta", {"text": "好"})]), "t"):
        parts.append(part)
        await asyncio.sleep(0)
    assert [[event.seq for event in heard_in(part)] for part in parts] == [[1, 2], [2]]  # the last is `continue`

    async def slow() -> AsyncIterator[Event]:
        yield 1, "turn", {}
        await asyncio.sleep(0)
        yield 2, "delta", {"text": "好"}

    seen = []
    async for part in stream(slow(), "t"):
        seen += [event.name for event in heard_in(part)]
        await asyncio.sleep(0.01)
    assert seen == ["turn", "delta", "continue"]


async def test_silence_is_filled_with_pings() -> None:
    parts = [part async for part in stream(told([], stay=True), "t", ping_seconds=0.01, continue_seconds=0.1)]
    assert parts[0] == PING
    assert len(parts) > 2
    (end,) = heard_in(b"".join(parts))
    assert (end.name, end.data) == ("continue", {"turn_id": "t", "last_seq": 0})


@pytest.mark.parametrize("after", [0, 41])
async def test_the_hand_over_names_the_last_event_that_was_heard(after: int) -> None:
    quiet = await whole(told([], stay=True), after=after, continue_seconds=0.02)
    assert (quiet[-1].name, quiet[-1].data["last_seq"], quiet[-1].seq) == ("continue", after, after)
    heard = await whole(told([(after + 1, "delta", {})], stay=True), after=after, continue_seconds=0.02)
    assert heard[-1].data["last_seq"] == after + 1


async def test_a_stream_that_never_falls_silent_is_handed_over_as_well() -> None:
    async def chatter() -> AsyncIterator[Event]:
        number = 0
        while True:
            number += 1
            yield number, "delta", {"seq": number, "text": "又"}
            await asyncio.sleep(0.001)

    heard = await asyncio.wait_for(whole(chatter(), continue_seconds=0.05), 10)
    assert heard[-1].name == "continue"
    assert heard[-1].data["last_seq"] == heard[-2].seq == len(heard) - 1


async def test_who_stops_listening_stops_the_looking() -> None:
    stopped = asyncio.Event()

    async def endless() -> AsyncIterator[Event]:
        try:
            yield 1, "turn", {}
            await asyncio.Event().wait()
        finally:
            stopped.set()

    listening = stream(endless(), "t", ping_seconds=0.01)
    async for part in listening:
        if part == PING:
            break
    await listening.aclose()  # type: ignore[attr-defined]  # an async generator
    await asyncio.wait_for(stopped.wait(), 10)


async def test_a_finished_stream_is_over_at_once() -> None:
    assert [event.name for event in await whole(told([DONE], stay=True), continue_seconds=60)] == ["done"]
