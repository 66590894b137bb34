"""What was on record at an earlier moment, read from the versions: the second of the two clocks.

A line counts as it stood then, whatever became of it later; what its owner has deleted since is not brought back.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.items import MemoryItem, MemoryVersion
from memory.scope import Scope
from memory.visibility import SERVED
from memory.vocabulary import OWNER_SUBJECT, MemoryStatus


@dataclass(frozen=True, slots=True)
class PastLine:
    """One line as it was served then. since: when this wording came to be on record."""

    memory_id: str
    subject: str | None
    content: str
    topic: str
    tier: str
    status: str
    version: int
    since: datetime


async def lines_as_of(
    session: AsyncSession, scope: Scope, moment: datetime, subjects: Collection[str | None] | None = None
) -> Sequence[PastLine]:
    """What was served at `moment`, oldest line first. subjects: those to look at, all when None."""
    latest = (
        select(col(MemoryVersion.item_id), func.max(col(MemoryVersion.version)).label("version"))
        .where(col(MemoryVersion.household_id) == scope.household_id, col(MemoryVersion.at) <= moment)
        .group_by(col(MemoryVersion.item_id))
        .subquery()
    )
    query = (
        select(MemoryVersion, MemoryItem.owner_id)
        .join(
            latest,
            (col(MemoryVersion.item_id) == latest.c.item_id) & (col(MemoryVersion.version) == latest.c.version),
        )
        .join(MemoryItem, col(MemoryItem.id) == col(MemoryVersion.item_id))
        .where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.status) != MemoryStatus.DELETED.value,
        )
        .order_by(col(MemoryVersion.item_id))
    )
    rows = (await session.exec(query)).all()
    lines = [_line(version) for version, owner_id in rows if _may_see(version, owner_id, scope)]
    return [line for line in lines if subjects is None or line.subject in subjects]


def _may_see(version: MemoryVersion, owner_id: str | None, scope: Scope) -> bool:
    """Only what was served, and of the owners' own lines only those of the one who asks."""
    served = version.snapshot["status"] in SERVED
    return served and (version.snapshot["subject"] != OWNER_SUBJECT or owner_id == scope.owner_id)


def _line(version: MemoryVersion) -> PastLine:
    told = version.snapshot
    return PastLine(
        version.item_id,
        told["subject"],
        told["content"],
        told["topic"],
        told["tier"],
        told["status"],
        version.version,
        version.at,
    )
