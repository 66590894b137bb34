"""Sleep: the night of every owner who is quiet, outside their active hours, and about whom something is new.

Runs anywhere, any time, in any number: a lease decides who works, every phase is one short transaction, and a worker
that died is replaced in the phase after the last one it finished. The owner coming back ends the night at once.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.model_chores import Writers
from domain.night import NightParts, NightRun, begin, close, run_phase
from domain.owners import Owner, has_consent, scope_of
from domain.running_turn import LONG_TERM_MEMORY
from domain.turns import Turn
from jobs.rebuild_archives import rebuild_archives
from memory.consolidation.archive import Archives
from memory.consolidation.collect import last_talk, talk_times
from memory.consolidation.losses import TooMuchLost
from memory.consolidation.runs import PHASES, Disturbed, sleepy_owners
from memory.consolidation.timing import active_hours, may_sleep
from memory.dreams import CANCELLED, DONE, STOPPED
from memory.scope import Scope
from memory.transactions import Transactions

log = structlog.get_logger(__name__)

OWNERS_A_READ = 200  # owners looked at in one read transaction
TALKS_KNOWN = 200  # newest conversations that an owner's hours are learned from


@dataclass(frozen=True, slots=True)
class ConsolidateParts:
    """What the job works with. `now` is domain time. before_phase: a hook of tests, called with each phase's name."""

    night: NightParts
    now: Callable[[], datetime]
    before_phase: Callable[[str], Awaitable[None]] | None = None


def archives_of(transactions: Transactions, writers: Writers | None = None) -> Archives:
    """What makes the stale summaries of an owner anew; whether all a model was asked for were made."""

    async def rebuild(scope: Scope, now: datetime) -> bool:
        hand = await writers.hand_for(scope, now) if writers is not None else None
        return not (await rebuild_archives(transactions, scope, now, hand)).kept

    return rebuild


async def consolidate(parts: ConsolidateParts) -> int:
    """Give every owner who may sleep their night. Returns how many nights were begun and came to an end."""
    slept, after = 0, ""
    while True:
        async with parts.night.transactions.read() as session:
            owners = await sleepy_owners(session, parts.now(), OWNERS_A_READ, after)
        for one in owners:
            slept += await _sleep_if_due(parts, one.owner_id)
        if len(owners) < OWNERS_A_READ:
            return slept
        after = owners[-1].owner_id


async def consolidate_owner(parts: ConsolidateParts, owner_id: str) -> str | None:
    """One owner's night now, whatever the hour. Returns how it ended; None when there is no such owner or no consent,
    a turn is running, or another worker holds the night."""
    async with parts.night.transactions.read() as session:
        owner = await session.get(Owner, owner_id)
        if owner is None or not await _may_remember(parts, session, owner):
            return None
    return await _sleep(parts, scope_of(owner))


async def _sleep_if_due(parts: ConsolidateParts, owner_id: str) -> bool:
    now = parts.now()
    async with parts.night.transactions.read() as session:
        owner = await session.get(Owner, owner_id)
        if owner is None or not await _may_remember(parts, session, owner):
            return False
        scope = scope_of(owner)
        talked_at = await last_talk(session, scope) or owner.created_at
        hours = active_hours([scope.local(at) for at in await talk_times(session, scope, TALKS_KNOWN)])
    if not may_sleep(scope.local(now), talked_at, hours, turn_running=False, anything_new=True):
        return False
    try:
        return await _sleep(parts, scope) is not None
    except Exception as error:  # one owner's night must not cost the others theirs; its lease brings it back
        log.exception("night_failed", owner_id=owner_id, error=type(error).__name__)
        return False


async def _may_remember(parts: ConsolidateParts, session: AsyncSession, owner: Owner) -> bool:
    """Consent to long-term memory, and no turn that is running."""
    if not await has_consent(session, owner.id, LONG_TERM_MEMORY):
        return False
    running = await session.exec(
        select(Turn.id).where(
            col(Turn.owner_id) == owner.id,
            col(Turn.status) == "running",
            col(Turn.lease_until) >= parts.night.real_now(),
        )
    )
    return running.first() is None


async def _sleep(parts: ConsolidateParts, scope: Scope) -> str | None:
    run = await begin(parts.night, scope, parts.now())
    if run is None:
        return None
    try:
        status = await _through_the_phases(parts, run)
    except Disturbed:
        status = CANCELLED
    except TooMuchLost as stopped:
        status = STOPPED
        run.trouble = stopped
    await close(parts.night, run, status)
    return status


async def _through_the_phases(parts: ConsolidateParts, run: NightRun) -> str:
    done = PHASES.index(run.phase) if run.phase in PHASES else 0
    for phase in PHASES[done + 1 :]:
        if parts.before_phase is not None:
            await parts.before_phase(phase)
        await run_phase(parts.night, run, phase)
    return DONE
