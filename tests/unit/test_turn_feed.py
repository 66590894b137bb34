"""The live side of a turn: followers hear what was published, once each, and are woken at the end."""

import asyncio

import pytest

from domain.turn_feed import Feed, Feeds
from domain.turn_store import Event

FIRST: Event = (1, "turn", {})
SECOND: Event = (2, "delta", {"text": "好"})
DONE: Event = (3, "done", {})


def test_a_follower_is_given_what_it_has_not_heard() -> None:
    feed = Feed("lin")
    feed.publish([FIRST, SECOND])
    feed.publish([DONE])
    assert [feed.after(seq) for seq in range(4)] == [[FIRST, SECOND, DONE], [SECOND, DONE], [DONE], []]


@pytest.mark.parametrize(("name", "ended"), [("delta", False), ("done", True), ("error", True)])
def test_a_feed_ends_with_a_terminal_event(name: str, ended: bool) -> None:
    feed = Feed("lin")
    feed.publish([(1, name, {})])
    feed.publish([])
    assert feed.ended is ended


async def test_a_waiting_follower_is_woken_by_what_comes() -> None:
    feed = Feed("lin")
    waiting = [asyncio.create_task(feed.changed(10)) for _ in range(3)]
    await asyncio.sleep(0)
    feed.publish([FIRST])
    assert await asyncio.gather(*waiting) == [True] * 3


async def test_waiting_ends_when_nothing_comes() -> None:
    assert not await Feed("lin").changed(0.01)


async def test_followers_of_a_closed_feed_are_woken() -> None:
    feeds, feed = Feeds(), Feed("lin")
    feeds.open("t", feed)
    waiting = asyncio.create_task(feed.changed(10))
    await asyncio.sleep(0)
    feeds.close("t")
    assert await waiting
    assert feed.ended
    assert feeds.get("t", "lin") is None


def test_a_feed_is_given_to_its_owner_only() -> None:
    feeds, feed = Feeds(), Feed("lin")
    feeds.open("t", feed)
    assert feeds.get("t", "lin") is feed
    assert feeds.get("t", "wang") is None
    assert feeds.get("other", "lin") is None


def test_closing_an_unknown_turn_does_nothing() -> None:
    Feeds().close("none")
