"""The access token that all processes share: one row an app, changed only by who finds it as expected.

A process that wants to fetch takes a lease in the row first; the others wait for the new version. All times are real
time. The token is sealed; its fingerprint tells whether the row still holds the one that WeChat rejected.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any, Protocol

from sqlalchemy import or_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Field, SQLModel, col, select

from memory.sqltypes import UtcDateTime
from memory.transactions import Transactions

FETCH_LEASE = timedelta(seconds=15)  # longer than a call may take; a process that died is replaced after it
REFETCH_EVERY = timedelta(seconds=30)  # between two fetches made because a token was rejected
FORCE_EVERY = timedelta(seconds=30)  # WeChat ignores forced refreshes that come faster
FORCES_A_DAY = 15  # WeChat allows 20


class WeChatToken(SQLModel, table=True):
    """The token of one app. `version` rises with every token that is kept."""

    __tablename__ = "wechat_tokens"

    appid: str = Field(primary_key=True)
    sealed: str | None = None
    fingerprint: str = ""
    version: int = 0
    expires_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    fetching_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    refetched_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    forced_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    forced_on: date | None = None
    forced_times: int = 0


@dataclass(frozen=True, slots=True)
class Held:
    """A token as it was read."""

    token: str
    version: int
    expires_at: datetime


class Seals(Protocol):
    """What encrypts a token at rest."""

    def seal(self, text: str) -> str: ...

    def open(self, sealed: str) -> str: ...


class TokenRows:
    """The row of one app."""

    def __init__(self, transactions: Transactions, seals: Seals, appid: str) -> None:
        self._transactions = transactions
        self._seals = seals
        self._appid = appid

    async def held(self) -> Held | None:
        """The token in the row, whether or not it is still good."""
        async with self._transactions.read() as session:
            row = (await session.exec(select(WeChatToken).where(col(WeChatToken.appid) == self._appid))).one_or_none()
        if row is None or row.sealed is None or row.expires_at is None:
            return None
        return Held(self._seals.open(row.sealed), row.version, row.expires_at)

    async def being_fetched(self, now: datetime) -> bool:
        """Whether somebody holds the lease."""
        async with self._transactions.read() as session:
            until = await session.exec(select(WeChatToken.fetching_until).where(col(WeChatToken.appid) == self._appid))
        found = until.one_or_none()
        return found is not None and found > now

    async def may_fetch(self, version: int, now: datetime) -> bool:
        """Take the lease, if the row is still at `version` and nobody else fetches."""
        return await self._take(col(WeChatToken.version) == version, now, {})

    async def may_refetch(self, rejected: str, now: datetime) -> bool:
        """Take the lease because WeChat rejected this token; not twice within `REFETCH_EVERY`."""
        held = col(WeChatToken.fingerprint) == fingerprint(rejected)
        return await self._take(
            held & _long_ago(WeChatToken.refetched_at, now, REFETCH_EVERY), now, {"refetched_at": now}
        )

    async def may_force(self, now: datetime) -> bool:
        """Count one forced refresh, if WeChat would still take it."""
        today = now.date()
        async with self._transactions.write() as session:
            fresh_day = or_(col(WeChatToken.forced_on).is_(None), col(WeChatToken.forced_on) != today)
            mine = col(WeChatToken.appid) == self._appid
            await session.exec(update(WeChatToken).where(mine, fresh_day).values(forced_on=today, forced_times=0))
            counted = await session.exec(
                update(WeChatToken)
                .where(
                    mine,
                    col(WeChatToken.forced_times) < FORCES_A_DAY,
                    _long_ago(WeChatToken.forced_at, now, FORCE_EVERY),
                )
                .values(forced_at=now, forced_times=col(WeChatToken.forced_times) + 1)
            )
        return bool(counted.rowcount)

    async def keep(self, token: str, expires_at: datetime) -> None:
        """Put a fetched token into the row and end the lease."""
        values = {
            "sealed": self._seals.seal(token),
            "fingerprint": fingerprint(token),
            "version": col(WeChatToken.version) + 1,
            "expires_at": expires_at,
            "fetching_until": None,
        }
        async with self._transactions.write() as session:
            await session.exec(update(WeChatToken).where(col(WeChatToken.appid) == self._appid).values(**values))

    async def give_up(self) -> None:
        """End the lease without a token."""
        async with self._transactions.write() as session:
            await session.exec(
                update(WeChatToken).where(col(WeChatToken.appid) == self._appid).values(fetching_until=None)
            )

    async def _take(self, expected: Any, now: datetime, values: dict[str, Any]) -> bool:
        async with self._transactions.write() as session:
            insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
            empty = {"appid": self._appid, "fingerprint": "", "version": 0, "forced_times": 0}
            await session.exec(insert(WeChatToken).values(**empty).on_conflict_do_nothing())
            free = or_(col(WeChatToken.fetching_until).is_(None), col(WeChatToken.fetching_until) < now)
            taken = await session.exec(
                update(WeChatToken)
                .where(col(WeChatToken.appid) == self._appid, expected, free)
                .values(fetching_until=now + FETCH_LEASE, **values)
            )
        return bool(taken.rowcount)


def fingerprint(token: str) -> str:
    """A hash by which a token is recognised."""
    return sha256(token.encode()).hexdigest()


def _long_ago(column: Any, now: datetime, pause: timedelta) -> Any:
    return or_(col(column).is_(None), col(column) <= now - pause)
