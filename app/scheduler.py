"""When jobs run. The scheduler may fire on every replica; lease rows and idempotent handlers decide who works."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

log = structlog.get_logger(__name__)

Job = Callable[[], Awaitable[object]]

MISFIRE_GRACE_SECONDS = 6 * 3600  # a late nightly run is run, not skipped in silence (the library's default is 1 s)


LAST_JOBS_SECONDS = 15.0  # how long a stop waits; leases bring back what was cut off

_running: set[asyncio.Task[None]] = set()


def scheduler_of(jobs: dict[str, tuple[Job, float]]) -> AsyncIOScheduler:
    """A scheduler for `name: (job, every so many seconds)`; start it inside a running loop.

    A job never runs beside itself: a call that finds the last one still at work ends at once. The second instance is
    for that call; with one the scheduler would log a warning each time that work outlasts its interval.
    """
    scheduler = AsyncIOScheduler(
        timezone="UTC",
        job_defaults={"coalesce": True, "max_instances": 2, "misfire_grace_time": MISFIRE_GRACE_SECONDS},
    )
    for name, (job, seconds) in jobs.items():
        scheduler.add_job(_guarded(name, job), "interval", seconds=seconds, id=name)
    return scheduler


async def stop(scheduler: AsyncIOScheduler) -> None:
    """Start no more jobs, and let those that run come to their end: a cancelled one would leave the database busy."""
    scheduler.shutdown(wait=False)
    if _running:
        await asyncio.wait(set(_running), timeout=LAST_JOBS_SECONDS)


def _guarded(name: str, job: Job) -> Job:
    at_work = False

    async def once() -> None:
        nonlocal at_work
        try:
            await _logged(name, job)
        finally:
            at_work = False

    async def run() -> None:
        nonlocal at_work
        if at_work:
            return
        at_work = True
        task = asyncio.create_task(once(), name=f"job {name}")
        _running.add(task)
        task.add_done_callback(_running.discard)
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:  # shutting down, the scheduler cancels what it waits for and logs it as an error
            if task.cancelled():
                raise

    return run


async def _logged(name: str, job: Job) -> None:
    try:
        await job()
    except Exception as error:  # the job loop: one failing job must not stop the others
        log.exception("job_failed", job=name, error=type(error).__name__)
