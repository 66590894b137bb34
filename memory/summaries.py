"""One sentence about each conversation that has ended: what is stored, what it was made from, how it is read.

A summary is derived. Whatever it was made from takes it along: `withdraw` removes it in the transaction that deletes a
source, and the conversation waits to be summarised again; a read leaves out what has a deleted or snoozed source, so
nothing deleted is told in between. The search document of a summary carries the conversation's id.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import BindParameter, ForeignKey, Index, bindparam, delete, func, insert, or_, update
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.items import EvidenceRow, MemoryItem
from memory.messages import Conversation, Message
from memory.prepared import Quick, Statement, by_dialect, columns_of, insert_of, padded, quick_of
from memory.revision import raise_revision, touch
from memory.scope import Scope
from memory.search_documents import SearchDocument, add_documents, document_of
from memory.sqltypes import Json, UtcDateTime
from memory.vocabulary import MemoryStatus

TALK = "t"  # kind of a summary's search document
NEWEST_KEPT = 12  # summaries a household's view carries: a few busy days
SourceKind = Literal["memory", "message", "subject", "withheld"]

_DEAD = (MemoryStatus.DELETED.value, MemoryStatus.REJECTED.value)
_BATCH = 500  # ids in one statement, well below what a database takes


class ConversationSummary(SQLModel, table=True):
    """What was talked about. `parts`: `[{"subjects": [...], "text": …}]`, one a pet, so that each can be told alone.
    `ended_at` is the domain time of the last message. A conversation about nothing has no row."""

    __tablename__ = "conversation_summaries"
    __table_args__ = (Index("ix_conversation_summaries_owner", "household_id", "owner_id", "ended_at"),)

    conversation_id: str = Field(primary_key=True, sa_column_args=[ForeignKey("conversations.id", ondelete="CASCADE")])
    household_id: str = Field(sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str
    ended_at: datetime = Field(sa_type=UtcDateTime)
    parts: list[dict[str, Any]] = Field(default_factory=list, sa_type=Json)
    made_by: str = "rules"  # rules | model


class SummarySource(SQLModel, table=True):
    """What a summary was made from (`memory`, `message`), whom it names (`subject`), and messages of the conversation
    that must never be quoted again because a memory learned from them was deleted (`withheld`)."""

    __tablename__ = "summary_sources"
    __table_args__ = (Index("ix_summary_sources_source", "source_id"),)

    conversation_id: str = Field(primary_key=True, sa_column_args=[ForeignKey("conversations.id", ondelete="CASCADE")])
    kind: str = Field(primary_key=True)
    source_id: str = Field(primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])


@dataclass(frozen=True, slots=True)
class TalkPart:
    """What was said about these subjects (pet ids, "owner"; none when it was about nobody in particular)."""

    subjects: frozenset[str]
    text: str


@dataclass(frozen=True, slots=True)
class TalkSummary:
    """A stored summary. `silent_until`: something in it was snoozed until then."""

    conversation_id: str
    ended_at: datetime
    parts: tuple[TalkPart, ...]
    silent_until: datetime | None = None


_SOURCES_OF_IT = col(SummarySource.conversation_id) == col(ConversationSummary.conversation_id)
_MEMORY_GONE = (
    select(SummarySource.source_id)
    .outerjoin(MemoryItem, col(MemoryItem.id) == col(SummarySource.source_id))
    .where(
        _SOURCES_OF_IT,
        col(SummarySource.kind) == "memory",
        or_(col(MemoryItem.id).is_(None), *(col(MemoryItem.status) == word for word in _DEAD)),
    )
    .exists()
)
_MESSAGE_GONE = (
    select(SummarySource.source_id)
    .outerjoin(Message, col(Message.id) == col(SummarySource.source_id))
    .where(_SOURCES_OF_IT, col(SummarySource.kind) == "message", col(Message.id).is_(None))
    .exists()
)
_SILENT_UNTIL = (
    select(func.max(MemoryItem.snoozed_until))
    .join(SummarySource, col(SummarySource.source_id) == col(MemoryItem.id))
    .where(_SOURCES_OF_IT, col(SummarySource.kind) == "memory")
    .scalar_subquery()
    .label("silent_until")
)
_COLUMNS = (
    col(ConversationSummary.conversation_id),
    col(ConversationSummary.ended_at),
    col(ConversationSummary.parts),
    _SILENT_UNTIL,
)
_TOLD = (
    col(ConversationSummary.household_id) == bindparam("household"),
    col(ConversationSummary.owner_id) == bindparam("owner"),
    ~_MEMORY_GONE,
    ~_MESSAGE_GONE,
)
_NEWEST = Statement(
    select(*_COLUMNS).where(*_TOLD).order_by(col(ConversationSummary.ended_at).desc()).limit(NEWEST_KEPT)
)
_BETWEEN = Statement(
    select(*_COLUMNS)
    .where(
        *_TOLD,
        col(ConversationSummary.ended_at) >= bindparam("start"),
        col(ConversationSummary.ended_at) < bindparam("end"),
    )
    .order_by(col(ConversationSummary.ended_at).desc())
    .limit(bindparam("most"))
)
_BY_ID = Statement(
    select(*_COLUMNS).where(*_TOLD, col(ConversationSummary.conversation_id).in_(bindparam("ids", expanding=True)))
)
_MADE_FROM = Statement(
    select(*_COLUMNS)
    .where(
        *_TOLD,
        col(ConversationSummary.conversation_id).in_(
            select(SummarySource.conversation_id).where(
                col(SummarySource.household_id) == bindparam("household"),
                col(SummarySource.kind) == "memory",
                col(SummarySource.source_id).in_(bindparam("memories", expanding=True)),
            )
        ),
    )
    .order_by(col(ConversationSummary.ended_at).desc())
    .limit(bindparam("most"))
)
_WITHHELD = Statement(
    select(SummarySource.source_id).where(
        col(SummarySource.conversation_id) == bindparam("talk"), col(SummarySource.kind) == "withheld"
    )
)
_ADD_SUMMARY, _SUMMARY_COLUMNS = insert_of(ConversationSummary), columns_of(ConversationSummary)
_ADD_SOURCE = insert_of(SummarySource)
_TALKS: BindParameter[str] = bindparam("talks", expanding=True)
_REMOVE = (
    Statement(delete(SearchDocument).where(col(SearchDocument.kind) == TALK, col(SearchDocument.doc_id).in_(_TALKS))),
    Statement(
        delete(SummarySource).where(
            col(SummarySource.conversation_id).in_(_TALKS), col(SummarySource.kind) != "withheld"
        )
    ),
    Statement(delete(ConversationSummary).where(col(ConversationSummary.conversation_id).in_(_TALKS))),
)


async def newest_summaries(quick: Quick, scope: Scope) -> tuple[TalkSummary, ...]:
    """The owner's last `NEWEST_KEPT` conversations that were worth a sentence, newest first."""
    return _read(await quick.rows(_NEWEST, _of(scope)))


async def summaries_between(
    quick: Quick, scope: Scope, start: datetime, end: datetime, most: int
) -> tuple[TalkSummary, ...]:
    """Conversations that ended from `start` to before `end`, newest first."""
    return _read(await quick.rows(_BETWEEN, {**_of(scope), "start": start, "end": end, "most": most}))


async def summaries_by_id(quick: Quick, scope: Scope, ids: Sequence[str]) -> dict[str, TalkSummary]:
    """Those among these conversations that may be told, by id."""
    if not ids:
        return {}
    rows = await quick.rows(_BY_ID, {**_of(scope), "ids": list(ids)})
    return {summary.conversation_id: summary for summary in _read(rows)}


async def summaries_made_from(
    quick: Quick, scope: Scope, memory_ids: Collection[str], most: int
) -> tuple[TalkSummary, ...]:
    """Conversations in which one of these memories was told, newest first."""
    if not memory_ids:
        return ()
    return _read(await quick.rows(_MADE_FROM, {**_of(scope), "memories": padded(sorted(memory_ids)), "most": most}))


async def withheld_messages(quick: Quick, conversation_id: str) -> frozenset[str]:
    """Messages of a conversation that must not be quoted."""
    return frozenset(row.source_id for row in await quick.rows(_WITHHELD, {"talk": conversation_id}))


async def replace_summary(
    quick: Quick, summary: ConversationSummary, sources: Mapping[SourceKind, Collection[str]]
) -> None:
    """Store a summary with its sources in place of an earlier one, and make its words findable."""
    await _remove(quick, [summary.conversation_id])
    await quick.run(by_dialect(_ADD_SUMMARY, quick), {name: getattr(summary, name) for name in _SUMMARY_COLUMNS})
    words = " ".join(part["text"] for part in summary.parts)
    await add_documents(quick, [document_of(TALK, summary.conversation_id, summary.household_id, words)])
    home = {"conversation_id": summary.conversation_id, "household_id": summary.household_id}
    rows = [{**home, "kind": kind, "source_id": one} for kind, ids in sources.items() for one in sorted(ids)]
    if rows:
        await quick.run_many(by_dialect(_ADD_SOURCE, quick), rows)
    await raise_revision(quick, summary.household_id)


async def withdraw(session: AsyncSession, household_id: str, source_ids: Collection[str]) -> int:
    """Remove the summaries made from these memories or messages, or about these pets, and have them made anew.

    Ids of records count as those of memories. The words that taught a deleted memory are never quoted again. Returns
    how many conversations were touched.
    """
    talks: set[str] = set()
    ordered = sorted(source_ids)
    for start in range(0, len(ordered), _BATCH):
        part = ordered[start : start + _BATCH]
        talks |= await _withhold(session, household_id, part)
        found = await session.exec(
            select(SummarySource.conversation_id).where(
                col(SummarySource.household_id) == household_id, col(SummarySource.source_id).in_(part)
            )
        )
        talks |= set(found.all())
    if not talks:
        return 0
    await _remove(await quick_of(session), sorted(talks))
    await session.exec(
        update(Conversation)
        .where(col(Conversation.household_id) == household_id, col(Conversation.id).in_(sorted(talks)))
        .values(summarized_at=None, summary_lease_until=None)
    )
    touch(session, household_id)
    return len(talks)


async def _withhold(session: AsyncSession, household_id: str, ids: Sequence[str]) -> set[str]:
    """Withhold the messages that taught these memories or records; their conversations."""
    rows = await session.exec(
        select(EvidenceRow.conversation_id, EvidenceRow.message_id)
        .where(
            col(EvidenceRow.household_id) == household_id,
            col(EvidenceRow.target_id).in_(ids),
            col(EvidenceRow.message_id).is_not(None),
            col(EvidenceRow.conversation_id).is_not(None),
        )
        .distinct()
    )
    taught = {(str(talk), str(message)) for talk, message in rows.all()}
    known = await session.exec(
        select(SummarySource.conversation_id, SummarySource.source_id).where(
            col(SummarySource.household_id) == household_id,
            col(SummarySource.kind) == "withheld",
            col(SummarySource.source_id).in_([message for _, message in taught]),
        )
    )
    fresh = taught - {(talk, message) for talk, message in known.all()}
    if fresh:
        await session.exec(
            insert(SummarySource),
            params=[
                {"conversation_id": talk, "kind": "withheld", "source_id": message, "household_id": household_id}
                for talk, message in sorted(fresh)
            ],
        )
    return {talk for talk, _ in taught}


async def _remove(quick: Quick, talks: Sequence[str]) -> None:
    for statement in _REMOVE:
        await quick.run(statement, {"talks": padded(talks)})


def _of(scope: Scope) -> dict[str, str]:
    return {"household": scope.household_id, "owner": scope.owner_id}


def _read(rows: Sequence[Any]) -> tuple[TalkSummary, ...]:
    return tuple(
        TalkSummary(
            row.conversation_id,
            row.ended_at,
            tuple(TalkPart(frozenset(part["subjects"]), part["text"]) for part in row.parts),
            row.silent_until,
        )
        for row in rows
    )
