"""Events of many turns go in together; what befalls one turn, or the database, is told to whom it concerns."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from domain import event_writer
from domain.errors import UnknownTurn
from domain.event_writer import EventWriter


class Book:
    """Transactions that keep what is written, refuse turns that are `lost`, and count themselves."""

    dialect_name = "sqlite"

    def __init__(self, lost: str = "", broken: bool = False) -> None:
        self.lost, self.broken, self.opened = lost, broken, 0
        self.rows_written: list[tuple[str, int]] = []

    @asynccontextmanager
    async def quick_write(self) -> AsyncIterator["Book"]:
        if self.broken:
            raise OSError("disk full")
        self.opened += 1
        yield self

    async def rows(self, _statement: Any, asked: dict[str, Any]) -> list[Any]:
        return [] if asked["turn"] == self.lost else [asked]

    async def run_many(self, _statement: Any, rows: list[dict[str, Any]]) -> None:
        self.rows_written += [(row["turn_id"], row["seq"]) for row in rows]


def run_of(turn_id: str, *, temporary: bool = False) -> Any:
    run = SimpleNamespace(turn_id=turn_id, lease_until=None, waiting=[(1, "delta", {})], told=[])
    run.request = SimpleNamespace(temporary=temporary)
    run.publish = lambda: run.told.extend(run.waiting)
    return run


async def stored(book: Book, *runs: Any) -> list[Any]:
    writer = EventWriter(book)  # type: ignore[arg-type]  # as much of it as the writer uses
    return await asyncio.gather(*(writer.store(run) for run in runs), return_exceptions=True)


async def test_turns_that_tell_at_the_same_moment_share_a_transaction() -> None:
    book, runs = Book(), [run_of(name) for name in "abc"]
    assert await stored(book, *runs) == [None, None, None]
    assert (book.opened, book.rows_written) == (1, [("a", 1), ("b", 1), ("c", 1)])
    assert all(run.told for run in runs)


async def test_a_turn_that_was_lost_tells_nothing_and_the_others_do() -> None:
    book, lost, kept = Book(lost="a"), run_of("a"), run_of("b")
    first, second = await stored(book, lost, kept)
    assert (type(first), second) == (UnknownTurn, None)
    assert (book.rows_written, lost.told, bool(kept.told)) == ([("b", 1)], [], True)


async def test_a_temporary_turn_is_told_and_stored_nowhere() -> None:
    book, run = Book(), run_of("a", temporary=True)
    assert await stored(book, run) == [None]
    assert (book.rows_written, bool(run.told)) == ([], True)


async def test_a_broken_database_is_told_to_every_turn() -> None:
    runs = [run_of("a"), run_of("b")]
    assert [type(one) for one in await stored(Book(broken=True), *runs)] == [OSError, OSError]
    assert not any(run.told for run in runs)


async def test_a_cancel_is_heard_after_the_write() -> None:
    book, run = Book(), run_of("a")
    task = asyncio.create_task(EventWriter(book).store(run))  # type: ignore[arg-type]  # see above
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (book.rows_written, bool(run.told)) == ([("a", 1)], True)


async def test_turns_that_tell_soon_after_a_write_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_writer, "WRITE_EVERY_S", 0.3)  # so that no busy machine takes longer over a few steps
    book, runs = Book(), [run_of(name) for name in "abc"]
    writer = EventWriter(book)  # type: ignore[arg-type]  # see above

    async def later(run: Any, moments: int) -> None:
        for _ in range(moments):
            await asyncio.sleep(0)
        await writer.store(run)

    await writer.store(runs[0])
    await asyncio.gather(later(runs[1], 0), later(runs[2], 3))
    assert (book.opened, book.rows_written) == (2, [("a", 1), ("b", 1), ("c", 1)])
