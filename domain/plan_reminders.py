"""Plans whose reminder has come are put before their owner, once each; the next reminder is noted on the plan."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.inbox import notify
from domain.owners import Owner, scope_of
from domain.pets import Pet
from domain.reminders import Reminder, latest_reminder
from domain.schedule_replies import named_title, time_text
from domain.schedules import ACTIVE, Schedule, note_next_reminder

KIND = "schedule"
STILL_USEFUL = timedelta(hours=12)  # after its time; a reminder that an outage held up longer is dropped


async def remind_of_due_plans(session: AsyncSession, now: datetime, limit: int) -> int:
    """One batch, in the caller's transaction: how many plans were looked at; less than `limit` means no more are due.

    On PostgreSQL the rows are locked, so several workers share them; what a crash undoes is found again, and the inbox
    takes each reminder once.
    """
    rows = await _due(session, now, limit)
    owners = await _owners(session, {row.owner_id for row in rows})
    pets = await _pets(session, {row.pet_id for row in rows if row.pet_id})
    for schedule in rows:
        reminder = latest_reminder(schedule, schedule.remind_at or now, now)
        pet, owner = pets.get(schedule.pet_id or ""), owners.get(schedule.owner_id)
        silent = owner is None or (schedule.pet_id is not None and (pet is None or pet.status != "active"))
        if reminder is not None and owner is not None and not silent and now - reminder.at <= STILL_USEFUL:
            await _tell(session, owner, schedule, reminder, pet, now)
        note_next_reminder(schedule, now)
        session.add(schedule)
    return len(rows)


async def _tell(
    session: AsyncSession, owner: Owner, schedule: Schedule, reminder: Reminder, pet: Pet | None, now: datetime
) -> None:
    scope = scope_of(owner)
    title = named_title(schedule, {pet.id: pet.name} if pet else {})
    when = time_text(scope.local(reminder.occurrence), scope.local(now), all_day=schedule.all_day)
    link: dict[str, object] = {"schedule_id": schedule.id, "pet_id": schedule.pet_id}
    key = f"schedule:{schedule.id}:{reminder.occurrence:%Y%m%dT%H%MZ}:{reminder.lead}"
    await notify(session, owner, KIND, key, title, f"{when} {title}", now, reminder.at, link)


async def _due(session: AsyncSession, now: datetime, limit: int) -> Sequence[Schedule]:
    query = (
        select(Schedule)
        .where(col(Schedule.status) == ACTIVE, col(Schedule.remind_at) <= now)
        .order_by(col(Schedule.remind_at))
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return (await session.exec(query)).all()


async def _owners(session: AsyncSession, ids: set[str]) -> dict[str, Owner]:
    return {row.id: row for row in (await session.exec(select(Owner).where(col(Owner.id).in_(ids)))).all()}


async def _pets(session: AsyncSession, ids: set[str]) -> dict[str, Pet]:
    return {row.id: row for row in (await session.exec(select(Pet).where(col(Pet.id).in_(ids)))).all()}
