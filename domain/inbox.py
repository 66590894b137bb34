"""The one door for what reaches an owner outside a reply: deduped, out of quiet hours, capped per kind."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import ForeignKey, Index, UniqueConstraint, bindparam, func, or_
from sqlmodel import Field, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import NotFound
from domain.owners import Owner, in_quiet_hours
from memory.prepared import Statement, by_dialect, columns_of, insert_of, quick_of, whole_rows
from memory.sqltypes import Json, UtcDateTime, new_id
from memory.table_rows import Read, TableRow, read

DAILY_CAPS: dict[str, int] = {"confirmation": 2, "follow_up": 3}  # pushes a local day; other kinds are not capped


class Delivery(StrEnum):
    """What became of a prompt's push. The prompt itself is always in the inbox."""

    NONE = "none"  # nothing to push: read, settled or out of date before it was due, or of a kind that is not pushed
    WAITING = "waiting"
    CAPPED = "capped"  # enough of its kind that day; a confirmation joins the next digest
    SENDING = "sending"
    PUSHED = "pushed"
    REFUSED = "refused"  # the owner has not allowed it (any more)
    FAILED = "failed"
    UNKNOWN = "unknown"  # WeChat did not answer: it may have arrived, so it is not sent again


class InboxMessage(TableRow, table=True):
    """One in-app prompt. `delivery` tells what became of its push, `push_id` which push carried it."""

    __tablename__ = "inbox_messages"
    __table_args__ = (
        UniqueConstraint("owner_id", "dedupe_key"),
        Index("ix_inbox_owner", "owner_id", "id"),
        Index("ix_inbox_delivery", "delivery", "not_before"),
    )

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str = Field(sa_column_args=[ForeignKey("owners.id", ondelete="CASCADE")])
    kind: str
    dedupe_key: str
    title: str
    body: str
    link: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    not_before: datetime = Field(sa_type=UtcDateTime)
    created_at: datetime = Field(sa_type=UtcDateTime)
    read_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    delivery: str = Delivery.NONE.value
    push_id: str | None = Field(default=None, index=True)


def end_of_quiet_hours(owner: Owner, at: datetime) -> datetime:
    """The first instant at or after `at` at which the owner may be disturbed."""
    if not in_quiet_hours(owner, at):
        return at
    local = at.astimezone(ZoneInfo(owner.timezone))
    morning = datetime.combine(local.date(), owner.quiet_to, local.tzinfo)
    return (morning if morning > local else morning + timedelta(days=1)).astimezone(at.tzinfo)


def local_day(owner: Owner, at: datetime) -> tuple[datetime, datetime]:
    """The owner's local day around `at`: its first instant and that of the next day."""
    local = at.astimezone(ZoneInfo(owner.timezone))
    day = datetime.combine(local.date(), datetime.min.time(), local.tzinfo)
    return day, day + timedelta(days=1)


async def notify(
    session: AsyncSession,
    owner: Owner,
    kind: str,
    dedupe_key: str,
    title: str,
    body: str,
    now: datetime,
    not_before: datetime | None = None,
    link: dict[str, Any] | None = None,
) -> InboxMessage | None:
    """Put one prompt into the owner's inbox, to be pushed not before quiet hours end. None if it is there already.

    Two workers that tell the same thing at once put it there once. The in-app prompt always exists; only its push is
    capped per kind and local day. `title` is what a push says (20 characters of it), together with the name of the pet
    in `link["pet_id"]`; `body` stays in the app.
    """
    await session.flush()
    quick = await quick_of(session)
    if await quick.rows(_TOLD, {"owner": owner.id, "key": dedupe_key}):
        return None
    due = end_of_quiet_hours(owner, max(now, not_before or now))
    message = InboxMessage(
        household_id=owner.household_id,
        owner_id=owner.id,
        kind=kind,
        dedupe_key=dedupe_key,
        title=title,
        body=body,
        link=link or {},
        not_before=due,
        created_at=now,
        delivery=(Delivery.CAPPED if await _cap_reached(session, owner, kind, due) else Delivery.WAITING).value,
    )
    row = {name: getattr(message, name) for name in columns_of(InboxMessage)}
    added = await quick.run(by_dialect(_ADD, quick), row)
    return (await read(session, _STORED, {"id": message.id}))[0] if added else None


_TOLD = Statement(
    select(col(InboxMessage.id))
    .where(col(InboxMessage.owner_id) == bindparam("owner"), col(InboxMessage.dedupe_key) == bindparam("key"))
    .limit(1)
)
_ADD = insert_of(InboxMessage, ignore_conflicts=True)
_STORED = Read(InboxMessage, whole_rows(InboxMessage, col(InboxMessage.id) == bindparam("id")))


async def _cap_reached(session: AsyncSession, owner: Owner, kind: str, due: datetime) -> bool:
    cap = DAILY_CAPS.get(kind)
    if cap is None:
        return False
    day, next_day = local_day(owner, due)
    asked = {"owner": owner.id, "kind": kind, "day": day, "next_day": next_day}
    (counted,) = await (await quick_of(session)).rows(_PUSHES, asked)
    pushes: int = counted.pushes
    return pushes >= cap


COUNTED = tuple(state.value for state in (Delivery.WAITING, Delivery.SENDING, Delivery.PUSHED, Delivery.UNKNOWN))
_PUSHES = Statement(
    select(func.count().label("pushes"))
    .select_from(InboxMessage)
    .where(
        col(InboxMessage.owner_id) == bindparam("owner"),
        col(InboxMessage.kind) == bindparam("kind"),
        col(InboxMessage.not_before) >= bindparam("day"),
        col(InboxMessage.not_before) < bindparam("next_day"),
        or_(*(col(InboxMessage.delivery) == word for word in COUNTED)),
    )
)


async def inbox_of(
    session: AsyncSession, owner: Owner, now: datetime, limit: int, before: str | None = None, *, unread: bool = False
) -> Sequence[InboxMessage]:
    """The owner's prompts that are due, newest first; `before` is the id to go on from.

    What waits only for quiet hours to end is shown at once: looking is not being disturbed.
    """
    query = select(InboxMessage).where(
        col(InboxMessage.owner_id) == owner.id,
        col(InboxMessage.not_before) <= end_of_quiet_hours(owner, now),
    )
    if unread:
        query = query.where(col(InboxMessage.read_at).is_(None))
    if before is not None:
        query = query.where(col(InboxMessage.id) < before)
    return (await session.exec(query.order_by(col(InboxMessage.id).desc()).limit(limit))).all()


async def mark_read(session: AsyncSession, owner_id: str, message_id: str, now: datetime) -> InboxMessage:
    """Note that the owner has read a prompt; the first time counts. Raises NotFound."""
    message = (
        await session.exec(
            select(InboxMessage).where(col(InboxMessage.owner_id) == owner_id, col(InboxMessage.id) == message_id)
        )
    ).one_or_none()
    if message is None:
        raise NotFound("没有找到这条消息")
    message.read_at = message.read_at or now
    session.add(message)
    return message
