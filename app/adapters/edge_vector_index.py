"""VectorIndex on qdrant-edge: Qdrant's engine inside this process, one folder, one process at a time.

One shard holds all households. Every search is filtered to one of them, so there is no global graph (HNSW m=0): the
engine takes the household's points from the tenant index and scores them exactly. A query takes well under a
millisecond; it still runs on its own thread so that the first touch after a start never holds the event loop.
"""

import asyncio
import shutil
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import qdrant_edge as edge

from memory.errors import IndexLocked, IndexUnavailable
from memory.vector_index import UNASSIGNED, VectorHit, VectorPoint

VECTOR = "dense"
SEARCH_THREADS = 2  # 12k queries/s on 4 threads against 10k on 1: the pool bounds, it does not speed up
POINTS_PER_WRITE = 500  # a write of 500 points takes about 7 ms and lets searches in between
SCROLL_PAGE = 1000

T = TypeVar("T")
_Condition: TypeAlias = (
    edge.FieldCondition
    | edge.IsEmptyCondition
    | edge.IsNullCondition
    | edge.HasIdCondition
    | edge.HasVectorCondition
    | edge.NestedCondition
    | edge.Filter
)


class EdgeVectorIndex:
    """Vectors of one embedder in `folder/<embedder>-<dimension>`. Open it once, in the app's lifespan."""

    def __init__(self, folder: Path, embedder_name: str, dimension: int) -> None:
        self.path = path_of(folder, embedder_name, dimension)
        self._dimension = dimension
        self._shard: edge.EdgeShard | None = None
        self._pool = ThreadPoolExecutor(max_workers=SEARCH_THREADS, thread_name_prefix="vectors")
        self._deleted_since = True  # what happened before this process is not known
        self._writing = asyncio.Lock()  # a copy of the folder must not miss a write
        self._exchange = threading.Lock()  # held while one search runs, and while the folder is exchanged

    async def ensure(self) -> None:
        """Opens the folder, making it at first. Raises IndexLocked when another process holds it."""
        if self._shard is None:
            self._shard = await self._call(self._open)

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        """Writes points; the same id replaces."""
        for start in range(0, len(points), POINTS_PER_WRITE):
            batch = [
                edge.Point(p.id, {VECTOR: list(p.vector)}, p.payload())
                for p in points[start : start + POINTS_PER_WRITE]
            ]
            await self._update(edge.UpdateOperation.upsert_points(batch))

    async def delete(self, ids: Collection[str]) -> None:
        """Removes points; unknown ids are no error."""
        if ids:
            await self._update(edge.UpdateOperation.delete_points(list(ids)))
            self._deleted_since = True

    async def delete_household(self, household_id: str) -> None:
        """Removes all points of one household."""
        await self._update(edge.UpdateOperation.delete_points_by_filter(_household(household_id)))
        self._deleted_since = True

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
        request = edge.QueryRequest(
            limit=limit,
            query=edge.Query.Nearest(list(vector), using=VECTOR),
            filter=_filter(household_id, subjects, topics),
            with_payload=False,
            with_vector=False,
        )
        found = await self._look(lambda shard: shard.query(request))
        return [VectorHit(str(point.id), float(point.score)) for point in found]

    async def scroll_ids(self, household_id: str | None) -> list[str]:
        """Ids of one household, or of all."""
        chosen = None if household_id is None else _household(household_id)
        return await self._look(lambda _shard: self._scroll(chosen))

    async def count(self) -> int:
        """How many points there are."""
        return int(await self._look(lambda shard: shard.count(edge.CountRequest(exact=True))))

    async def flush(self) -> None:
        """Puts writes on disk (7-44 ms): for a timer, not for each write, since the engine keeps a log of its own."""
        await self._look(lambda shard: shard.flush())

    async def forget_deleted(self) -> None:
        """Copies what is left into a fresh folder: the engine only marks deleted points, and its log keeps them.

        Searches go on meanwhile, writes wait. Nothing happens when nothing was deleted since the last time.
        """
        async with self._writing:
            if self._deleted_since:
                await self._call(self._start_afresh)
                self._deleted_since = False

    async def drop(self) -> None:
        """Lets the folder go and removes it."""
        async with self._writing:
            await self._call(self._remove)

    async def close(self) -> None:
        """Flushes, lets the folder go and ends the threads."""
        if self._shard is not None:
            shard, self._shard = self._shard, None
            await self._call(shard.flush)
            await self._call(shard.close)
        self._pool.shutdown(wait=True)

    def _open(self) -> edge.EdgeShard:
        try:
            self._finish_exchange()
            if self.path.exists() and any(self.path.iterdir()):
                return edge.EdgeShard.load(str(self.path))
            return self._create(self.path)
        except Exception as error:
            raise _opening_error(self.path, error) from error

    def _remove(self) -> None:
        with self._exchange:
            if self._shard is not None:
                shard, self._shard = self._shard, None
                shard.close()
            for path in (self.path, self._beside("fresh"), self._beside("old")):
                shutil.rmtree(path, ignore_errors=True)

    def _start_afresh(self) -> None:
        fresh, old = self._beside("fresh"), self._beside("old")
        shutil.rmtree(fresh, ignore_errors=True)
        copy = self._create(fresh)
        for points in self._pages():
            copy.update(edge.UpdateOperation.upsert_points(points))
        copy.flush()
        copy.close()
        with self._exchange:
            self._opened().close()
            self.path.rename(old)
            fresh.rename(self.path)
            self._shard = edge.EdgeShard.load(str(self.path))
        shutil.rmtree(old)

    def _finish_exchange(self) -> None:
        """After a crash in the middle: the whole copy is taken, an unfinished one thrown away."""
        fresh, old = self._beside("fresh"), self._beside("old")
        if old.exists() and not self.path.exists():
            (fresh if fresh.exists() else old).rename(self.path)
        for leftover in (fresh, old):
            shutil.rmtree(leftover, ignore_errors=True)

    def _beside(self, mark: str) -> Path:
        return _marked(self.path, mark)

    def _pages(self) -> Iterator[list[edge.Point]]:
        offset: Any = None
        while True:
            request = edge.ScrollRequest(offset=offset, limit=SCROLL_PAGE, with_payload=True, with_vector=True)
            records, offset = self._opened().scroll(request)
            yield [edge.Point(record.id, record.vector or {}, record.payload) for record in records]
            if offset is None:
                return

    def _create(self, path: Path) -> edge.EdgeShard:
        path.mkdir(parents=True, exist_ok=True)
        shard = edge.EdgeShard.create(str(path), _config(self._dimension))
        for field, tenant in (("household_id", True), ("subject", False), ("topic", False)):
            schema = edge.KeywordIndexParams(is_tenant=tenant)
            shard.update(edge.UpdateOperation.create_field_index(field, schema))
        return shard

    def _scroll(self, chosen: edge.Filter | None) -> list[str]:
        ids: list[str] = []
        offset: Any = None
        while True:
            request = edge.ScrollRequest(
                offset=offset, limit=SCROLL_PAGE, filter=chosen, with_payload=False, with_vector=False
            )
            records, offset = self._opened().scroll(request)
            ids.extend(str(record.id) for record in records)
            if offset is None:
                return ids

    def _opened(self) -> edge.EdgeShard:
        if self._shard is None:
            raise IndexUnavailable("the vector folder is not open: call ensure() first")
        return self._shard

    async def _update(self, operation: edge.UpdateOperation) -> None:
        async with self._writing:
            await self._call(lambda: self._opened().update(operation))

    async def _look(self, work: Callable[[edge.EdgeShard], T]) -> T:
        def looked() -> T:
            with self._exchange:
                return work(self._opened())

        return await self._call(looked)

    async def _call(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)


def path_of(folder: Path, embedder_name: str, dimension: int) -> Path:
    """Where a collection lies."""
    return folder / f"{embedder_name}-{dimension}"


def remove_others(folder: Path, known: Collection[Path]) -> list[str]:
    """Remove all collections but the known ones. Returns the names of what was removed."""
    kept = {*known, *(_marked(path, mark) for path in known for mark in ("fresh", "old"))}
    others = [path for path in folder.iterdir() if path.is_dir() and path not in kept]
    for path in others:
        shutil.rmtree(path, ignore_errors=True)
    return [path.name for path in others]


def _marked(path: Path, mark: str) -> Path:
    return path.with_name(f"{path.name}.{mark}")


def _config(dimension: int) -> edge.EdgeConfig:
    return edge.EdgeConfig(
        vectors={VECTOR: edge.EdgeVectorParams(size=dimension, distance=edge.Distance.Cosine)},
        hnsw_config=edge.HnswIndexConfig(m=0, ef_construct=16, full_scan_threshold=10_000),
    )


def _household(household_id: str) -> edge.Filter:
    return _filter(household_id, None, None)


def _filter(household_id: str, subjects: Collection[str | None] | None, topics: Collection[str] | None) -> edge.Filter:
    must: list[_Condition] = [edge.FieldCondition("household_id", match=edge.MatchValue(household_id))]
    if subjects is not None:
        must.append(edge.FieldCondition("subject", match=edge.MatchAny([s or UNASSIGNED for s in subjects])))
    if topics is not None:
        must.append(edge.FieldCondition("topic", match=edge.MatchAny(list(topics))))
    return edge.Filter(must=must)


def _opening_error(path: Path, error: Exception) -> IndexUnavailable:
    if "WouldBlock" in str(error) or "lock" in str(error).lower():
        message = f"the vector folder {path} is in use by another process; only one may open it"
        return IndexLocked(message, path=str(path))
    return IndexUnavailable(f"the vector folder {path} cannot be opened: {error}", path=str(path))
