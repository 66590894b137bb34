"""Questions as an owner pages through them. A question whose time is over counts as lapsed from that moment on."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.confirmations import Confirmation
from memory.scope import Scope
from memory.vocabulary import ConfirmationStatus


async def confirmations_page(
    session: AsyncSession,
    scope: Scope,
    now: datetime,
    limit: int,
    before: str | None = None,
    *,
    status: ConfirmationStatus | None = None,
    subject: str | None = None,
) -> Sequence[Confirmation]:
    """Questions of this household, newest first; `before` is the id to go on from, status None means all."""
    query = select(Confirmation).where(col(Confirmation.household_id) == scope.household_id)
    if status is not None:
        query = query.where(_stands(status, now))
    if subject is not None:
        query = query.where(col(Confirmation.subject) == subject)
    if before is not None:
        query = query.where(col(Confirmation.id) < before)
    return (await session.exec(query.order_by(col(Confirmation.id).desc()).limit(limit))).all()


def _stands(status: ConfirmationStatus, now: datetime) -> ColumnElement[bool]:
    stored = col(Confirmation.status) == status.value
    pending = col(Confirmation.status) == ConfirmationStatus.PENDING.value
    if status is ConfirmationStatus.PENDING:
        return and_(stored, col(Confirmation.lapses_at) > now)
    if status is ConfirmationStatus.LAPSED:
        return or_(stored, and_(pending, col(Confirmation.lapses_at) <= now))
    return stored
