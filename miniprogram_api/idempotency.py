"""`Idempotency-Key` of creating calls: the same key and body answer the same result for 24 hours."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ForeignKey, delete
from sqlmodel import Field, SQLModel, col
from sqlmodel.ext.asyncio.session import AsyncSession

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


async def forget_old_answers(session: AsyncSession, real_now: datetime) -> int:
    """Delete every answer that is not given again any more. Returns 0: all of them go at once."""
    await session.exec(delete(IdempotencyRecord).where(col(IdempotencyRecord.created_at) < real_now - KEEP_FOR))
    return 0
