"""What the owner deletes by hand, and brings back within ten minutes: memories, and records with their mirrors.

A deleted line leaves a tombstone, so it is not learned again from what was said before; a restore lifts it.
"""

from datetime import timedelta

from sqlmodel import col, delete
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.health_records import Change, delete_record, restore_record
from domain.pets import Pet, pet_of
from domain.record_kinds import RecordKind, kind_named
from memory.errors import RestoreTooLate
from memory.item_writes import revise_item
from memory.items import MemoryItem
from memory.memory_page import item_of
from memory.slot_relations import Said
from memory.tombstones import Tombstone, bury, value_hash
from memory.vocabulary import MemoryStatus

RESTORABLE_FOR = timedelta(minutes=10)  # real time


async def delete_record_by_owner(
    session: AsyncSession, change: Change, pet: Pet, kind: RecordKind, record_id: str, secret: bytes
) -> None:
    """Delete a record, its mirror and what they taught. `secret` keys the tombstone. Raises UnknownRecord."""
    mirror = await delete_record(session, change, pet, kind, record_id)
    if mirror is not None:
        bury(session, change.scope, mirror.subject, mirror.attribute, said_by(change, mirror), secret, change.now)


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
    bury(session, change.scope, item.subject, item.attribute, said_by(change, item), secret, change.now)


async def restore_memory(session: AsyncSession, change: Change, item_id: str, secret: bytes) -> MemoryItem:
    """Bring back what was deleted at most ten minutes ago. Raises NotFound, RestoreTooLate.

    A memory that is not deleted is simply returned, so that a repeated tap does no harm.
    """
    item = await item_of(session, change.scope, item_id, deleted=True)
    if item.status != MemoryStatus.DELETED.value:
        return item
    if item.deleted_at is None or change.real_now - item.deleted_at > RESTORABLE_FOR:
        raise RestoreTooLate()
    if item.record_kind and item.record_id:
        await restore_record(session, change, kind_named(item.record_kind), item, item.record_id)
    else:
        item.status, item.status_before = item.status_before or MemoryStatus.ACTIVE.value, None
        item.deleted_at = item.retired_at = None
        await revise_item(session, item, change.by, change.reason, change.now, change.real_now)
    await _lift_tombstone(session, change, item, secret)
    return item


def said_by(change: Change, item: MemoryItem) -> Said:
    """What a stored line says, as the tombstones compare it."""
    day = change.scope.local(item.valid_from).date() if item.valid_from else None
    return Said(content=item.content, value=item.value, negated=item.negated, occurred_on=day)


async def _lift_tombstone(session: AsyncSession, change: Change, item: MemoryItem, secret: bytes) -> None:
    told = value_hash(item.attribute, said_by(change, item), secret)
    await session.exec(
        delete(Tombstone).where(
            col(Tombstone.household_id) == change.scope.household_id,
            col(Tombstone.attribute) == item.attribute,
            col(Tombstone.value_hash) == told,
        )
    )
