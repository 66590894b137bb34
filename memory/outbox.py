"""The transactional outbox: what must follow a commit (vectors, pushes, late extraction), at least once.

A row is written in the transaction it follows; a worker claims due rows, handles them idempotently and deletes them.
A failed row comes back later, with a longer pause each time.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlmodel import Field, SQLModel

from memory.sqltypes import Json, UtcDateTime, new_id


class OutboxRow(SQLModel, table=True):
    """`topic` chooses the handler, `key` is what it is about. All times are real time."""

    __tablename__ = "outbox"
    __table_args__ = (Index("ix_outbox_due", "available_at"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    topic: str
    key: str
    payload: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    created_at: datetime = Field(sa_type=UtcDateTime)
    available_at: datetime = Field(sa_type=UtcDateTime)
    attempts: int = 0
    last_error: str | None = None
