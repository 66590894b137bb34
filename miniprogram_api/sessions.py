"""The life of a sign-in session: begun, looked up at every call, rotated, revoked. Real time throughout."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.owners import Household, Owner, SignInSession
from memory.prepared import Quick, Statement
from memory.scope import Scope
from miniprogram_api.tokens import PREVIOUS_FOR, REFRESH_FOR, Token, TokenPair, pair_of


@dataclass(frozen=True, slots=True)
class Rotated:
    """What became of a refresh. `pair` is None when the session was revoked because an old token came back."""

    owner: Owner | None
    pair: TokenPair | None


def begin_session(session: AsyncSession, key: bytes, owner: Owner, real_now: datetime) -> TokenPair:
    """Sign one device in."""
    row = SignInSession(
        owner_id=owner.id,
        household_id=owner.household_id,
        rotated_at=real_now,
        expires_at=real_now + REFRESH_FOR,
    )
    session.add(row)
    return _pair(key, row)


_LIVE = Statement(
    select(Owner.household_id, Owner.id, Owner.timezone)
    .join(SignInSession, col(SignInSession.owner_id) == col(Owner.id))
    .join(Household, col(Household.id) == col(Owner.household_id))
    .where(
        col(SignInSession.id) == bindparam("session"),
        col(SignInSession.generation) >= bindparam("generation"),
        col(SignInSession.revoked_at).is_(None),
        col(SignInSession.expires_at) > bindparam("real_now"),
    )
)


async def live_session(quick: Quick, token: Token, real_now: datetime) -> Scope | None:
    """The scope behind an access token: its session, owner and household looked up in one statement."""
    given = {"session": token.session_id, "generation": token.generation, "real_now": real_now}
    found = await quick.rows(_LIVE, given)
    return Scope(*found[0]) if found else None


async def rotate_session(session: AsyncSession, key: bytes, token: Token, real_now: datetime) -> Rotated:
    """Answer a refresh token with the next pair.

    The token before the current one gets the current pair for 60 seconds; any older use revokes the session.
    """
    moved = await session.exec(
        update(SignInSession)
        .where(
            col(SignInSession.id) == token.session_id,
            col(SignInSession.generation) == token.generation,
            col(SignInSession.revoked_at).is_(None),
            col(SignInSession.expires_at) > real_now,
        )
        .values(generation=token.generation + 1, rotated_at=real_now, expires_at=real_now + REFRESH_FOR)
    )
    row = (await session.exec(select(SignInSession).where(col(SignInSession.id) == token.session_id))).one_or_none()
    if row is None or row.revoked_at is not None:
        return Rotated(None, None)
    late = token.generation < row.generation - 1 or real_now - row.rotated_at > PREVIOUS_FOR
    if not moved.rowcount and late:
        await revoke_session(session, row.id, real_now)
        return Rotated(None, None)
    owner = (await session.exec(select(Owner).where(col(Owner.id) == row.owner_id))).one()
    return Rotated(owner, _pair(key, row))


async def revoke_session(session: AsyncSession, session_id: str, real_now: datetime) -> None:
    """End a session; its tokens are dead at once."""
    await session.exec(
        update(SignInSession)
        .where(col(SignInSession.id) == session_id, col(SignInSession.revoked_at).is_(None))
        .values(revoked_at=real_now)
    )


def _pair(key: bytes, row: SignInSession) -> TokenPair:
    return pair_of(key, row.id, row.generation, row.rotated_at, row.expires_at)
