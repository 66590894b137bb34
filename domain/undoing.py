"""Taking back what an owner changed last, whatever it was, at a word of theirs: 撤销, 改回来, 刚说的不算, 恢复.

The newest change is taken back and told by its words; nothing older than the talk is. What was taken back already is
not done a second time, and where it is unclear what is meant the owner is asked. What is told is told after the commit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.arranging import Arranged, arrange
from domain.forgetting import FORGOTTEN, TOO_LATE, UNDO_HINT, Asking, bring_back
from domain.last_changes import UNDONE, Change, Lately, changed_lately
from domain.no_allergies import take_back_none
from domain.pets import pets_of
from domain.schedule_replies import named_title
from domain.schedule_requests import Act, ScheduleRequest
from domain.schedule_trail import acts_of_message
from domain.schedules import Schedule
from domain.statement_rows import Desk
from domain.taking_back import TakenBack, take_back
from domain.undo_requests import Undo, UndoRequest
from memory.errors import RestoreTooLate
from memory.evidence import MEMORY
from memory.item_writes import add_evidence
from memory.items import EvidenceRow, MemoryItem
from memory.slot_locks import wait_for_turn
from memory.visibility import SERVED
from memory.vocabulary import Source

NOTHING = "刚才没有可以撤销的改动。更早的内容，可以在记忆页或档案里改。"
NOTHING_SAID = "刚才那句我没有改动什么，不用撤销。"
ALREADY = "刚才的改动已经撤销了。"
_MOST_TOLD = 5  # lines named in one sentence


@dataclass(frozen=True, slots=True)
class Undone:
    """What became of a wish. told: sentences for the owner, none when it meant something else. events: plans."""

    told: tuple[str, ...] = ()
    events: tuple[dict[str, Any], ...] = ()


@dataclass(slots=True)
class _Done:
    told: list[str] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)


async def undo(session: AsyncSession, wish: UndoRequest, asking: Asking) -> Undone:
    """Carry a wish out in the caller's transaction. The same message again does nothing more and tells the same."""
    await wait_for_turn(session, asking.scope.household_id)
    if (done := await _done_before(session, asking)) is not None:
        return done
    lately = await changed_lately(session, asking.scope, asking.message_id, asking.now)
    meant = [one for one in lately.changes if not one.undone and _fits(wish.what, one, lately)]
    newest = lately.changes[0] if lately.changes else None
    if newest is not None and newest.undone and wish.what is Undo.ANY:
        return await _once_more(session, newest, asking)
    if meant and wish.asks:
        return Undone((await _question(session, meant[0], asking),))
    if meant:
        return await _take_back_all(session, [one for one in meant if _together(one, meant[0])], asking)
    return await _nothing_fits(session, wish, newest, asking)


async def _once_more(session: AsyncSession, newest: Change, asking: Asking) -> Undone:
    """撤销 after something was put back: what 恢复 brought goes again; all else is undone already."""
    if not newest.found_again or any(line.is_gone for line in newest.lines):
        return Undone((ALREADY,))
    lines = [replace(line, first=1) for line in newest.lines]
    return await _take_back_all(session, [replace(newest, lines=lines)], asking)


def _fits(what: Undo, change: Change, lately: Lately) -> bool:
    """Whether words like these can mean this change."""
    if what is Undo.PLAN:
        return bool(change.plans)
    if what is Undo.SAID:
        return bool(change.message_id) and change.message_id == lately.last_message_id
    if what is Undo.BACK:
        return any(line.is_gone for line in change.lines) or any(act.outcome == "cancelled" for act in change.plans)
    if what is Undo.CHANGED:
        changed = any(line.is_gone or line.first > 1 for line in change.lines)
        return changed or any(act.outcome in ("moved", "cancelled") for act in change.plans)
    return True


def _together(one: Change, other: Change) -> bool:
    """The same change, or another half of what one message did."""
    return one is other or bool(one.message_id and one.message_id == other.message_id)


async def _nothing_fits(session: AsyncSession, wish: UndoRequest, newest: Change | None, asking: Asking) -> Undone:
    if wish.what is Undo.BACK:
        told = await bring_back(session, asking)
        return Undone((told,) if told else ())
    if wish.what is Undo.CHANGED and newest is not None and not newest.undone:
        return Undone((await _question(session, newest, asking),))
    if not wish.plainly:
        return Undone((ALREADY,)) if wish.what is Undo.CHANGED and newest is not None else Undone()
    if wish.what is Undo.SAID:
        return Undone((NOTHING_SAID,))
    return Undone((ALREADY if newest is not None and newest.undone else NOTHING,))


async def _question(session: AsyncSession, change: Change, asking: Asking) -> str:
    """What was changed last, and whether that is meant."""
    lines = [asking.line(line.item) for line in change.lines if line.item.status in SERVED or line.is_new]
    rows = [await session.get(Schedule, act.schedule_id) for act in change.plans]
    plans = [f"“{named_title(row, asking.pets)}”" for row in rows if row is not None]
    named = "、".join([*lines, *plans][:_MOST_TOLD])
    return f"刚才最后改动的是{named or '宠物的资料'}，要撤销它吗？说“撤销”就行；想改成别的，直接告诉我是什么。"


async def _take_back_all(session: AsyncSession, changes: Sequence[Change], asking: Asking) -> Undone:
    done = _Done()
    try:
        for change in changes:
            await _take_back(session, change, asking, done)
    except RestoreTooLate:
        return Undone((TOO_LATE,))
    return Undone(tuple(done.told), tuple(done.events))


async def _take_back(session: AsyncSession, change: Change, asking: Asking, done: _Done) -> None:
    if change.plans:
        arranged = await _take_back_plans(session, asking)
        done.told += arranged.told
        done.events += arranged.events
    for pet_id in change.pages:
        done.told.append(f"撤销了，没有再记：“{await take_back_none(session, asking.scope, pet_id)}”。")
    if change.lines:
        taken = await take_back(await _desk(session, asking), change, asking.secret)
        told = _told(taken, asking)
        done.told.append(told)
        _leave_traces(session, taken, told, asking)


async def _desk(session: AsyncSession, asking: Asking) -> Desk:
    pets = {pet.id: pet for pet in await pets_of(session, asking.scope)}
    by = asking.scope.owner_id
    return Desk(session, asking.scope, pets, asking.now, asking.real_now, by, Source.OWNER)


def _told(taken: TakenBack, asking: Asking) -> str:
    """The receipt: what is as it was, what has come back, and what went."""
    served = [item for item in taken.as_before if item.status in SERVED]
    sentences = []
    if served:
        instead = [item for item in taken.gone if item.status_before in (*SERVED, None) and not _is_among(item, served)]
        no_more = f"（不再是{_lines(instead, asking)}）" if instead else ""
        sentences.append(f"改回来了：{_lines(served, asking)}{no_more}。")
    if taken.returned:
        sentences.append(f"找回来了：{_lines(taken.returned, asking)}。")
    if taken.gone and not served:
        sentences.append(f"撤销了，没有再记：{_lines(taken.gone, asking)}。{UNDO_HINT}")
    if taken.reopened:
        sentences.append("那个问题还等你回答。")
    return "".join(sentences) or ALREADY


def _is_among(item: MemoryItem, others: Sequence[MemoryItem]) -> bool:
    return any(item.content == other.content for other in others)


def _lines(items: Sequence[MemoryItem], asking: Asking) -> str:
    return "、".join(dict.fromkeys(asking.line(item) for item in items[:_MOST_TOLD]))


def _leave_traces(session: AsyncSession, taken: TakenBack, told: str, asking: Asking) -> None:
    """Which message did it, so that it does nothing a second time; what only went may be found again with 恢复."""
    findable = not taken.as_before
    for item in (*taken.gone, *taken.as_before, *taken.returned):
        outcome = FORGOTTEN if findable and item in taken.gone else UNDONE
        add_evidence(session, MEMORY, item.id, asking.trace_of(item, outcome, told))


async def _done_before(session: AsyncSession, asking: Asking) -> Undone | None:
    """The receipt of what this message took back in an earlier run of its turn; None when it took nothing back."""
    query = select(EvidenceRow.reason).where(
        col(EvidenceRow.household_id) == asking.scope.household_id,
        col(EvidenceRow.message_id) == asking.message_id,
        col(EvidenceRow.outcome).in_((FORGOTTEN, UNDONE)),
    )
    told = tuple(dict.fromkeys(line for line in (await session.exec(query)).all() if line))
    if not await acts_of_message(session, asking.scope, asking.message_id):
        return Undone(told) if told else None
    plans = await _take_back_plans(session, asking)
    return Undone((*plans.told, *told), plans.events)


async def _take_back_plans(session: AsyncSession, asking: Asking) -> Arranged:
    pets = await pets_of(session, asking.scope)
    return await arrange(session, asking.scope, pets, [ScheduleRequest(Act.UNDO)], asking.message_id, asking.now)
