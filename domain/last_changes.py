"""The newest thing an owner changed lately: lines of memory and what hangs on them, or plans. Reads only.

What one message, or one tap, changed has one time and one owner; the versions of the lines know both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.no_allergies import is_note_of_none
from domain.schedule_trail import STILL_JUST_NOW, ScheduleAct, last_acts
from domain.turns import Turn
from domain.undo_requests import read_undo
from memory.items import EvidenceRow, MemoryItem, MemoryVersion
from memory.messages import Message
from memory.scope import Scope
from memory.vocabulary import MemoryStatus

UNDONE = "owner_undid_in_chat"
FOUND_AGAIN = frozenset({"owner_restored", "owner_restored_in_chat"})
PUT_BACK = frozenset({UNDONE, "owner_undid", *FOUND_AGAIN})
"""Reasons of versions by which something was put back: taking that back would only do the first change again."""

MOST_VERSIONS = 200  # of half an hour
LOOKED_BACK = 6  # messages


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """One line that was changed. first: the first version of the change; 1 where the line is new."""

    item: MemoryItem
    first: int

    @property
    def is_new(self) -> bool:
        return self.first == 1 and not self.is_gone

    @property
    def is_gone(self) -> bool:
        return self.item.status == MemoryStatus.DELETED.value


@dataclass(frozen=True, slots=True)
class Change:
    """What one message, or one tap on a page (message_id is ""), changed. `at` is domain time.

    pages: pets on whose page 没有已知过敏 was noted. undone: it put something back. found_again: it brought lines back
    that the owner had taken back or deleted.
    """

    at: datetime
    message_id: str = ""
    lines: Sequence[ChangedLine] = ()
    plans: Sequence[ScheduleAct] = ()
    pages: Sequence[str] = ()
    undone: bool = False
    found_again: bool = False

    @property
    def order(self) -> tuple[datetime, str]:
        """Later is greater; of one moment the later message."""
        return self.at, self.message_id


@dataclass(frozen=True, slots=True)
class Lately:
    """Every newest change, latest first, and the owner's last message."""

    changes: Sequence[Change] = field(default_factory=list)
    last_message_id: str = ""


async def changed_lately(session: AsyncSession, scope: Scope, message_id: str, now: datetime) -> Lately:
    """The newest change of lines, of plans and of a page, before the message that asks for them."""
    last = await _last_message(session, scope, message_id, now)
    found = (
        await _lines_changed(session, scope, message_id, now),
        await _plans_changed(session, scope, message_id, now),
        await _page_noted(session, scope, last),
    )
    changes = sorted((one for one in found if one is not None), key=lambda one: one.order, reverse=True)
    return Lately(changes, last.id if last else "")


async def _last_message(session: AsyncSession, scope: Scope, message_id: str, now: datetime) -> Message | None:
    """The owner's last message that told or asked something, rather than wanting it taken back."""
    query = select(Message).where(
        col(Message.household_id) == scope.household_id,
        col(Message.owner_id) == scope.owner_id,
        col(Message.role) == "user",
        col(Message.id) < message_id,
        col(Message.said_at) > now - STILL_JUST_NOW,
    )
    rows = (await session.exec(query.order_by(col(Message.id).desc()).limit(LOOKED_BACK))).all()
    return next((row for row in rows if read_undo(row.text) is None), None)


async def _plans_changed(session: AsyncSession, scope: Scope, message_id: str, now: datetime) -> Change | None:
    acts = [act for act in await last_acts(session, scope, now) if act.message_id != message_id]
    if not acts:
        return None
    return Change(acts[0].at, acts[0].message_id, plans=acts, undone=all(act.outcome == "undone" for act in acts))


async def _page_noted(session: AsyncSession, scope: Scope, last: Message | None) -> Change | None:
    """What the last message had written on a pet's page, as its receipt tells."""
    turn = await session.get(Turn, last.turn_id) if last is not None and last.turn_id else None
    if last is None or turn is None or turn.household_id != scope.household_id:
        return None
    pages = [one["subject"] for one in (turn.answer or {}).get("memories", ()) if is_note_of_none(one)]
    return Change(last.said_at, last.id, pages=pages) if pages else None


async def _lines_changed(session: AsyncSession, scope: Scope, message_id: str, now: datetime) -> Change | None:
    since = now - STILL_JUST_NOW
    query = (
        select(MemoryVersion, MemoryItem)
        .join(MemoryItem, col(MemoryItem.id) == col(MemoryVersion.item_id))
        .where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.review_at) > since,  # every change sets it, and few lines are that new
            col(MemoryVersion.changed_by) == scope.owner_id,
            col(MemoryVersion.at) > since,
            col(MemoryVersion.at) <= now,
        )
        .order_by(col(MemoryVersion.at).desc(), col(MemoryVersion.version).desc())
    )
    rows = [(version, item) for version, item in (await session.exec(query.limit(MOST_VERSIONS))).all()]
    if not rows:
        return None
    at = rows[0][0].at
    rows = [(version, item) for version, item in rows if version.at == at]
    said = await _said_then(session, scope, message_id, at)
    if said is not None:
        of_it = {item.id for _, item in rows} & {row.target_id for row in said} | {
            item.id for _, item in rows if item.record_id in {row.target_id for row in said}
        }
        slots = {(item.subject, item.attribute) for _, item in rows if item.id in of_it}
        rows = [(version, item) for version, item in rows if (item.subject, item.attribute) in slots] or rows
    firsts: dict[str, int] = {}
    for version, item in rows:
        firsts[item.id] = min(version.version, firsts.get(item.id, version.version))
    items = {item.id: item for _, item in rows}
    return Change(
        at,
        (said[0].message_id or "") if said else "",
        lines=[ChangedLine(items[item_id], first) for item_id, first in sorted(firsts.items())],
        undone=all(version.reason in PUT_BACK for version, _ in rows),
        found_again=all(version.reason in FOUND_AGAIN for version, _ in rows),
    )


async def _said_then(
    session: AsyncSession, scope: Scope, message_id: str, at: datetime
) -> Sequence[EvidenceRow] | None:
    """The traces of the latest message of that moment; None when it was no message."""
    query = select(EvidenceRow).where(
        col(EvidenceRow.household_id) == scope.household_id,
        col(EvidenceRow.by) == scope.owner_id,
        col(EvidenceRow.said_at) == at,
        col(EvidenceRow.message_id) < message_id,
    )
    rows = (await session.exec(query)).all()
    if not rows:
        return None
    latest = max(row.message_id or "" for row in rows)
    return [row for row in rows if row.message_id == latest]
