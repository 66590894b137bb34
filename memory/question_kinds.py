"""Which kind of memory a question asks for, read from its vector: no list has all the ways to ask for a weight.

A linear reading of the embedder's space, one for each embedder that was measured (`python -m bench.question_kinds`
writes them): a vector in, for each class of memory the share of such questions that it answers, and under "owner" the
share about the owner and not about a pet. An embedder without a reading is served by the words of the question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from memory.vocabulary import OWNER_SUBJECT, AttributeClass

FILE = Path(__file__).with_name("question_kinds.npz")

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class KindsReading:
    """classes: names, in the columns' order. slopes: (dimension, classes). offsets: (classes,)."""

    classes: tuple[str, ...]
    slopes: Floats
    offsets: Floats

    def read(self, vector: Sequence[float] | Floats) -> Mapping[str, float]:
        """For each class how likely a memory of it answers the question of this vector, in [0, 1]."""
        shares = np.clip(np.asarray(vector, dtype=np.float32) @ self.slopes + self.offsets, 0.0, 1.0)
        return dict(zip(self.classes, shares.tolist(), strict=True))


def fit(vectors: Floats, answered_by: Sequence[frozenset[str]], give: float) -> KindsReading:
    """Ridge regression of the classes that answer on the vectors of the questions. give: the ridge."""
    classes = (*(kind.value for kind in AttributeClass), OWNER_SUBJECT)
    wanted = np.array([[name in answers for name in classes] for answers in answered_by], dtype=np.float64)
    middle, usual = vectors.mean(axis=0, dtype=np.float64), wanted.mean(axis=0)
    around = vectors - middle
    slopes = np.linalg.solve(around.T @ around + give * np.eye(vectors.shape[1]), around.T @ (wanted - usual))
    return KindsReading(classes, slopes.astype(np.float32), (usual - middle @ slopes).astype(np.float32))


@cache
def reading_of(embedder: str) -> KindsReading | None:
    """The reading of this embedder's vectors, None when there is none."""
    with np.load(FILE) as stored:
        if f"{embedder}/slopes" not in stored:
            return None
        classes = tuple(str(name) for name in stored["classes"])
        slopes, offsets = (stored[f"{embedder}/{part}"].astype(np.float32) for part in ("slopes", "offsets"))
    return KindsReading(classes, slopes, offsets)


def store(readings: Mapping[str, KindsReading]) -> None:
    """Write the readings of all embedders, as half floats: a question's class needs no more."""
    parts: dict[str, Any] = {"classes": np.array(next(iter(readings.values())).classes)}
    for name, reading in readings.items():
        parts |= {f"{name}/slopes": reading.slopes.astype(np.float16)}
        parts |= {f"{name}/offsets": reading.offsets.astype(np.float16)}
    np.savez_compressed(FILE, **parts)
