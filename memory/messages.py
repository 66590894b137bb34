"""The event log: conversations and their messages, append-only. It is the evidence that memories point to."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ForeignKey, Index, insert, update
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

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


async def open_conversation(session: AsyncSession, scope: Scope, now: datetime) -> tuple[str, timedelta | None]:
    """The conversation a message said at `now` belongs to, and how long the owner was silent before it.

    A longer silence than `CONVERSATION_GAP` begins a new one; None means the first message ever. A clock that runs
    backwards (a request with an earlier domain time) joins the latest conversation.
    """
    latest = (
        await session.exec(
            select(Conversation.id, Conversation.last_at)
            .where(col(Conversation.owner_id) == scope.owner_id)
            .order_by(col(Conversation.last_at).desc())
            .limit(1)
        )
    ).first()
    silence = None if latest is None else max(now - latest[1], timedelta(0))
    if latest is not None and silence is not None and silence < CONVERSATION_GAP:
        await session.exec(
            update(Conversation).where(col(Conversation.id) == latest[0]).values(last_at=max(now, latest[1]))
        )
        return latest[0], silence
    fresh = new_id()
    await session.exec(
        insert(Conversation).values(
            id=fresh, household_id=scope.household_id, owner_id=scope.owner_id, started_at=now, last_at=now
        )
    )
    return fresh, silence


async def recent_messages(session: AsyncSession, scope: Scope, conversation_id: str) -> Sequence[Message]:
    """The last `RECENT_MESSAGES` of a conversation, oldest first."""
    rows = await session.exec(
        select(Message)
        .where(col(Message.household_id) == scope.household_id, col(Message.conversation_id) == conversation_id)
        .order_by(col(Message.id).desc())
        .limit(RECENT_MESSAGES)
    )
    return list(reversed(rows.all()))


async def messages_before(session: AsyncSession, scope: Scope, before: str | None, limit: int) -> Sequence[Message]:
    """Messages of this owner, newest first; `before` is the id to go on from."""
    query = select(Message).where(
        col(Message.household_id) == scope.household_id, col(Message.owner_id) == scope.owner_id
    )
    if before is not None:
        query = query.where(col(Message.id) < before)
    return (await session.exec(query.order_by(col(Message.id).desc()).limit(limit))).all()
