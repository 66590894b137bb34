"""The outbox: at least once, never twice at a time, later after each failure, and tied to the commit it follows."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select

from app.database import Database
from domain.owners import Household
from memory.outbox import CLAIM_LEASE, FIRST_PAUSE, LONGEST_PAUSE, OutboxRow, claim_due, postpone, settle, waiting_rows

NOW = datetime(2026, 5, 20, 4, 0, tzinfo=UTC)


@pytest.fixture
async def household(database: Database) -> str:
    async with database.write() as session:
        home = Household(created_at=NOW)
        session.add(home)
    return home.id


async def put(database: Database, household: str, *keys: str, topic: str = "vector", at: datetime = NOW) -> None:
    async with database.write() as session:
        for key in keys:
            session.add(OutboxRow(household_id=household, topic=topic, key=key, created_at=at, available_at=at))


async def claimed(database: Database, at: datetime = NOW, limit: int = 10, topic: str = "vector") -> list[OutboxRow]:
    async with database.write() as session:
        return await claim_due(session, topic, limit, at)


async def failed(database: Database, rows: list[OutboxRow], at: datetime) -> None:
    async with database.write() as session:
        await postpone(session, rows, "ConnectionError", at)


async def test_what_is_due_is_claimed_oldest_first_up_to_a_limit(database: Database, household: str) -> None:
    await put(database, household, "late", at=NOW + timedelta(seconds=1))
    await put(database, household, "new")
    await put(database, household, "old", at=NOW - timedelta(hours=1))
    await put(database, household, "other", topic="push")

    assert [row.key for row in await claimed(database, limit=1)] == ["old"]
    assert [row.key for row in await claimed(database)] == ["new"]
    assert await claimed(database) == []
    assert [row.key for row in await claimed(database, topic="push")] == ["other"]


async def test_two_workers_never_have_the_same_row(database: Database, household: str) -> None:
    await put(database, household, *(str(number) for number in range(20)))
    batches = await asyncio.gather(*(claimed(database, limit=5) for _ in range(6)))
    keys = [row.key for batch in batches for row in batch]
    assert len(keys) == len(set(keys))
    while rest := await claimed(database, limit=5):
        keys += [row.key for row in rest]
    assert sorted(keys, key=int) == [str(number) for number in range(20)]


async def test_a_worker_that_died_is_replaced_after_its_lease(database: Database, household: str) -> None:
    await put(database, household, "a")
    await claimed(database)
    assert await claimed(database, NOW + CLAIM_LEASE - timedelta(seconds=1)) == []
    (row,) = await claimed(database, NOW + CLAIM_LEASE)
    assert row.attempts == 2


async def test_settled_rows_are_gone(database: Database, household: str) -> None:
    await put(database, household, "a", "b")
    rows = await claimed(database, limit=1)
    async with database.write() as session:
        await settle(session, rows)
        assert await waiting_rows(session) == 1


async def test_each_failure_makes_the_pause_longer_up_to_an_hour(database: Database, household: str) -> None:
    await put(database, household, "a")
    at, pauses = NOW, []
    for _ in range(14):
        rows = await claimed(database, at)
        await failed(database, rows, at)
        async with database.read() as session:
            row = (await session.exec(select(OutboxRow))).one()
        pauses.append(row.available_at - at)
        at = row.available_at
    assert pauses[:3] == [FIRST_PAUSE, FIRST_PAUSE * 2, FIRST_PAUSE * 4]
    assert pauses[-1] == LONGEST_PAUSE == max(pauses)
    assert row.last_error == "ConnectionError"


async def test_a_row_follows_its_commit_or_does_not_exist(database: Database, household: str) -> None:
    async def breaking() -> None:
        async with database.write() as session:
            session.add(OutboxRow(household_id=household, topic="vector", key="a", created_at=NOW, available_at=NOW))
            await session.flush()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await breaking()
    assert await claimed(database) == []
