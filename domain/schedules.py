"""Things planned: a title, a start, maybe a repetition (RFC 5545), and reminders before."""

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlmodel import Field, SQLModel

from memory.sqltypes import Json, UtcDateTime, new_id


class Schedule(SQLModel, table=True):
    """One plan of a household; `rrule` is expanded in `timezone`, so 15:00 stays 15:00."""

    __tablename__ = "schedules"

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str
    pet_id: str | None = Field(default=None, sa_column_args=[ForeignKey("pets.id", ondelete="CASCADE")])
    title: str
    starts_at: datetime = Field(sa_type=UtcDateTime)
    timezone: str
    rrule: str | None = None
    remind_before_minutes: list[int] = Field(default_factory=list, sa_type=Json)
    source: str = "chat"
    status: str = "active"  # active | cancelled
    created_at: datetime = Field(sa_type=UtcDateTime)
    version: int = 1
