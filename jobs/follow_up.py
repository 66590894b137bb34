"""Asks how a sick pet is: follow-ups whose day has come go into the inbox, once each, out of quiet hours."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.follow_up_rules import is_past
from domain.follow_ups import LAPSED, OPEN, FollowUp
from domain.inbox import notify
from domain.owners import Owner, has_consent, scope_of
from domain.pets import Pet
from domain.running_turn import LONG_TERM_MEMORY
from memory.revision import touch
from memory.transactions import Transactions

BATCH = 100  # follow-ups a transaction
AHEAD = timedelta(hours=14)  # the furthest a local day is ahead of UTC
KIND = "follow_up"
TITLE = "来问问毛孩子的情况"
MORNING_HOUR = 10  # local: awake, and early enough to still see a vet that day


@dataclass(frozen=True, slots=True)
class FollowUpParts:
    """What the job works with. `now` is domain time."""

    transactions: Transactions
    now: Callable[[], datetime]


async def follow_up(parts: FollowUpParts) -> int:
    """Ask what is to be asked by now. Returns how many questions were put. Safe to run anywhere, any time."""
    asked, now, after = 0, parts.now(), ""
    while True:
        async with parts.transactions.write() as session:
            rows = await _due(session, now, after)
            for row in rows:
                asked += await _ask(session, row, now)
        if len(rows) < BATCH:
            return asked
        after = rows[-1].id


async def _due(session: AsyncSession, now: datetime, after: str) -> list[FollowUp]:
    """Open ones whose day has come somewhere on earth and that were not asked, or have outlived their news."""
    latest = (now + AHEAD).date()
    rows = await session.exec(
        select(FollowUp)
        .where(
            col(FollowUp.status) == OPEN,
            col(FollowUp.due_on) <= latest,
            col(FollowUp.id) > after,
            or_(col(FollowUp.asked_at).is_(None), col(FollowUp.due_on) < latest - timedelta(days=4)),
        )
        .order_by(col(FollowUp.id))
        .limit(BATCH)
        .with_for_update(skip_locked=True)
    )
    return list(rows.all())


async def _ask(session: AsyncSession, row: FollowUp, now: datetime) -> bool:
    owner, pet = await session.get(Owner, row.owner_id), await session.get(Pet, row.pet_id)
    if owner is None or pet is None:
        return False
    local = scope_of(owner).local(now)
    if pet.status != "active" or is_past(row.due_on, local.date()):
        row.status, row.closed_at = LAPSED, now
        session.add(row)
        touch(session, row.household_id)
        return False
    if row.due_on > local.date() or local.hour < MORNING_HOUR or row.asked_at is not None:
        return False
    if not await has_consent(session, owner.id, LONG_TERM_MEMORY):
        return False
    row.asked_at = now
    session.add(row)
    body = f"你说过「{row.about}」。{row.question}"
    link: dict[str, object] = {"follow_up_id": row.id, "pet_id": row.pet_id}
    key = f"{KIND}:{row.id}:{row.due_on.isoformat()}"
    return await notify(session, owner, KIND, key, TITLE, body, now, link=link) is not None
