"""Pushes: what is taken from the inbox to WeChat, at most once each, and what becomes of it.

A push is marked `sending` before WeChat is called. One that is left so by a dead process may have gone out: it ends as
`unknown` and is never sent again. All prompts of a kind that are due at once are one push.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, func, update
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.inbox import DAILY_CAPS, Delivery, InboxMessage, local_day
from domain.owners import Owner, has_consent, in_quiet_hours
from domain.push_messages import Template
from domain.subscriptions import remaining, stopped_templates
from memory.confirmations import Confirmation
from memory.sqltypes import UtcDateTime, new_id
from memory.vocabulary import ConfirmationStatus

TEMPLATE_OF_KIND = {
    "confirmation": "confirmation",
    "follow_up": "follow_up",
    "reminder": "reminder",
    "schedule": "reminder",
    "due": "reminder",
    "due_item": "reminder",
}
"""Which template carries a kind of prompt; other kinds stay in the app."""

CARRIED_OVER = ("confirmation",)  # capped prompts of these kinds join the digest of the next day
SEND_LEASE = timedelta(minutes=2)  # real time; longer than any call to WeChat may take


class PushState(StrEnum):
    """Where a push stands; `retry` waits for another try, all but it and `sending` are ends."""

    SENDING = "sending"
    RETRY = "retry"
    PUSHED = "pushed"
    REFUSED = "refused"
    FAILED = "failed"
    UNKNOWN = "unknown"


OPEN_STATES = (PushState.SENDING.value, PushState.RETRY.value)
SPENT_STATES = (*OPEN_STATES, PushState.PUSHED.value, PushState.UNKNOWN.value)  # what counts for a day's cap
DELIVERY_OF = {
    PushState.RETRY: Delivery.SENDING,
    PushState.PUSHED: Delivery.PUSHED,
    PushState.REFUSED: Delivery.REFUSED,
    PushState.FAILED: Delivery.FAILED,
    PushState.UNKNOWN: Delivery.UNKNOWN,
}


class Push(SQLModel, table=True):
    """One subscribe message. It holds no words: they are made from its prompts when it is sent."""

    __tablename__ = "pushes"
    __table_args__ = (
        Index("ix_pushes_owner", "owner_id", "kind", "made_at"),
        Index("ix_pushes_state", "state", "leased_until"),
    )

    id: str = Field(default_factory=new_id, primary_key=True)
    owner_id: str = Field(sa_column_args=[ForeignKey("owners.id", ondelete="CASCADE")])
    kind: str
    template_id: str
    state: str = PushState.SENDING.value
    neutral: bool = False  # no owner's words in it: WeChat took offence at one
    attempts: int = 1
    errcode: int | None = None
    msgid: str | None = Field(default=None, index=True)
    made_at: datetime = Field(sa_type=UtcDateTime)  # domain time, for the caps of a day
    leased_until: datetime = Field(sa_type=UtcDateTime)  # real time; of a `retry`: not before


async def owners_with_due_prompts(session: AsyncSession, now: datetime, after: str, limit: int) -> Sequence[Owner]:
    """Owners whom something waits for and nothing is under way to, locked so that no other worker serves them.

    after: the id to go on from, in order of ids.
    """
    busy = select(Push.owner_id).where(col(Push.state).in_(OPEN_STATES))
    due = select(InboxMessage.owner_id).where(
        col(InboxMessage.delivery) == Delivery.WAITING.value, col(InboxMessage.not_before) <= now
    )
    carried = select(InboxMessage.owner_id).where(
        col(InboxMessage.delivery) == Delivery.CAPPED.value,
        col(InboxMessage.kind).in_(CARRIED_OVER),
        col(InboxMessage.read_at).is_(None),
        col(InboxMessage.not_before) <= now,
    )
    query = (
        select(Owner)
        .where(col(Owner.id) > after, col(Owner.id).in_(due.union(carried)), col(Owner.id).not_in(busy))
        .order_by(col(Owner.id))
        .limit(limit)
        .with_for_update(skip_locked=True, key_share=True)
    )
    return (await session.exec(query)).all()


async def take_push(
    session: AsyncSession, owner: Owner, templates: Collection[Template], now: datetime, real_now: datetime
) -> Push | None:
    """Make the owner's next push from what is due, one kind at a time; None when nothing may be pushed now."""
    if in_quiet_hours(owner, now):
        return None
    rows = await _due_rows(session, owner, now)
    for kind in dict.fromkeys(row.kind for row in rows):
        worth = await _worth_pushing(session, [row for row in rows if row.kind == kind])
        push = await _push_of(session, owner, kind, worth, templates, now, real_now)
        if push is not None:
            return push
    return None


async def prompts_of(session: AsyncSession, push: Push) -> Sequence[InboxMessage]:
    """The prompts that a push carries, oldest first."""
    query = select(InboxMessage).where(col(InboxMessage.push_id) == push.id).order_by(col(InboxMessage.id))
    return (await session.exec(query)).all()


async def settle_push(session: AsyncSession, push: Push, state: PushState) -> None:
    """Give a push and its prompts their state."""
    push.state = state.value
    session.add(push)
    await session.exec(
        update(InboxMessage)
        .where(col(InboxMessage.push_id) == push.id)
        .values(delivery=DELIVERY_OF.get(state, Delivery.SENDING).value)
    )


async def dead_pushes(session: AsyncSession, real_now: datetime, limit: int) -> Sequence[Push]:
    """Pushes whose sender has died before it could note what WeChat said."""
    return await _pushes(session, PushState.SENDING, real_now, limit)


async def retries_due(session: AsyncSession, real_now: datetime, limit: int) -> Sequence[Push]:
    """Pushes that WeChat has surely not sent and that may be tried again now."""
    return await _pushes(session, PushState.RETRY, real_now, limit)


async def note_sent_event(
    session: AsyncSession, owner_id: str, template_id: str, msgid: str, errcode: int
) -> Push | None:
    """WeChat tells what became of a message. Ends an `unknown` push, and one that failed after it was taken.

    Returns None when no push of ours fits. errcode: 0 when it arrived.
    """
    mine = select(Push).where(col(Push.owner_id) == owner_id, col(Push.template_id) == template_id)
    known = (await session.exec(mine.where(col(Push.msgid) == msgid))).first()
    lost = mine.where(col(Push.state) == PushState.UNKNOWN.value, col(Push.msgid).is_(None))
    push = known or (await session.exec(lost.order_by(col(Push.id).desc()).limit(1))).first()
    if push is None:
        return None
    push.msgid, push.errcode = msgid, errcode or None
    await settle_push(session, push, PushState.FAILED if errcode else PushState.PUSHED)
    return push


async def is_sending(session: AsyncSession, owner_id: str, template_id: str) -> bool:
    """Whether a message of this template is under way to the owner just now."""
    under_way = select(Push.id).where(
        col(Push.owner_id) == owner_id,
        col(Push.template_id) == template_id,
        col(Push.state) == PushState.SENDING.value,
    )
    return (await session.exec(under_way.limit(1))).first() is not None


async def _pushes(session: AsyncSession, state: PushState, real_now: datetime, limit: int) -> Sequence[Push]:
    query = (
        select(Push)
        .where(col(Push.state) == state.value, col(Push.leased_until) <= real_now)
        .order_by(col(Push.leased_until))
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return (await session.exec(query)).all()


async def _due_rows(session: AsyncSession, owner: Owner, now: datetime) -> Sequence[InboxMessage]:
    query = (
        select(InboxMessage)
        .where(
            col(InboxMessage.owner_id) == owner.id,
            col(InboxMessage.not_before) <= now,
            (col(InboxMessage.delivery) == Delivery.WAITING.value)
            | (
                (col(InboxMessage.delivery) == Delivery.CAPPED.value)
                & col(InboxMessage.kind).in_(CARRIED_OVER)
                & col(InboxMessage.read_at).is_(None)
            ),
        )
        .order_by(col(InboxMessage.id))
    )
    return (await session.exec(query)).all()


async def _worth_pushing(session: AsyncSession, rows: Sequence[InboxMessage]) -> list[InboxMessage]:
    """The prompts that still need their owner; the others are marked as not pushed."""
    asked = {str(row.link["confirmation_id"]) for row in rows if "confirmation_id" in row.link}
    open_ones = await _still_open(session, asked)
    worth: dict[str, InboxMessage] = {}  # of a question that was put twice, the newer prompt speaks
    for row in rows:
        question = str(row.link.get("confirmation_id", ""))
        if row.read_at is None and (not question or question in open_ones):
            worth[question or row.id] = row
    speaking = {row.id for row in worth.values()}
    _mark_all(session, [row for row in rows if row.id not in speaking], Delivery.NONE)
    return list(worth.values())


async def _still_open(session: AsyncSession, ids: Collection[str]) -> frozenset[str]:
    if not ids:
        return frozenset()
    query = select(Confirmation.id).where(
        col(Confirmation.id).in_(list(ids)), col(Confirmation.status) == ConfirmationStatus.PENDING.value
    )
    return frozenset((await session.exec(query)).all())


async def _push_of(
    session: AsyncSession,
    owner: Owner,
    kind: str,
    rows: Sequence[InboxMessage],
    templates: Collection[Template],
    now: datetime,
    real_now: datetime,
) -> Push | None:
    if not rows:
        return None
    key = TEMPLATE_OF_KIND.get(kind)
    template = next((one for one in templates if one.key == key), None)
    if template is None or not await _allowed(session, owner, template):
        _mark_all(session, rows, Delivery.REFUSED if key else Delivery.NONE)
        return None
    if await _enough_today(session, owner, kind, now):
        _mark_all(session, rows, Delivery.CAPPED)
        return None
    push = Push(
        owner_id=owner.id,
        kind=kind,
        template_id=template.template_id,
        made_at=now,
        leased_until=real_now + SEND_LEASE,
    )
    session.add(push)
    for row in rows:
        row.push_id = push.id
    _mark_all(session, rows, Delivery.SENDING)
    return push


async def _allowed(session: AsyncSession, owner: Owner, template: Template) -> bool:
    if not await has_consent(session, owner.id, "push"):
        return False
    if template.template_id in await stopped_templates(session):
        return False
    return await remaining(session, owner.id, template.template_id) > 0


async def _enough_today(session: AsyncSession, owner: Owner, kind: str, now: datetime) -> bool:
    cap = DAILY_CAPS.get(kind)
    if cap is None:
        return False
    day, next_day = local_day(owner, now)
    count = await session.exec(
        select(func.count())
        .select_from(Push)
        .where(
            col(Push.owner_id) == owner.id,
            col(Push.kind) == kind,
            col(Push.made_at) >= day,
            col(Push.made_at) < next_day,
            col(Push.state).in_(SPENT_STATES),
        )
    )
    return count.one() >= cap


def _mark_all(session: AsyncSession, rows: Sequence[InboxMessage], delivery: Delivery) -> None:
    for row in rows:
        row.delivery = delivery.value
        session.add(row)
