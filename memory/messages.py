"""The event log: conversations and their messages, append-only. It is the evidence that memories point to."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ForeignKey, Index, bindparam, update
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.prepared import Quick, Statement, by_dialect, insert_of
from memory.scope import Scope
from memory.sqltypes import UtcDateTime, new_id

CONVERSATION_GAP = timedelta(minutes=30)  # a longer silence begins a new conversation
RECENT_MESSAGES = 20  # what one turn reads back of the talk so far


class Conversation(SQLModel, table=True):
    """A run of turns with gaps under `CONVERSATION_GAP`, assigned by the server."""

    __tablename__ = "conversations"
    __table_args__ = (Index("ix_conversations_owner_last", "owner_id", "last_at"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str
    started_at: datetime = Field(sa_type=UtcDateTime)
    last_at: datetime = Field(sa_type=UtcDateTime)


class Message(SQLModel, table=True):
    """One thing said. `said_at` is domain time; the id orders by real time. Never edited; only the owner deletes it."""

    __tablename__ = "messages"
    __table_args__ = (Index("ix_messages_conversation", "conversation_id", "id"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str
    conversation_id: str = Field(sa_column_args=[ForeignKey("conversations.id", ondelete="CASCADE")])
    turn_id: str | None = None
    role: str  # user | assistant
    text: str
    pet_id: str | None = None
    ai_generated: bool = False
    said_at: datetime = Field(sa_type=UtcDateTime)


class Said(NamedTuple):
    """What one turn reads back of a message."""

    id: str
    role: str
    text: str
    said_at: datetime


_LATEST = Statement(
    select(Conversation.id, Conversation.last_at)
    .where(col(Conversation.owner_id) == bindparam("owner"))
    .order_by(col(Conversation.last_at).desc())
    .limit(1)
)
_GO_ON = Statement(
    update(Conversation).where(col(Conversation.id) == bindparam("conversation")).values(last_at=bindparam("at"))
)
_BEGIN = insert_of(Conversation)
_ADD_MESSAGE = insert_of(Message)
_RECENT = Statement(
    select(Message.id, Message.role, Message.text, Message.said_at)
    .where(
        col(Message.household_id) == bindparam("household"), col(Message.conversation_id) == bindparam("conversation")
    )
    .order_by(col(Message.id).desc())
    .limit(RECENT_MESSAGES)
)


async def open_conversation(quick: Quick, scope: Scope, now: datetime) -> tuple[str, timedelta | None]:
    """The conversation a message said at `now` belongs to, and how long the owner was silent before it.

    A longer silence than `CONVERSATION_GAP` begins a new one; None means the first message ever. A clock that runs
    backwards (a request with an earlier domain time) joins the latest conversation.
    """
    found = await quick.rows(_LATEST, {"owner": scope.owner_id})
    latest = found[0] if found else None
    silence = None if latest is None else max(now - latest.last_at, timedelta(0))
    if latest is not None and silence is not None and silence < CONVERSATION_GAP:
        await quick.run(_GO_ON, {"conversation": latest.id, "at": max(now, latest.last_at)})
        return latest.id, silence
    fresh = new_id()
    begun = {"id": fresh, "household_id": scope.household_id, "owner_id": scope.owner_id}
    await quick.run(by_dialect(_BEGIN, quick), {**begun, "started_at": now, "last_at": now})
    return fresh, silence


async def add_message(quick: Quick, message: Mapping[str, Any]) -> None:
    """Append one message to the log; `message` holds the columns of a row (see `prepared.row_of`)."""
    await quick.run(by_dialect(_ADD_MESSAGE, quick), message)


async def recent_messages(quick: Quick, scope: Scope, conversation_id: str) -> list[Said]:
    """The last `RECENT_MESSAGES` of a conversation, oldest first."""
    rows = await quick.rows(_RECENT, {"household": scope.household_id, "conversation": conversation_id})
    return [Said(*row) for row in reversed(rows)]


async def messages_before(session: AsyncSession, scope: Scope, before: str | None, limit: int) -> Sequence[Message]:
    """Messages of this owner, newest first; `before` is the id to go on from."""
    query = select(Message).where(
        col(Message.household_id) == scope.household_id, col(Message.owner_id) == scope.owner_id
    )
    if before is not None:
        query = query.where(col(Message.id) < before)
    return (await session.exec(query.order_by(col(Message.id).desc()).limit(limit))).all()
