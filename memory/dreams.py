"""The dream diary: one entry a night in the owner's words, what it changed, and the way back.

An entry keeps its lines for the owner and, apart from them, the state of every row before the night. `undo` puts that
state back unless something has changed since; what was undone is not done again. Lines and states made from a memory
go when the memory goes.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ForeignKey, Index, update
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.dream_words import TROUBLE
from memory.errors import NotFound, UndoUnsafe
from memory.item_states import put_back, time_of
from memory.item_writes import SYSTEM, revise_item
from memory.items import EvidenceRow, MemoryItem, MemoryVersion
from memory.scope import Scope
from memory.slot_locks import wait_for_turn
from memory.sqltypes import Json, UtcDateTime, new_id
from memory.upgrade import Move
from memory.vocabulary import MemoryStatus

RUNNING, DONE, CANCELLED, STOPPED, UNDONE = "running", "done", "cancelled", "stopped", "undone"
TOLD = (DONE, STOPPED, CANCELLED, UNDONE)

_MOVES = frozenset(move.value for move in Move)

UNDO_REASON = "dream_undone"
UNDONE_HOLDS = timedelta(days=90)  # what the owner took back is not done again for that long
TROUBLE_HOLDS = timedelta(days=7)  # the same trouble, night after night, is told once


class Dream(SQLModel, table=True):
    """One night of one owner. `phase` is the last one that was finished; it is where a killed run goes on.

    lines: [{what, text, memory_ids, subject}]. changes: by item id {subject, before, after, version, acts,
    evidence}: `before` is None for a row that the night made, `version` what the night left, acts [what, ids].
    """

    __tablename__ = "dreams"
    __table_args__ = (Index("ix_dreams_owner", "owner_id", "id"), Index("ix_dreams_household", "household_id"))

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str
    status: str = RUNNING
    phase: str = ""
    night_on: date  # the owner's local day it began on
    started_at: datetime = Field(sa_type=UtcDateTime)
    finished_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    undone_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    lines: list[dict[str, Any]] = Field(default_factory=list, sa_type=Json)
    changes: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    counts: dict[str, Any] = Field(default_factory=dict, sa_type=Json)


async def dream_of(session: AsyncSession, scope: Scope, dream_id: str) -> Dream:
    """One entry of this owner's diary. Raises NotFound."""
    found = await session.exec(
        select(Dream).where(col(Dream.id) == dream_id, *_of_owner(scope), col(Dream.status).in_(TOLD))
    )
    dream = found.one_or_none()
    if dream is None:
        raise NotFound()
    return dream


async def dreams_of(session: AsyncSession, scope: Scope, limit: int, before: str | None = None) -> Sequence[Dream]:
    """The diary, newest first; nights in which nothing happened have no entry. `before` is the id to go on from."""
    query = select(Dream).where(*_of_owner(scope), col(Dream.status).in_(TOLD))
    if before is not None:
        query = query.where(col(Dream.id) < before)
    return (await session.exec(query.order_by(col(Dream.id).desc()).limit(limit))).all()


async def counts_of_night(session: AsyncSession, scope: Scope, night_on: date) -> dict[str, Any]:
    """What earlier runs of the same night began with and took, so that together they take no more than one may."""
    rows = await session.exec(
        select(Dream.counts)
        .where(*_of_owner(scope), col(Dream.night_on) == night_on, col(Dream.status).in_((DONE, STOPPED, CANCELLED)))
        .order_by(col(Dream.id).desc())
        .limit(1)
    )
    counts = rows.first() or {}
    return {name: counts[name] for name in ("sizes", "taken") if name in counts}


def add_line(dream: Dream, what: str, text: str, memory_ids: Collection[str] = (), subject: str | None = None) -> None:
    """Write one line into the diary. `what` is a closed word, `text` is for the owner."""
    line = {"what": what, "text": text, "memory_ids": list(memory_ids), "subject": subject}
    dream.lines = [*dream.lines, line]


async def tell_of_trouble(session: AsyncSession, scope: Scope, text: str, now: datetime) -> None:
    """An entry of its own for what went wrong in a night that had none, unless the diary has told so lately."""
    lately = await session.exec(select(Dream).where(*_of_owner(scope), col(Dream.started_at) > now - TROUBLE_HOLDS))
    if any(line["text"] == text for dream in lately.all() for line in dream.lines):
        return
    dream = Dream(
        household_id=scope.household_id,
        owner_id=scope.owner_id,
        status=DONE,
        night_on=scope.local(now).date(),
        started_at=now,
        finished_at=now,
    )
    add_line(dream, TROUBLE, text)
    session.add(dream)


def is_undoable(dream: Dream) -> bool:
    """Whether there is anything to put back; whether it still can be is known when it is tried."""
    return dream.status in (DONE, STOPPED, CANCELLED) and bool(dream.changes) and not dream.counts.get("final")


async def undo(session: AsyncSession, scope: Scope, dream_id: str, now: datetime, real_now: datetime) -> Dream:
    """Put the memories back as they were before that night. Undoing twice answers the same.

    What the nightly upgrade moved since goes back with it; the upgrade decides anew. Raises NotFound, and UndoUnsafe
    when one of them was changed by anybody else, used up by a later night or deleted since.
    """
    await wait_for_turn(session, scope.household_id)
    dream = await dream_of(session, scope, dream_id)
    if dream.status == UNDONE:
        return dream
    items = await _items(session, scope, dream.changes)
    if not is_undoable(dream) or not await _is_as_left(session, scope, dream, items):
        raise UndoUnsafe()
    for item_id, change in dream.changes.items():
        await _take_back(session, scope, items[item_id], change, now, real_now)
    dream.status, dream.undone_at = UNDONE, now
    session.add(dream)
    return dream


async def undone_acts(session: AsyncSession, scope: Scope, now: datetime) -> dict[str, set[frozenset[str]]]:
    """What the owner took back lately, by act: the ids that took part in each."""
    rows = await session.exec(
        select(Dream).where(
            col(Dream.household_id) == scope.household_id,
            col(Dream.status) == UNDONE,
            col(Dream.undone_at) > now - UNDONE_HOLDS,
        )
    )
    found: dict[str, set[frozenset[str]]] = {}
    for dream in rows.all():
        for change in dream.changes.values():
            for act, ids in change["acts"]:
                found.setdefault(act, set()).add(frozenset(ids))
    return found


async def forget_memories(session: AsyncSession, scope: Scope, ids: Collection[str], spared: str = "") -> None:
    """Take everything out of the diaries of the household that was made from these memories.

    spared: an entry that is being written and holds nothing of them.
    """
    gone = set(ids)
    await _scrub(
        session, scope, lambda line: not gone.isdisjoint(line["memory_ids"]), lambda one, _: one in gone, spared
    )


async def forget_subject(session: AsyncSession, scope: Scope, subject: str) -> None:
    """Take everything out of the diaries that is about this pet."""
    await _scrub(session, scope, lambda line: line["subject"] == subject, lambda _, one: one["subject"] == subject)


async def _scrub(
    session: AsyncSession,
    scope: Scope,
    is_gone: Callable[[dict[str, Any]], bool],
    change_is_gone: Callable[[str, dict[str, Any]], bool],
    spared: str = "",
) -> None:
    rows = await session.exec(
        select(Dream).where(col(Dream.household_id) == scope.household_id, col(Dream.id) != spared)
    )
    for dream in rows.all():
        lines = [line for line in dream.lines if not is_gone(line)]
        lost = [item_id for item_id, change in dream.changes.items() if change_is_gone(item_id, change)]
        if len(lines) == len(dream.lines) and not lost:
            continue
        changes = {} if lost else dream.changes  # half a night cannot be put back
        await session.exec(
            update(Dream)
            .where(col(Dream.id) == dream.id)
            .values(lines=lines, changes=changes)
            .execution_options(synchronize_session="fetch")
        )


async def _items(session: AsyncSession, scope: Scope, ids: Collection[str]) -> dict[str, MemoryItem]:
    rows = await session.exec(
        select(MemoryItem).where(col(MemoryItem.household_id) == scope.household_id, col(MemoryItem.id).in_(list(ids)))
    )
    return {item.id: item for item in rows.all()}


async def _is_as_left(session: AsyncSession, scope: Scope, dream: Dream, items: dict[str, MemoryItem]) -> bool:
    """Whether every row still is what the night made of it; signals may have grown, and the upgrade moved it."""
    if not set(dream.changes) <= set(items):
        return False
    changed = [one for one, change in dream.changes.items() if items[one].version != change["version"]]
    if not changed:
        return True
    rows = await session.exec(
        select(MemoryVersion).where(
            col(MemoryVersion.household_id) == scope.household_id, col(MemoryVersion.item_id).in_(changed)
        )
    )
    since = [one for one in rows.all() if one.version > dream.changes[one.item_id]["version"]]
    return all(one.changed_by == SYSTEM and one.reason in _MOVES for one in since)


async def _take_back(
    session: AsyncSession, scope: Scope, item: MemoryItem, change: dict[str, Any], now: datetime, real_now: datetime
) -> None:
    if change["before"] is None:
        item.status_before, item.status, item.deleted_at = item.status, MemoryStatus.DELETED.value, real_now
    else:
        put_back(item, change["before"], change["after"])
    for evidence_id, target in change["evidence"].items():
        await session.exec(
            update(EvidenceRow)
            .where(col(EvidenceRow.id) == evidence_id, col(EvidenceRow.household_id) == scope.household_id)
            .values(target_kind=target[0], target_id=target[1])
        )
    await revise_item(session, item, scope.owner_id, UNDO_REASON, now, real_now)
    if change["before"] is not None:
        item.review_at = time_of(change["before"]["review_at"])


def _of_owner(scope: Scope) -> tuple[Any, ...]:
    return (col(Dream.household_id) == scope.household_id, col(Dream.owner_id) == scope.owner_id)
