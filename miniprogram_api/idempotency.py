"""`Idempotency-Key` of creating calls: the same key and body answer the same result for 24 hours."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ForeignKey
from sqlmodel import Field, SQLModel

from memory.sqltypes import Json, UtcDateTime

KEEP_FOR = timedelta(hours=24)  # real time


class IdempotencyRecord(SQLModel, table=True):
    """The stored answer of one creating call. `body_hash` covers method, path and body."""

    __tablename__ = "idempotency_keys"

    owner_id: str = Field(primary_key=True, sa_column_args=[ForeignKey("owners.id", ondelete="CASCADE")])
    key: str = Field(primary_key=True)
    body_hash: str
    status: int
    response: dict[str, Any] | None = Field(default=None, sa_type=Json)
    created_at: datetime = Field(sa_type=UtcDateTime)
