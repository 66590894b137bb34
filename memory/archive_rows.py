"""Archives as rows: the stored summary of each topic, marked stale by the write that changes what it was made from.

Entries are the memories themselves, so nothing but the summary can ever be out of date. A change that takes something
away (a deletion, a correction) empties the summary in its own transaction: what was made from it is gone with it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint, bindparam, case, func, literal, or_, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.archives import Entry, Summary
from memory.items import MemoryItem
from memory.prepared import Statement, by_dialect, columns_of, quick_of, row_of
from memory.scope import Scope
from memory.sqltypes import Json, UtcDateTime, new_id
from memory.visibility import SERVED
from memory.vocabulary import OWNER_SUBJECT, Kind, MemoryStatus, Precision, Tier

BASIC, MODEL = "basic", "model"
FOLDED = "folded"
NEVER_CONFIRMED = "never_confirmed"  # what was only watched is no entry
_MARKS = "changed_archives"


class Archive(SQLModel, table=True):
    """The summary of one topic of one pet. `stale_at`: since when it waits to be made anew; None when it is not.

    tries: how often a model's summary was not taken since an entry changed.
    """

    __tablename__ = "archives"
    __table_args__ = (
        UniqueConstraint("household_id", "subject", "topic"),
        Index(
            "ix_archives_stale",
            "stale_at",
            "owner_id",
            sqlite_where=text("stale_at IS NOT NULL"),
            postgresql_where=text("stale_at IS NOT NULL"),
        ),
    )

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str  # whose night makes it anew
    subject: str
    topic: str
    summary: str = ""
    made_by: str = BASIC
    made_from: list[str] = Field(default_factory=list, sa_type=Json)  # ids of memories
    entries: int = 0
    tries: int = 0
    made_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    stale_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


def _mark(dialect: Any) -> Statement:
    table = Archive.__table__  # type: ignore[attr-defined]  # SQLModel's stub hides it
    insert = dialect.insert(table).values({name: bindparam(name) for name in columns_of(Archive)})
    gone: Any = bindparam("gone")
    return Statement(
        insert.on_conflict_do_update(
            index_elements=["household_id", "subject", "topic"],
            set_={
                "stale_at": func.coalesce(table.c.stale_at, insert.excluded.stale_at),
                "tries": literal(0),
                "summary": case((gone == 1, literal("")), else_=table.c.summary),
                "made_from": case((gone == 1, insert.excluded.made_from), else_=table.c.made_from),
            },
        )
    )


_MARK = (_mark(sqlite), _mark(postgresql))


def mark_archive(session: AsyncSession, item: MemoryItem, at: datetime, *, takes_away: bool) -> None:
    """Say that this transaction changes what the archive of this item's topic is made from.

    takes_away: something it may have told is not so any more, so the summary is emptied at once.
    """
    if item.subject is None or item.subject == OWNER_SUBJECT:
        return
    marks: dict[tuple[str, str, str], tuple[str, datetime, bool]] = session.info.setdefault(_MARKS, {})
    key = (item.household_id, item.subject, item.topic)
    _, since, gone = marks.get(key, ("", at, False))
    marks[key] = (item.owner_id, since, gone or takes_away)


async def write_marks(session: AsyncSession) -> None:
    """Store the marks; called once, at the end of a write."""
    marks: dict[tuple[str, str, str], tuple[str, datetime, bool]] = session.info.pop(_MARKS, {})
    if not marks:
        return
    quick = await quick_of(session)
    for (household, subject, topic), (owner, at, gone) in sorted(marks.items()):
        row = row_of(
            Archive, household_id=household, owner_id=owner, subject=subject, topic=topic, made_at=None, stale_at=at
        )
        await quick.run(by_dialect(_MARK, quick), {**row, "gone": int(gone)})


async def archives_of(session: AsyncSession, scope: Scope, subject: str) -> dict[str, Archive]:
    """The stored summaries of a pet by topic; a topic nobody spoke of is absent."""
    rows = await session.exec(
        select(Archive).where(col(Archive.household_id) == scope.household_id, col(Archive.subject) == subject)
    )
    return {row.topic: row for row in rows.all()}


async def stale_archives(session: AsyncSession, scope: Scope, due_by: datetime) -> Sequence[Archive]:
    """Summaries of this owner's household that have waited since then."""
    rows = await session.exec(
        select(Archive)
        .where(
            col(Archive.household_id) == scope.household_id,
            col(Archive.owner_id) == scope.owner_id,
            col(Archive.stale_at) <= due_by,
        )
        .order_by(col(Archive.subject), col(Archive.topic))
    )
    return rows.all()


async def archived_items(
    session: AsyncSession, scope: Scope, subject: str, topic: str, *, folded: bool = False
) -> Sequence[MemoryItem]:
    """The memories an archive is made of, the newest happening first; `folded`: those that are folded away instead."""
    reason = func.coalesce(col(MemoryItem.reason), "")
    happened_at = func.coalesce(col(MemoryItem.valid_from), col(MemoryItem.learned_at))
    rows = await session.exec(
        select(MemoryItem)
        .where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.subject) == subject,
            col(MemoryItem.topic) == topic,
            col(MemoryItem.tier) == Tier.LONG.value,
            or_(
                col(MemoryItem.status).in_(SERVED),
                (col(MemoryItem.status) == MemoryStatus.ARCHIVED.value) & (reason != NEVER_CONFIRMED),
            ),
            (reason == FOLDED) if folded else (reason != FOLDED),
        )
        .order_by(happened_at.desc(), col(MemoryItem.id).desc())
    )
    return rows.all()


def entry_of(item: MemoryItem, scope: Scope) -> Entry:
    """A memory as an entry of its archive, in the owner's days."""
    dated = item.valid_from is not None and item.valid_from_precision != Precision.UNKNOWN.value
    return Entry(
        memory_id=item.id,
        text=item.content,
        attribute=item.attribute,
        kind=Kind(item.kind),
        on=scope.local(item.valid_from).date() if dated and item.valid_from else None,
        precision=Precision(item.valid_from_precision) if dated else Precision.UNKNOWN,
        learned_on=scope.local(item.learned_at).date(),
        weight_level=item.weight_level,
        ended=_is_over(item),
    )


def keep_summary(
    session: AsyncSession, archive: Archive, summary: Summary, made_by: str, entries: int, now: datetime
) -> None:
    """Store a summary made anew."""
    archive.summary, archive.made_by = summary.text, made_by
    archive.made_from, archive.entries = list(summary.made_from), entries
    archive.made_at, archive.stale_at, archive.tries = now, None, 0
    session.add(archive)


def try_again(session: AsyncSession, archive: Archive, now: datetime) -> None:
    """A model's summary was not taken: another night asks again."""
    archive.tries += 1
    archive.stale_at = now
    session.add(archive)


def _is_over(item: MemoryItem) -> bool:
    """A record that ended, or what held for a time; what only faded is as true as ever."""
    return item.status == MemoryStatus.ARCHIVED.value and item.reason not in ("faded", FOLDED)
