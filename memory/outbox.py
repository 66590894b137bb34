"""The transactional outbox: what must follow a commit (vectors, pushes, late extraction), at least once.

A row is written in the transaction it follows; a worker claims due rows, handles them idempotently and deletes them.
A failed row comes back later, with a longer pause each time.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ForeignKey, Index, delete, func, update
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

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


CLAIM_LEASE = timedelta(seconds=60)  # real time; a worker that died is replaced after it
FIRST_PAUSE = timedelta(seconds=5)  # after a failure, doubled each time
LONGEST_PAUSE = timedelta(hours=1)


async def claim_due(session: AsyncSession, topic: str, limit: int, real_now: datetime) -> list[OutboxRow]:
    """Take due rows of a topic for `CLAIM_LEASE`, oldest first; two workers never take the same row."""
    query = (
        select(OutboxRow)
        .where(col(OutboxRow.topic) == topic, col(OutboxRow.available_at) <= real_now)
        .order_by(col(OutboxRow.available_at))
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    rows = list((await session.exec(query)).all())
    for row in rows:
        row.available_at, row.attempts = real_now + CLAIM_LEASE, row.attempts + 1
        session.add(row)
    return rows


async def settle(session: AsyncSession, rows: Sequence[OutboxRow]) -> None:
    """Forget rows whose work is done."""
    await session.exec(delete(OutboxRow).where(col(OutboxRow.id).in_([row.id for row in rows])))


async def postpone(session: AsyncSession, rows: Sequence[OutboxRow], error: str, real_now: datetime) -> None:
    """Give rows back after a failure, with a longer pause each time. `error` must hold no owner's text."""
    for row in rows:
        pause = min(FIRST_PAUSE * 2 ** (row.attempts - 1), LONGEST_PAUSE)
        await session.exec(
            update(OutboxRow)
            .where(col(OutboxRow.id) == row.id)
            .values(available_at=real_now + pause, attempts=row.attempts, last_error=error)
        )


async def waiting_rows(session: AsyncSession, topic: str | None = None) -> int:
    """How many rows there are, due or not; of one topic, or of all."""
    query = select(func.count()).select_from(OutboxRow)
    return (await session.exec(query if topic is None else query.where(col(OutboxRow.topic) == topic))).one()
