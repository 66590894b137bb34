"""A stop lets the running jobs come to their end and is no error in the log."""

import asyncio
import logging

import pytest

from app.scheduler import scheduler_of, stop


async def test_a_job_that_runs_at_a_stop_ends_and_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    begun, may_end, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def job() -> None:
        begun.set()
        await may_end.wait()
        ended.set()

    scheduler = scheduler_of({"slow": (job, 0.01)})
    scheduler.start()
    await begun.wait()
    asyncio.get_running_loop().call_later(0.01, may_end.set)
    with caplog.at_level(logging.ERROR):
        await stop(scheduler)
        await asyncio.sleep(0)
    assert ended.is_set()
    assert caplog.records == []


async def test_work_that_outlasts_its_interval_neither_runs_twice_nor_is_warned_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    runs, most, may_end, missed = 0, 0, asyncio.Event(), asyncio.Event()

    async def job() -> None:
        nonlocal runs, most
        runs += 1
        most = max(most, runs)
        await may_end.wait()
        runs -= 1

    async def other() -> None:
        missed.set()

    scheduler = scheduler_of({"slow": (job, 0.005), "beside": (other, 0.05)})
    with caplog.at_level(logging.WARNING):
        scheduler.start()
        await missed.wait()
        may_end.set()
        await stop(scheduler)
    assert most == 1
    assert caplog.records == []
