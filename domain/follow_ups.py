"""Follow-ups: after "昨天吐了两次" the owner is asked the next day how the pet is, until they say or wave it away.

One open follow-up a pet, at most three a day; a pet that is not there any more is never asked about. What reaches the
owner goes through the inbox (`jobs.follow_up`) and the opening of a chat.
"""

from collections.abc import Collection, Sequence
from datetime import date, datetime

from sqlalchemy import ForeignKey, Index, bindparam, text
from sqlmodel import Field, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import NotFound
from domain.follow_up_rules import (
    ASKED_AFTER,
    MOST_PUT_OFF,
    Unwell,
    day_to_ask,
    is_past,
    question_about,
)
from domain.opening import FollowUpPiece
from domain.pets import Pet
from memory.prepared import whole_rows
from memory.revision import touch
from memory.scope import Scope
from memory.sqltypes import Json, UtcDateTime, new_id
from memory.table_rows import Read, TableRow, read

OPEN, ANSWERED, DISMISSED, LAPSED = "open", "answered", "dismissed", "lapsed"
IS_OPEN = "status = 'open'"


class FollowUp(TableRow, table=True):
    """One question to come back with. `due_on` is the owner's local day; `asked_at` when it was put into the inbox."""

    __tablename__ = "follow_ups"
    __table_args__ = (
        Index("ix_follow_ups_owner", "owner_id", "status"),
        Index("ix_follow_ups_due", "due_on", sqlite_where=text(IS_OPEN), postgresql_where=text(IS_OPEN)),
        Index(
            "ux_follow_ups_open",
            "owner_id",
            "pet_id",
            unique=True,
            sqlite_where=text(IS_OPEN),
            postgresql_where=text(IS_OPEN),
        ),
    )

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str = Field(sa_column_args=[ForeignKey("owners.id", ondelete="CASCADE")])
    pet_id: str = Field(sa_column_args=[ForeignKey("pets.id", ondelete="CASCADE")])
    attributes: list[str] = Field(default_factory=list, sa_type=Json)  # slots of the symptoms it is about
    about: str  # the owner's statement, as memory shows it
    question: str
    status: str = OPEN
    message_id: str | None = None
    due_on: date
    put_off: int = 0  # how often "还没好" moved it on
    opened_at: datetime = Field(sa_type=UtcDateTime)
    asked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    closed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


async def open_follow_ups(session: AsyncSession, scope: Scope) -> Sequence[FollowUp]:
    """Those of this owner that wait for an answer, the oldest first; some may have outlived their news."""
    return await read(session, _OPEN, {"household": scope.household_id, "owner": scope.owner_id})


_OPEN = Read(
    FollowUp,
    whole_rows(
        FollowUp,
        col(FollowUp.household_id) == bindparam("household"),
        col(FollowUp.owner_id) == bindparam("owner"),
        col(FollowUp.status) == OPEN,
        order=(col(FollowUp.due_on), col(FollowUp.id)),
    ),
)


def still_asked(rows: Sequence[FollowUp], pets: Sequence[Pet], today: date) -> list[FollowUp]:
    """Those that may be brought up at all: the pet is there, and it is not yesterday's news."""
    there = {pet.id for pet in pets if pet.status == "active"}
    return [row for row in rows if row.pet_id in there and not is_past(row.due_on, today)]


def pieces(rows: Sequence[FollowUp]) -> list[FollowUpPiece]:
    """As the opening of a chat takes them."""
    return [FollowUpPiece(row.id, row.pet_id, row.question, row.due_on) for row in rows]


async def follow_up_on(
    session: AsyncSession, scope: Scope, told: Sequence[Unwell], pets: Sequence[Pet], message_id: str, now: datetime
) -> list[FollowUp]:
    """Open a follow-up for each pet that is unwell, or move the one it has. Returns those that were opened or moved."""
    if not told:
        return []
    today = scope.local(now).date()
    rows = await open_follow_ups(session, scope)
    shown = [_as_shown(row) for row in rows]
    await _lapse_past(session, rows, today, now)
    known = {row.pet_id: row for row in rows if row.status == OPEN}
    followed = []
    for pet in pets:
        mine = [one for one in told if one.pet_id == pet.id]
        if not mine or pet.status != "active":
            continue
        row = known.get(pet.id)
        days = [other.due_on for other in known.values() if other is not row]
        day = day_to_ask(today, days)
        if day is None:
            continue
        if row is None:
            row = known[pet.id] = _new(scope, pet, mine[0], message_id, day, now)
        row.attributes = list(dict.fromkeys([*row.attributes, *(one.attribute for one in mine)]))
        row.due_on, row.about, row.message_id, row.asked_at = day, mine[0].content, message_id, None
        session.add(row)
        followed.append(row)
    if shown != [_as_shown(row) for row in (*rows, *(new for new in followed if new not in rows))]:
        touch(session, scope.household_id)
    return followed


async def answer_follow_ups(
    session: AsyncSession, scope: Scope, pet_ids: Collection[str], now: datetime, *, over: bool
) -> list[FollowUp]:
    """The owner told how these pets are. over: it has got better, which closes them; else they are asked later."""
    today = scope.local(now).date()
    rows = [row for row in await open_follow_ups(session, scope) if row.pet_id in pet_ids]
    for row in rows:
        if over or row.put_off >= MOST_PUT_OFF:
            row.status, row.closed_at = ANSWERED, now
        else:
            row.due_on, row.put_off, row.asked_at = today + ASKED_AFTER, row.put_off + 1, None
        session.add(row)
    if rows:
        touch(session, scope.household_id)
    return rows


async def dismiss(session: AsyncSession, scope: Scope, follow_up_id: str, now: datetime) -> FollowUp:
    """Wave it away; twice is as good as once. Raises NotFound."""
    row = (
        await session.exec(
            select(FollowUp).where(
                col(FollowUp.id) == follow_up_id,
                col(FollowUp.household_id) == scope.household_id,
                col(FollowUp.owner_id) == scope.owner_id,
            )
        )
    ).one_or_none()
    if row is None:
        raise NotFound("没有找到这条跟进")
    if row.status == OPEN:
        row.status, row.closed_at = DISMISSED, now
        session.add(row)
        touch(session, scope.household_id)
    return row


def _as_shown(row: FollowUp) -> tuple[object, ...]:
    """What a household's view tells of it; which message told it last is not among that."""
    return row.id, row.status, row.due_on, row.about, row.asked_at, tuple(row.attributes)


async def _lapse_past(session: AsyncSession, rows: Sequence[FollowUp], today: date, now: datetime) -> None:
    for row in rows:
        if is_past(row.due_on, today):
            row.status, row.closed_at = LAPSED, now
            session.add(row)
    await session.flush()  # the open one of a pet is unique


def _new(scope: Scope, pet: Pet, told: Unwell, message_id: str, day: date, now: datetime) -> FollowUp:
    return FollowUp(
        household_id=scope.household_id,
        owner_id=scope.owner_id,
        pet_id=pet.id,
        about=told.content,
        question=question_about(pet.name),
        message_id=message_id,
        due_on=day,
        opened_at=now,
    )
