"""What was heard about each belief: tellings, contrary days, and which of the premises still stand. It only reads."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.consolidation.applying import MERGED_INTO
from memory.consolidation.classify import Heard
from memory.consolidation.lines import NightLine
from memory.evidence import MEMORY
from memory.items import EvidenceRow, MemoryItem
from memory.scope import Scope
from memory.visibility import SERVED
from memory.vocabulary import Kind, MemoryStatus

_SPEAKING = (*SERVED, MemoryStatus.CANDIDATE.value, MemoryStatus.ARCHIVED.value)
_STANDING = (*SERVED, MemoryStatus.ARCHIVED.value, MemoryStatus.SUPERSEDED.value)
"""What happened stays happened when something newer takes its slot; only what was taken back stands no more."""


async def heard_of_beliefs(session: AsyncSession, scope: Scope, lines: Sequence[NightLine]) -> Mapping[str, Heard]:
    """By belief id. Reads nothing when there are no beliefs."""
    beliefs = [line for line in lines if line.kind is Kind.BELIEF and line.status is MemoryStatus.ACTIVE]
    if not beliefs:
        return {}
    rivals = await _rivals(session, scope, beliefs)
    ids = {line.id for line in beliefs} | {rival.id for found in rivals.values() for rival in found}
    days = await _days_by_item(session, scope, ids)
    premises = await premise_days(session, scope, {one for line in beliefs for one in line.premises})
    return {
        line.id: Heard(
            tellings=len(days[line.id]) or 1,
            contrary_days=len({day for rival in rivals[line.id] for day in days[rival.id]}),
            premise_days=len({premises[one] for one in line.premises if one in premises}) if line.premises else None,
        )
        for line in beliefs
    }


async def premise_days(session: AsyncSession, scope: Scope, ids: Iterable[str]) -> dict[str, date]:
    """The local day of each of these rows that still stands; rows that were taken back or erased are absent."""
    rows = await session.exec(
        select(MemoryItem).where(col(MemoryItem.household_id) == scope.household_id, col(MemoryItem.id).in_(list(ids)))
    )
    return {item.id: scope.local(item.valid_from or item.learned_at).date() for item in rows.all() if stands(item)}


def stands(item: MemoryItem) -> bool:
    """Whether what the row says still counts as having happened."""
    taken_back = item.status == MemoryStatus.SUPERSEDED.value and item.valid_to is None
    return item.status in _STANDING and (not taken_back or (item.reason or "").startswith(MERGED_INTO))


async def _rivals(session: AsyncSession, scope: Scope, beliefs: Sequence[NightLine]) -> dict[str, list[MemoryItem]]:
    """Rows that say the opposite about the same slot, by belief."""
    rows = await session.exec(
        select(MemoryItem).where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.attribute).in_({line.attribute for line in beliefs}),
            col(MemoryItem.status).in_(_SPEAKING),
        )
    )
    by_slot: dict[tuple[str | None, str], list[MemoryItem]] = defaultdict(list)
    for item in rows.all():
        by_slot[item.subject, item.attribute].append(item)
    return {
        line.id: [item for item in by_slot[line.subject, line.attribute] if item.negated != line.negated]
        for line in beliefs
    }


async def _days_by_item(session: AsyncSession, scope: Scope, ids: Iterable[str]) -> dict[str, list[date]]:
    """The local days of the evidence that counts, one entry a telling."""
    rows = await session.exec(
        select(EvidenceRow.target_id, EvidenceRow.said_at).where(
            col(EvidenceRow.household_id) == scope.household_id,
            col(EvidenceRow.target_kind) == MEMORY,
            col(EvidenceRow.target_id).in_(list(ids)),
            col(EvidenceRow.counts).is_(True),
        )
    )
    days: dict[str, list[date]] = defaultdict(list)
    for target_id, said_at in rows.all():
        days[target_id].append(scope.local(said_at).date())
    return days
