"""The event log: conversations and their messages, append-only. It is the evidence that memories point to."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ForeignKey, Index, bindparam, func, or_, text, update
from sqlalchemy import select as columns
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.prepared import Quick, Statement, by_dialect, insert_of, row_of, whole_rows
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


class EndedTalk(NamedTuple):
    """A conversation taken to be summarised. lease_until: real time, by which the taker is known."""

    id: str
    household_id: str
    owner_id: str
    last_at: datetime
    lease_until: datetime


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
_IN_ALL = (
    columns(func.count()).select_from(Message).where(col(Message.conversation_id) == bindparam("conversation"))
).scalar_subquery()
_RECENT = Statement(
    columns(col(Message.id), col(Message.role), col(Message.text), col(Message.said_at), _IN_ALL)
    .where(
        col(Message.household_id) == bindparam("household"), col(Message.conversation_id) == bindparam("conversation")
    )
    .order_by(col(Message.id).desc())
    .limit(RECENT_MESSAGES)
)
_FREE = or_(
    col(Conversation.summary_lease_until).is_(None), col(Conversation.summary_lease_until) < bindparam("real_now")
)
_TO_SUMMARISE = (
    columns(col(Conversation.id), col(Conversation.household_id), col(Conversation.owner_id), col(Conversation.last_at))
    .where(col(Conversation.summarized_at).is_(None), col(Conversation.last_at) <= bindparam("ended_by"), _FREE)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_ENDED = Statement(_TO_SUMMARISE.order_by(col(Conversation.last_at)))
_ENDED_OF_OWNER = Statement(
    _TO_SUMMARISE.where(col(Conversation.owner_id) == bindparam("owner")).order_by(col(Conversation.last_at).desc())
)
_CLAIM = Statement(
    update(Conversation)
    .where(col(Conversation.id).in_(bindparam("talks", expanding=True)))
    .values(summary_lease_until=bindparam("lease"))
)
_SETTLE = Statement(
    update(Conversation)
    .where(
        col(Conversation.id) == bindparam("talk"),
        col(Conversation.last_at) == bindparam("seen_at"),
        col(Conversation.summary_lease_until) == bindparam("lease"),
        col(Conversation.summarized_at).is_(None),
    )
    .values(summarized_at=bindparam("now"), summary_lease_until=None)
)
_TOLD_SINCE = Statement(
    columns(col(Message.text))
    .join(Conversation, col(Conversation.id) == col(Message.conversation_id))
    .where(
        col(Conversation.owner_id) == bindparam("owner"),
        col(Conversation.last_at) >= bindparam("since"),
        col(Message.role) == "assistant",
        col(Message.said_at) >= bindparam("since"),
    )
)
_SAID = whole_rows(Message, col(Message.conversation_id) == bindparam("conversation"), order=col(Message.id))


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


async def told_since(quick: Quick, scope: Scope, since: datetime) -> list[str]:
    """What the assistant told this owner from `since` on, in every talk."""
    return [row[0] for row in await quick.rows(_TOLD_SINCE, {"owner": scope.owner_id, "since": since})]


async def messages_before(session: AsyncSession, scope: Scope, before: str | None, limit: int) -> Sequence[Message]:
    """Messages of this owner, newest first; `before` is the id to go on from."""
    query = select(Message).where(
        col(Message.household_id) == scope.household_id, col(Message.owner_id) == scope.owner_id
    )
    if before is not None:
        query = query.where(col(Message.id) < before)
    return (await session.exec(query.order_by(col(Message.id).desc()).limit(limit))).all()


async def claim_ended(
    quick: Quick, now: datetime, real_now: datetime, limit: int, owner_id: str | None = None
) -> list[EndedTalk]:
    """Take conversations that ended at least `CONVERSATION_GAP` ago and have no summary yet, for `SUMMARY_LEASE`.

    The latest ones of one owner, or the oldest of all; two workers never take the same one. In a write.
    """
    params = {"ended_by": now - CONVERSATION_GAP, "real_now": real_now, "most": limit}
    if owner_id is None:
        found = await quick.rows(_ENDED, params)
    else:
        found = await quick.rows(_ENDED_OF_OWNER, {**params, "owner": owner_id})
    lease = real_now + SUMMARY_LEASE
    if found:
        await quick.run(_CLAIM, {"talks": [row.id for row in found], "lease": lease})
    return [EndedTalk(row.id, row.household_id, row.owner_id, row.last_at, lease) for row in found]


async def settle_ended(quick: Quick, seen: EndedTalk, now: datetime) -> bool:
    """Say that a conversation is summarised as it was `seen`; False when it went on, changed, or is somebody else's."""
    seen_so = {"talk": seen.id, "seen_at": seen.last_at, "lease": seen.lease_until}
    return bool(await quick.run(_SETTLE, {**seen_so, "now": now}))


async def said_in(quick: Quick, conversation_id: str) -> Sequence[Message]:
    """All messages of a conversation, in order."""
    rows: Sequence[Message] = await quick.rows(_SAID, {"conversation": conversation_id})
    return rows


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
