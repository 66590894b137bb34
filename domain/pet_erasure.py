"""Erasing a pet: its row, records, memories, questions and talk are gone in one transaction; vectors follow it."""

from datetime import datetime
from typing import Any

from sqlalchemy import Select, Text, cast, delete, insert, or_, union_all
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.inbox import InboxMessage
from domain.pets import Pet, pet_of
from domain.record_kinds import KINDS
from domain.turns import Turn
from memory.confirmations import Confirmation
from memory.item_writes import VECTOR_TOPIC
from memory.items import EvidenceRow, MemoryItem
from memory.messages import Message
from memory.outbox import OutboxRow
from memory.revision import touch
from memory.scope import Scope
from memory.search_documents import SearchDocument
from memory.sqltypes import new_id
from memory.tombstones import Tombstone


async def erase_pet(session: AsyncSession, scope: Scope, pet_id: str, real_now: datetime) -> None:
    """Erase everything that is about this pet alone. Raises UnknownPet.

    Records, their versions and schedules go with the pet's row (foreign keys); versions and signals with the items.
    """
    pet = await pet_of(session, scope, pet_id)
    items = select(MemoryItem.id).where(
        col(MemoryItem.household_id) == scope.household_id, col(MemoryItem.subject) == pet_id
    )
    messages = select(Message.id).where(col(Message.household_id) == scope.household_id, col(Message.pet_id) == pet_id)
    await _forget_vectors(session, scope, items, real_now)
    for statement in _statements(scope, pet_id, items, messages):
        await session.exec(statement)
    await session.exec(delete(Pet).where(col(Pet.household_id) == scope.household_id, col(Pet.id) == pet.id))
    touch(session, scope.household_id)


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


def _statements(scope: Scope, pet_id: str, items: Any, messages: Any) -> list[Any]:
    home = scope.household_id
    told = or_(col(EvidenceRow.target_id).in_(_records(scope, pet_id)), col(EvidenceRow.target_id).in_(items))
    linked = cast(col(InboxMessage.link), Text)
    return [
        delete(SearchDocument).where(
            col(SearchDocument.household_id) == home,
            or_(col(SearchDocument.doc_id).in_(items), col(SearchDocument.doc_id).in_(messages)),
        ),
        delete(EvidenceRow).where(
            col(EvidenceRow.household_id) == home, or_(told, col(EvidenceRow.message_id).in_(messages))
        ),
        delete(Confirmation).where(col(Confirmation.household_id) == home, col(Confirmation.subject) == pet_id),
        delete(Tombstone).where(col(Tombstone.household_id) == home, col(Tombstone.subject) == pet_id),
        delete(InboxMessage).where(col(InboxMessage.household_id) == home, linked.contains(pet_id)),
        delete(Turn).where(col(Turn.household_id) == home, col(Turn.message_id).in_(messages)),
        delete(Message).where(col(Message.household_id) == home, col(Message.pet_id) == pet_id),
        delete(MemoryItem).where(col(MemoryItem.household_id) == home, col(MemoryItem.subject) == pet_id),
    ]


def _records(scope: Scope, pet_id: str) -> Select[Any]:
    ids = [
        select(col(kind.table.id)).where(
            col(kind.table.household_id) == scope.household_id, col(kind.table.pet_id) == pet_id
        )
        for kind in KINDS.values()
    ]
    return select(union_all(*ids).subquery().c.id)
