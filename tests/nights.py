"""Nights of a test home: what was said is in the log, the owner agreed, and the clock is ours."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from domain.model_chores import NotAsked
from domain.night import NightParts
from domain.owners import POLICIES, set_consent
from domain.talk_summaries import Talk
from jobs.consolidate import ConsolidateParts, consolidate, consolidate_owner
from jobs.rebuild_archives import ArchiveWriter
from memory.archives import Entry
from memory.condensing import Condenser
from memory.consolidation.answers_of_models import Pair, Verdicts
from memory.dreams import Dream
from memory.item_states import state_of
from memory.item_writes import add_item
from memory.items import MemoryItem
from memory.scope import Scope
from memory.visibility import SERVED
from tests.homes import MONDAY, SECRET, Home

Judge = Callable[[Sequence[Pair]], Awaitable[Verdicts]]


@dataclass
class Hands:
    """A model that does the chores it is given here, and none of the others, for everybody."""

    judging: Judge | None = None
    writing: ArchiveWriter | None = None
    condensing: Condenser | None = None

    async def hand_for(self, scope: Scope, now: datetime) -> "Hands":
        return self

    async def sentence(self, talk: Talk) -> str:
        raise NotAsked("sentence")

    async def write(self, name: str, label: str, entries: Sequence[Entry]) -> str:
        if self.writing is None:
            raise NotAsked("write")
        return await self.writing.write(name, label, entries)

    async def condense(self, lines: Mapping[str, str]) -> Mapping[str, str]:
        return {} if self.condensing is None else await self.condensing.condense(lines)

    async def judge(self, pairs: Sequence[Pair]) -> Verdicts:
        if self.judging is None:
            raise NotAsked("judge")
        return await self.judging(pairs)


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
    night = NightParts(home.database, lambda: clock, SECRET, Hands(judge) if judge is not None else None)
    return ConsolidateParts(night, lambda: now, before_phase)


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
