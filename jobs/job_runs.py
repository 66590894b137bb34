"""Who runs a job: a lease row for each job, subject and local date. The scheduler may fire everywhere."""

from datetime import date, datetime, timedelta

from sqlalchemy import and_, literal, or_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Field, SQLModel, col
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.sqltypes import UtcDateTime

LEASE = timedelta(minutes=10)  # real time; a worker that died is replaced after it


class JobRun(SQLModel, table=True):
    """One run of one job for one subject (an owner, or "all") on one local date."""

    __tablename__ = "job_runs"

    job: str = Field(primary_key=True)
    subject: str = Field(primary_key=True)
    local_on: date = Field(primary_key=True)
    lease_until: datetime = Field(sa_type=UtcDateTime)
    finished_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


async def take_lease(
    session: AsyncSession, job: str, subject: str, local_on: date, real_now: datetime, *, again: bool = False
) -> bool:
    """Whether this worker may run the job now: nobody has finished it and no live lease is held.

    again: somebody asks for another run of that day, so a finished one does not count.
    """
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    until = real_now + LEASE
    made = await session.exec(
        insert(JobRun).values(job=job, subject=subject, local_on=local_on, lease_until=until).on_conflict_do_nothing()
    )
    if made.rowcount:
        return True
    taken = await session.exec(
        update(JobRun)
        .where(
            col(JobRun.job) == job,
            col(JobRun.subject) == subject,
            col(JobRun.local_on) == local_on,
            or_(
                and_(col(JobRun.finished_at).is_(None), col(JobRun.lease_until) < real_now),
                and_(col(JobRun.finished_at).is_not(None), literal(again)),
            ),
        )
        .values(lease_until=until, finished_at=None)
    )
    return bool(taken.rowcount)


async def finish(session: AsyncSession, job: str, subject: str, local_on: date, real_now: datetime) -> None:
    """Mark the run done: nobody starts it again on that date."""
    await session.exec(
        update(JobRun)
        .where(col(JobRun.job) == job, col(JobRun.subject) == subject, col(JobRun.local_on) == local_on)
        .values(finished_at=real_now)
    )
