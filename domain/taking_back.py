"""Putting lines back as they were before one change: new ones go, changed ones are as before, deleted ones return.

A record goes with its line, a question that the change answered is open again, the pet's page follows, and what the
message said counts no more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.follow_ups import DISMISSED, OPEN, FollowUp
from domain.health_records import CURRENT, record_of, set_record_status, update_record
from domain.last_changes import UNDONE, Change, ChangedLine
from domain.owner_deletes import delete_memory, restore_memory
from domain.profile_facts import PROFILE_SLOTS, bring_profile_in_line, leave_open
from domain.record_kinds import SAFETY_KINDS, kind_named
from domain.record_versions import RecordVersion
from domain.statement_rows import Desk
from memory.confirmations import Confirmation
from memory.core_card import enter_core
from memory.item_states import time_of
from memory.item_writes import SNAPSHOT_FIELDS, SNAPSHOT_TIMES, revise_item
from memory.items import EvidenceRow, MemoryItem, MemoryVersion
from memory.visibility import SERVED
from memory.vocabulary import ConfirmationStatus, MemoryStatus, Tier

_SAFETY_NAMES = tuple(kind.name for kind in SAFETY_KINDS)
_REOPENED = (
    ConfirmationStatus.ACCEPTED.value,
    ConfirmationStatus.KEPT.value,
    ConfirmationStatus.WATCHING.value,
    ConfirmationStatus.VOID.value,
)


@dataclass(slots=True)
class TakenBack:
    """What became of the lines: new ones that went, changed ones as they are again, deleted ones that returned."""

    gone: list[MemoryItem] = field(default_factory=list)
    as_before: list[MemoryItem] = field(default_factory=list)
    returned: list[MemoryItem] = field(default_factory=list)
    reopened: int = 0


async def take_back(desk: Desk, change: Change, secret: bytes) -> TakenBack:
    """Put every line of the change back, in the caller's transaction. secret: keys the tombstones.

    Raises RestoreTooLate, before anything is written.
    """
    done = TakenBack()
    for line in change.lines:
        if line.is_gone:
            done.returned.append(await restore_memory(desk.session, desk.change(UNDONE), line.item.id, secret))
    for line in change.lines:
        if line.is_new and line.item.status != MemoryStatus.DELETED.value:
            await delete_memory(desk.session, desk.change(UNDONE), line.item.id, secret)
            done.gone.append(line.item)
    for line in change.lines:
        if line.first > 1 and line.item not in done.returned:
            await _as_before(desk, line, change.at)
            done.as_before.append(line.item)
    done.reopened = await _reopen_questions(desk, change)
    await _pages_follow(desk, done)
    await _end_follow_ups(desk, change)
    await _counts_no_more(desk, change, done)
    return done


async def _as_before(desk: Desk, line: ChangedLine, at: datetime) -> None:
    item = line.item
    if item.record_id is not None:
        await _record_as_before(desk, item, at)
        return
    before = await desk.session.get(MemoryVersion, (item.id, line.first - 1))
    snapshot: dict[str, Any] = before.snapshot if before is not None else {}
    was = item.tier
    for name in SNAPSHOT_FIELDS:
        if name in snapshot:  # versions of earlier releases hold less
            setattr(item, name, snapshot[name])
    for name in SNAPSHOT_TIMES:
        if name in snapshot:
            setattr(item, name, time_of(snapshot[name]))
    item.valid_to = item.retired_at = None
    if item.tier == Tier.CORE.value and item.status in SERVED and was != item.tier:
        await enter_core(desk.session, desk.scope, item, desk.card_of(item), _SAFETY_NAMES, desk.now, desk.real_now)
    await revise_item(desk.session, item, desk.by, UNDONE, desk.now, desk.real_now)


async def _record_as_before(desk: Desk, item: MemoryItem, at: datetime) -> None:
    """The record's fields and status of before; its line follows them."""
    kind, pet = kind_named(item.record_kind or ""), desk.pets[item.subject or ""]
    record = await record_of(desk.session, desk.scope, pet.id, kind, item.record_id or "")
    versions = await _versions_of(desk.session, record.id, desk.scope.household_id)
    earlier = [version for version in versions if version.at < at] or versions[:-1]
    if not earlier:
        return
    snapshot = dict(earlier[-1].snapshot)
    status = str(snapshot.pop("status", "active"))
    change = desk.change(UNDONE)
    known = kind.read(record).model_dump(mode="json")
    changed = {name: value for name, value in snapshot.items() if name in known and known[name] != value}
    if changed:
        await update_record(desk.session, change, pet, kind, record.id, changed)
    if status in CURRENT:
        record.valid_to = item.retired_at = None
    await set_record_status(desk.session, change, pet, kind, record, status)


async def _versions_of(session: AsyncSession, record_id: str, household_id: str) -> Sequence[RecordVersion]:
    query = select(RecordVersion).where(
        col(RecordVersion.record_id) == record_id, col(RecordVersion.household_id) == household_id
    )
    return (await session.exec(query.order_by(col(RecordVersion.version)))).all()


async def _reopen_questions(desk: Desk, change: Change) -> int:
    """Questions that ended with the change wait again, where their statement does: one a slot, answered ones first."""
    await desk.session.flush()
    slots = {(line.item.subject, line.item.attribute) for line in change.lines}
    ended = await desk.session.exec(
        select(Confirmation).where(
            col(Confirmation.household_id) == desk.scope.household_id,
            col(Confirmation.answered_at) == change.at,
            col(Confirmation.status).in_(_REOPENED),
        )
    )
    reopened: set[tuple[str, str]] = set()
    for row in sorted(ended.all(), key=lambda one: (one.answer is None, one.id)):
        slot = (row.subject, row.attribute)
        about = await desk.session.get(MemoryItem, row.candidate_id)
        waits = about is not None and about.status in (MemoryStatus.CANDIDATE.value, MemoryStatus.PROVISIONAL.value)
        if slot in slots and slot not in reopened and waits:
            row.status, row.answer = ConfirmationStatus.PENDING.value, None
            row.answered_at = row.answered_by = None
            row.version += 1
            desk.session.add(row)
            reopened.add(slot)
    return len(reopened)


async def _pages_follow(desk: Desk, done: TakenBack) -> None:
    """The pets' pages say what the lines say: those that are back, or nothing where none is left."""
    back = [item for item in (*done.as_before, *done.returned) if item.status in SERVED]
    for item in back:
        await bring_profile_in_line(desk, item)
    told = {(item.subject, item.attribute) for item in back}
    for item in done.gone:
        if item.attribute in PROFILE_SLOTS and (item.subject, item.attribute) not in told:
            await leave_open(desk, item)


async def _end_follow_ups(desk: Desk, change: Change) -> None:
    if not change.message_id:
        return
    await desk.session.exec(
        update(FollowUp)
        .where(
            col(FollowUp.household_id) == desk.scope.household_id,
            col(FollowUp.message_id) == change.message_id,
            col(FollowUp.status) == OPEN,
        )
        .values(status=DISMISSED, closed_at=desk.now)
    )


async def _counts_no_more(desk: Desk, change: Change, done: TakenBack) -> None:
    """The message is no evidence of what is left; of what went it is, should it be found again."""
    if not change.message_id:
        return
    gone = [one for item in done.gone for one in (item.id, item.record_id) if one]
    await desk.session.exec(
        update(EvidenceRow)
        .where(
            col(EvidenceRow.household_id) == desk.scope.household_id,
            col(EvidenceRow.message_id) == change.message_id,
            col(EvidenceRow.target_id).not_in(gone),
        )
        .values(counts=False)
    )
