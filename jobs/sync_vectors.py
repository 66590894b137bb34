"""Keeps the vector index in line with SQL: works off the outbox, or rebuilds the whole index."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.owners import MODEL_PROVIDER, those_who_consent
from domain.pet_profiles import described
from domain.pets import Pet, profile_of
from jobs.embedding_costs import note_embedded
from memory.embedder import Embedder, EmbedderUnavailable, text_to_embed
from memory.item_writes import FINDABLE, VECTOR_TOPIC
from memory.items import MemoryItem
from memory.outbox import OutboxRow, claim_due, postpone, settle
from memory.transactions import Transactions
from memory.vector_index import VectorIndex, VectorPoint
from memory.vector_moves import FEEDS_BOTH, VECTOR_TOPICS, feed_again, feed_beside, hold_serving

log = structlog.get_logger(__name__)

BATCH = 64  # items a round: about half a second of the local embedder


@dataclass(frozen=True, slots=True)
class VectorParts:
    """What the job works with. Both engines are None when the service runs on keywords only.

    asks_consent: the embedder is somebody else's service, so lines of owners without `model_provider` get no vector.
    topic, generation: which outbox rows are meant for this collection, and the state of the collections it was taken
    from (`memory.vector_moves`).
    """

    transactions: Transactions
    index: VectorIndex | None
    embedder: Embedder | None
    real_now: Callable[[], datetime]
    asks_consent: bool = False
    topic: str = VECTOR_TOPIC
    generation: int = 0


async def sync_vectors(parts: VectorParts) -> int:
    """Work off what is due, in batches. Returns how many rows were settled. Safe to run anywhere, any time."""
    settled = 0
    while True:
        async with parts.transactions.write() as session:
            rows = await claim_due(session, parts.topic, BATCH, parts.real_now())
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
        await bring_in_line(parts, [row.key for row in rows])
    except Exception as error:
        await _give_back(parts, rows, type(error).__name__)
        return False
    return await _settle(parts, rows)


async def _settle(parts: VectorParts, rows: Sequence[OutboxRow]) -> bool:
    """Done, or passed on to the collection beside; False when the collections have changed, so that it counts anew."""
    async with parts.transactions.write() as session:
        row = await hold_serving(session, shared=True)
        if row is not None and row.generation != parts.generation:
            await feed_again(session, rows, parts.real_now())
            return False
        if row is not None and row.state in FEEDS_BOTH and parts.topic == VECTOR_TOPIC:
            await feed_beside(session, rows, parts.real_now())
        else:
            await settle(session, rows)
    return True


async def rebuild(parts: VectorParts) -> int:
    """Fill the index from SQL and drop what SQL does not know. Returns how many vectors it holds."""
    index = parts.index
    if index is None:
        return 0
    await index.ensure()
    await index.delete((await differences(parts)).extra)
    after: str | None = None
    while page := await page_of(parts, after):
        await bring_in_line(parts, page)
        after = page[-1]
    await index.flush()
    return await index.count()


@dataclass(frozen=True, slots=True)
class Differences:
    """Ids that may be found and have no vector, and ids that have a vector and may not be found."""

    missing: frozenset[str]
    extra: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        """Everything that is not as it should be."""
        return self.missing | self.extra


async def differences(parts: VectorParts, *, waiting: bool = True) -> Differences:
    """Where a collection is not what SQL says. waiting False: what still waits in the outbox is no difference.

    What is extra is so for sure; what is missing may have come in while this looked.
    """
    if parts.index is None:
        return Differences(frozenset(), frozenset())
    held = set(await parts.index.scroll_ids(None))
    async with parts.transactions.read() as session:
        query = select(MemoryItem.id, MemoryItem.owner_id).where(col(MemoryItem.status).in_(FINDABLE))
        owners = dict((await session.exec(query)).all())
        closed = await _without_consent(session, set(owners.values())) if parts.asks_consent else set()
        queued = select(OutboxRow.key).where(col(OutboxRow.topic).in_(VECTOR_TOPICS))
        unsettled = set() if waiting else set((await session.exec(queued)).all())
    wanted = {item_id for item_id, owner_id in owners.items() if owner_id not in closed}
    return Differences(frozenset(wanted - held - unsettled), frozenset(held - wanted - unsettled))


async def page_of(parts: VectorParts, after: str | None) -> list[str]:
    """The next ids of memories that may be found, of all households, in the order of their ids."""
    query = select(MemoryItem.id).where(col(MemoryItem.status).in_(FINDABLE)).order_by(col(MemoryItem.id)).limit(BATCH)
    if after is not None:
        query = query.where(col(MemoryItem.id) > after)
    async with parts.transactions.read() as session:
        return list((await session.exec(query)).all())


async def bring_in_line(parts: VectorParts, ids: Sequence[str]) -> None:
    """Upsert the vectors of items that may be found, delete those of all others; ids SQL has forgotten included.

    What is deleted while it is embedded does not stay: its own row in the outbox may have been worked off before.
    """
    if parts.index is None:
        return
    async with parts.transactions.read() as session:
        findable = await may_be_found(session, ids, asks_consent=parts.asks_consent)
        names = await subject_names(session, {item.subject for item in findable if item.subject})
    if gone := set(ids) - {item.id for item in findable}:
        await parts.index.delete(gone)
    if not findable:
        return
    if parts.embedder is None:
        raise EmbedderUnavailable("the embedder of this collection could not be opened")
    texts = texts_of(findable, names)
    vectors = await parts.embedder.embed_passages(texts)
    if parts.asks_consent:
        await note_embedded(parts.transactions, findable, texts, parts.embedder.name, parts.real_now())
    await parts.index.upsert(
        [
            VectorPoint(item.id, vector.tolist(), item.household_id, item.subject, item.topic, item.kind)
            for item, vector in zip(findable, vectors, strict=True)
        ]
    )
    async with parts.transactions.read() as session:
        still = await may_be_found(session, [item.id for item in findable], asks_consent=parts.asks_consent)
    if erased := {item.id for item in findable} - {item.id for item in still}:
        await parts.index.delete(erased)


async def may_be_found(session: AsyncSession, ids: Collection[str], *, asks_consent: bool) -> list[MemoryItem]:
    """Those among these ids that have a vector."""
    query = select(MemoryItem).where(col(MemoryItem.id).in_(list(ids)), col(MemoryItem.status).in_(FINDABLE))
    items = (await session.exec(query)).all()
    closed = await _without_consent(session, {item.owner_id for item in items}) if asks_consent else set()
    return [item for item in items if item.owner_id not in closed]


def texts_of(items: Sequence[MemoryItem], names: Mapping[str, str]) -> list[str]:
    """What is embedded of each item. names: what stands in front, by pet id."""
    return [text_to_embed(item.content, names.get(item.subject or "", "")) for item in items]


async def _without_consent(session: AsyncSession, owner_ids: Collection[str]) -> set[str]:
    """Those whose words must not leave the service."""
    return set(owner_ids) - await those_who_consent(session, owner_ids, MODEL_PROVIDER)


async def subject_names(session: AsyncSession, pet_ids: Collection[str]) -> dict[str, str]:
    """By pet id: species, breed and name, which stand in front of the embedded line."""
    pets = (await session.exec(select(Pet).where(col(Pet.id).in_(list(pet_ids))))).all()
    return {pet.id: described(profile_of(pet)) for pet in pets}


async def _give_back(parts: VectorParts, rows: Sequence[OutboxRow], error: str) -> None:
    log.warning("vectors_postponed", rows=len(rows), error=error)
    async with parts.transactions.write() as session:
        await postpone(session, rows, error, parts.real_now())
