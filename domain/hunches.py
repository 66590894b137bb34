"""Hunches as rows: found at night, shown in the weekly review, kept or waved away by the owner, turned into beliefs."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.attributes import spec_of
from domain.hunch_rules import hunches_in
from domain.inbox import notify
from domain.owners import Owner
from domain.pets import Pet
from memory.consolidation.classify import Heard, confidence_of
from memory.consolidation.heard import INFERRED, stands
from memory.hunches import (
    DISMISSED,
    KEPT,
    LEAST,
    REPEATS,
    STALE,
    TAKEN_UP,
    TAKEN_UP_FROM,
    WAITING,
    Found,
    Hunch,
    hunch_of,
    hunches_about,
)
from memory.item_writes import add_item, revise_item
from memory.items import EvidenceRow, MemoryItem
from memory.scope import Scope
from memory.vocabulary import Kind, MemoryStatus, Source, Tier

LOOKS_BACK = timedelta(days=365)
KIND = "review"
TITLE = "有几条猜想想请你看看"
MADE, KEPT_BY_OWNER = "inferred", "owner_kept_hunch"
_HAPPENED = (
    MemoryStatus.ACTIVE.value,
    MemoryStatus.PROVISIONAL.value,
    MemoryStatus.ARCHIVED.value,
    MemoryStatus.SUPERSEDED.value,
)


async def found_about(session: AsyncSession, scope: Scope, pet: Pet, now: datetime) -> list[Found]:
    """What the dated lines of one pet let suspect at `now`."""
    rows = await session.exec(
        select(MemoryItem).where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.subject) == pet.id,
            col(MemoryItem.status).in_(_HAPPENED),
            col(MemoryItem.source) != Source.SYSTEM.value,
            col(MemoryItem.valid_from) > now - LOOKS_BACK,
        )
    )
    standing = [row for row in rows.all() if stands(row)]
    told = await _told_on(session, scope, [row.id for row in standing])
    return list(hunches_in(pet.name, standing, told, scope))


async def bring_in_line(
    session: AsyncSession, scope: Scope, pet: Pet, found: Sequence[Found], now: datetime
) -> tuple[list[Hunch], list[Hunch], list[Hunch]]:
    """Store what is new or counted anew, and mark stale what the rows do not show any more.

    Returns the new ones that wait for the owner, those that became sure enough for a belief, and those that lost
    their ground after they had become one.
    """
    known, seen = await hunches_about(session, scope, pet.id), {one.key for one in found}
    waiting, ripe, groundless = [], [], []
    for one in found:
        row = known.get(one.key)
        if row is None:
            row = _new(scope, pet, one, now)
            waiting.append(row)
        elif (row.count, row.text) != (one.count, one.text) or row.status == STALE:
            row.count, row.text, row.sources, row.changed_at = one.count, one.text, list(one.sources), now
            row.status = WAITING if row.status == STALE else row.status
        session.add(row)
        if one.kind == REPEATS and one.count >= TAKEN_UP_FROM and row.status == WAITING:
            ripe.append(row)
    for key, row in known.items():
        if key not in seen and row.status in (WAITING, KEPT, TAKEN_UP):
            groundless += [row] if row.memory_id else []
            row.status, row.changed_at = STALE, now
            session.add(row)
    return [row for row in waiting if row not in ripe], ripe, groundless


async def take_up(
    session: AsyncSession, scope: Scope, hunch: Hunch, by: str, now: datetime, real_now: datetime
) -> MemoryItem:
    """Make a belief of a hunch: low risk, with its premises, voiced as a guess."""
    spec = spec_of(hunch.attribute)
    item = MemoryItem(
        household_id=scope.household_id,
        owner_id=scope.owner_id,
        subject=hunch.subject,
        attribute=f"{INFERRED}{hunch.attribute}",
        attribute_class=spec.attribute_class.value,
        content=hunch.text,
        topic=hunch.topic,
        kind=Kind.BELIEF.value,
        risk="low",
        weight_level=spec.weight_level,
        confidence=confidence_of(Heard(premise_days=max(hunch.count, LEAST))),
        tier=Tier.LONG.value,
        source=Source.SYSTEM.value,
        premises=list(hunch.sources),
        learned_at=now,
        last_evidence_at=now,
    )
    hunch.memory_id, hunch.changed_at = item.id, now
    hunch.status = KEPT if by == scope.owner_id else TAKEN_UP
    session.add(hunch)
    return add_item(session, item, by, KEPT_BY_OWNER if by == scope.owner_id else MADE, real_now)


async def keep_hunch(session: AsyncSession, scope: Scope, hunch_id: str, now: datetime, real_now: datetime) -> Hunch:
    """The owner finds that there is something in it. Twice is as good as once. Raises NotFound."""
    hunch = await hunch_of(session, scope, hunch_id)
    if hunch.memory_id is None:
        await take_up(session, scope, hunch, scope.owner_id, now, real_now)
    return hunch


async def dismiss_hunch(session: AsyncSession, scope: Scope, hunch_id: str, now: datetime, real_now: datetime) -> Hunch:
    """The owner finds nothing in it: it is not brought up again, and a belief made of it goes.

    Twice is as good as once. Raises NotFound.
    """
    hunch = await hunch_of(session, scope, hunch_id)
    if hunch.status == DISMISSED:
        return hunch
    belief = await session.get(MemoryItem, hunch.memory_id) if hunch.memory_id else None
    if belief is not None and belief.status == MemoryStatus.ACTIVE.value and belief.kind == Kind.BELIEF.value:
        belief.status, belief.reason = MemoryStatus.REJECTED.value, "hunch_dismissed"
        await revise_item(session, belief, scope.owner_id, "hunch_dismissed", now, real_now)
    hunch.status, hunch.changed_at = DISMISSED, now
    session.add(hunch)
    return hunch


async def tell_of_review(session: AsyncSession, scope: Scope, hunches: Sequence[Hunch], now: datetime) -> None:
    """One prompt a week, however many there are."""
    owner = await session.get(Owner, scope.owner_id)
    if owner is None or not hunches:
        return
    year, week, _ = scope.local(now).isocalendar()
    body = f"留意到：{hunches[0].text}。有空看看是不是有关系，没有关系就划掉。"
    link: dict[str, object] = {"pet_id": hunches[0].subject}
    await notify(session, owner, KIND, f"{KIND}:{year}-{week}", TITLE, body, now, link=link)


async def _told_on(session: AsyncSession, scope: Scope, ids: Collection[str]) -> Mapping[str, set[date]]:
    """The local days on which each row was spoken of."""
    found: dict[str, set[date]] = defaultdict(set)
    rows = await session.exec(
        select(EvidenceRow.target_id, EvidenceRow.said_at).where(
            col(EvidenceRow.household_id) == scope.household_id,
            col(EvidenceRow.target_kind) == "memory",
            col(EvidenceRow.target_id).in_(list(ids)),
            col(EvidenceRow.counts).is_(True),
        )
    )
    for item_id, said_at in rows.all():
        found[item_id].add(scope.local(said_at).date())
    return found


def _new(scope: Scope, pet: Pet, found: Found, now: datetime) -> Hunch:
    return Hunch(
        household_id=scope.household_id,
        owner_id=scope.owner_id,
        subject=pet.id,
        key=found.key,
        kind=found.kind,
        attribute=found.attribute,
        topic=found.topic,
        text=found.text,
        count=found.count,
        sources=list(found.sources),
        found_at=now,
        changed_at=now,
    )
