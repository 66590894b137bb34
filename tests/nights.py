"""Nights of a test home: what was said is in the log, the owner agreed, and the clock is ours."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from domain.night import NightParts
from domain.owners import POLICIES, set_consent
from jobs.consolidate import ConsolidateParts, consolidate, consolidate_owner
from memory.consolidation.answers_of_models import Judge
from memory.dreams import Dream
from memory.item_states import state_of
from memory.item_writes import add_item
from memory.items import MemoryItem
from memory.visibility import SERVED
from tests.homes import MONDAY, SECRET, Home


def night_parts(
    home: Home,
    now: datetime,
    *,
    judge: Judge | None = None,
    before_phase: Callable[[str], Awaitable[None]] | None = None,
    real_now: datetime | None = None,
) -> ConsolidateParts:
    """The job at this moment."""
    clock = real_now or now
    return ConsolidateParts(NightParts(home.database, lambda: clock, SECRET, judge), lambda: now, before_phase)


async def agree(home: Home) -> None:
    """The owner consents to long-term memory."""
    async with home.database.write() as session:
        set_consent(
            session, home.scope.owner_id, "long_term_memory", True, POLICIES["long_term_memory"].version, MONDAY
        )


async def sleep(home: Home, now: datetime, **more: Any) -> str | None:
    """One night of the home's owner, whatever the hour; how it ended."""
    return await consolidate_owner(night_parts(home, now, **more), home.scope.owner_id)


async def sleep_if_due(home: Home, now: datetime, **more: Any) -> int:
    """What the scheduler does at this moment."""
    return await consolidate(night_parts(home, now, **more))


async def dreams(home: Home) -> list[Dream]:
    """The diary, oldest first."""
    async with home.database.read() as session:
        return list((await session.exec(select(Dream).order_by(col(Dream.id)))).all())


async def told(home: Home) -> list[str]:
    """What the lines of the diary are about, in order."""
    return [line["what"] for dream in await dreams(home) for line in dream.lines]


async def live_set(home: Home) -> list[dict[str, Any]]:
    """Every served row whole, but for the number of its version, which only ever grows."""
    async with home.database.read() as session:
        rows = await session.exec(
            select(MemoryItem).where(col(MemoryItem.status).in_(SERVED)).order_by(col(MemoryItem.id))
        )
        return [{name: value for name, value in state_of(row).items() if name != "version"} for row in rows.all()]


async def keep(home: Home, content: str, attribute: str = "behavior:a", **more: object) -> MemoryItem:
    """One line as it stands after its writing."""
    item = MemoryItem(
        household_id=home.scope.household_id,
        owner_id=home.scope.owner_id,
        subject=home.dog.id,
        attribute=attribute,
        attribute_class="behavior",
        content=content,
        topic="behavior",
        risk="low",
        learned_at=MONDAY,
        last_evidence_at=MONDAY,
    )
    for name, value in more.items():
        setattr(item, name, value)
    async with home.database.write() as session:
        add_item(session, item, home.scope.owner_id, "test", MONDAY)
    return item
