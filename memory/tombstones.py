"""What the owner deleted, so that it is not learned again from what was said before.

A tombstone names a slot and a keyed hash of the value, never the value. Only a message said after it can teach the
thing again.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlmodel import Field, SQLModel

from memory.sqltypes import UtcDateTime, new_id


class Tombstone(SQLModel, table=True):
    __tablename__ = "tombstones"
    __table_args__ = (Index("ix_tombstones_slot", "household_id", "subject", "attribute"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    subject: str | None = None
    attribute: str
    value_hash: str  # HMAC-SHA256 under the service's secret
    deleted_at: datetime = Field(sa_type=UtcDateTime)  # domain time, comparable with `said_at`
