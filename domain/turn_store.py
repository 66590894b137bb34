"""The rows of turns: accepting one exactly once, its events, its end. All leases are real time.

This is the hot path: every statement is prebuilt and runs through `Quick`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, select, update
from sqlmodel import col

from domain.errors import TurnInProgress, TurnTextChanged, UnknownTurn
from domain.turns import TURN_LEASE, Turn, TurnEvent
from memory.prepared import Quick, Statement, by_dialect, insert_of, row_of
from memory.scope import Scope
from memory.sqltypes import new_id

INTERRUPTED: dict[str, Any] = {"code": "turn_interrupted", "detail": "回复中断了，请再发一次", "retryable": True}
"""Why a turn has no answer whose process died, or that took longer than its lease."""

Event = tuple[int, str, dict[str, Any]]
"""seq, event name, data."""


class TurnRow(NamedTuple):
    """What reading a turn gives."""

    id: str
    message_id: str | None
    body_hash: str
    temporary: bool
    status: str
    lease_until: datetime
    answer: dict[str, Any] | None
    trace: list[Any] | None


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

    lease_until: what the run must still hold when it stores something. again: a turn that failed is run once more;
    its message is in the log already.
    """

    turn_id: str
    message_id: str
    lease_until: datetime
    fresh: bool
    again: bool = False


_COLUMNS = [col(getattr(Turn, name)) for name in TurnRow._fields]
_OF_OWNER = col(Turn.owner_id) == bindparam("owner")
_RUNNING = col(Turn.status) == "running"
_THIS_TURN = col(Turn.id) == bindparam("turn")
_HELD = (_THIS_TURN, _RUNNING, col(Turn.lease_until) == bindparam("lease"))

_INSERT = insert_of(Turn, ignore_conflicts=True)
_ADD_EVENT = insert_of(TurnEvent)
_BY_CLIENT_ID = Statement(select(*_COLUMNS).where(_OF_OWNER, col(Turn.client_msg_id) == bindparam("client_msg_id")))
_BY_ID = Statement(select(*_COLUMNS).where(_THIS_TURN, _OF_OWNER, col(Turn.household_id) == bindparam("household")))
_RUNNING_OF_OWNER = Statement(select(col(Turn.id)).where(_OF_OWNER, _RUNNING))
_RUN_AGAIN = Statement(
    update(Turn)
    .where(_THIS_TURN, col(Turn.status) == "failed")
    .values(status="running", lease_until=bindparam("new_lease"), answer=None, cancel_requested=False)
)
_FORGET_EVENTS = Statement(delete(TurnEvent).where(col(TurnEvent.turn_id) == bindparam("turn")))
_FAIL = update(Turn).where(_RUNNING).values(status="failed", answer=bindparam("problem"))
_FAIL_EXPIRED = Statement(_FAIL.where(col(Turn.lease_until) < bindparam("real_now")))
_FAIL_EXPIRED_OF_OWNER = Statement(_FAIL.where(col(Turn.lease_until) < bindparam("real_now"), _OF_OWNER))
_FAIL_ALL = Statement(_FAIL)
_FINISH = Statement(
    update(Turn)
    .where(*_HELD)
    .values(
        status=bindparam("new_status"),
        answer=bindparam("new_answer"),
        finished_at=bindparam("now"),
        trace=bindparam("new_trace"),
        conversation_id=bindparam("conversation"),
    )
)
_EVENTS = Statement(
    select(col(TurnEvent.seq), col(TurnEvent.event), col(TurnEvent.data))
    .where(col(TurnEvent.turn_id) == bindparam("turn"), col(TurnEvent.seq) > bindparam("after"))
    .order_by(col(TurnEvent.seq))
)
_ASK_TO_STOP = Statement(update(Turn).where(_THIS_TURN, _RUNNING).values(cancel_requested=True))
_STOPS_ASKED = Statement(select(col(Turn.id)).where(_RUNNING, col(Turn.cancel_requested).is_(True)))
_STILL_HELD = Statement(select(col(Turn.id)).where(*_HELD))


async def accept(quick: Quick, scope: Scope, new: NewTurn) -> Accepted:
    """Take a turn exactly once, in the caller's transaction.

    The same client_msg_id answers the first turn, and runs a failed one again. Raises TurnTextChanged when it comes
    with another body, TurnInProgress while another turn of the owner holds a live lease.
    """
    made = await _insert(quick, scope, new)
    if made is None and await interrupt_expired(quick, new.real_now, scope.owner_id):
        made = await _insert(quick, scope, new)
    return made or await _known_turn(quick, scope, new)


async def interrupt_expired(quick: Quick, real_now: datetime, owner_id: str | None = None) -> int:
    """Mark turns whose lease ran out as failed, of one owner or of all; how many there were."""
    params = {"real_now": real_now, "owner": owner_id, "problem": INTERRUPTED}
    return await quick.run(_FAIL_EXPIRED if owner_id is None else _FAIL_EXPIRED_OF_OWNER, _only(params))


async def interrupt_all(quick: Quick) -> int:
    """Mark every running turn as failed: for a set-up with one process, when it starts."""
    return await quick.run(_FAIL_ALL, {"problem": INTERRUPTED})


async def add_events(quick: Quick, events: Sequence[tuple[str, Event]]) -> None:
    """Append events, each with the id of its turn; seq must go on from the last one of that turn."""
    if events:
        rows = [{"turn_id": turn, "seq": seq, "event": name, "data": data} for turn, (seq, name, data) in events]
        await quick.run_many(by_dialect(_ADD_EVENT, quick), rows)


async def is_held(quick: Quick, turn_id: str, lease: datetime) -> bool:
    """False when the run with this lease was interrupted, or its turn is run by somebody else by now."""
    return bool(await quick.rows(_STILL_HELD, {"turn": turn_id, "lease": lease}))


async def finish(
    quick: Quick,
    turn_id: str,
    lease: datetime,
    status: str,
    answer: Mapping[str, Any] | None,
    now: datetime,
    trace: list[Any] | None = None,
    conversation_id: str | None = None,
) -> None:
    """End the run with this lease. Raises UnknownTurn when it does not hold the turn any more; that stays as it is."""
    done = await quick.run(
        _FINISH,
        {
            "turn": turn_id,
            "lease": lease,
            "new_status": status,
            "new_answer": None if answer is None else dict(answer),
            "now": now,
            "new_trace": trace,
            "conversation": conversation_id,
        },
    )
    if not done:
        raise UnknownTurn()


async def turn_of(quick: Quick, scope: Scope, turn_id: str) -> TurnRow:
    """One turn of this owner. Raises UnknownTurn."""
    rows = await quick.rows(_BY_ID, {"turn": turn_id, "owner": scope.owner_id, "household": scope.household_id})
    if not rows:
        raise UnknownTurn()
    return TurnRow(*rows[0])


async def events_after(quick: Quick, turn_id: str, after: int) -> list[Event]:
    """Stored events with a higher seq, in order. The caller has checked that the turn is the owner's."""
    rows = await quick.rows(_EVENTS, {"turn": turn_id, "after": after})
    return [(row.seq, row.event, dict(row.data)) for row in rows]


async def request_cancel(quick: Quick, turn_id: str) -> None:
    """Ask the process that runs the turn to stop it."""
    await quick.run(_ASK_TO_STOP, {"turn": turn_id})


async def cancel_requested(quick: Quick) -> list[str]:
    """Ids of running turns, of any replica, that their owners want to stop."""
    return [row.id for row in await quick.rows(_STOPS_ASKED, {})]


async def _insert(quick: Quick, scope: Scope, new: NewTurn) -> Accepted | None:
    turn_id, message_id, lease = new_id(), new_id(), new.real_now + TURN_LEASE
    made = await quick.run(
        by_dialect(_INSERT, quick),
        row_of(
            Turn,
            id=turn_id,
            household_id=scope.household_id,
            owner_id=scope.owner_id,
            message_id=message_id,
            client_msg_id=new.client_msg_id,
            body_hash=new.body_hash,
            temporary=new.temporary,
            lease_until=lease,
            started_at=new.now,
        ),
    )
    return Accepted(turn_id, message_id, lease, fresh=True) if made else None


async def _known_turn(quick: Quick, scope: Scope, new: NewTurn) -> Accepted:
    # In this order: another replica may take this very turn again between the two, and is then seen as running it.
    running = await quick.rows(_RUNNING_OF_OWNER, {"owner": scope.owner_id})
    found = await quick.rows(_BY_CLIENT_ID, {"owner": scope.owner_id, "client_msg_id": new.client_msg_id})
    in_progress = TurnInProgress(turn_id=running[0].id if running else None)
    if not found:
        raise in_progress
    known = TurnRow(*found[0])
    if known.body_hash != new.body_hash:
        raise TurnTextChanged()
    if known.status == "failed" and running:
        raise in_progress
    again = known.status == "failed" and await _run_again(quick, known.id, new)
    lease = new.real_now + TURN_LEASE if again else known.lease_until
    return Accepted(known.id, known.message_id or "", lease, fresh=again, again=again)


async def _run_again(quick: Quick, turn_id: str, new: NewTurn) -> bool:
    """Take a failed turn once more; False when another replica has just done so."""
    if not await quick.run(_RUN_AGAIN, {"turn": turn_id, "new_lease": new.real_now + TURN_LEASE}):
        return False
    await quick.run(_FORGET_EVENTS, {"turn": turn_id})
    return True


def _only(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}
