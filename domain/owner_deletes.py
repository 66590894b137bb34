"""What the owner deletes by hand, and brings back within ten minutes: memories, and records with their mirrors.

A deleted line leaves a tombstone, so it is not learned again from what was said before; a restore lifts it.
"""

from datetime import timedelta

from sqlalchemy import or_
from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.health_records import Change, delete_record, restore_record
from domain.pets import Pet, pet_of
from domain.record_kinds import RecordKind, kind_named
from domain.statement_comparison import said_of_item
from memory.confirmations import Confirmation, void_questions
from memory.dreams import forget_memories
from memory.errors import RestoreTooLate
from memory.hunches import forget_hunches
from memory.item_writes import revise_item
from memory.items import MemoryItem
from memory.memory_page import item_of
from memory.summaries import withdraw
from memory.tombstones import Tombstone, bury, value_hash
from memory.vocabulary import ConfirmationStatus, MemoryStatus

RESTORABLE_FOR = timedelta(minutes=10)  # real time


async def delete_record_by_owner(
    session: AsyncSession, change: Change, pet: Pet, kind: RecordKind, record_id: str, secret: bytes
) -> None:
    """Delete a record, its mirror and what they taught. `secret` keys the tombstone. Raises UnknownRecord."""
    mirror = await delete_record(session, change, pet, kind, record_id)
    if mirror is not None:
        await _lay_to_rest(session, change, mirror, secret)


async def delete_memory(session: AsyncSession, change: Change, item_id: str, secret: bytes) -> None:
    """Delete one memory; the mirror of a record takes its record along, for the owner's act is the confirmation.

    Raises memory's NotFound.
    """
    item = await item_of(session, change.scope, item_id)
    if item.record_kind and item.record_id and item.subject:
        pet = await pet_of(session, change.scope, item.subject)
        await delete_record_by_owner(session, change, pet, kind_named(item.record_kind), item.record_id, secret)
        return
    item.status_before, item.status = item.status, MemoryStatus.DELETED.value
    item.deleted_at = change.real_now
    await revise_item(session, item, change.by, change.reason, change.now, change.real_now)
    await _lay_to_rest(session, change, item, secret)


async def restore_memory(session: AsyncSession, change: Change, item_id: str, secret: bytes) -> MemoryItem:
    """Bring back what was deleted at most ten minutes ago. Raises NotFound, RestoreTooLate.

    A memory that is not deleted is simply returned, so that a repeated tap does no harm.
    """
    item = await item_of(session, change.scope, item_id, deleted=True)
    if item.status != MemoryStatus.DELETED.value:
        return item
    if item.deleted_at is None or change.real_now - item.deleted_at > RESTORABLE_FOR:
        raise RestoreTooLate()
    if item.record_kind and item.record_id and item.subject:
        pet = await pet_of(session, change.scope, item.subject)
        await restore_record(session, change, pet, kind_named(item.record_kind), item, item.record_id)
    else:
        item.status, item.status_before = item.status_before or MemoryStatus.ACTIVE.value, None
        item.deleted_at = item.retired_at = None
        await revise_item(session, item, change.by, change.reason, change.now, change.real_now)
    await _lift_tombstone(session, change, item, secret)
    return item


async def _lay_to_rest(session: AsyncSession, change: Change, item: MemoryItem, secret: bytes) -> None:
    """Leave a tombstone, end the open questions about this line, and take along what was made of it: summaries of
    talks, lines of the diary."""
    await forget_memories(session, change.scope, [item.id])
    await forget_hunches(session, change.scope, [item.id])
    said = said_of_item(item, change.scope)
    bury(session, change.scope, item.subject, item.attribute, said, secret, change.now)
    asked = await session.exec(
        select(Confirmation).where(
            col(Confirmation.household_id) == change.scope.household_id,
            col(Confirmation.status) == ConfirmationStatus.PENDING.value,
            or_(col(Confirmation.candidate_id) == item.id, col(Confirmation.established_id) == item.id),
        )
    )
    await void_questions(session, asked.all(), change.now)
    await withdraw(session, change.scope.household_id, {item.id, *([item.record_id] if item.record_id else [])})


async def _lift_tombstone(session: AsyncSession, change: Change, item: MemoryItem, secret: bytes) -> None:
    told = value_hash(item.attribute, said_of_item(item, change.scope), secret)
    await session.exec(
        delete(Tombstone).where(
            col(Tombstone.household_id) == change.scope.household_id,
            col(Tombstone.attribute) == item.attribute,
            col(Tombstone.value_hash) == told,
        )
    )
