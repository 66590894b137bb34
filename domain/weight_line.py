"""The one weight line of a pet's card: always that of the latest weighing that stands."""

from sqlalchemy import bindparam, func, or_
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.pets import Pet
from memory.items import MemoryItem
from memory.prepared import whole_rows
from memory.table_rows import Read, read
from memory.visibility import SERVED
from memory.vocabulary import Tier

WEIGHTS = "weights"


async def keep_latest_weight_on_card(session: AsyncSession, pet: Pet) -> None:
    """Put the latest weighing on the card and every other one into its archive; call it after any change of one."""
    mine = {"household": pet.household_id, "pet": pet.id}
    latest = next(iter(await read(session, _LATEST, mine)), None)
    for item in await read(session, _ON_CARD, mine):
        if latest is None or item.id != latest.id:
            item.tier = Tier.LONG.value
            session.add(item)
    if latest is not None and latest.tier != Tier.CORE.value:
        latest.tier = Tier.CORE.value
        session.add(latest)


_MINE = (
    col(MemoryItem.household_id) == bindparam("household"),
    col(MemoryItem.subject) == bindparam("pet"),
    col(MemoryItem.record_kind) == WEIGHTS,
)
_LATEST = Read(
    MemoryItem,
    whole_rows(
        MemoryItem,
        *_MINE,
        or_(*(col(MemoryItem.status) == word for word in SERVED)),
        order=(
            func.coalesce(col(MemoryItem.valid_from), col(MemoryItem.learned_at)).desc(),
            col(MemoryItem.id).desc(),
        ),
        limit=1,
    ),
)
_ON_CARD = Read(MemoryItem, whole_rows(MemoryItem, *_MINE, col(MemoryItem.tier) == Tier.CORE.value))
