"""What was heard about each belief: tellings, contrary days, and which of the premises still stand. It only reads."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from sqlmodel import col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.consolidation.applying import MERGED_INTO
from memory.consolidation.classify import Heard
from memory.consolidation.lines import NightLine, night_line
from memory.evidence import MEMORY
from memory.items import EvidenceRow, MemoryItem
from memory.scope import Scope
from memory.visibility import SERVED
from memory.vocabulary import OWNER_SUBJECT, Kind, MemoryStatus

INFERRED = "habit:"
"""How the slot of an inferred belief begins; the slot of its premises follows."""

_SPEAKING = (*SERVED, MemoryStatus.CANDIDATE.value, MemoryStatus.ARCHIVED.value)
_STANDING = (*SERVED, MemoryStatus.ARCHIVED.value, MemoryStatus.SUPERSEDED.value)
"""What happened stays happened when something newer takes its slot; only what was taken back stands no more."""


async def belief_lines(session: AsyncSession, scope: Scope) -> list[NightLine]:
    """The guesses in force: about pets, and about this owner."""
    rows = await session.exec(
        select(MemoryItem)
        .where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.status) == MemoryStatus.ACTIVE.value,
            col(MemoryItem.kind) == Kind.BELIEF.value,
            or_(
                col(MemoryItem.subject).is_(None),
                col(MemoryItem.subject) != OWNER_SUBJECT,
                col(MemoryItem.owner_id) == scope.owner_id,
            ),
        )
        .order_by(col(MemoryItem.id))
    )
    return [night_line(item, scope) for item in rows.all()]


async def heard_of_beliefs(session: AsyncSession, scope: Scope, lines: Sequence[NightLine]) -> Mapping[str, Heard]:
    """By belief id. Reads nothing when there are no beliefs."""
    beliefs = [line for line in lines if line.kind is Kind.BELIEF and line.status is MemoryStatus.ACTIVE]
    if not beliefs:
        return {}
    rivals = await _rivals(session, scope, beliefs)
    ids = {line.id for line in beliefs} | {rival.id for found in rivals.values() for rival in found}
    days = await _days_by_item(session, scope, ids)
    premises = await _standing(session, scope, {one for line in beliefs for one in line.premises})
    premise_days = await _days_by_item(session, scope, premises)
    return {
        line.id: Heard(
            tellings=len(days[line.id]) or 1,
            contrary_days=len({day for rival in rivals[line.id] for day in days[rival.id]}),
            premise_days=_days_of_premises(line, premises, premise_days, scope) if line.premises else None,
        )
        for line in beliefs
    }


def slot_inferred_from(attribute: str) -> str:
    """The slot that the premises of an inferred belief stand in."""
    return attribute.removeprefix(INFERRED)


def _days_of_premises(
    line: NightLine, premises: Mapping[str, MemoryItem], told_on: Mapping[str, Sequence[date]], scope: Scope
) -> int:
    """Days on which a standing premise in the belief's own slot happened or was told."""
    days: set[date] = set()
    for item_id in line.premises:
        item = premises.get(item_id)
        if item is not None and item.attribute == slot_inferred_from(line.attribute):
            days |= {scope.local(item.valid_from).date()} if item.valid_from else set()
            days |= set(told_on.get(item_id, ())) if item.record_id is None else set()
    return len(days)


async def _standing(session: AsyncSession, scope: Scope, ids: Iterable[str]) -> dict[str, MemoryItem]:
    """Those of these rows that still stand; what was taken back or erased is absent."""
    rows = await session.exec(
        select(MemoryItem).where(col(MemoryItem.household_id) == scope.household_id, col(MemoryItem.id).in_(list(ids)))
    )
    return {item.id: item for item in rows.all() if stands(item)}


def stands(item: MemoryItem) -> bool:
    """Whether what the row says still counts as having happened."""
    taken_back = item.status == MemoryStatus.SUPERSEDED.value and item.valid_to is None
    return item.status in _STANDING and (not taken_back or (item.reason or "").startswith(MERGED_INTO))


async def _rivals(session: AsyncSession, scope: Scope, beliefs: Sequence[NightLine]) -> dict[str, list[MemoryItem]]:
    """Rows that say the opposite about the same slot, by belief."""
    rows = await session.exec(
        select(MemoryItem).where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.attribute).in_({slot_inferred_from(line.attribute) for line in beliefs}),
            col(MemoryItem.status).in_(_SPEAKING),
        )
    )
    by_slot: dict[tuple[str | None, str], list[MemoryItem]] = defaultdict(list)
    for item in rows.all():
        by_slot[item.subject, item.attribute].append(item)
    return {
        line.id: [
            item for item in by_slot[line.subject, slot_inferred_from(line.attribute)] if item.negated != line.negated
        ]
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
