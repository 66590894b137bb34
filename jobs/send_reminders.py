"""Reminders: of plans when their time has come, and each morning of what is due and of medicine that ends.

Everything goes through the one door of the inbox, which keeps quiet hours and takes each reminder once; a run that was
killed is simply done again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from zoneinfo import ZoneInfo

from sqlmodel import col, exists, select

from domain.care_reminders import remind_of_care
from domain.owners import Owner, scope_of
from domain.plan_reminders import remind_of_due_plans
from jobs.job_runs import JobRun, finish, take_lease
from memory.transactions import Transactions

MORNING_JOB = "care_reminders"
MORNING = time(8, 30)  # local: after the usual quiet hours, before clinics open
BATCH = 100  # plans a transaction, or owners a look


@dataclass(frozen=True, slots=True)
class ReminderParts:
    """What the job works with."""

    transactions: Transactions
    real_now: Callable[[], datetime]


async def send_reminders(parts: ReminderParts, now: datetime) -> int:
    """All that is to be said by `now`. Returns how many plans and mornings were worked on."""
    return await _plans(parts, now) + await _mornings(parts, now)


async def _plans(parts: ReminderParts, now: datetime) -> int:
    done, went = 0, BATCH
    while went >= BATCH:
        async with parts.transactions.write() as session:
            went = await remind_of_due_plans(session, now, BATCH)
        done += went
    return done


async def _mornings(parts: ReminderParts, now: datetime) -> int:
    """Each owner's morning once a local day, whoever works."""
    done = 0
    for zone in await _zones(parts):
        local = now.astimezone(ZoneInfo(zone))
        if local.time() < MORNING:
            continue
        after = ""
        while owners := await _owners_without_morning(parts, zone, local, after):
            for owner in owners:
                done += await _morning_of(parts, owner, now)
            after = owners[-1].id
    return done


async def _morning_of(parts: ReminderParts, owner: Owner, now: datetime) -> bool:
    day = scope_of(owner).local(now).date()
    async with parts.transactions.write() as session:
        if not await take_lease(session, MORNING_JOB, owner.id, day, parts.real_now()):
            return False
    async with parts.transactions.write() as session:
        await remind_of_care(session, owner, now, parts.real_now())
        await finish(session, MORNING_JOB, owner.id, day, parts.real_now())
    return True


async def _zones(parts: ReminderParts) -> Sequence[str]:
    async with parts.transactions.read() as session:
        return (await session.exec(select(Owner.timezone).distinct())).all()


async def _owners_without_morning(parts: ReminderParts, zone: str, local: datetime, after: str) -> Sequence[Owner]:
    done = exists().where(
        col(JobRun.job) == MORNING_JOB,
        col(JobRun.subject) == col(Owner.id),
        col(JobRun.local_on) == local.date(),
        col(JobRun.finished_at).is_not(None),
    )
    query = select(Owner).where(col(Owner.timezone) == zone, col(Owner.id) > after, ~done)
    async with parts.transactions.read() as session:
        return (await session.exec(query.order_by(col(Owner.id)).limit(BATCH))).all()
