"""What was done to plans in chat: each act with what stood before, so that it can be taken back, and is done once."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ForeignKey
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.scope import Scope
from memory.sqltypes import Json, UtcDateTime, new_id

STILL_JUST_NOW = timedelta(minutes=30)  # the gap that ends a conversation; later, 撤销 means something else


class ScheduleAct(SQLModel, table=True):
    """One act of one message on one plan. before: the fields it replaced; of a new plan there are none."""

    __tablename__ = "schedule_acts"

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str
    schedule_id: str = Field(index=True, sa_column_args=[ForeignKey("schedules.id", ondelete="CASCADE")])
    message_id: str
    outcome: str  # created | moved | cancelled | restored | undone
    before: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    at: datetime = Field(sa_type=UtcDateTime)


async def acts_of_message(session: AsyncSession, scope: Scope, message_id: str) -> Sequence[ScheduleAct]:
    """What a message did already; a turn that is run again does it no second time."""
    query = select(ScheduleAct).where(
        col(ScheduleAct.household_id) == scope.household_id, col(ScheduleAct.message_id) == message_id
    )
    return (await session.exec(query.order_by(col(ScheduleAct.id)))).all()


async def last_acts(session: AsyncSession, scope: Scope, now: datetime) -> Sequence[ScheduleAct]:
    """What this owner's last message about plans did, if that was a moment ago."""
    query = (
        select(ScheduleAct)
        .where(
            col(ScheduleAct.household_id) == scope.household_id,
            col(ScheduleAct.owner_id) == scope.owner_id,
            col(ScheduleAct.at) > now - STILL_JUST_NOW,
        )
        .order_by(col(ScheduleAct.id).desc())
        .limit(50)
    )
    rows = (await session.exec(query)).all()
    return [row for row in rows if row.message_id == rows[0].message_id]
