"""A job runs once for each subject and local date, whoever fires it; a worker that died is replaced."""

import asyncio
from datetime import UTC, date, datetime, timedelta

import pytest

from app.database import Database
from jobs.job_runs import LEASE, finish, take_lease

NIGHT = datetime(2026, 5, 20, 19, 30, tzinfo=UTC)
DAY = date(2026, 5, 21)


async def taken(database: Database, at: datetime, subject: str = "lin", day: date = DAY, job: str = "upgrade") -> bool:
    async with database.write() as session:
        return await take_lease(session, job, subject, day, at)


async def test_one_worker_gets_the_job(database: Database) -> None:
    answers = await asyncio.gather(*(taken(database, NIGHT) for _ in range(8)))
    assert sorted(answers) == [False] * 7 + [True]


async def test_another_subject_date_or_job_is_another_run(database: Database) -> None:
    assert await taken(database, NIGHT)
    assert await taken(database, NIGHT, subject="wang")
    assert await taken(database, NIGHT, day=DAY + timedelta(days=1))
    assert await taken(database, NIGHT, job="consolidate")


async def test_a_dead_worker_is_replaced_by_one_when_its_lease_has_run_out(database: Database) -> None:
    assert await taken(database, NIGHT)
    assert not await taken(database, NIGHT + LEASE)
    late = NIGHT + LEASE + timedelta(seconds=1)
    answers = await asyncio.gather(*(taken(database, late) for _ in range(4)))
    assert sorted(answers) == [False] * 3 + [True]


async def test_a_finished_job_is_not_run_again_that_day(database: Database) -> None:
    assert await taken(database, NIGHT)
    async with database.write() as session:
        await finish(session, "upgrade", "lin", DAY, NIGHT)
    assert not await taken(database, NIGHT + timedelta(days=30))
    assert await taken(database, NIGHT, day=DAY + timedelta(days=1))


async def test_a_run_that_failed_in_its_transaction_is_free_again(database: Database) -> None:
    async def breaking() -> None:
        async with database.write() as session:
            assert await take_lease(session, "upgrade", "lin", DAY, NIGHT)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await breaking()
    assert await taken(database, NIGHT)
