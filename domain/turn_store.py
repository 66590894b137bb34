"""The rows of turns: accepting one exactly once, its events, its end. All leases are real time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import TurnInProgress, TurnTextChanged, UnknownTurn
from domain.turns import TURN_LEASE, Turn, TurnEvent
from memory.scope import Scope
from memory.sqltypes import new_id

INTERRUPTED = "turn_interrupted"

Event = tuple[int, str, dict[str, Any]]
"""seq, event name, data."""


@dataclass(frozen=True, slots=True)
class NewTurn:
    """What identifies a turn before it exists."""

    client_msg_id: str
    body_hash: str
    temporary: bool
    now: datetime
    real_now: datetime


@dataclass(frozen=True, slots=True)
class Accepted:
    """`fresh` turns are to be run by the caller; others are joined or answered from what is stored.

    again: a turn that failed is run once more; its message is in the log already.
    """

    turn_id: str
    message_id: str
    fresh: bool
    again: bool = False


async def accept(session: AsyncSession, scope: Scope, new: NewTurn) -> Accepted:
    """Take a turn exactly once, in the caller's transaction.

    The same client_msg_id answers the first turn, and runs a failed one again. Raises TurnTextChanged when it comes
    with another body, TurnInProgress while another turn of the owner holds a live lease.
    """
    made = await _insert(session, scope, new)
    if made is None and await interrupt_expired(session, new.real_now, scope.owner_id):
        made = await _insert(session, scope, new)
    return made or await _known_turn(session, scope, new)


async def _insert(session: AsyncSession, scope: Scope, new: NewTurn) -> Accepted | None:
    turn_id, message_id = new_id(), new_id()
    dialect = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    made = await session.exec(
        dialect(Turn)
        .values(
            id=turn_id,
            household_id=scope.household_id,
            owner_id=scope.owner_id,
            message_id=message_id,
            client_msg_id=new.client_msg_id,
            body_hash=new.body_hash,
            temporary=new.temporary,
            status="running",
            cancel_requested=False,
            lease_until=new.real_now + TURN_LEASE,
            started_at=new.now,
        )
        .on_conflict_do_nothing()
    )
    return Accepted(turn_id, message_id, fresh=True) if made.rowcount else None


async def _known_turn(session: AsyncSession, scope: Scope, new: NewTurn) -> Accepted:
    known = (
        await session.exec(
            select(Turn).where(col(Turn.owner_id) == scope.owner_id, col(Turn.client_msg_id) == new.client_msg_id)
        )
    ).one_or_none()
    running = (
        await session.exec(select(Turn.id).where(col(Turn.owner_id) == scope.owner_id, col(Turn.status) == "running"))
    ).one_or_none()
    if known is None:
        raise TurnInProgress(turn_id=running)
    if known.body_hash != new.body_hash:
        raise TurnTextChanged()
    fresh = known.status == "failed"
    if fresh:
        if running is not None:
            raise TurnInProgress(turn_id=running)
        await session.exec(delete(TurnEvent).where(col(TurnEvent.turn_id) == known.id))
        known.status, known.lease_until, known.answer = "running", new.real_now + TURN_LEASE, None
        known.cancel_requested = False
        session.add(known)
        await session.flush()
    return Accepted(known.id, known.message_id or "", fresh, again=fresh)


async def interrupt_expired(
    session: AsyncSession, real_now: datetime, owner_id: str | None = None, *, all_running: bool = False
) -> int:
    """Mark turns whose lease ran out as failed; with `all_running` every running one (a single process that starts)."""
    query = update(Turn).where(col(Turn.status) == "running")
    if not all_running:
        query = query.where(col(Turn.lease_until) < real_now)
    if owner_id is not None:
        query = query.where(col(Turn.owner_id) == owner_id)
    return (await session.exec(query.values(status="failed", answer={"code": INTERRUPTED}))).rowcount


async def add_events(session: AsyncSession, turn_id: str, events: Sequence[Event]) -> None:
    """Append events; seq must go on from the last one."""
    if events:
        await session.exec(
            insert(TurnEvent),
            params=[{"turn_id": turn_id, "seq": seq, "event": name, "data": data} for seq, name, data in events],
        )


async def finish(
    session: AsyncSession,
    turn_id: str,
    status: str,
    answer: Mapping[str, Any] | None,
    now: datetime,
    trace: list[Any] | None = None,
    conversation_id: str | None = None,
) -> None:
    """End a running turn. A turn that was interrupted meanwhile stays as it is and UnknownTurn is raised."""
    done = await session.exec(
        update(Turn)
        .where(col(Turn.id) == turn_id, col(Turn.status) == "running")
        .values(
            status=status,
            answer=None if answer is None else dict(answer),
            finished_at=now,
            trace=trace,
            conversation_id=conversation_id,
        )
    )
    if not done.rowcount:
        raise UnknownTurn()


async def turn_of(session: AsyncSession, scope: Scope, turn_id: str) -> Turn:
    """One turn of this owner. Raises UnknownTurn."""
    turn = (
        await session.exec(
            select(Turn).where(
                col(Turn.household_id) == scope.household_id,
                col(Turn.owner_id) == scope.owner_id,
                col(Turn.id) == turn_id,
            )
        )
    ).one_or_none()
    if turn is None:
        raise UnknownTurn()
    return turn


async def events_after(session: AsyncSession, turn_id: str, after: int) -> list[Event]:
    """Stored events with a higher seq, in order. The caller has checked that the turn is the owner's."""
    rows = await session.exec(
        select(TurnEvent.seq, TurnEvent.event, TurnEvent.data)
        .where(col(TurnEvent.turn_id) == turn_id, col(TurnEvent.seq) > after)
        .order_by(col(TurnEvent.seq))
    )
    return [(seq, name, dict(data)) for seq, name, data in rows.all()]


async def request_cancel(session: AsyncSession, turn_id: str) -> None:
    """Ask the process that runs the turn to stop it."""
    await session.exec(
        update(Turn).where(col(Turn.id) == turn_id, col(Turn.status) == "running").values(cancel_requested=True)
    )


async def cancel_requested(session: AsyncSession, turn_id: str) -> bool:
    """Whether the owner wants this turn to stop (asked on any replica)."""
    return bool((await session.exec(select(Turn.cancel_requested).where(col(Turn.id) == turn_id))).first())
