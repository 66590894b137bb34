"""Phase 7, snapshot: how much there is afterwards, and what the nightly upgrade has moved since the last entry."""

from collections.abc import Container, Mapping
from datetime import datetime

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory import dream_words as words
from memory.consolidation.collect import News
from memory.items import MemoryItem, MemoryVersion
from memory.scope import Scope
from memory.upgrade import Move
from memory.visibility import SERVED
from memory.vocabulary import Tier

SYSTEM = "system"

_TOLD = {
    Move.PROMOTED: words.RISEN,
    Move.CLIMBED: words.RISEN,
    Move.STEPPED_DOWN: words.MOVED_DOWN,
    Move.MADE_ROOM: words.MOVED_DOWN,
    Move.TURNED_AWAY: words.MOVED_DOWN,
    Move.ARCHIVED: words.MOVED_DOWN,
    Move.FADED: words.ARCHIVED,
    Move.ENDED: words.OVER,
}
"""What the diary calls each move of the nightly upgrade; the others are not worth a line."""


def sizes(news: News, now: datetime) -> dict[str, int]:
    """Lines in service by layer."""
    counts = dict.fromkeys((tier.value for tier in Tier), 0)
    for line in news.lines:
        over = line.expires_at is not None and line.expires_at <= now
        counts[line.tier.value] += line.status.value in SERVED and not over
    return counts


async def moved_since(
    session: AsyncSession, scope: Scope, since: datetime, spared: Container[str]
) -> Mapping[tuple[str, str | None], list[MemoryItem]]:
    """Lines of this owner that the upgrade has moved after `since`, by what the diary calls it and by subject.

    spared: lines that this night's own entry tells of.
    """
    rows = await session.exec(
        select(MemoryItem, MemoryVersion.reason)
        .join(MemoryVersion, col(MemoryVersion.item_id) == col(MemoryItem.id))
        .where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.owner_id) == scope.owner_id,
            col(MemoryItem.version) > 1,
            col(MemoryVersion.version) == col(MemoryItem.version),
            col(MemoryVersion.changed_by) == SYSTEM,
            col(MemoryVersion.reason).in_([move.value for move in _TOLD]),
            col(MemoryVersion.at) > since,
        )
        .order_by(col(MemoryItem.id))
    )
    found: dict[tuple[str, str | None], list[MemoryItem]] = {}
    for item, reason in rows.all():
        if item.id not in spared:
            found.setdefault((_TOLD[Move(reason)], item.subject), []).append(item)
    return found
