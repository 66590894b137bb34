"""Tokens by which a calendar app reads a household's plans: only a hash is kept, and one can be taken back."""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from sqlalchemy import ForeignKey, func
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import NotFound, TooMany
from memory.scope import Scope
from memory.sqltypes import UtcDateTime, new_id

MAX_TOKENS = 10  # of an owner at once: every phone and computer, and some that were forgotten


class CalendarToken(SQLModel, table=True):
    """One subscription. The token itself is derived from the id, and stored nowhere."""

    __tablename__ = "calendar_tokens"

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str = Field(index=True, sa_column_args=[ForeignKey("owners.id", ondelete="CASCADE")])
    token_hash: str = Field(unique=True)
    created_at: datetime = Field(sa_type=UtcDateTime)


class UnknownCalendar(NotFound):
    """Wrong, taken back and never given are all the same."""

    code = "unknown_calendar"
    detail = "没有找到这个日历"


def token_of(key: bytes, token_id: str) -> str:
    """The text that stands in the address; 256 bits that nobody can guess without the service's secret."""
    return urlsafe_b64encode(hmac.digest(key, f"calendar:{token_id}".encode(), sha256)).decode().rstrip("=")


async def add_calendar_token(session: AsyncSession, scope: Scope, key: bytes, now: datetime) -> CalendarToken:
    """A new subscription. Raises TooMany."""
    count = await session.exec(
        select(func.count()).select_from(CalendarToken).where(col(CalendarToken.owner_id) == scope.owner_id)
    )
    if count.one() >= MAX_TOKENS:
        raise TooMany(f"最多可以有 {MAX_TOKENS} 个日历订阅，请先取消不用的")
    token_id = new_id()
    token = CalendarToken(
        id=token_id,
        household_id=scope.household_id,
        owner_id=scope.owner_id,
        token_hash=_hash(token_of(key, token_id)),
        created_at=now,
    )
    session.add(token)
    return token


async def calendar_tokens_of(session: AsyncSession, scope: Scope) -> Sequence[CalendarToken]:
    """The owner's subscriptions, newest first."""
    query = select(CalendarToken).where(
        col(CalendarToken.household_id) == scope.household_id, col(CalendarToken.owner_id) == scope.owner_id
    )
    return (await session.exec(query.order_by(col(CalendarToken.id).desc()))).all()


async def remove_calendar_token(session: AsyncSession, scope: Scope, token_id: str) -> None:
    """Take a subscription back. Raises UnknownCalendar."""
    for token in await calendar_tokens_of(session, scope):
        if token.id == token_id:
            await session.delete(token)
            return
    raise UnknownCalendar()


async def calendar_behind(session: AsyncSession, text: str) -> CalendarToken:
    """The subscription of a token. Raises UnknownCalendar for every text that is none."""
    query = select(CalendarToken).where(col(CalendarToken.token_hash) == _hash(text))
    token = (await session.exec(query)).one_or_none()
    if token is None:
        raise UnknownCalendar()
    return token


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
