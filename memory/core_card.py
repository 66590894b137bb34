"""A core card as rows: what stands on it, and how one more line enters it within the limits of `core_budget`."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from memory.core_budget import CardItem, Limits, plan_card
from memory.item_writes import revise_item
from memory.items import MemoryItem
from memory.memory_page import core_items
from memory.scope import Scope
from memory.visibility import is_live
from memory.vocabulary import Tier

MADE_ROOM = "card_full"


async def card_of(session: AsyncSession, scope: Scope, subject: str, now: datetime) -> list[MemoryItem]:
    """What the card of a pet (or of the owner who asks) shows at `now`, oldest first."""
    return [item for item in await core_items(session, scope, subject) if is_live(item, now)]


async def enter_core(
    session: AsyncSession,
    scope: Scope,
    newcomer: MemoryItem,
    limits: Limits,
    safety_kinds: Collection[str],
    now: datetime,
    real_now: datetime,
) -> bool:
    """Put a new item on its subject's card, moving down what must make room. False: the card is full of what may not.

    The newcomer's tier is set but not yet stored as a version; items that move down get one. `safety_kinds`: the
    record kinds whose lines never move.
    """
    card = await core_items(session, scope, newcomer.subject or "")
    plan = plan_card(card_items(card, safety_kinds), [card_item(newcomer, safety_kinds)], limits)
    newcomer.tier = (Tier.LONG if plan.card_is_full else Tier.CORE).value
    rows = {item.id: item for item in card}
    for leaving in plan.moves_down:
        rows[leaving.id].tier = Tier.LONG.value
        await revise_item(session, rows[leaving.id], "system", MADE_ROOM, now, real_now)
    return not plan.card_is_full


def card_items(items: Sequence[MemoryItem], safety_kinds: Collection[str]) -> list[CardItem]:
    """Stored lines as the budget sees them."""
    return [card_item(item, safety_kinds) for item in items]


def card_item(item: MemoryItem, safety_kinds: Collection[str]) -> CardItem:
    """One stored line as the budget sees it; the mirror of an allergy, condition or drug never moves."""
    return CardItem(
        id=item.id,
        content=item.content,
        recall_count=item.cited + item.viewed + item.hit,
        last_used_at=item.last_used_at or item.last_evidence_at,
        locked=item.locked,
        protected=item.protected,
        safety=item.record_kind in safety_kinds,
    )
