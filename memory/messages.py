"""The event log: conversations and their messages, append-only. It is the evidence that memories point to."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ForeignKey, Index, bindparam, func, or_, text, update
from sqlalchemy import select as columns
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.prepared import Quick, Statement, by_dialect, insert_of, row_of
from memory.scope import Scope
from memory.sqltypes import UtcDateTime, new_id

SUMMARY_LEASE = timedelta(minutes=2)  # real time; a worker that died while it summarised is replaced after it
CONVERSATION_GAP = timedelta(minutes=30)  # a longer silence begins a new conversation
RECENT_MESSAGES = 20  # what one turn reads back of the talk so far


class Conversation(SQLModel, table=True):
    """A run of turns with gaps under `CONVERSATION_GAP`, assigned by the server."""

    __tablename__ = "conversations"
    __table_args__ = (
        Index("ix_conversations_owner_last", "owner_id", "last_at"),
        Index(
            "ix_conversations_unsummarized",
            "last_at",
            sqlite_where=text("summarized_at IS NULL"),
            postgresql_where=text("summarized_at IS NULL"),
        ),
        Index("ix_conversations_last", "last_at"),
    )

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str
    started_at: datetime = Field(sa_type=UtcDateTime)
    last_at: datetime = Field(sa_type=UtcDateTime)
    summarized_at: datetime | None = Field(default=None, sa_type=UtcDateTime)  # None again when more is said
    summary_lease_until: datetime | None = Field(default=None, sa_type=UtcDateTime)  # real time


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
    """What one turn reads back of a message. place: how many messages of the conversation came before it."""

    id: str
    role: str
    text: str
    said_at: datetime
    place: int


_LATEST = Statement(
    select(Conversation.id, Conversation.last_at)
    .where(col(Conversation.owner_id) == bindparam("owner"))
    .order_by(col(Conversation.last_at).desc())
    .limit(1)
)
_GO_ON = Statement(
    update(Conversation)
    .where(col(Conversation.id) == bindparam("conversation"))
    .values(last_at=bindparam("at"), summarized_at=None)
)
_BEGIN = insert_of(Conversation)
_ADD_MESSAGE = insert_of(Message)
_RECENT = Statement(
    columns(col(Message.id), col(Message.role), col(Message.text), col(Message.said_at), func.count().over())
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
    begun = row_of(
        Conversation,
        id=fresh,
        household_id=scope.household_id,
        owner_id=scope.owner_id,
        started_at=now,
        last_at=now,
    )
    await quick.run(by_dialect(_BEGIN, quick), begun)
    return fresh, silence


async def add_message(quick: Quick, message: Mapping[str, Any]) -> None:
    """Append one message to the log; `message` holds the columns of a row (see `prepared.row_of`)."""
    await quick.run(by_dialect(_ADD_MESSAGE, quick), message)


async def recent_messages(quick: Quick, scope: Scope, conversation_id: str) -> list[Said]:
    """The last `RECENT_MESSAGES` of a conversation, oldest first."""
    rows = await quick.rows(_RECENT, {"household": scope.household_id, "conversation": conversation_id})
    total = rows[0][4] if rows else 0
    told = [Said(row[0], row[1], row[2], row[3], total - 1 - newer) for newer, row in enumerate(rows)]
    return told[::-1]


async def messages_before(session: AsyncSession, scope: Scope, before: str | None, limit: int) -> Sequence[Message]:
    """Messages of this owner, newest first; `before` is the id to go on from."""
    query = select(Message).where(
        col(Message.household_id) == scope.household_id, col(Message.owner_id) == scope.owner_id
    )
    if before is not None:
        query = query.where(col(Message.id) < before)
    return (await session.exec(query.order_by(col(Message.id).desc()).limit(limit))).all()


async def claim_ended(
    session: AsyncSession, now: datetime, real_now: datetime, limit: int, owner_id: str | None = None
) -> list[Conversation]:
    """Take conversations that ended at least `CONVERSATION_GAP` ago and have no summary yet, for `SUMMARY_LEASE`.

    The latest ones of one owner, or the oldest of all; two workers never take the same one.
    """
    free = or_(col(Conversation.summary_lease_until).is_(None), col(Conversation.summary_lease_until) < real_now)
    query = select(Conversation).where(
        col(Conversation.summarized_at).is_(None), col(Conversation.last_at) <= now - CONVERSATION_GAP, free
    )
    if owner_id is None:
        query = query.order_by(col(Conversation.last_at))
    else:
        query = query.where(col(Conversation.owner_id) == owner_id).order_by(col(Conversation.last_at).desc())
    found = await session.exec(query.limit(limit).with_for_update(skip_locked=True))
    taken = list(found.all())
    for conversation in taken:
        conversation.summary_lease_until = real_now + SUMMARY_LEASE
        session.add(conversation)
    return taken


async def settle_ended(session: AsyncSession, seen: Conversation, now: datetime) -> bool:
    """Say that a conversation is summarised as it was `seen`; False when it went on, changed, or is somebody else's."""
    done = await session.exec(
        update(Conversation)
        .where(
            col(Conversation.id) == seen.id,
            col(Conversation.last_at) == seen.last_at,
            col(Conversation.summary_lease_until) == seen.summary_lease_until,
            col(Conversation.summarized_at).is_(None),
        )
        .values(summarized_at=now, summary_lease_until=None)
    )
    return bool(done.rowcount)


async def said_in(session: AsyncSession, conversation_id: str) -> Sequence[Message]:
    """All messages of a conversation, in order."""
    query = select(Message).where(col(Message.conversation_id) == conversation_id).order_by(col(Message.id))
    return (await session.exec(query)).all()


async def messages_with_ids(session: AsyncSession, scope: Scope, ids: Sequence[str]) -> list[Message]:
    """Messages of this owner, in the order of `ids`; those that are gone are left out."""
    rows = await session.exec(
        select(Message).where(
            col(Message.household_id) == scope.household_id,
            col(Message.owner_id) == scope.owner_id,
            col(Message.id).in_(ids),
        )
    )
    found = {row.id: row for row in rows.all()}
    return [found[message_id] for message_id in ids if message_id in found]


async def messages_around(
    session: AsyncSession, scope: Scope, message: Message, count: int
) -> tuple[Sequence[Message], Sequence[Message]]:
    """Up to `count` messages of the same conversation before and after one of this owner, each oldest first."""
    same = select(Message).where(
        col(Message.household_id) == scope.household_id, col(Message.conversation_id) == message.conversation_id
    )
    before = same.where(col(Message.id) < message.id).order_by(col(Message.id).desc()).limit(count)
    after = same.where(col(Message.id) > message.id).order_by(col(Message.id)).limit(count)
    return (await session.exec(before)).all()[::-1], (await session.exec(after)).all()
