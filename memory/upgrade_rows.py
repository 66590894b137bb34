"""The nightly upgrade as rows: which memories are due, and carrying out what was planned, one short transaction each.

`review_at` is the due column: a write or a use sets it to its own time, the upgrade to the next moment at which
something changes by itself. Nothing else is ever looked at, so a night costs what happened, not what is stored.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.core_budget import PET_CARD, Condense, Limits
from memory.core_card import card_item, card_items
from memory.item_writes import SYSTEM, revise_item
from memory.items import MemoryItem
from memory.memory_page import core_items
from memory.scope import Scope
from memory.upgrade import Move, UpgradeRules, Verdict, next_review, standing_of
from memory.upgrade_plan import CardState, SubjectPlan, plan_subject
from memory.visibility import SAFETY_CLASSES, SERVED
from memory.vocabulary import OWNER_SUBJECT, MemoryStatus, Tier, Upgrade

BATCH = 200  # memories of one owner in a transaction: some tens of milliseconds of the write lock
MAX_SHORT = 500  # short-term memories of one pet; the lowest scores go to the archive
MAX_TOPIC = 1000  # live entries of one topic; the oldest are folded


@dataclass(frozen=True, slots=True)
class Night:
    """One owner's night. due_by: what was to be looked at until then. `now` is domain time.

    safety_kinds: the record kinds whose lines never leave a card.
    """

    scope: Scope
    due_by: datetime
    now: datetime
    real_now: datetime
    safety_kinds: Collection[str] = ()
    pet_card: Limits = PET_CARD
    owner_card: Limits = PET_CARD
    rules: UpgradeRules = field(default_factory=UpgradeRules)
    max_short: int = MAX_SHORT
    max_topic: int = MAX_TOPIC

    def limits_of(self, subject: str | None) -> Limits:
        return self.owner_card if subject == OWNER_SUBJECT else self.pet_card


@dataclass(slots=True)
class Upgraded:
    """What one night did, by reason. turned_away: lines that found a card full, by subject."""

    reviewed: int = 0
    moves: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    turned_away: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, other: "Upgraded") -> None:
        """Sum up two parts of a night, or two owners."""
        self.reviewed += other.reviewed
        for move, count in other.moves.items():
            self.moves[move] += count
        for subject, lines in other.turned_away.items():
            self.turned_away[subject] += lines


async def due_items(session: AsyncSession, night: Night, limit: int = BATCH) -> Sequence[MemoryItem]:
    """What this owner's night has to look at, the longest due first."""
    rows = await session.exec(
        select(MemoryItem)
        .where(
            col(MemoryItem.household_id) == night.scope.household_id,
            col(MemoryItem.owner_id) == night.scope.owner_id,
            col(MemoryItem.review_at) <= night.due_by,
        )
        .order_by(col(MemoryItem.review_at), col(MemoryItem.id))
        .limit(limit)
    )
    return rows.all()


async def upgrade_batch(session: AsyncSession, night: Night, condense: Condense | None = None) -> Upgraded:
    """Plan and carry out one batch inside the session's transaction. Fewer than `BATCH` reviewed: nothing is left."""
    items = await due_items(session, night)
    done = Upgraded(reviewed=len(items))
    by_subject: dict[str | None, list[MemoryItem]] = defaultdict(list)
    for item in items:
        by_subject[item.subject].append(item)
    for subject, due in by_subject.items():
        rows = {item.id: item for item in due}
        state = await _card_state(session, night, subject, rows)
        plan = plan_subject([standing_of(item) for item in due], state, night.now, night.rules, condense)
        await _carry_out(session, night, plan, rows, done)
        await _hold_ceilings(session, night, due, done)
    return done


async def overfull_lines(session: AsyncSession, night: Night) -> Mapping[str, str]:
    """The wordings, by id, that a condenser should shorten before this night is planned; empty when all fits."""
    items = await due_items(session, night)
    wanted: dict[str, str] = {}
    for subject in {item.subject for item in items}:
        rows = {item.id: item for item in items if item.subject == subject}
        due = [standing_of(item) for item in rows.values()]
        state = await _card_state(session, night, subject, rows)
        plan = plan_subject(due, state, night.now, night.rules)
        if plan.is_too_full:
            crowd = [*state.card, *(state.due[one] for one in plan.risen)]
            wanted |= {item.id: item.content for item in crowd if item.may_move}
    return wanted


async def _card_state(
    session: AsyncSession, night: Night, subject: str | None, rows: dict[str, MemoryItem]
) -> CardState:
    """The card of the due memories' subject. Its rows join `rows`, so that what makes room can be moved."""
    limits = night.limits_of(subject)
    due = {item.id: card_item(item, night.safety_kinds) for item in rows.values()}
    if subject is None:
        return CardState(due=due, limits=limits)
    card = await core_items(session, night.scope, subject)
    waiting = await _waiting(session, night, subject)
    rows |= {item.id: rows.get(item.id, item) for item in (*card, *waiting)}
    return CardState(card_items(card, night.safety_kinds), card_items(waiting, night.safety_kinds), due, limits)


async def _waiting(session: AsyncSession, night: Night, subject: str) -> Sequence[MemoryItem]:
    """Lines of records in force for safety that are not on the card."""
    if not night.safety_kinds:
        return []
    rows = await session.exec(
        select(MemoryItem)
        .where(
            col(MemoryItem.household_id) == night.scope.household_id,
            col(MemoryItem.status).in_(SERVED),
            col(MemoryItem.tier) == Tier.LONG.value,
            col(MemoryItem.subject) == subject,
            col(MemoryItem.record_kind).in_(sorted(night.safety_kinds)),
        )
        .order_by(col(MemoryItem.id))
    )
    return rows.all()


async def _carry_out(
    session: AsyncSession, night: Night, plan: SubjectPlan, rows: Mapping[str, MemoryItem], done: Upgraded
) -> None:
    for item_id, wording in plan.condensed.items():
        rows[item_id].content = wording
    for verdict in plan.verdicts:
        await _place(session, night, rows[verdict.id], verdict, done, reworded=verdict.id in plan.condensed)
    for item_id in plan.entered:
        await _move(session, night, rows[item_id], Tier.CORE, Move.PROMOTED, done)
    for item_id in plan.made_room:
        await _move(session, night, rows[item_id], Tier.LONG, Move.MADE_ROOM, done)
    judged = {verdict.id for verdict in plan.verdicts}
    for item_id in plan.condensed.keys() - judged - set(plan.entered):
        await _move(session, night, rows[item_id], Tier.CORE, Move.CONDENSED, done)
    for item_id in plan.turned_away:
        done.turned_away[rows[item_id].subject or ""].append(rows[item_id].content)


async def _place(
    session: AsyncSession, night: Night, item: MemoryItem, verdict: Verdict, done: Upgraded, *, reworded: bool
) -> None:
    """Store a verdict; only what moves or is reworded becomes a new version."""
    item.tier, item.status, item.upgrade = verdict.tier.value, verdict.status.value, verdict.upgrade.value
    item.score = round(verdict.parts.score, 6)
    item.score_parts = {name: round(getattr(verdict.parts, name), 6) for name in verdict.parts.__slots__}
    move = verdict.move or (Move.CONDENSED if reworded else None)
    if move is not None:
        item.reason = move.value if verdict.status is MemoryStatus.ARCHIVED else item.reason
        await revise_item(session, item, SYSTEM, move.value, night.now, night.real_now)
        done.moves[move.value] += 1
    item.review_at = verdict.review_at
    session.add(item)


async def _move(session: AsyncSession, night: Night, item: MemoryItem, tier: Tier, move: Move, done: Upgraded) -> None:
    item.tier, item.upgrade = tier.value, Upgrade.NONE.value
    await revise_item(session, item, SYSTEM, move.value, night.now, night.real_now)
    item.review_at = next_review(standing_of(item), night.now, night.rules)
    done.moves[move.value] += 1


async def _hold_ceilings(session: AsyncSession, night: Night, due: Sequence[MemoryItem], done: Upgraded) -> None:
    """At most so many short-term memories a subject, and so many live entries a topic; the rest is archived."""
    subject = due[0].subject
    if subject is None:
        return
    mine = (col(MemoryItem.household_id) == night.scope.household_id, col(MemoryItem.subject) == subject)
    await session.flush()
    short = (*mine, col(MemoryItem.tier) == Tier.SHORT.value, col(MemoryItem.status).in_(SERVED))
    lowest = (func.coalesce(col(MemoryItem.score), 0.0), col(MemoryItem.id))
    for item in await _excess(session, short, night.max_short, lowest):
        await _move(session, night, item, Tier.LONG, Move.OVERFLOW, done)
    for topic in sorted({item.topic for item in due if item.tier == Tier.LONG.value}):
        entries = (*mine, col(MemoryItem.tier) == Tier.LONG.value, col(MemoryItem.status).in_(SERVED))
        oldest = (func.coalesce(col(MemoryItem.valid_from), col(MemoryItem.learned_at)), col(MemoryItem.id))
        for item in await _excess(session, (*entries, col(MemoryItem.topic) == topic), night.max_topic, oldest):
            item.status, item.reason = MemoryStatus.ARCHIVED.value, Move.FOLDED.value
            await _move(session, night, item, Tier.LONG, Move.FOLDED, done)


async def _excess(
    session: AsyncSession, conditions: Sequence[object], limit: int, order: Sequence[object]
) -> Sequence[MemoryItem]:
    """The first rows of `order` beyond `limit`; what the owner protects and safety facts are never among them."""
    count = (await session.exec(select(func.count()).select_from(MemoryItem).where(*conditions))).one()  # type: ignore[arg-type]
    if count <= limit:
        return []
    free = (
        col(MemoryItem.locked).is_(False),
        col(MemoryItem.protected).is_(False),
        col(MemoryItem.attribute_class).not_in(sorted(SAFETY_CLASSES)),
    )
    query = select(MemoryItem).where(*conditions, *free).order_by(*order).limit(count - limit)  # type: ignore[arg-type]
    return (await session.exec(query)).all()
