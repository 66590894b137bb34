"""What an owner has allowed to be pushed: one accept is one message. WeChat is the truth; this ledger is a good guess.

The phone reports what was tapped, and WeChat may report the same tap in an event; each is counted once (`tap_ledger`).
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
