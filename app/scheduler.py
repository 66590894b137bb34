"""When jobs run. The scheduler may fire on every replica; lease rows and idempotent handlers decide who works."""

from collections.abc import Awaitable, Callable

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

log = structlog.get_logger(__name__)

Job = Callable[[], Awaitable[object]]

MISFIRE_GRACE_SECONDS = 6 * 3600  # a late nightly run is run, not skipped in silence (the library's default is 1 s)


def scheduler_of(jobs: dict[str, tuple[Job, float]]) -> AsyncIOScheduler:
    """A scheduler for `name: (job, every so many seconds)`; start it inside a running loop."""
    scheduler = AsyncIOScheduler(
        timezone="UTC",
        job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": MISFIRE_GRACE_SECONDS},
    )
    for name, (job, seconds) in jobs.items():
        scheduler.add_job(_guarded(name, job), "interval", seconds=seconds, id=name)
    return scheduler


def _guarded(name: str, job: Job) -> Job:
    async def run() -> None:
        try:
            await job()
        except Exception as error:  # the job loop: one failing job must not stop the others
            log.exception("job_failed", job=name, error=type(error).__name__)

    return run
