"""Keeps the vector index in line with SQL: works off the outbox, or rebuilds the whole index."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.owners import MODEL_PROVIDER, has_consent
from domain.pet_profiles import described
from domain.pets import Pet, profile_of
from memory.embedder import Embedder, text_to_embed
from memory.item_writes import FINDABLE, VECTOR_TOPIC
from memory.items import MemoryItem
from memory.outbox import OutboxRow, claim_due, postpone, settle
from memory.transactions import Transactions
from memory.vector_index import VectorIndex, VectorPoint

log = structlog.get_logger(__name__)

BATCH = 64  # items a round: about half a second of the local embedder


@dataclass(frozen=True, slots=True)
class VectorParts:
    """What the job works with. Both engines are None when the service runs on keywords only.

    asks_consent: the embedder is somebody else's service, so lines of owners without `model_provider` get no vector.
    """

    transactions: Transactions
    index: VectorIndex | None
    embedder: Embedder | None
    real_now: Callable[[], datetime]
    asks_consent: bool = False


async def sync_vectors(parts: VectorParts) -> int:
    """Work off what is due, in batches. Returns how many rows were settled. Safe to run anywhere, any time."""
    settled = 0
    while True:
        async with parts.transactions.write() as session:
            rows = await claim_due(session, VECTOR_TOPIC, BATCH, parts.real_now())
        if not rows:
            return settled
        fresh = [row for row in rows if row.attempts == 1]
        failed = not await _work_off(parts, fresh) if fresh else False
        settled += 0 if failed else len(fresh)
        for row in rows:
            if row.attempts > 1:  # one by one: a row that always fails must not hold the others back
                settled += await _work_off(parts, [row])
        if failed:
            return settled


async def _work_off(parts: VectorParts, rows: Sequence[OutboxRow]) -> bool:
    """Work off some rows together; False when they had to be given back."""
    try:
        await _bring_in_line(parts, [row.key for row in rows])
    except Exception as error:
        await _give_back(parts, rows, type(error).__name__)
        return False
    async with parts.transactions.write() as session:
        await settle(session, rows)
    return True


async def rebuild(parts: VectorParts) -> int:
    """Fill the index from SQL and drop what SQL does not know. Returns how many vectors it holds."""
    async with parts.transactions.read() as session:
        query = select(MemoryItem.id).where(col(MemoryItem.status).in_(FINDABLE)).order_by(col(MemoryItem.id))
        wanted = list((await session.exec(query)).all())
    index = parts.index
    if index is None:
        return 0
    await index.ensure()
    await index.delete(set(await index.scroll_ids(None)) - set(wanted))
    for start in range(0, len(wanted), BATCH):
        await _bring_in_line(parts, wanted[start : start + BATCH])
    await index.flush()
    return await index.count()


async def _bring_in_line(parts: VectorParts, ids: Sequence[str]) -> None:
    """Upsert the vectors of items that may be found, delete those of all others; ids SQL has forgotten included."""
    if parts.index is None or parts.embedder is None:
        return
    async with parts.transactions.read() as session:
        items = await _items(session, ids)
        closed = await _without_consent(session, {item.owner_id for item in items}) if parts.asks_consent else set()
        names = await _subject_names(session, {item.subject for item in items if item.subject})
    findable = [item for item in items if item.status in FINDABLE and item.owner_id not in closed]
    gone = set(ids) - {item.id for item in findable}
    if gone:
        await parts.index.delete(gone)
    if not findable:
        return
    texts = [text_to_embed(item.content, names.get(item.subject or "", "")) for item in findable]
    vectors = await parts.embedder.embed_passages(texts)
    await parts.index.upsert(
        [
            VectorPoint(item.id, vector.tolist(), item.household_id, item.subject, item.topic, item.kind)
            for item, vector in zip(findable, vectors, strict=True)
        ]
    )
    if erased := await _gone_meanwhile(parts, [item.id for item in findable]):
        await parts.index.delete(erased)


async def _gone_meanwhile(parts: VectorParts, ids: Collection[str]) -> set[str]:
    """What was deleted while it was embedded: its own row in the outbox may have been worked off before."""
    async with parts.transactions.read() as session:
        query = select(MemoryItem.id).where(col(MemoryItem.id).in_(list(ids)), col(MemoryItem.status).in_(FINDABLE))
        return set(ids) - set((await session.exec(query)).all())


async def _items(session: AsyncSession, ids: Collection[str]) -> Sequence[MemoryItem]:
    return (await session.exec(select(MemoryItem).where(col(MemoryItem.id).in_(list(ids))))).all()


async def _without_consent(session: AsyncSession, owner_ids: Collection[str]) -> set[str]:
    """Those whose words must not leave the service."""
    return {one for one in owner_ids if not await has_consent(session, one, MODEL_PROVIDER)}


async def _subject_names(session: AsyncSession, pet_ids: Collection[str]) -> dict[str, str]:
    """By pet id: species, breed and name, which stand in front of the embedded line."""
    pets = (await session.exec(select(Pet).where(col(Pet.id).in_(list(pet_ids))))).all()
    return {pet.id: described(profile_of(pet)) for pet in pets}


async def _give_back(parts: VectorParts, rows: Sequence[OutboxRow], error: str) -> None:
    log.warning("vectors_postponed", rows=len(rows), error=error)
    async with parts.transactions.write() as session:
        await postpone(session, rows, error, parts.real_now())
