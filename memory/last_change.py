"""Taking back the last change of one memory: what its version before says holds again, as a new version.

What took part in a change of several lines (a question that was answered, a night that merged two) is not taken back
here: one of them alone would stand beside its successor.
"""

from datetime import datetime
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.archive_rows import mark_archive
from memory.errors import ChangeStands, Mirrored, NothingToUndo
from memory.item_states import time_of
from memory.item_writes import SNAPSHOT_FIELDS, SNAPSHOT_TIMES
from memory.items import MemoryItem, MemoryVersion
from memory.memory_page import item_of
from memory.scope import Scope
from memory.vocabulary import MemoryStatus

TAKEN_BACK = "owner_undid"
SETTLED = frozenset({MemoryStatus.SUPERSEDED.value, MemoryStatus.REJECTED.value, MemoryStatus.DELETED.value})


async def as_before(session: AsyncSession, scope: Scope, item_id: str, now: datetime) -> MemoryItem:
    """The item as it was before its last change; the caller keeps it as a version (`revise_item`, `TAKEN_BACK`).

    Raises NotFound, Mirrored (details name the record), NothingToUndo, ChangeStands.
    """
    item = await item_of(session, scope, item_id)
    if item.record_id is not None:
        raise Mirrored(record_kind=item.record_kind, record_id=item.record_id, pet_id=item.subject)
    last, before = await _last_two(session, scope, item)
    if last.snapshot["status"] != before["status"] and not SETTLED.isdisjoint({item.status, before["status"]}):
        raise ChangeStands()
    mark_archive(session, item, now, takes_away=True)  # where it stood; where it goes is marked with its version
    for name in SNAPSHOT_FIELDS:
        if name in before:  # versions of earlier releases hold less
            setattr(item, name, before[name])
    for name in SNAPSHOT_TIMES:
        if name in before:
            setattr(item, name, time_of(before[name]))
    return item


async def _last_two(session: AsyncSession, scope: Scope, item: MemoryItem) -> tuple[MemoryVersion, dict[str, Any]]:
    """The version in force and what the one before it held. Raises NothingToUndo."""
    rows = await session.exec(
        select(MemoryVersion)
        .where(col(MemoryVersion.household_id) == scope.household_id, col(MemoryVersion.item_id) == item.id)
        .order_by(col(MemoryVersion.version).desc())
        .limit(2)
    )
    found = rows.all()
    if len(found) < 2 or found[0].reason == TAKEN_BACK:
        raise NothingToUndo()
    return found[0], found[1].snapshot
