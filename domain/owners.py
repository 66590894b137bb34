"""Households and their owners, the consents they gave, and the sign-in sessions they hold."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.scope import Scope
from memory.sqltypes import Json, UtcDateTime, new_id

MODEL_PROVIDER = "model_provider"  # words may leave for a model or an embedder that is somebody else's
OWNERS_A_QUERY = 500  # SQLite takes many more parameters, PostgreSQL plans such lists well
DEFAULT_TIMEZONE = "Asia/Shanghai"
DEFAULT_QUIET_FROM = time(22, 0)  # local; nothing is pushed between these two
DEFAULT_QUIET_TO = time(8, 0)


@dataclass(frozen=True, slots=True)
class Policy:
    """The text of one purpose. A text that says something new has a new version, and every owner is asked again."""

    version: str
    text: str


POLICIES: dict[str, Policy] = {
    "long_term_memory": Policy(
        "2026-11", "保存你和毛孩子的长期记忆与健康档案。关闭后不再记住新的内容，已有记忆仍由你查看和删除。"
    ),
    "model_provider": Policy(
        "2026-12",
        "把对话和有关的记忆发给第三方大模型，用来回答你、整理记忆（手机号、地址、证件号会先隐去）。"
        "关闭后只用本机的基础模式。",
    ),
    "push": Policy("2026-11", "通过微信订阅消息提醒疫苗、驱虫、待确认的档案变更。关闭后提醒只出现在小程序里。"),
}
"""The texts in force, by purpose."""


class Household(SQLModel, table=True):
    """The scope of everything. `revision` rises with every change a cached view of the household could miss."""

    __tablename__ = "households"

    id: str = Field(default_factory=new_id, primary_key=True)
    created_at: datetime = Field(sa_type=UtcDateTime)
    revision: int = 0


class Owner(SQLModel, table=True):
    """One person. `openid` is an encrypted-at-rest WeChat id outside `dev`; it never leaves the server."""

    __tablename__ = "owners"
    __table_args__ = (UniqueConstraint("appid", "openid"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    appid: str
    openid: str
    nickname: str | None = None
    timezone: str = DEFAULT_TIMEZONE
    quiet_from: time = DEFAULT_QUIET_FROM
    quiet_to: time = DEFAULT_QUIET_TO
    preferences: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    phone_encrypted: str | None = None
    phone_masked: str | None = None
    created_at: datetime = Field(sa_type=UtcDateTime)


class Consent(SQLModel, table=True):
    """One decision about one version of one purpose's text; the latest counts, all are kept."""

    __tablename__ = "consents"
    __table_args__ = (Index("ix_consents_owner", "owner_id", "purpose"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    owner_id: str = Field(sa_column_args=[ForeignKey("owners.id", ondelete="CASCADE")])
    purpose: str
    version: str
    granted: bool
    at: datetime = Field(sa_type=UtcDateTime)


class SignInSession(SQLModel, table=True):
    """One device's sign-in. Tokens are derived from id and generation, so none is stored. Real time throughout."""

    __tablename__ = "sign_in_sessions"

    id: str = Field(default_factory=new_id, primary_key=True)
    owner_id: str = Field(index=True, sa_column_args=[ForeignKey("owners.id", ondelete="CASCADE")])
    household_id: str
    generation: int = 1
    rotated_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime)  # of the refresh token
    revoked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


def scope_of(owner: Owner) -> Scope:
    """The scope this owner acts in."""
    return Scope(household_id=owner.household_id, owner_id=owner.id, timezone=owner.timezone)


async def sign_in_owner(session: AsyncSession, appid: str, openid: str, nickname: str | None, at: datetime) -> Owner:
    """The owner behind a WeChat identity; made together with a household at the first sign-in."""
    known = (
        await session.exec(select(Owner).where(col(Owner.appid) == appid, col(Owner.openid) == openid))
    ).one_or_none()
    if known is not None:
        return known
    household = Household(created_at=at)
    session.add(household)
    await session.flush()
    owner = Owner(household_id=household.id, appid=appid, openid=openid, nickname=nickname, created_at=at)
    session.add(owner)
    await session.flush()
    return owner


async def consents_of(session: AsyncSession, owner_id: str) -> dict[str, Consent]:
    """The latest decision for each purpose; a purpose never decided is absent."""
    rows = await session.exec(select(Consent).where(col(Consent.owner_id) == owner_id).order_by(col(Consent.id)))
    return {row.purpose: row for row in rows.all()}


async def has_consent(session: AsyncSession, owner_id: str, purpose: str) -> bool:
    """Whether this purpose is granted now. Never asked means no, and so does a yes to an older text."""
    latest = (
        await session.exec(
            select(Consent.granted, Consent.version)
            .where(col(Consent.owner_id) == owner_id, col(Consent.purpose) == purpose)
            .order_by(col(Consent.id).desc())
            .limit(1)
        )
    ).first()
    return latest is not None and in_force(purpose, latest[0], latest[1])


async def those_who_consent(session: AsyncSession, owner_ids: Collection[str], purpose: str) -> set[str]:
    """Those among these owners for whom this purpose is granted now."""
    asked, latest = sorted(owner_ids), dict[str, bool]()
    for start in range(0, len(asked), OWNERS_A_QUERY):
        some = asked[start : start + OWNERS_A_QUERY]
        rows = await session.exec(
            select(Consent.owner_id, Consent.granted, Consent.version)
            .where(col(Consent.owner_id).in_(some), col(Consent.purpose) == purpose)
            .order_by(col(Consent.id))
        )
        latest |= {owner_id: in_force(purpose, granted, version) for owner_id, granted, version in rows.all()}
    return {owner_id for owner_id, agrees in latest.items() if agrees}


def in_force(purpose: str, granted: bool, version: str) -> bool:
    """Whether a decision allows the purpose: a yes, to the text as it is now."""
    policy = POLICIES.get(purpose)
    return granted and policy is not None and policy.version == version


def set_consent(session: AsyncSession, owner_id: str, purpose: str, granted: bool, version: str, at: datetime) -> None:
    """Record a decision. `at` is domain time; the id keeps the real order."""
    session.add(Consent(owner_id=owner_id, purpose=purpose, version=version, granted=granted, at=at.astimezone(UTC)))


def in_quiet_hours(owner: Owner, at: datetime) -> bool:
    """Whether `at` falls into the owner's quiet hours, which may run over midnight."""
    clock = at.astimezone(ZoneInfo(owner.timezone)).time()
    if owner.quiet_from <= owner.quiet_to:
        return owner.quiet_from <= clock < owner.quiet_to
    return clock >= owner.quiet_from or clock < owner.quiet_to
