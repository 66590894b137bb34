"""The `Embedder` port on an endpoint's `POST /v1/embeddings`: batches, and vectors that are looked at before use.

Retries, the deadline, the breaker and the masking of personal numbers are the model client's. Whether an owner's text
may leave at all is decided before the embedder is asked (docs/model.md).
"""

import asyncio
import hashlib
import re
from collections.abc import Sequence

import numpy as np

from app.adapters.model_client import ModelClient
from app.adapters.model_requests import CallPurpose
from domain.model_faults import ModelFault
from domain.token_budget import EMBEDDED_CHARS
from memory.embedder import EmbedderUnavailable, RelevanceFloor, Vectors
from memory.relevance_floors import UNMEASURED

QUERY_SECONDS = 2.0  # recall gives up long before; this only bounds a call that nobody waits for
PASSAGES_SECONDS = 40.0  # for a whole batch of lines; shorter than the lease of their outbox rows
SHORTEST = 1e-6  # length of a vector that has a direction at all
BLANK = "。"  # stands for a text without a character, which endpoints refuse


def embedder_name(model: str) -> str:
    """A stable name that may stand in a folder's or collection's: `BAAI/bge-m3` → `BAAI-bge-m3-<8 hex digits>`."""
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", model).strip("-.") or "model"
    return f"{plain[:60]}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"


class OpenAIEmbedder:
    """One embedding model of one endpoint. The client is the caller's to close.

    dimension: what the model answers, as the settings say; vectors of another size are refused. batch: texts a request.
    """

    def __init__(self, client: ModelClient, model: str, dimension: int, batch: int) -> None:
        self.name = embedder_name(model)
        self.dimension = dimension
        self.relevance_floor: RelevanceFloor = UNMEASURED  # until somebody knows better
        self._client, self._batch = client, batch

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """(n, dimension) float32, rows of length 1. Raises EmbedderUnavailable."""
        return await self._embed(texts, "embed_question", QUERY_SECONDS)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """(n, dimension) float32, rows of length 1. Raises EmbedderUnavailable."""
        return await self._embed(texts, "embed_passages", PASSAGES_SECONDS)

    async def _embed(self, texts: Sequence[str], purpose: CallPurpose, seconds: float) -> Vectors:
        until = asyncio.get_running_loop().time() + seconds
        prepared = [text[:EMBEDDED_CHARS] if text.strip() else BLANK for text in texts]
        parts = [np.zeros((0, self.dimension), dtype=np.float32)]
        for start in range(0, len(prepared), self._batch):
            parts.append(await self._ask(prepared[start : start + self._batch], purpose, until))
        return np.concatenate(parts)

    async def _ask(self, texts: list[str], purpose: CallPurpose, until: float) -> Vectors:
        try:
            answered = await self._client.embed(texts, until, purpose)
        except ModelFault as fault:
            raise EmbedderUnavailable(f"the embedding endpoint does not answer: {fault.reason}") from fault
        return unit_rows(answered.vectors, len(texts), self.dimension)


def unit_rows(answered: Sequence[Sequence[float]], count: int, dimension: int) -> Vectors:
    """The vectors at length 1. Raises EmbedderUnavailable for another size, NaN, infinity and vectors of no length."""
    try:
        sizes = sorted({len(row) for row in answered} - {dimension})
        if sizes:
            raise EmbedderUnavailable(f"the embedding endpoint answers {sizes} numbers, {dimension} are configured")
        rows = np.asarray(answered, dtype=np.float64).reshape(count, dimension)
    except (TypeError, ValueError) as error:
        raise EmbedderUnavailable("the embedding endpoint answers something that is no vector") from error
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths < SHORTEST).any():
        raise EmbedderUnavailable("the embedding endpoint answers vectors that are not finite or have no length")
    unit: Vectors = (rows / lengths).astype(np.float32)
    return unit
