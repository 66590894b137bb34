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
