"""The port to what turns text into vectors, and what is known of each embedder's scores.

An embedder is asked in two ways because good retrieval models are asymmetric: a question is not written like a memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from memory.errors import MemoryFault

Vectors = npt.NDArray[np.float32]


class EmbedderUnavailable(MemoryFault):
    """The embedder cannot answer now; recall goes on with keywords."""

    code = "embedder_unavailable"


@dataclass(frozen=True, slots=True)
class RelevanceFloor:
    """Raw cosines of one embedder that mean something, measured as recall asks: question against stored line.

    nothing: a question whose best hit is below it has nothing to do with the memories.
    sure: from it on the best hit alone shows that it has; between the two a shared word must say so too.
    span: how far below the best hit of a question a memory may lie and still be an answer.
    """

    nothing: float
    sure: float
    span: float


class Embedder(Protocol):
    """Text → normalised float32 vectors. CPU or network work happens off the event loop.

    name: stable id of model and version; vectors of different names can not be compared.
    relevance_floor: measured for this embedder, see RelevanceFloor.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def relevance_floor(self) -> RelevanceFloor: ...

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), dimension), rows of length 1. Raises EmbedderUnavailable when the embedder can not answer."""
        ...

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), dimension), rows of length 1. Raises EmbedderUnavailable when the embedder can not answer."""
        ...


def text_to_embed(content: str, described_subject: str = "") -> str:
    """What is embedded of a memory line: whom it is about in front ("猫 布偶 咪咪"), then the line itself.

    The species word in front was the largest single gain measured (docs/decisions/retrieval-engines.md).
    """
    return f"{described_subject} {content}" if described_subject else content
