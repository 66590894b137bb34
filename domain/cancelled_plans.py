"""Plans that were cancelled in chat go for good once nobody can bring them back any more."""

from datetime import datetime, timedelta

from sqlmodel import col, delete, exists, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.schedule_trail import STILL_JUST_NOW, ScheduleAct
from domain.schedules import CANCELLED, Schedule

BATCH = 200  # plans a transaction
KEPT = STILL_JUST_NOW + timedelta(days=1)  # after its last act; a day for phones whose clocks differ


async def forget_cancelled_plans(session: AsyncSession, now: datetime) -> int:
    """One batch in the caller's transaction: how many plans went, with what was done to them."""
    lately = exists().where(col(ScheduleAct.schedule_id) == col(Schedule.id), col(ScheduleAct.at) > now - KEPT)
    query = select(Schedule.id).where(col(Schedule.status) == CANCELLED, ~lately).limit(BATCH)
    ids = (await session.exec(query)).all()
    if ids:
        await session.exec(delete(Schedule).where(col(Schedule.id).in_(ids)))
    return len(ids)
