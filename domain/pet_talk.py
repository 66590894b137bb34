"""The talk that was about one pet: which messages and turns go when the pet is erased, and their going."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Text, cast, delete, or_, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.message_deletes import empty_turns
from domain.pets import Pet
from domain.turns import Turn
from memory.items import EvidenceRow
from memory.messages import Message
from memory.scope import Scope
from memory.search_documents import SearchDocument
from memory.summaries import withdraw

MIN_NAME = 2  # characters; a single one stands in too many other words to tell whom a message is about
_BATCH = 500  # ids in one statement, well below what a database takes
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


async def forget_talk(session: AsyncSession, scope: Scope, pet: Pet, gone: Collection[str]) -> None:
    """Erase the messages and turns about this pet, with their events, search documents and summaries.

    gone: the ids of the pet and of all its rows. A message is about the pet when it was said on its page, names it, or
    is evidence of one of its rows; a turn when its answer or trace holds one of their ids. What was said of another
    animal in the same message stays in that animal's evidence, without its place in the log.
    """
    messages = await _messages_about(session, scope, pet, gone)
    turns = await _turns_about(session, scope, gone, messages)
    messages |= await _ids(session, Message, scope, turns, Message.turn_id)
    await empty_turns(session, scope, sorted(turns))
    await withdraw(session, scope.household_id, {*messages, *gone})
    for part in _batches(messages):
        await _forget_messages(session, scope, part)


async def _messages_about(session: AsyncSession, scope: Scope, pet: Pet, gone: Collection[str]) -> set[str]:
    about: list[ColumnElement[bool]] = [col(Message.pet_id) == pet.id]
    if len(pet.name) >= MIN_NAME:
        about.append(col(Message.text).contains(pet.name, autoescape=True))
    said = await session.exec(select(Message.id).where(col(Message.household_id) == scope.household_id, or_(*about)))
    found = set(said.all())
    for part in _batches(gone):
        told = await session.exec(
            select(EvidenceRow.message_id).where(
                col(EvidenceRow.household_id) == scope.household_id, col(EvidenceRow.target_id).in_(part)
            )
        )
        found |= {message_id for message_id in told.all() if message_id}
    return found


async def _turns_about(session: AsyncSession, scope: Scope, gone: Collection[str], messages: set[str]) -> set[str]:
    found = await _ids(session, Turn, scope, messages, Turn.message_id)
    for part in _batches(messages):
        spoken = await session.exec(select(Message.turn_id).where(col(Message.id).in_(part)))
        found |= {turn_id for turn_id in spoken.all() if turn_id}
    stored = await session.exec(
        select(Turn.id, cast(col(Turn.answer), Text), cast(col(Turn.trace), Text)).where(
            col(Turn.household_id) == scope.household_id
        )
    )
    return found | {turn_id for turn_id, answer, trace in stored.all() if mentions(gone, answer, trace)}


def mentions(ids: Collection[str], *texts: str | None) -> bool:
    """Whether one of these ids stands in one of these stored JSON texts."""
    return any(not set(ids).isdisjoint(_ID.findall(text)) for text in texts if text)


async def _ids(session: AsyncSession, table: type[Any], scope: Scope, wanted: Iterable[str], column: Any) -> set[str]:
    found: set[str] = set()
    for part in _batches(wanted):
        rows = await session.exec(
            select(table.id).where(table.household_id == scope.household_id, col(column).in_(part))
        )
        found |= set(rows.all())
    return found


async def _forget_messages(session: AsyncSession, scope: Scope, ids: Sequence[str]) -> None:
    home = scope.household_id
    for statement in (
        delete(SearchDocument).where(col(SearchDocument.household_id) == home, col(SearchDocument.doc_id).in_(ids)),
        update(EvidenceRow)
        .where(col(EvidenceRow.household_id) == home, col(EvidenceRow.message_id).in_(ids))
        .values(message_id=None, conversation_id=None),
        delete(Message).where(col(Message.household_id) == home, col(Message.id).in_(ids)),
    ):
        await session.exec(statement)


def _batches(ids: Iterable[str]) -> Iterator[list[str]]:
    ordered = sorted(ids)
    for start in range(0, len(ordered), _BATCH):
        yield ordered[start : start + _BATCH]
