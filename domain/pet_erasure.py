"""Erasing a pet: its row, records, memories, questions and talk are gone in one transaction; vectors follow it."""

from datetime import datetime
from typing import Any

from sqlalchemy import Text, cast, delete, insert, or_, union_all
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.inbox import InboxMessage
from domain.pet_talk import forget_talk
from domain.pets import Pet, pet_of
from domain.photos import let_photos_of_pet_go
from domain.record_kinds import KINDS
from memory.archive_rows import Archive
from memory.confirmations import Confirmation
from memory.dreams import forget_subject
from memory.hunches import forget_hunches_about
from memory.item_writes import VECTOR_TOPIC
from memory.items import EvidenceRow, MemoryItem
from memory.outbox import OutboxRow
from memory.revision import touch
from memory.scope import Scope
from memory.search_documents import SearchDocument
from memory.sqltypes import new_id
from memory.tombstones import Tombstone
from memory.traces import leave_no_trace


async def erase_pet(session: AsyncSession, scope: Scope, pet_id: str, real_now: datetime) -> frozenset[str]:
    """Erase everything that is about this pet alone. Returns the ids of all that is gone. Raises UnknownPet.

    Records, their versions and schedules go with the pet's row (foreign keys); versions and signals with the items.
    """
    pet = await pet_of(session, scope, pet_id)
    items = select(MemoryItem.id).where(
        col(MemoryItem.household_id) == scope.household_id, col(MemoryItem.subject) == pet_id
    )
    gone = await _ids_of(session, scope, pet_id, items)
    await _forget_vectors(session, scope, items, real_now)
    await forget_talk(session, scope, pet, gone)
    await let_photos_of_pet_go(session, scope, pet_id, real_now)
    await forget_subject(session, scope, pet_id)
    for statement in _statements(scope, pet_id, items):
        await session.exec(statement)
    await session.exec(delete(Pet).where(col(Pet.household_id) == scope.household_id, col(Pet.id) == pet.id))
    touch(session, scope.household_id)
    leave_no_trace(session)
    return gone


async def _ids_of(session: AsyncSession, scope: Scope, pet_id: str, items: Any) -> frozenset[str]:
    questions = select(Confirmation.id).where(
        col(Confirmation.household_id) == scope.household_id, col(Confirmation.subject) == pet_id
    )
    found = [(await session.exec(query)).all() for query in (items, questions)]
    records = (await session.exec(_records(scope, pet_id))).all()
    return frozenset({pet_id, *found[0], *found[1], *records})


async def _forget_vectors(session: AsyncSession, scope: Scope, items: Any, real_now: datetime) -> None:
    ids = (await session.exec(items)).all()
    rows = [
        {
            "id": new_id(),
            "household_id": scope.household_id,
            "topic": VECTOR_TOPIC,
            "key": item_id,
            "payload": {},
            "created_at": real_now,
            "available_at": real_now,
            "attempts": 0,
        }
        for item_id in ids
    ]
    if rows:
        await session.exec(insert(OutboxRow), params=rows)


def _statements(scope: Scope, pet_id: str, items: Any) -> list[Any]:
    home = scope.household_id
    told = or_(col(EvidenceRow.target_id).in_(_records(scope, pet_id)), col(EvidenceRow.target_id).in_(items))
    linked = cast(col(InboxMessage.link), Text)
    return [
        delete(SearchDocument).where(
            col(SearchDocument.household_id) == home,
            col(SearchDocument.doc_id).in_(items),
        ),
        delete(EvidenceRow).where(col(EvidenceRow.household_id) == home, told),
        delete(Confirmation).where(col(Confirmation.household_id) == home, col(Confirmation.subject) == pet_id),
        delete(Archive).where(col(Archive.household_id) == home, col(Archive.subject) == pet_id),
        forget_hunches_about(scope, pet_id),
        delete(Tombstone).where(col(Tombstone.household_id) == home, col(Tombstone.subject) == pet_id),
        delete(InboxMessage).where(col(InboxMessage.household_id) == home, linked.contains(pet_id)),
        delete(MemoryItem).where(col(MemoryItem.household_id) == home, col(MemoryItem.subject) == pet_id),
    ]


def _records(scope: Scope, pet_id: str) -> Any:
    ids = [
        select(col(kind.table.id)).where(
            col(kind.table.household_id) == scope.household_id, col(kind.table.pet_id) == pet_id
        )
        for kind in KINDS.values()
    ]
    return select(union_all(*ids).subquery().c.id)
