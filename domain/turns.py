"""The rows of a chat turn: the turn itself and its events, from which any replica can replay or join it."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from memory.sqltypes import Json, UtcDateTime, new_id

TURN_LEASE = timedelta(seconds=90)  # real time; a turn that has not finished by then was interrupted


class Turn(SQLModel, table=True):
    """One question and its answer. A partial unique index lets one turn of an owner run at a time."""

    __tablename__ = "turns"
    __table_args__ = (
        UniqueConstraint("owner_id", "client_msg_id"),
        Index(
            "ux_turns_running",
            "owner_id",
            unique=True,
            sqlite_where=text("status = 'running'"),
            postgresql_where=text("status = 'running'"),
        ),
    )

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str
    conversation_id: str | None = None  # None for a temporary turn
    message_id: str | None = None
    client_msg_id: str
    body_hash: str  # keyed hash of text, pet and mode: a temporary text is not kept
    temporary: bool = False
    status: str = "running"  # running | done | failed | cancelled
    cancel_requested: bool = False
    lease_until: datetime = Field(sa_type=UtcDateTime)  # real time
    started_at: datetime = Field(sa_type=UtcDateTime)  # domain time
    finished_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    answer: dict[str, Any] | None = Field(default=None, sa_type=Json)
    trace: list[Any] | None = Field(default=None, sa_type=Json)  # why each line of the context was there


class TurnEvent(SQLModel, table=True):
    """One event of a turn's stream; `seq` is the SSE id."""

    __tablename__ = "turn_events"

    turn_id: str = Field(primary_key=True, sa_column_args=[ForeignKey("turns.id", ondelete="CASCADE")])
    seq: int = Field(primary_key=True)
    event: str
    data: dict[str, Any] = Field(sa_type=Json)
