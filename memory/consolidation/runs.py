"""The night that is going on: what an owner's memory has seen already, who holds the lease, where a killed run goes on.

One row an owner. A worker holds it by a lease in real time that every phase renews in the transaction it writes in; a
worker that lost its lease writes nothing more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ForeignKey, or_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Field, SQLModel, col, delete, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.consolidation.timing import QUIET
from memory.dreams import RUNNING, Dream
from memory.items import MemoryItem
from memory.messages import Conversation
from memory.scope import Scope
from memory.sqltypes import UtcDateTime
from memory.vocabulary import MemoryStatus

LEASE = timedelta(minutes=5)  # real time; longer than any one phase, a model's time-outs included
NEXT_NIGHT = timedelta(hours=20)  # what was left open waits so long, so that it is another night
LOOKS_BACK = timedelta(days=30)  # a service that was away longer takes the owner up with their next message

PHASES = ("collect", "filter", "extract", "classify", "decay", "archive", "snapshot")


class Disturbed(Exception):
    """The owner is back, or another worker holds the night: nothing more is written."""


class Sleep(SQLModel, table=True):
    """Where the last night of an owner ended, and who holds the present one."""

    __tablename__ = "sleeps"

    owner_id: str = Field(primary_key=True, sa_column_args=[ForeignKey("owners.id", ondelete="CASCADE")])
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    seen_message_id: str | None = None  # everything up to this message has been looked at
    seen_at: datetime | None = Field(default=None, sa_type=UtcDateTime)  # domain time of the last night
    heard_until: datetime | None = Field(default=None, sa_type=UtcDateTime)  # last talk that night knew of
    again_at: datetime | None = Field(default=None, sa_type=UtcDateTime)  # what was left open is taken up again then
    lease_until: datetime | None = Field(default=None, sa_type=UtcDateTime)  # real time
    dream_id: str | None = None  # the entry being written


@dataclass(frozen=True, slots=True)
class Seen:
    """How far a night came: the last message it took in, its own time, and the last talk it knew of.

    at None: something was left open, so what is fresh now is fresh again the next night.
    """

    message_id: str | None
    at: datetime | None
    talk_at: datetime | None


@dataclass(frozen=True, slots=True)
class Sleepy:
    """An owner about whom something is new or due, who has been quiet for long enough."""

    owner_id: str
    household_id: str
    last_talk_at: datetime


async def sleepy_owners(session: AsyncSession, now: datetime, limit: int, after: str = "") -> list[Sleepy]:
    """Owners to look at, by id; quiet ones with talk that no night has seen, and those with guesses to remove.

    Reads the talks of `LOOKS_BACK` by their index, not the owners.
    """
    talks = (
        select(Conversation.owner_id, Conversation.household_id, func.max(Conversation.last_at))
        .where(
            col(Conversation.last_at) > now - LOOKS_BACK,
            col(Conversation.last_at) <= now,
            col(Conversation.owner_id) > after,
        )
        .group_by(col(Conversation.owner_id), col(Conversation.household_id))
        .having(func.max(Conversation.last_at) <= now - QUIET)
    )
    heard = talks.subquery()
    rows = await session.exec(
        select(*heard.c)
        .outerjoin(Sleep, col(Sleep.owner_id) == heard.c.owner_id)
        .where(or_(col(Sleep.heard_until).is_(None), heard.c[2] > col(Sleep.heard_until), col(Sleep.again_at) <= now))
        .order_by(heard.c.owner_id)
        .limit(limit)
    )
    found = {row[0]: Sleepy(row[0], row[1], row[2]) for row in rows.all()}
    if not after:
        for one in await _with_guesses_to_remove(session, now, limit):
            found.setdefault(one.owner_id, one)
    return sorted(found.values(), key=lambda one: one.owner_id)


async def _with_guesses_to_remove(session: AsyncSession, now: datetime, limit: int) -> Sequence[Sleepy]:
    rows = await session.exec(
        select(MemoryItem.owner_id, MemoryItem.household_id)
        .where(col(MemoryItem.status) == MemoryStatus.FADING.value, col(MemoryItem.expires_at) <= now)
        .distinct()
        .limit(limit)
    )
    return [Sleepy(owner_id, household_id, now - LOOKS_BACK) for owner_id, household_id in rows.all()]


async def take_lease(session: AsyncSession, scope: Scope, now: datetime, real_now: datetime) -> Dream | None:
    """Begin a night, or go on with one whose worker died; None while another worker holds it."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    await session.exec(
        insert(Sleep).values(owner_id=scope.owner_id, household_id=scope.household_id).on_conflict_do_nothing()
    )
    taken = await session.exec(
        update(Sleep)
        .where(
            col(Sleep.owner_id) == scope.owner_id,
            or_(col(Sleep.lease_until).is_(None), col(Sleep.lease_until) < real_now),
        )
        .values(lease_until=real_now + LEASE)
        .execution_options(synchronize_session=False)
    )
    if not taken.rowcount:
        return None
    sleep = await sleep_of(session, scope)
    dream = await session.get(Dream, sleep.dream_id) if sleep.dream_id else None
    if dream is None or dream.status != RUNNING:
        dream = Dream(
            household_id=scope.household_id,
            owner_id=scope.owner_id,
            night_on=scope.local(now).date(),
            started_at=now,
        )
        session.add(dream)
    sleep.dream_id = dream.id
    session.add(sleep)
    return dream


async def sleep_of(session: AsyncSession, scope: Scope) -> Sleep:
    """The owner's row; it exists once a lease was taken."""
    return (
        await session.exec(
            select(Sleep).where(col(Sleep.owner_id) == scope.owner_id, col(Sleep.household_id) == scope.household_id)
        )
    ).one()


async def hold(session: AsyncSession, scope: Scope, dream_id: str, real_now: datetime) -> Dream:
    """Renew the lease inside the transaction that is about to write. Raises Disturbed when it is no longer ours."""
    held = await session.exec(
        update(Sleep)
        .where(
            col(Sleep.owner_id) == scope.owner_id,
            col(Sleep.dream_id) == dream_id,
            col(Sleep.lease_until) >= real_now,
        )
        .values(lease_until=real_now + LEASE)
        .execution_options(synchronize_session=False)
    )
    dream = await session.get(Dream, dream_id)
    if not held.rowcount or dream is None or dream.status != RUNNING:
        raise Disturbed
    return dream


async def end(session: AsyncSession, scope: Scope, dream: Dream, status: str, now: datetime, seen: Seen | None) -> None:
    """Close the night and give the lease back. `seen` None: it was cut short and has seen nothing.

    An entry with nothing in it is not kept.
    """
    sleep = await sleep_of(session, scope)
    sleep.lease_until, sleep.dream_id = None, None
    if seen is not None:
        sleep.seen_message_id = seen.message_id or sleep.seen_message_id
        sleep.seen_at, sleep.heard_until = seen.at or sleep.seen_at, seen.talk_at
        sleep.again_at = None if seen.at is not None else now + NEXT_NIGHT
    session.add(sleep)
    if dream.lines or dream.changes:
        dream.status, dream.finished_at = status, now
        session.add(dream)
    else:
        await session.exec(delete(Dream).where(col(Dream.id) == dream.id))
