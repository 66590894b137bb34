"""The collections of vectors that this process has open, as the stored row says: the serving one, and one beside it."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime

import structlog

from app.adapters.edge_vector_index import EdgeVectorIndex, path_of, remove_others
from app.embedders import collection_of, give_floor, lives_elsewhere, open_embedder, reopen_embedder, wanted_embedder
from app.metrics import Metrics
from app.settings import Settings
from jobs.sync_vectors import VectorParts
from memory.embedder import Embedder, EmbedderUnavailable
from memory.errors import IndexLocked, IndexUnavailable
from memory.transactions import Transactions
from memory.vector_index import VectorIndex
from memory.vector_moves import BESIDE_TOPIC, CollectionId, ServingVectors, first_serving, read_serving

log = structlog.get_logger(__name__)

VECTOR_FOLDER = "vectors"


@dataclass(slots=True)
class OpenCollection:
    """One collection and what fills it. embedder None: it cannot be had here, so the collection can only be emptied."""

    id: CollectionId
    index: VectorIndex
    embedder: Embedder | None
    stack: AsyncExitStack

    @property
    def elsewhere(self) -> bool:
        """Whether texts leave for its embedder."""
        return lives_elsewhere(self.id.embedder)


class VectorStores:
    """Follows the row. `serving` None: keywords only, because the settings say so.

    Who asks holds what is open at that moment; a collection is closed only long after it has stopped serving.
    """

    def __init__(self, settings: Settings, metrics: Metrics, transactions: Transactions) -> None:
        self.row: ServingVectors | None = None
        self.serving: OpenCollection | None = None
        self.beside: OpenCollection | None = None
        self._settings, self._metrics, self._transactions = settings, metrics, transactions
        self._following = asyncio.Lock()
        self._off = False
        self._incomplete = False  # something could not be opened, and is tried again

    @property
    def generation(self) -> int:
        """Of the row that was followed last."""
        return 0 if self.row is None else self.row.generation

    @property
    def embeds_elsewhere(self) -> bool:
        """Whether any text of an owner may leave to be embedded."""
        return any(one is not None and one.elsewhere for one in (self.serving, self.beside))

    @property
    def asks_consent(self) -> bool:
        """Whether a question's text leaves to be embedded."""
        return self.serving is not None and self.serving.elsewhere

    @property
    def indexes(self) -> tuple[VectorIndex, ...]:
        """All that hold vectors."""
        return tuple(one.index for one in (self.serving, self.beside) if one is not None)

    def beside_parts(self, real_now: Callable[[], datetime]) -> VectorParts | None:
        """What keeps the collection beside in line; None when there is none, or it is not open here."""
        beside = self.beside
        if beside is None:
            return None
        return VectorParts(
            self._transactions,
            beside.index,
            beside.embedder,
            real_now,
            asks_consent=beside.elsewhere,
            topic=BESIDE_TOPIC,
            generation=self.generation,
        )

    async def start(self, real_now: datetime) -> None:
        """Open what serves, and say so at the first start. Raises IndexUnavailable, EmbedderUnavailable."""
        async with self._transactions.read() as session:
            row = await read_serving(session)
        word = wanted_embedder(self._settings)
        self._off = word == "none"
        if row is None and not self._off:
            await self._begin(word, real_now)
        await self.follow()
        if row is not None and self._incomplete and self.serving is None:
            raise IndexUnavailable("the vector index cannot be opened; the log says why")
        if self.serving is not None and not self._settings.qdrant_url:
            await self._forget_others()
        if self.serving is not None and self.row is not None and word not in (self.serving.id.embedder, "auto"):
            log.warning("embedder_differs_from_settings", serving=self.serving.id.embedder, wanted=word)

    async def follow(self) -> bool:
        """Have open what the row says. Returns whether anything has changed. Costs one read when nothing has."""
        async with self._following:
            async with self._transactions.read() as session:
                row = await read_serving(session)
            if row is None or (row.generation == self.generation and self.row is not None and not self._incomplete):
                self.row = row
                return False
            if not self._off:
                await self._open_all(row)
            self.row = row
            return True

    async def close(self) -> None:
        """Let go of everything."""
        for one in (self.serving, self.beside):
            if one is not None:
                await one.stack.aclose()
        self.serving = self.beside = None

    async def _forget_others(self) -> None:
        """No move knows these collections any more, and what has been deleted since may still lie in them."""
        folder = self._settings.data_dir / VECTOR_FOLDER
        named = () if self.row is None else (self.row.serving_id, self.row.beside_id)
        known = [path_of(folder, one.name, one.dimension) for one in named if one is not None]
        for name in await asyncio.to_thread(remove_others, folder, known):
            log.info("vectors_removed", collection=name)

    async def _begin(self, word: str, real_now: datetime) -> None:
        """The settings decide as long as nothing is stored."""
        async with AsyncExitStack() as stack:
            dimension = self._settings.embedding_dimension
            embedder = await open_embedder(word, dimension, self._settings, self._metrics, stack)
            if embedder is None:
                self._off = True
                return
            collection = collection_of(word, embedder, self._settings)
            give_floor(embedder, collection, self._settings)
            index = await _open_index(collection, self._settings, stack)
            self.serving = OpenCollection(collection, index, embedder, stack.pop_all())
        async with self._transactions.write() as session:
            await first_serving(session, collection, real_now)

    async def _open_all(self, row: ServingVectors) -> None:
        """Both collections of the row; what is open already stays, what has no part any more is closed."""
        before = [one for one in (self.serving, self.beside) if one is not None]
        self._incomplete = False
        serving = await self._find_or_open(row.serving_id, before)
        beside = None if row.beside_id is None else await self._find_or_open(row.beside_id, before)
        self.serving, self.beside = serving or self.serving, beside
        for one in before:
            if one is not self.serving and one is not self.beside:
                await one.stack.aclose()

    async def _find_or_open(self, wanted: CollectionId, opened: Sequence[OpenCollection]) -> OpenCollection | None:
        for one in opened:
            if one.id.is_same(wanted):
                return one
        try:
            return await self._open(wanted)
        except IndexLocked:
            raise
        except IndexUnavailable as error:
            log.warning("vector_index_unavailable", collection=wanted.name, error=str(error))
            self._incomplete = True
            return None

    async def _open(self, wanted: CollectionId) -> OpenCollection:
        async with AsyncExitStack() as stack:
            embedder: Embedder | None = None
            try:
                embedder = await reopen_embedder(wanted, self._settings, self._metrics, stack)
            except EmbedderUnavailable as error:
                log.error("embedder_missing", collection=wanted.name, error=str(error))
            index = await _open_index(wanted, self._settings, stack)
            return OpenCollection(wanted, index, embedder, stack.pop_all())


async def _open_index(collection: CollectionId, settings: Settings, stack: AsyncExitStack) -> VectorIndex:
    index: VectorIndex
    if settings.qdrant_url:
        from app.adapters.qdrant_vector_index import QdrantVectorIndex  # half a second of import for this set-up only

        api_key = settings.qdrant_api_key.get_secret_value() or None
        index = QdrantVectorIndex(settings.qdrant_url, collection.name, collection.dimension, api_key)
    else:
        index = EdgeVectorIndex(settings.data_dir / VECTOR_FOLDER, collection.name, collection.dimension)
    stack.push_async_callback(index.close)
    await index.ensure()
    return index
