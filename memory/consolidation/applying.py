"""Carrying out what a phase planned: rows change in one short transaction, and the diary notes what they were before.

A row that changed since it was planned for is left alone; the next night looks at it again.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory import dream_words as words
from memory.consolidation.classify import Merge, Weighed
from memory.consolidation.decay import FADING_FOR, Departure, Departures
from memory.consolidation.lines import NightLine
from memory.consolidation.losses import Losses
from memory.dreams import Dream, add_line, forget_memories
from memory.evidence import MEMORY
from memory.item_states import SIGNALS, state_of
from memory.item_writes import revise_item
from memory.items import EvidenceRow, MemoryItem
from memory.scope import Scope
from memory.vocabulary import Kind, MemoryStatus, Tier

SYSTEM = "system"
MERGED_INTO = "merged into "
"""How the reason of a line begins that lives on in another one; the id follows."""

_TIER_RANK = {Tier.SHORT.value: 0, Tier.LONG.value: 1, Tier.CORE.value: 2}


@dataclass(slots=True)
class Night:
    """One transaction of one phase. `changes` is the diary's; `note` writes it back."""

    session: AsyncSession
    scope: Scope
    dream: Dream
    now: datetime
    real_now: datetime
    losses: Losses
    changes: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.changes = dict(self.dream.changes)

    async def rows(self, lines: Collection[NightLine]) -> dict[str, MemoryItem]:
        """The rows of these lines that are still as they were planned for."""
        versions = {line.id: line.version for line in lines}
        found = await self.rows_now(versions)
        return {item_id: item for item_id, item in found.items() if item.version == versions[item_id]}

    async def rows_now(self, ids: Collection[str]) -> dict[str, MemoryItem]:
        """These rows as this transaction reads them, where the plan was made inside it."""
        found = await self.session.exec(
            select(MemoryItem).where(
                col(MemoryItem.household_id) == self.scope.household_id, col(MemoryItem.id).in_(list(ids))
            )
        )
        return {item.id: item for item in found.all()}

    def before(self, item: MemoryItem) -> None:
        """Keep what the row was before this night touched it."""
        if item.id not in self.changes:
            self.changes[item.id] = {"subject": item.subject, "before": state_of(item), "acts": [], "evidence": {}}

    def made(self, item: MemoryItem, act: str) -> None:
        """Note a row that this night made."""
        self.changes[item.id] = {
            "subject": item.subject,
            "before": None,
            "after": state_of(item),
            "version": item.version,
            "acts": [[act, [item.id]]],
            "evidence": {},
        }

    async def keep(self, item: MemoryItem, act: str, ids: Sequence[str], reason: str) -> None:
        """Store a changed row as its next version, and note the act."""
        await revise_item(self.session, item, SYSTEM, reason, self.now, self.real_now)
        change = self.changes[item.id]
        change |= {"after": state_of(item), "version": item.version, "acts": [*change["acts"], [act, list(ids)]]}

    def note(self, phase: str) -> None:
        """Write the diary back: this phase is done."""
        self.dream.changes, self.dream.phase = dict(self.changes), phase
        taken = {tier.value: count for tier, count in self.losses.taken.items()}
        self.dream.counts = {**self.dream.counts, "taken": taken}
        self.session.add(self.dream)


async def apply_merges(night: Night, merges: Sequence[Merge]) -> None:
    """Let lines that say the same become one; what needs the owner's word is not among them. Raises TooMuchLost."""
    rows = await night.rows([line for merge in merges for line in (merge.gone, merge.into)])
    ready = [merge for merge in merges if merge.gone.id in rows and merge.into.id in rows]
    night.losses.take(merge.gone.tier for merge in ready)
    for merge in ready:
        gone, into = rows[merge.gone.id], rows[merge.into.id]
        await _merge(night, gone, into)
        add_line(night.dream, words.MERGED, words.merged(gone.content, into.content), [gone.id, into.id], into.subject)


async def apply_beliefs(night: Night, weighed: Sequence[Weighed]) -> None:
    """Move the confidence of guesses; some become facts, some are marked for deletion. Raises TooMuchLost."""
    rows = await night.rows([one.line for one in weighed])
    ready = [one for one in weighed if one.line.id in rows]
    night.losses.take(one.line.tier for one in ready if one.fades)
    for one in ready:
        item = rows[one.line.id]
        night.before(item)
        act, text = _settle_belief(item, one, night.now)
        await night.keep(item, act, [item.id], f"belief_{act}")
        if night.changes[item.id]["before"] is not None:  # of a guess made tonight enough is told already
            add_line(night.dream, act, text, [item.id], item.subject)


async def apply_departures(night: Night, planned: Departures) -> None:
    """Archive what faded or is over, remove what was marked a week ago. A layer loses a quarter a night at most."""
    faded = _within_room(night.losses, planned.faded)
    rows = await night.rows_now([*(one.line.id for one in (*faded, *planned.over)), *planned.removed])
    for leaves, act, tell in ((faded, words.ARCHIVED, words.archived), (planned.over, words.OVER, words.over)):
        leaving = []
        for one in leaves:
            item = rows[one.line.id]
            night.before(item)
            item.tier, item.status = one.verdict.tier.value, one.verdict.status.value
            item.upgrade, item.reason = one.verdict.upgrade.value, str(one.verdict.move)
            await night.keep(item, act, [item.id], item.reason)
            leaving.append(item)
        for subject, items in _by_subject(leaving).items():
            add_line(night.dream, act, tell([item.content for item in items]), [item.id for item in items], subject)
    await _remove(night, [rows[item_id] for item_id in planned.removed])


async def _merge(night: Night, gone: MemoryItem, into: MemoryItem) -> None:
    night.before(gone)
    night.before(into)
    moved = await hand_over(night.session, night.scope, gone, into)
    night.changes[gone.id]["evidence"] |= {evidence_id: [MEMORY, gone.id] for evidence_id in moved}
    ids = [gone.id, into.id]
    await night.keep(gone, words.MERGED, ids, gone.reason or "")
    await night.keep(into, words.MERGED, ids, f"merged {gone.id}")


async def hand_over(session: AsyncSession, scope: Scope, gone: MemoryItem, into: MemoryItem) -> Sequence[str]:
    """Let `into` take over evidence, signals, tier and protection of `gone`, which leaves service. Neither is stored.

    Returns the ids of the evidence that moved.
    """
    moved = await _hand_on_evidence(session, scope, gone, into)
    for name in SIGNALS:
        setattr(into, name, getattr(into, name) + getattr(gone, name))
    into.last_evidence_at = max(into.last_evidence_at, gone.last_evidence_at)
    into.last_used_at = max((at for at in (into.last_used_at, gone.last_used_at) if at), default=None)
    into.confidence, into.weight_level = (
        max(into.confidence, gone.confidence),
        max(into.weight_level, gone.weight_level),
    )
    into.locked, into.protected = into.locked or gone.locked, into.protected or gone.protected
    into.tier = max(into.tier, gone.tier, key=lambda tier: _TIER_RANK[tier])
    gone.status, gone.reason = MemoryStatus.SUPERSEDED.value, f"{MERGED_INTO}{into.id}"
    return moved


async def _hand_on_evidence(session: AsyncSession, scope: Scope, gone: MemoryItem, into: MemoryItem) -> Sequence[str]:
    mine = (
        col(EvidenceRow.household_id) == scope.household_id,
        col(EvidenceRow.target_kind) == MEMORY,
        col(EvidenceRow.target_id) == gone.id,
    )
    ids = (await session.exec(select(EvidenceRow.id).where(*mine))).all()
    target = (into.record_kind, into.record_id) if into.record_id else (MEMORY, into.id)
    await session.exec(
        update(EvidenceRow)
        .where(*mine)
        .values(target_kind=target[0], target_id=target[1])
        .execution_options(synchronize_session=False)
    )
    return ids


def _settle_belief(item: MemoryItem, weighed: Weighed, now: datetime) -> tuple[str, str]:
    surer = weighed.confidence > item.confidence
    item.confidence = weighed.confidence
    if weighed.becomes_fact:
        item.kind = Kind.FACT.value
        return words.BECAME_FACT, words.became_fact(item.content)
    if weighed.fades:
        item.status, item.reason = MemoryStatus.FADING.value, "belief_unsupported"
        item.expires_at = now + FADING_FOR
        return words.FADING, words.fading(item.content)
    return (words.SURER if surer else words.WEAKER), words.moved(item.content, surer)


async def _remove(night: Night, items: Sequence[MemoryItem]) -> None:
    """For good: no state of it is kept, and the diary forgets its words."""
    for item in items:
        item.status_before, item.status = item.status, MemoryStatus.DELETED.value
        item.deleted_at = night.real_now
        await revise_item(night.session, item, SYSTEM, "belief_removed", night.now, night.real_now)
    if items:
        await forget_memories(night.session, night.scope, [item.id for item in items], spared=night.dream.id)
    for subject, gone in _by_subject(items).items():
        add_line(night.dream, words.REMOVED, words.removed(len(gone)), (), subject)


def _within_room(losses: Losses, departures: Sequence[Departure]) -> list[Departure]:
    """As many lines of each layer as may still leave tonight, in their order; the rest goes another night."""
    leaving = []
    for one in departures:
        if losses.room(one.line.tier) > 0:
            losses.take([one.line.tier])
            leaving.append(one)
    return leaving


def _by_subject(items: Sequence[MemoryItem]) -> dict[str | None, list[MemoryItem]]:
    found: dict[str | None, list[MemoryItem]] = {}
    for item in items:
        found.setdefault(item.subject, []).append(item)
    return found
