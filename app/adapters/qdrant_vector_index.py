"""VectorIndex on a Qdrant server, through qdrant-client.

One collection per embedder name and dimension, the household as tenant key, payload indexes made at start. The
address ":memory:" runs the client's own local mode: it takes the same calls and is for tests only (it scans every
point in Python on the event loop).
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
from qdrant_client import AsyncQdrantClient
from qdrant_client import models as q
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException

from memory.errors import IndexUnavailable
from memory.vector_index import UNASSIGNED, VectorHit, VectorPoint

VECTOR = "dense"
IN_PROCESS = ":memory:"
TIMEOUT_S = 5  # seconds for writes and scrolls; recall cancels a search long before
POINTS_PER_WRITE = 256  # about 1 MB of JSON at 384 dimensions
SCROLL_PAGE = 1000

_FAILURES = (ApiException, ResponseHandlingException, httpx.HTTPError, OSError)


class QdrantVectorIndex:
    """Vectors of one embedder in the collection `pawsignal-<embedder>-<dimension>`."""

    def __init__(self, url: str, embedder_name: str, dimension: int, api_key: str | None = None) -> None:
        self.collection = f"pawsignal-{embedder_name}-{dimension}"
        self._dimension = dimension
        self._local = url == IN_PROCESS
        self._client = (
            AsyncQdrantClient(location=IN_PROCESS)
            if self._local
            else AsyncQdrantClient(url=url, api_key=api_key, timeout=TIMEOUT_S, check_compatibility=False)
        )

    async def ensure(self) -> None:
        """Makes the collection and its payload indexes."""
        with _as_index_fault():
            if not await self._client.collection_exists(self.collection):
                await self._client.create_collection(
                    self.collection,
                    vectors_config={VECTOR: q.VectorParams(size=self._dimension, distance=q.Distance.COSINE)},
                    # Every search is filtered to one household: a graph per tenant, none over all of them.
                    hnsw_config=q.HnswConfigDiff(m=0, payload_m=16),
                )
            await self._ensure_payload_indexes()

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        """Writes points and waits until they can be found."""
        with _as_index_fault():
            for start in range(0, len(points), POINTS_PER_WRITE):
                batch = [
                    q.PointStruct(id=p.id, vector={VECTOR: [float(x) for x in p.vector]}, payload=dict(p.payload()))
                    for p in points[start : start + POINTS_PER_WRITE]
                ]
                await self._client.upsert(self.collection, batch, wait=True)

    async def delete(self, ids: Collection[str]) -> None:
        """Removes points; unknown ids are no error."""
        if ids:
            with _as_index_fault():
                await self._client.delete(self.collection, q.PointIdsList(points=list(ids)), wait=True)

    async def delete_household(self, household_id: str) -> None:
        """Removes all points of one household."""
        with _as_index_fault():
            chosen = q.FilterSelector(filter=_filter(household_id, None, None))
            await self._client.delete(self.collection, chosen, wait=True)

    async def search(
        self,
        household_id: str,
        vector: Sequence[float],
        limit: int,
        subjects: Collection[str | None] | None = None,
        topics: Collection[str] | None = None,
    ) -> list[VectorHit]:
        """Nearest points of one household, best first, raw cosine."""
        if (subjects is not None and not subjects) or (topics is not None and not topics):
            return []
        with _as_index_fault():
            answer = await self._client.query_points(
                self.collection,
                query=[float(x) for x in vector],
                using=VECTOR,
                query_filter=_filter(household_id, subjects, topics),
                limit=limit,
                with_payload=False,
            )
        return [VectorHit(str(point.id), float(point.score)) for point in answer.points]

    async def scroll_ids(self, household_id: str | None) -> list[str]:
        """Ids of one household, or of all."""
        chosen = None if household_id is None else _filter(household_id, None, None)
        ids: list[str] = []
        offset: Any = None
        with _as_index_fault():
            while True:
                records, offset = await self._client.scroll(
                    self.collection, scroll_filter=chosen, limit=SCROLL_PAGE, offset=offset, with_payload=False
                )
                ids.extend(str(record.id) for record in records)
                if offset is None:
                    return ids

    async def count(self) -> int:
        """How many points there are."""
        with _as_index_fault():
            return (await self._client.count(self.collection, exact=True)).count

    async def flush(self) -> None:
        """Nothing to do: the server keeps its own log, and writes wait for it."""

    async def forget_deleted(self) -> None:
        """The server's own optimizer clears deleted points away."""

    async def drop(self) -> None:
        """Removes the collection with everything in it."""
        with _as_index_fault():
            await self._client.delete_collection(self.collection)

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    async def _ensure_payload_indexes(self) -> None:
        if self._local:  # local mode ignores payload indexes and warns about it
            return
        for field, tenant in (("household_id", True), ("subject", False), ("topic", False)):
            schema = q.KeywordIndexParams(type=q.KeywordIndexType.KEYWORD, is_tenant=tenant)
            await self._client.create_payload_index(self.collection, field, schema, wait=True)


@contextmanager
def _as_index_fault() -> Iterator[None]:
    """Turns the client's errors into memory's own."""
    try:
        yield
    except _FAILURES as error:
        raise IndexUnavailable(f"Qdrant does not answer: {type(error).__name__}") from error


def _filter(household_id: str, subjects: Collection[str | None] | None, topics: Collection[str] | None) -> q.Filter:
    must: list[q.Condition] = [q.FieldCondition(key="household_id", match=q.MatchValue(value=household_id))]
    if subjects is not None:
        wanted = [subject or UNASSIGNED for subject in subjects]
        must.append(q.FieldCondition(key="subject", match=q.MatchAny(any=wanted)))
    if topics is not None:
        must.append(q.FieldCondition(key="topic", match=q.MatchAny(any=list(topics))))
    return q.Filter(must=must)
