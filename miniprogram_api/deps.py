"""What routes are given: who calls, the two clocks, and one transaction a request.

`Acting` is a call that writes: its transaction commits after the route and before the answer, so a failed commit is a
failed answer. `Looking` only reads. Nobody calls `commit`.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.health_records import Change
from memory.scope import Scope
from memory.vocabulary import Source
from miniprogram_api.clock import Now, RealNow
from miniprogram_api.faults import ClientTooOld, NotSignedIn
from miniprogram_api.parts import Parts, parts_of
from miniprogram_api.sessions import live_session
from miniprogram_api.tokens import read_token

CLIENT_VERSION_HEADER = "X-Client-Version"

bearer = HTTPBearer(auto_error=False, description="POST /v1/auth/wechat 返回的 access_token")


@dataclass(frozen=True, slots=True)
class Caller:
    """The owner who calls, and the sign-in session the call came through."""

    scope: Scope
    session_id: str


@dataclass(frozen=True, slots=True)
class Call:
    """Everything a route needs. `now` is domain time, `real_now` the machine's."""

    session: AsyncSession
    scope: Scope
    now: datetime
    real_now: datetime
    parts: Parts

    def change(self, reason: str) -> Change:
        """Who changes a record by hand, when and why."""
        return Change(
            scope=self.scope,
            by=self.scope.owner_id,
            reason=reason,
            source=Source.OWNER,
            now=self.now,
            real_now=self.real_now,
        )


async def signed_in(
    request: Request,
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
    real_now: RealNow,
) -> Caller:
    """The caller. Raises NotSignedIn, and TooManyRequests for an owner who calls too often."""
    parts = parts_of(request)
    if given is None:
        raise NotSignedIn()
    token = read_token(parts.keys.tokens, given.credentials, "a", real_now)
    async with parts.transactions.quick_read() as quick:
        scope = await live_session(quick, token, real_now)
    if scope is None:
        raise NotSignedIn("登录已失效，请重新登录")
    parts.rate_limits.take(scope.owner_id)
    return Caller(scope, token.session_id)


SignedIn = Annotated[Caller, Depends(signed_in)]


async def acting(request: Request, caller: SignedIn, now: Now, real_now: RealNow) -> AsyncIterator[Call]:
    """A call inside one write transaction."""
    parts = parts_of(request)
    async with parts.transactions.write() as session:
        yield Call(session, caller.scope, now, real_now, parts)


async def looking(request: Request, caller: SignedIn, now: Now, real_now: RealNow) -> AsyncIterator[Call]:
    """A call that reads."""
    parts = parts_of(request)
    async with parts.transactions.read() as session:
        yield Call(session, caller.scope, now, real_now, parts)


Acting = Annotated[Call, Depends(acting, scope="function")]
Looking = Annotated[Call, Depends(looking, scope="function")]


async def require_recent_client(request: Request) -> None:
    """Raises ClientTooOld for a client below the configured minimum; one that does not say passes."""
    least = parts_of(request).options.min_client_version
    given = request.headers.get(CLIENT_VERSION_HEADER)
    if least and given and _numbers(given) < _numbers(least):
        raise ClientTooOld(min_version=least)


def _numbers(version: str) -> tuple[int, ...]:
    """1.12.0-beta → (1, 12, 0); what is no number counts as nothing."""
    parts = version.strip().lstrip("vV").partition("-")[0].split(".")
    return tuple(int(part) for part in parts if part.isdecimal())
