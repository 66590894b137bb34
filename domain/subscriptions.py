"""What an owner has allowed to be pushed: one accept is one message. WeChat is the truth; this ledger is a good guess.

The phone reports what was tapped, and WeChat may report the same tap in an event; each is counted once.
"""

from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, UniqueConstraint, Update, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.sqltypes import UtcDateTime, new_id

SAME_TAP = timedelta(minutes=10)  # real time; a report and an event this close together are one tap
MOST_GRANTS = 200  # more than a year of weekly pushes; a phone that reports more is broken


class GrantAnswer(StrEnum):
    """What the owner tapped in WeChat's popup. `filter`: WeChat hid a template of the same title."""

    ACCEPT = "accept"
    REJECT = "reject"
    BAN = "ban"
    FILTER = "filter"


class GrantSource(StrEnum):
    """Who told us of an answer."""

    PHONE = "phone"
    EVENT = "event"


class SubscriptionGrant(SQLModel, table=True):
    """How many more messages of one template this owner has allowed."""

    __tablename__ = "subscription_grants"

    owner_id: str = Field(primary_key=True, sa_column_args=[ForeignKey("owners.id", ondelete="CASCADE")])
    template_id: str = Field(primary_key=True)
    remaining: int = 0
    changed_at: datetime = Field(sa_type=UtcDateTime)


class SubscriptionAnswer(SQLModel, table=True):
    """One report of one tap, kept so that the other report of it is not counted. `event_key` is WeChat's, once."""

    __tablename__ = "subscription_answers"
    __table_args__ = (
        UniqueConstraint("owner_id", "event_key"),
        Index("ix_subscription_answers_tap", "owner_id", "template_id", "at"),
    )

    id: str = Field(default_factory=new_id, primary_key=True)
    owner_id: str = Field(sa_column_args=[ForeignKey("owners.id", ondelete="CASCADE")])
    template_id: str
    answer: str
    source: str
    event_key: str | None = None
    paired: bool = False
    at: datetime = Field(sa_type=UtcDateTime)


class StoppedTemplate(SQLModel, table=True):
    """A template that WeChat has banned: nobody is pushed with it, nobody is asked for it."""

    __tablename__ = "stopped_templates"

    template_id: str = Field(primary_key=True)
    errcode: int
    at: datetime = Field(sa_type=UtcDateTime)


async def record_answer(
    session: AsyncSession,
    owner_id: str,
    template_id: str,
    answer: GrantAnswer,
    source: GrantSource,
    real_now: datetime,
    event_key: str | None = None,
) -> int:
    """Note one tap and return how many messages remain. A tap that was reported before changes nothing.

    event_key: of a callback event; the same event may be delivered several times.
    """
    await _hold(session, owner_id, template_id, real_now)
    if event_key is not None and await _event_known(session, owner_id, event_key):
        return await remaining(session, owner_id, template_id)
    twin = await _other_report(session, owner_id, template_id, answer, source, real_now)
    row = SubscriptionAnswer(
        owner_id=owner_id,
        template_id=template_id,
        answer=answer.value,
        source=source.value,
        event_key=event_key,
        paired=twin is not None,
        at=real_now,
    )
    session.add(row)
    if twin is not None:
        twin.paired = True
        session.add(twin)
    elif answer is GrantAnswer.ACCEPT:
        await _count_up(session, owner_id, template_id, real_now)
    elif answer is GrantAnswer.BAN or (answer is GrantAnswer.REJECT and source is GrantSource.EVENT):
        await use_up(session, owner_id, template_id, real_now)
    await session.flush()
    return await remaining(session, owner_id, template_id)


async def remaining(session: AsyncSession, owner_id: str, template_id: str) -> int:
    """How many more messages of this template may be sent to this owner."""
    counted = await session.exec(
        select(SubscriptionGrant.remaining).where(
            col(SubscriptionGrant.owner_id) == owner_id, col(SubscriptionGrant.template_id) == template_id
        )
    )
    return counted.first() or 0


async def count_down(session: AsyncSession, owner_id: str, template_id: str, real_now: datetime) -> None:
    """One message went out (or may have)."""
    await session.exec(
        _mine(owner_id, template_id)
        .where(col(SubscriptionGrant.remaining) > 0)
        .values(remaining=SubscriptionGrant.remaining - 1, changed_at=real_now)
    )


async def use_up(session: AsyncSession, owner_id: str, template_id: str, real_now: datetime) -> None:
    """WeChat says that nothing is allowed any more, or the owner switched it off."""
    await session.exec(_mine(owner_id, template_id).values(remaining=0, changed_at=real_now))


async def stop_template(session: AsyncSession, template_id: str, errcode: int, real_now: datetime) -> None:
    """WeChat has banned a template."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    row = {"template_id": template_id, "errcode": errcode, "at": real_now}
    await session.exec(insert(StoppedTemplate).values(**row).on_conflict_do_nothing())


async def stopped_templates(session: AsyncSession) -> frozenset[str]:
    """The ids of banned templates."""
    return frozenset((await session.exec(select(StoppedTemplate.template_id))).all())


def _mine(owner_id: str, template_id: str) -> Update:
    return update(SubscriptionGrant).where(
        col(SubscriptionGrant.owner_id) == owner_id, col(SubscriptionGrant.template_id) == template_id
    )


async def _hold(session: AsyncSession, owner_id: str, template_id: str, real_now: datetime) -> None:
    """Make the owner's row if there is none and lock it: the two reports of one tap come one after the other."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    row = {"owner_id": owner_id, "template_id": template_id, "remaining": 0, "changed_at": real_now}
    await session.exec(insert(SubscriptionGrant).values(**row).on_conflict_do_nothing())
    mine = select(SubscriptionGrant.owner_id).where(
        col(SubscriptionGrant.owner_id) == owner_id, col(SubscriptionGrant.template_id) == template_id
    )
    await session.exec(mine.with_for_update())


async def _count_up(session: AsyncSession, owner_id: str, template_id: str, real_now: datetime) -> None:
    await session.exec(
        _mine(owner_id, template_id)
        .where(col(SubscriptionGrant.remaining) < MOST_GRANTS)
        .values(remaining=SubscriptionGrant.remaining + 1, changed_at=real_now)
    )


async def _event_known(session: AsyncSession, owner_id: str, event_key: str) -> bool:
    known = await session.exec(
        select(SubscriptionAnswer.id).where(
            col(SubscriptionAnswer.owner_id) == owner_id, col(SubscriptionAnswer.event_key) == event_key
        )
    )
    return known.first() is not None


async def _other_report(
    session: AsyncSession,
    owner_id: str,
    template_id: str,
    answer: GrantAnswer,
    source: GrantSource,
    real_now: datetime,
) -> SubscriptionAnswer | None:
    """The report of the same tap by the other side, not yet taken for another tap."""
    found = await session.exec(
        select(SubscriptionAnswer)
        .where(
            col(SubscriptionAnswer.owner_id) == owner_id,
            col(SubscriptionAnswer.template_id) == template_id,
            col(SubscriptionAnswer.answer) == answer.value,
            col(SubscriptionAnswer.source) != source.value,
            col(SubscriptionAnswer.paired).is_(False),
            col(SubscriptionAnswer.at) >= real_now - SAME_TAP,
        )
        .order_by(col(SubscriptionAnswer.at))
        .limit(1)
    )
    return found.first()
