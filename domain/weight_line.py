"""The one weight line of a pet's card: always that of the latest weighing that stands."""

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.pets import Pet
from memory.items import MemoryItem
from memory.visibility import SERVED
from memory.vocabulary import Tier

WEIGHTS = "weights"


async def keep_latest_weight_on_card(session: AsyncSession, pet: Pet) -> None:
    """Put the latest weighing on the card and every other one into its archive; call it after any change of one."""
    mine = (
        col(MemoryItem.household_id) == pet.household_id,
        col(MemoryItem.subject) == pet.id,
        col(MemoryItem.record_kind) == WEIGHTS,
    )
    weighed_at = func.coalesce(col(MemoryItem.valid_from), col(MemoryItem.learned_at))
    newest_first = (
        select(MemoryItem)
        .where(*mine, col(MemoryItem.status).in_(SERVED))
        .order_by(weighed_at.desc(), col(MemoryItem.id).desc())
    )
    latest = (await session.exec(newest_first.limit(1))).first()
    on_card = await session.exec(select(MemoryItem).where(*mine, col(MemoryItem.tier) == Tier.CORE.value))
    for item in on_card.all():
        if latest is None or item.id != latest.id:
            item.tier = Tier.LONG.value
            session.add(item)
    if latest is not None and latest.tier != Tier.CORE.value:
        latest.tier = Tier.CORE.value
        session.add(latest)
