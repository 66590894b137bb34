"""Whether a collection may answer questions: it holds what SQL says, and finds memories by their own words."""

from collections.abc import Sequence

import numpy as np
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from jobs.sync_vectors import BATCH, VectorParts, bring_in_line, differences, may_be_found, subject_names, texts_of
from memory.embedder import EmbedderUnavailable
from memory.item_writes import FINDABLE
from memory.items import MemoryItem

SAMPLE = 64  # memories, spread evenly over all of them: one batch of the embedder
LOOK_AT = 3  # hits a question
FOUND_SHARE = 0.9  # of the sample; a bundled embedder finds all of it (docs/measurements.md)
ALIKE = 1e-4  # vectors this near to each other for all texts say nothing

COUNT_DIFFERS = "count_differs"
SAMPLE_NOT_FOUND = "sample_not_found"


async def fault_of(parts: VectorParts) -> str | None:
    """Why the collection may not serve, as a stable word; None when it may.

    A few differences are put right first: memories change while they are counted. What stays different is a fault.
    """
    if not await _holds_what_sql_says(parts):
        return COUNT_DIFFERS
    if await found_share(parts) < FOUND_SHARE:
        return SAMPLE_NOT_FOUND
    return None


async def _holds_what_sql_says(parts: VectorParts) -> bool:
    first = (await differences(parts, waiting=False)).all
    if not first:
        return True
    if len(first) > BATCH:
        return False
    await bring_in_line(parts, sorted(first))
    return not first & (await differences(parts, waiting=False)).all


async def found_share(parts: VectorParts) -> float:
    """How many of a sample are found by their own text, in their household and about their subject, as recall asks.

    0 when the embedder says the same of all texts, 1 when there is nothing to find.
    """
    if parts.index is None or parts.embedder is None:
        raise EmbedderUnavailable("a collection without an embedder finds nothing")
    async with parts.transactions.read() as session:
        items = await may_be_found(session, await _sample_ids(session), asks_consent=parts.asks_consent)
        names = await subject_names(session, {item.subject for item in items if item.subject})
    if not items:
        return 1.0
    texts = texts_of(items, names)
    vectors = await parts.embedder.embed_queries(texts)
    if len(set(texts)) > 1 and np.allclose(vectors, vectors[0], atol=ALIKE):
        return 0.0
    found = 0
    for item, vector in zip(items, vectors, strict=True):
        hits = await parts.index.search(item.household_id, vector.tolist(), LOOK_AT, {item.subject})
        found += await _is_among(parts, item, [hit.id for hit in hits])
    return found / len(items)


async def _is_among(parts: VectorParts, item: MemoryItem, ids: Sequence[str]) -> bool:
    """Whether it is found, or another one that says the same."""
    if item.id in ids or not ids:
        return item.id in ids
    async with parts.transactions.read() as session:
        said = (await session.exec(select(MemoryItem.content).where(col(MemoryItem.id).in_(list(ids))))).all()
    return item.content in said


async def _sample_ids(session: AsyncSession) -> list[str]:
    query = select(MemoryItem.id).where(col(MemoryItem.status).in_(FINDABLE)).order_by(col(MemoryItem.id))
    ids = (await session.exec(query)).all()
    return list(ids[:: max(1, len(ids) // SAMPLE)][:SAMPLE])
