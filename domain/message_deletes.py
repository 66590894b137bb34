"""Deleting one message of the log: its words are gone wherever they were kept, and what it taught if that is wanted.

A question takes its answer along. The turn stays as an empty row, so that a phone which sends the message again late
is answered that it was deleted, instead of teaching it a second time.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import delete, or_, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import NotFound, TurnInProgress
from domain.health_records import Change
from domain.owner_deletes import delete_memory, delete_record_by_owner
from domain.pets import pet_of
from domain.record_kinds import KINDS, kind_named
from domain.turns import Turn, TurnEvent
from memory.evidence import MEMORY
from memory.items import EvidenceRow, MemoryItem
from memory.memory_page import item_of
from memory.messages import Message
from memory.scope import Scope
from memory.search_documents import forget_documents
from memory.summaries import withdraw
from memory.traces import leave_no_trace
from memory.vocabulary import MemoryStatus

DELETED_TURN = {"text": "这次对话已经删除了。"}
DELETED_QUOTE = "（原话已删除）"
BATCH = 500  # ids in one statement, well below what a database takes


async def delete_message(
    session: AsyncSession, change: Change, message_id: str, *, forget_memories: bool, secret: bytes
) -> None:
    """Delete a message of this owner, in the caller's transaction.

    forget_memories: what was learned from this message alone is deleted too (and can be restored for ten minutes).
    Raises NotFound, TurnInProgress while the message is being answered.
    """
    scope = change.scope
    message = await _message_of(session, scope, message_id)
    if forget_memories:
        await _forget_learned(session, change, message_id, secret)
    gone = await _with_its_answer(session, message)
    await withdraw(session, scope.household_id, gone)
    await empty_turns(session, scope, [message.turn_id] if message.turn_id else [])
    await _forget_messages(session, scope, gone)
    leave_no_trace(session)


async def empty_turns(session: AsyncSession, scope: Scope, turn_ids: Sequence[str]) -> None:
    """Take all words out of these turns; their numbers stay, so that none is run again."""
    for start in range(0, len(turn_ids), BATCH):
        part = turn_ids[start : start + BATCH]
        await session.exec(delete(TurnEvent).where(col(TurnEvent.turn_id).in_(part)))
        await session.exec(
            update(Turn)
            .where(col(Turn.household_id) == scope.household_id, col(Turn.id).in_(part))
            .values(status="done", answer=DELETED_TURN, trace=None)  # a run that goes on loses its hold
        )


async def _message_of(session: AsyncSession, scope: Scope, message_id: str) -> Message:
    found = await session.exec(
        select(Message).where(
            col(Message.household_id) == scope.household_id,
            col(Message.owner_id) == scope.owner_id,
            col(Message.id) == message_id,
        )
    )
    message = found.one_or_none()
    if message is None:
        raise NotFound("没有找到这条消息")
    turn = await session.get(Turn, message.turn_id) if message.turn_id else None
    if turn is not None and turn.status == "running":
        raise TurnInProgress(turn_id=turn.id)
    return message


async def _with_its_answer(session: AsyncSession, message: Message) -> list[str]:
    """The ids that go: an answer alone, or a message with what was answered."""
    if message.role != "user" or message.turn_id is None:
        return [message.id]
    same = select(Message.id).where(
        col(Message.household_id) == message.household_id, col(Message.turn_id) == message.turn_id
    )
    return list((await session.exec(same)).all())


async def _forget_learned(session: AsyncSession, change: Change, message_id: str, secret: bytes) -> None:
    """Delete the memories and records whose every source is this message."""
    for target_kind, target_id in await _learned_from_it_alone(session, change.scope, message_id):
        if target_kind == MEMORY:
            item = await item_of(session, change.scope, target_id, deleted=True)
            if item.status != MemoryStatus.DELETED.value:  # the record it mirrors may just have taken it along
                await delete_memory(session, change, target_id, secret)
            continue
        kind = kind_named(target_kind)
        record = await session.get(kind.table, target_id)
        if record is not None and record.deleted_at is None:
            pet = await pet_of(session, change.scope, record.pet_id)
            await delete_record_by_owner(session, change, pet, kind, target_id, secret)


async def _learned_from_it_alone(session: AsyncSession, scope: Scope, message_id: str) -> list[tuple[str, str]]:
    """Records first, so that their mirrors go with them."""
    home = col(EvidenceRow.household_id) == scope.household_id
    taught = select(EvidenceRow.target_kind, EvidenceRow.target_id).where(
        home, col(EvidenceRow.message_id) == message_id, col(EvidenceRow.counts).is_(True)
    )
    targets = set((await session.exec(taught.distinct())).all())
    ids = [target_id for _, target_id in targets]
    elsewhere = or_(col(EvidenceRow.message_id).is_(None), col(EvidenceRow.message_id) != message_id)
    others = select(EvidenceRow.target_id).where(
        home, col(EvidenceRow.target_id).in_(ids), col(EvidenceRow.counts).is_(True), elsewhere
    )
    backed = set((await session.exec(others)).all())
    known = [(kind, target_id) for kind, target_id in targets if kind == MEMORY or kind in KINDS]
    alone = [target for target in known if target[1] not in backed]
    live = set((await session.exec(select(MemoryItem.id).where(col(MemoryItem.id).in_(ids)))).all())
    return sorted(
        (target for target in alone if target[0] != MEMORY or target[1] in live), key=lambda one: one[0] == MEMORY
    )


async def _forget_messages(session: AsyncSession, scope: Scope, ids: Collection[str]) -> None:
    wanted = list(ids)
    await forget_documents(session, wanted)
    await session.exec(
        update(EvidenceRow)
        .where(col(EvidenceRow.household_id) == scope.household_id, col(EvidenceRow.message_id).in_(wanted))
        .values(message_id=None, conversation_id=None, quote=DELETED_QUOTE)
    )
    await session.exec(
        delete(Message).where(col(Message.household_id) == scope.household_id, col(Message.id).in_(wanted))
    )
