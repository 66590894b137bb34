"""Who read or moved an owner's data as a whole: exports, imports, operators' commands, and vets who opened a link.

Vets' looks are kept with their shares (`domain.shares`); they are told here beside the rest. Times are real ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import ForeignKey, Index
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.shares import ShareOpening, VetShare
from memory.scope import Scope
from memory.sqltypes import UtcDateTime, new_id

Who = Literal["owner", "operator", "vet"]
What = Literal["export", "import", "share_opened", "snapshot", "capture"]
"""`snapshot` and `capture`: an operator looked at the cards, or had one statement remembered."""


class Access(SQLModel, table=True):
    """One access by the owner or an operator. No address and no device is kept."""

    __tablename__ = "access_log"
    __table_args__ = (Index("ix_access_log_owner", "owner_id", "id"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str
    who: str
    what: str
    at: datetime = Field(sa_type=UtcDateTime)


@dataclass(frozen=True, slots=True)
class Look:
    """One line of the log. detail: to whom a share was given and on what it was opened, "" for the rest."""

    id: str
    at: datetime
    who: Who
    what: What
    detail: str = ""


def note_access(session: AsyncSession, scope: Scope, who: Who, what: What, real_now: datetime) -> None:
    """Write one line, in the transaction of what is done."""
    session.add(Access(household_id=scope.household_id, owner_id=scope.owner_id, who=who, what=what, at=real_now))


async def accesses_of(session: AsyncSession, scope: Scope, limit: int, before: str | None) -> Sequence[Look]:
    """Newest first; `before` is the id to go on from."""
    looks = [*await _own(session, scope, limit, before), *await _vets(session, scope, limit, before)]
    return sorted(looks, key=lambda look: look.id, reverse=True)[:limit]


async def _own(session: AsyncSession, scope: Scope, limit: int, before: str | None) -> list[Look]:
    query = select(Access).where(col(Access.household_id) == scope.household_id, col(Access.owner_id) == scope.owner_id)
    if before is not None:
        query = query.where(col(Access.id) < before)
    rows = await session.exec(query.order_by(col(Access.id).desc()).limit(limit))
    return [Look(row.id, row.at, row.who, row.what) for row in rows.all()]  # type: ignore[arg-type]  # words of `Who` and `What`


async def _vets(session: AsyncSession, scope: Scope, limit: int, before: str | None) -> list[Look]:
    query = (
        select(ShareOpening, VetShare.recipient)
        .join(VetShare, col(VetShare.id) == col(ShareOpening.share_id))
        .where(col(ShareOpening.household_id) == scope.household_id)
    )
    if before is not None:
        query = query.where(col(ShareOpening.id) < before)
    rows = await session.exec(query.order_by(col(ShareOpening.id).desc()).limit(limit))
    return [
        Look(row.id, row.at, "vet", "share_opened", " · ".join(filter(None, (recipient, row.client))))
        for row, recipient in rows.all()
    ]
