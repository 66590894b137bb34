"""The nightly upgrade: memories are scored, rise, step down, are archived. Per owner, at 03:30 of the owner's clock.

Only owners with something due are visited, found through the due column. The lease row decides who works; every batch
is one short transaction that leaves nothing half done, so a run that was killed goes on where it stopped.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any

import structlog
from sqlalchemy import tuple_
from sqlmodel import col, select

from domain.card_notices import tell_card_is_full
from domain.grounded_clauses import Said, same_matters, stands_on
from domain.model_chores import Hand, Writers
from domain.owners import Owner, scope_of
from domain.pets import Pet
from domain.record_kinds import SAFETY_KINDS
from jobs.job_runs import finish, take_lease
from jobs.rebuild_archives import Rebuilt, rebuild_archives
from memory import dream_words as words
from memory.archive_rows import Archive
from memory.condensing import Condenser, accepted_wordings
from memory.core_budget import OWNER_CARD, PET_CARD, CardItem, Limits
from memory.dreams import tell_of_trouble
from memory.items import MemoryItem
from memory.transactions import Transactions
from memory.upgrade import UpgradeRules
from memory.upgrade_rows import BATCH, MAX_SHORT, MAX_TOPIC, Night, Upgraded, overfull_lines, upgrade_batch

log = structlog.get_logger(__name__)

JOB = "upgrade_memory"
AT = time(3, 30)  # local: everybody sleeps, and the day's talk is over
PAGE = 2000  # due entries of the index in one read

_SAFETY_NAMES = frozenset(kind.name for kind in SAFETY_KINDS)


@dataclass(frozen=True, slots=True)
class UpgradeParts:
    """What the job works with. Without writers lines keep their wording, and archives are summed up in their entries'
    own words.
    """

    transactions: Transactions
    real_now: Callable[[], datetime]
    pet_card: Limits = PET_CARD
    owner_card: Limits = OWNER_CARD
    rules: UpgradeRules = field(default_factory=UpgradeRules)
    max_short: int = MAX_SHORT
    max_topic: int = MAX_TOPIC
    at: time = AT
    writers: Writers | None = None


@dataclass(slots=True)
class UpgradeReport:
    """What a run did: how many owners were worked on, for how many it failed, and all their nights together."""

    owners: int = 0
    failed: int = 0
    upgraded: Upgraded = field(default_factory=Upgraded)
    archives: Rebuilt = field(default_factory=Rebuilt)


async def upgrade_due(parts: UpgradeParts, now: datetime) -> UpgradeReport:
    """Work on every owner whose night has come: something was due by the last 03:30 of the owner's clock."""
    report = UpgradeReport()
    async for owner, since in _owners_with_something_due(parts, now):
        night_at = last_night(owner, now, parts.at)
        if since <= night_at:
            await _work_if_possible(parts, owner, night_at, now, report)
    return report


async def upgrade_now(parts: UpgradeParts, now: datetime, owner_id: str | None = None) -> UpgradeReport:
    """Work at once on all that is due by `now`, whatever the clock; an operator asks for it. None: every owner."""
    report = UpgradeReport()
    async for owner, _ in _owners_with_something_due(parts, now, owner_id):
        await _work_on(parts, owner, now, now, report, again=True)
    return report


def last_night(owner: Owner, now: datetime, at: time = AT) -> datetime:
    """The latest instant at or before `now` at which the owner's clock showed `at`."""
    local = scope_of(owner).local(now)
    tonight = datetime.combine(local.date(), at, local.tzinfo)
    if tonight > local:
        tonight = datetime.combine(local.date() - timedelta(days=1), at, local.tzinfo)
    return tonight.astimezone(now.tzinfo)


async def _work_if_possible(
    parts: UpgradeParts, owner: Owner, due_by: datetime, now: datetime, report: UpgradeReport
) -> None:
    try:
        await _work_on(parts, owner, due_by, now, report)
    except Exception as error:  # one owner's night must not cost the others theirs; its lease brings it back
        log.exception("upgrade_failed", owner_id=owner.id, error=type(error).__name__)
        report.failed += 1


async def _work_on(
    parts: UpgradeParts, owner: Owner, due_by: datetime, now: datetime, report: UpgradeReport, *, again: bool = False
) -> None:
    """One owner's night, if no other worker has it."""
    day = scope_of(owner).local(due_by).date()
    async with parts.transactions.write() as session:
        mine = await take_lease(session, JOB, owner.id, day, parts.real_now(), again=again)
    if not mine:
        return
    scope = scope_of(owner)
    hand = await parts.writers.hand_for(scope, now) if parts.writers is not None else None
    upgraded = await upgrade_owner(parts, owner, due_by, now, hand)
    archives = await rebuild_archives(parts.transactions, scope, now, hand)
    async with parts.transactions.write() as session:
        if archives.kept:
            await tell_of_trouble(session, scope, words.summary_kept(), now)
        await finish(session, JOB, owner.id, day, parts.real_now())
    report.owners += 1
    report.upgraded.add(upgraded)
    report.archives.made += archives.made
    report.archives.kept += archives.kept


async def upgrade_owner(
    parts: UpgradeParts, owner: Owner, due_by: datetime, now: datetime, hand: Hand | None = None
) -> Upgraded:
    """All that one owner's memories had due by then, batch by batch."""
    night = Night(
        scope=scope_of(owner),
        due_by=due_by,
        now=now,
        real_now=parts.real_now(),
        safety_kinds=_SAFETY_NAMES,
        pet_card=parts.pet_card,
        owner_card=parts.owner_card,
        rules=parts.rules,
        max_short=parts.max_short,
        max_topic=parts.max_topic,
    )
    done = Upgraded()
    while True:
        shorter = _Wordings(await _wordings(parts, night, hand))
        async with parts.transactions.write() as session:
            batch = await upgrade_batch(session, night, shorter.of)
            await tell_card_is_full(session, owner, batch.turned_away, now)
        done.add(batch)
        if batch.reviewed < BATCH:
            return done


async def _wordings(parts: UpgradeParts, night: Night, condenser: Condenser | None) -> dict[str, str]:
    """Shorter wordings for cards that would have to give lines away; asked for with no transaction open."""
    if condenser is None:
        return {}
    async with parts.transactions.read() as session:
        lines = await overfull_lines(session, night)
        pets = (await session.exec(select(Pet).where(col(Pet.household_id) == night.scope.household_id))).all()
    names = [name for pet in pets for name in (pet.name, *pet.nicknames)]
    shorter = await accepted_wordings(condenser, lines, names) if lines else {}
    return {one: text for one, text in shorter.items() if _says_the_same(text, lines[one], names)}


def _says_the_same(wording: str, line: str, names: Sequence[str]) -> bool:
    return same_matters(wording, line, names) and stands_on(wording, [Said(line)], names)


@dataclass(frozen=True, slots=True)
class _Wordings:
    """What a condenser gave, as the plan asks for it."""

    by_id: Mapping[str, str]

    def of(self, line: CardItem) -> str:
        return self.by_id.get(line.id, line.content)


async def _owners_with_something_due(
    parts: UpgradeParts, now: datetime, owner_id: str | None = None
) -> AsyncIterator[tuple[Owner, datetime]]:
    """Owners with the time since which something of theirs is due, the longest waiting first; read page by page.

    One pass over the due part of each index. An owner who has been visited is not due any more, so nobody comes twice.
    """
    met: set[str] = set()
    for column in (_DUE_MEMORIES, _STALE_ARCHIVES):
        after: tuple[datetime, str] | None = None
        while page := await _due_page(parts, column, now, after, owner_id):
            fresh = {owner: since for since, owner in reversed(page) if owner not in met}
            async with parts.transactions.read() as session:
                owners = (await session.exec(select(Owner).where(col(Owner.id).in_(list(fresh))))).all()
            for owner in sorted(owners, key=lambda one: fresh[one.id]):
                yield owner, fresh[owner.id]
            met |= fresh.keys()
            after = page[-1]


_Due = tuple[Any, Any]
_DUE_MEMORIES: _Due = (col(MemoryItem.review_at), col(MemoryItem.owner_id))
_STALE_ARCHIVES: _Due = (col(Archive.stale_at), col(Archive.owner_id))


async def _due_page(
    parts: UpgradeParts, column: _Due, now: datetime, after: tuple[datetime, str] | None, owner_id: str | None
) -> Sequence[tuple[datetime, str]]:
    at, owner = column
    query = select(at, owner).where(at <= now).order_by(at, owner).limit(PAGE)
    if owner_id is not None:
        query = query.where(owner == owner_id)
    if after is not None:
        query = query.where(tuple_(at, owner) > after)
    async with parts.transactions.read() as session:
        return [(row[0], row[1]) for row in (await session.exec(query)).all()]
