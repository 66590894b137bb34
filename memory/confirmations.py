"""Questions only the owner can settle: old fact, new statement, and three answers."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ForeignKey, Index, bindparam, or_, text, update
from sqlmodel import Field, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.errors import NotFound
from memory.prepared import whole_rows
from memory.scope import Scope
from memory.settlement import STATUS_OF_ANSWER, Answer, has_lapsed
from memory.sqltypes import Json, UtcDateTime, new_id
from memory.table_rows import Read, TableRow, read
from memory.vocabulary import ConfirmationStatus

LAPSE_AFTER = timedelta(days=14)  # unanswered that long, a question ends and the old fact stays


class Confirmation(TableRow, table=True):
    """One question. At most one is open for a slot of a subject (`ux_confirmations_open`)."""

    __tablename__ = "confirmations"
    __table_args__ = (
        Index("ix_confirmations_household", "household_id", "status"),
        Index(
            "ux_confirmations_open",
            "household_id",
            "subject",
            "attribute",
            unique=True,
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
    )

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str  # whose words raised it
    subject: str
    attribute: str
    kind: str
    status: str = ConfirmationStatus.PENDING.value
    old: dict[str, Any] | None = Field(
        default=None, sa_type=Json
    )  # {memory_id, content, value, record_kind, record_id}
    new: dict[str, Any] = Field(sa_type=Json)  # {memory_id, content, value, negated}
    question: str
    candidate_id: str  # the memory item that holds the new statement
    established_id: str | None = None  # the memory item that holds what is served now
    created_at: datetime = Field(sa_type=UtcDateTime)
    lapses_at: datetime = Field(sa_type=UtcDateTime)
    asked_again_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    answered_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    answered_by: str | None = None
    answer: str | None = None
    version: int = 1


async def confirmation_of(session: AsyncSession, scope: Scope, confirmation_id: str) -> Confirmation:
    """One question of this household. Raises NotFound."""
    row = (
        await session.exec(
            select(Confirmation).where(
                col(Confirmation.household_id) == scope.household_id, col(Confirmation.id) == confirmation_id
            )
        )
    ).one_or_none()
    if row is None:
        raise NotFound()
    return row


async def confirmations_of(
    session: AsyncSession, scope: Scope, *, statuses: Collection[str] = (), subject: str | None = None, limit: int = 100
) -> Sequence[Confirmation]:
    """Questions of this household, newest first; all statuses when none is named."""
    query = select(Confirmation).where(col(Confirmation.household_id) == scope.household_id)
    if statuses:
        query = query.where(col(Confirmation.status).in_(statuses))
    if subject is not None:
        query = query.where(col(Confirmation.subject) == subject)
    return (await session.exec(query.order_by(col(Confirmation.id).desc()).limit(limit))).all()


_ABOUT = Read(
    Confirmation,
    whole_rows(
        Confirmation,
        col(Confirmation.household_id) == bindparam("household_id"),
        or_(
            col(Confirmation.status) == ConfirmationStatus.PENDING.value,
            col(Confirmation.attribute).in_(bindparam("attributes", expanding=True)),
        ),
        order=col(Confirmation.id),
    ),
)


async def questions_about(
    session: AsyncSession, scope: Scope, slots: Collection[tuple[str | None, str]]
) -> Sequence[Confirmation]:
    """Every open question of the household, and the ended ones of these slots, oldest first."""
    attributes = [attribute for _, attribute in slots]
    rows = await read(session, _ABOUT, {"household_id": scope.household_id, "attributes": attributes})
    return [row for row in rows if is_open(row) or (row.subject, row.attribute) in slots]


async def open_question(session: AsyncSession, confirmation: Confirmation) -> Confirmation:
    """Ask. An older open question of the slot must have been voided before: a slot has one at a time."""
    session.add(confirmation)
    await session.flush()
    return confirmation


async def void_questions(session: AsyncSession, confirmations: Sequence[Confirmation], now: datetime) -> None:
    """End questions that lost their object. One that was answered meanwhile stays answered."""
    for confirmation in confirmations:
        await _end(session, confirmation, ConfirmationStatus.VOID, now)


async def lapse_questions(
    session: AsyncSession, confirmations: Sequence[Confirmation], now: datetime
) -> list[Confirmation]:
    """End those whose time is over at `now`; the old fact stays. Returns the ones that ended just now."""
    return [
        one
        for one in confirmations
        if is_open(one) and has_lapsed(one.lapses_at, now) and await _end(session, one, ConfirmationStatus.LAPSED, now)
    ]


async def lapsing(session: AsyncSession, now: datetime, limit: int) -> Sequence[Confirmation]:
    """Open questions of every household whose time is over, oldest first; for the job that ends them."""
    rows = await session.exec(
        select(Confirmation)
        .where(col(Confirmation.status) == ConfirmationStatus.PENDING.value, col(Confirmation.lapses_at) <= now)
        .order_by(col(Confirmation.lapses_at))
        .limit(limit)
    )
    return rows.all()


async def take_answer(
    session: AsyncSession, confirmation: Confirmation, answer: Answer, answered_by: str, now: datetime
) -> bool:
    """Write the owner's answer if the question is still open. False when somebody else was first."""
    return await _end(session, confirmation, STATUS_OF_ANSWER[answer], now, answer=answer.value, by=answered_by)


def is_open(confirmation: Confirmation) -> bool:
    """Whether it waits for an answer; whether its time is over is `settlement.has_lapsed`."""
    return confirmation.status == ConfirmationStatus.PENDING.value


async def _end(
    session: AsyncSession,
    confirmation: Confirmation,
    status: ConfirmationStatus,
    now: datetime,
    answer: str | None = None,
    by: str | None = None,
) -> bool:
    """The first end wins: the row changes only while it is pending."""
    ended = await session.exec(
        update(Confirmation)
        .where(
            col(Confirmation.id) == confirmation.id,
            col(Confirmation.status) == ConfirmationStatus.PENDING.value,
        )
        .values(
            status=status.value,
            answer=answer,
            answered_by=by,
            answered_at=now,
            version=col(Confirmation.version) + 1,
        )
        .execution_options(synchronize_session=False)
    )
    await session.refresh(confirmation)
    return bool(ended.rowcount)
