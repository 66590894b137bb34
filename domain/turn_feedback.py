"""What an owner thinks of an answer: it helped, or a memory that it used is wrong.

A wrong memory is trusted less at once. What a record holds, what is of high risk and what the owner wrote is not
changed by a tap: for all of them the answer names what can be corrected, and where.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import ForeignKey, Index
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import Implausible, NotFound, UnknownTurn
from domain.turns import Turn
from memory.item_writes import revise_item
from memory.items import MemoryItem
from memory.memory_page import item_of
from memory.scope import Scope
from memory.sqltypes import UtcDateTime
from memory.vocabulary import Risk

FeedbackKind = Literal["helpful", "wrong"]

TRUST_LEFT = 0.6  # of a memory's confidence after one "这条不对": a plain fact falls below what is told without doubt
WHOLE_ANSWER = ""  # the memory of feedback that is about the answer as a whole
SAID_WRONG = "owner_said_wrong"


class TurnFeedback(SQLModel, table=True):
    """One opinion about one memory of an answer, or about the answer; the latest counts."""

    __tablename__ = "turn_feedback"
    __table_args__ = (Index("ix_turn_feedback_memory", "memory_id"),)

    turn_id: str = Field(primary_key=True, sa_column_args=[ForeignKey("turns.id", ondelete="CASCADE")])
    memory_id: str = Field(primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str
    kind: str
    at: datetime = Field(sa_type=UtcDateTime)


@dataclass(frozen=True, slots=True)
class Correction:
    """What can be put right: the memory, or the record it is told from. lowered: it is trusted less already."""

    item: MemoryItem
    lowered: bool


async def take_feedback(
    session: AsyncSession,
    scope: Scope,
    turn_id: str,
    kind: FeedbackKind,
    memory_id: str | None,
    now: datetime,
    real_now: datetime,
) -> Correction | None:
    """Keep an opinion; a correction to offer when a memory is said to be wrong. Safe to repeat.

    Raises UnknownTurn, NotFound for a memory that the answer did not use, Implausible while there is no answer.
    """
    turn = await session.get(Turn, turn_id)
    if turn is None or turn.owner_id != scope.owner_id or turn.household_id != scope.household_id:
        raise UnknownTurn()
    if turn.answer is None or turn.status == "running":
        raise Implausible("这条回复还没有说完")
    if memory_id is not None and memory_id not in _used_by(turn):
        raise NotFound("这条回复没有用到这条记忆")
    first = await _keep(session, scope, turn_id, kind, memory_id or WHOLE_ANSWER, now)
    if kind != "wrong" or memory_id is None:
        return None
    item = await item_of(session, scope, memory_id)
    lowered = first and _may_lose_trust(item)
    if lowered:
        item.confidence = round(item.confidence * TRUST_LEFT, 3)
        await revise_item(session, item, scope.owner_id, SAID_WRONG, now, real_now)
    return Correction(item, lowered)


def _used_by(turn: Turn) -> set[str]:
    return {cited["memory_id"] for cited in (turn.answer or {}).get("citations", ())}


def _may_lose_trust(item: MemoryItem) -> bool:
    return not (item.record_id or item.protected or item.locked or item.risk == Risk.HIGH.value)


async def _keep(
    session: AsyncSession, scope: Scope, turn_id: str, kind: FeedbackKind, memory_id: str, now: datetime
) -> bool:
    """Whether this is said for the first time of this memory and turn."""
    found = await session.exec(
        select(TurnFeedback).where(col(TurnFeedback.turn_id) == turn_id, col(TurnFeedback.memory_id) == memory_id)
    )
    known = found.one_or_none()
    first = known is None or known.kind != kind
    row = known or TurnFeedback(
        turn_id=turn_id,
        memory_id=memory_id,
        household_id=scope.household_id,
        owner_id=scope.owner_id,
        kind=kind,
        at=now,
    )
    row.kind, row.at = kind, now
    session.add(row)
    return first
