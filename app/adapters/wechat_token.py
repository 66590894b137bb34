"""The access token of one app: shared by all processes, fetched by one of them at a time, never in a loop.

`stable_token` gives the same token until its last five minutes, so a lost race is harmless. A rejected token is
replaced only where it is still the one that is held (compare and expire), and at most once in thirty seconds; when the
database is down each process keeps what it has in memory and fetches at most once in thirty seconds.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import TypeGuard

import structlog
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.adapters.wechat_token_rows import FETCH_LEASE, REFETCH_EVERY, Held, TokenRows
from domain.wechat import WeChatFault, WeChatUnavailable

log = structlog.get_logger(__name__)

RENEW_BEFORE = timedelta(seconds=300)  # WeChat hands out the next token from here on; the old one works to its end
FAILED_PAUSE = timedelta(seconds=10)  # after a fetch that failed: whoever asks meanwhile hears the same
POLL_SECONDS = 0.1  # between looks for the token that another process fetches

STORE_DOWN = (OperationalError, InterfaceError, PoolTimeout, sqlite3.Error, OSError)

Fetch = Callable[[bool], Awaitable[tuple[str, int]]]
"""Asks WeChat for a token (True: a forced one). The token and the seconds it lives; raises WeChatFault."""


class AccessTokens:
    """Hands out the token that works now."""

    def __init__(self, rows: TokenRows, fetch: Fetch, real_now: Callable[[], datetime]) -> None:
        self._rows = rows
        self._fetch = fetch
        self._now = real_now
        self._one = asyncio.Lock()  # one of this process looks or fetches; the others wait for what it finds
        self._held: Held | None = None
        self._failed: tuple[datetime, WeChatFault] | None = None
        self._fetched_alone_at: datetime | None = None

    async def current(self) -> str:
        """A token that should work. Raises WeChatFault."""
        if self._good(self._held):
            return self._held.token
        async with self._one:
            if not self._good(self._held):
                self._held = await self._renewed()
            return self._held.token

    async def instead_of(self, rejected: str) -> str:
        """Another try after WeChat rejected a token: the one that replaced it, or a fetched one.

        The same one again when it was replaced moments ago: WeChat's own servers may need a while. Raises WeChatFault.
        """
        async with self._one:
            if self._held is not None and self._held.token != rejected and self._good(self._held):
                return self._held.token
            self._held = await self._replaced(rejected)
            return self._held.token

    async def _renewed(self) -> Held:
        try:
            held = await self._rows.held()
            if self._good(held):
                return held
            if await self._rows.may_fetch(held.version if held else 0, self._now()):
                return await self._fetched(held)
            return await self._from_others(held)
        except STORE_DOWN:
            return await self._alone(None)

    async def _replaced(self, rejected: str) -> Held:
        try:
            held = await self._rows.held()
            if self._good(held) and held.token != rejected:
                return held
            if await self._rows.may_refetch(rejected, self._now()):
                return await self._fetched(None, rejected)
            return await self._from_others(held, rejected)
        except STORE_DOWN:
            return await self._alone(rejected)

    async def _fetched(self, old: Held | None, rejected: str | None = None) -> Held:
        """Fetch under the lease. What still lives of the old token bridges a failure."""
        try:
            token, seconds = await self._asked(force=False)
            if token == rejected and await self._rows.may_force(self._now()):
                log.warning("wechat_token_forced")
                token, seconds = await self._asked(force=True)
        except WeChatFault:
            await self._rows.give_up()
            if self._alive(old):
                return old
            raise
        expires_at = self._now() + timedelta(seconds=seconds)
        await self._rows.keep(token, expires_at)
        return Held(token, (old.version if old else 0) + 1, expires_at)

    async def _from_others(self, held: Held | None, rejected: str | None = None) -> Held:
        """Another process fetches, or has just done so: what it brings, or what is there."""
        if rejected is None and self._alive(held):
            return held
        loop = asyncio.get_running_loop()
        until = loop.time() + FETCH_LEASE.total_seconds()
        while await self._rows.being_fetched(self._now()) and loop.time() < until:  # noqa: ASYNC110  # see below
            # another process fetches, and cannot wake us
            await asyncio.sleep(POLL_SECONDS)
        found = await self._rows.held()
        if self._alive(found):
            return found
        raise WeChatUnavailable()

    async def _alone(self, rejected: str | None) -> Held:
        """The database is down: what this process holds, or a fetch of its own, not too often."""
        held, now = self._held, self._now()
        if self._alive(held) and held.token != rejected:
            return held
        if self._fetched_alone_at is not None and now - self._fetched_alone_at < REFETCH_EVERY:
            if self._alive(held):
                return held
            raise WeChatUnavailable()
        self._fetched_alone_at = now
        log.warning("wechat_token_fetched_without_database")
        token, seconds = await self._asked(force=False)
        return Held(token, 0, self._now() + timedelta(seconds=seconds))

    async def _asked(self, *, force: bool) -> tuple[str, int]:
        """Ask WeChat; soon after a failure the same failure is told again without asking."""
        if self._failed is not None and self._now() < self._failed[0]:
            raise self._failed[1]
        try:
            answer = await self._fetch(force)
        except WeChatFault as fault:
            self._failed = (self._now() + FAILED_PAUSE, fault)
            raise
        self._failed = None
        return answer

    def _good(self, held: Held | None) -> TypeGuard[Held]:
        """Whether it need not be renewed yet."""
        return held is not None and held.expires_at - self._now() > RENEW_BEFORE

    def _alive(self, held: Held | None) -> TypeGuard[Held]:
        """Whether it works, for a while at least."""
        return held is not None and held.expires_at > self._now()
