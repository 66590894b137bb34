"""The table of weights, and how it is added up."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from domain.offline.heads.ngrams import LONGEST_FOR_TOPIC, LONGEST_IN_CLAUSE, LONGEST_IN_MESSAGE, ngrams
from memory.topics import Topic
from memory.vocabulary import AttributeClass

TABLE = Path(__file__).with_name("heads.json")
_Columns = Mapping[str, Sequence[float]]  # of a run of letters: how rare it is (idf), then one weight for each head


@dataclass(frozen=True, slots=True)
class About:
    """What a clause is about, with the head's certainty of it (0 to 1)."""

    topic: Topic
    attribute_class: AttributeClass
    sure: float


@dataclass(frozen=True, slots=True)
class Heads:
    """message, clause, topics: the columns of each block of features; offsets: of `nothing`, `keep` and each label."""

    message: _Columns
    clause: _Columns
    topics: _Columns
    labels: tuple[tuple[Topic, AttributeClass], ...]
    offsets: Mapping[str, float]
    label_offsets: tuple[float, ...]

    def read(self, message: str) -> tuple[float, float]:
        """Of a folded message without names: how likely it tells nothing to keep, and what it adds to each clause."""
        nothing, keep = _added(ngrams(message, LONGEST_IN_MESSAGE), self.message, 2)
        return _likely(nothing + self.offsets["nothing"]), keep

    def keep(self, clause: str, of_message: float) -> float:
        """How likely a clause without names is worth keeping. of_message: from `read`."""
        (score,) = _added(ngrams(clause, LONGEST_IN_CLAUSE), self.clause, 1)
        return _likely(score + of_message + self.offsets["keep"])

    def about(self, clause: str) -> About:
        """The likeliest topic and class of a clause without names."""
        scores = _added(ngrams(clause, LONGEST_FOR_TOPIC), self.topics, len(self.labels))
        raised = [math.exp(min(score + offset, 50.0)) for score, offset in zip(scores, self.label_offsets, strict=True)]
        best = max(range(len(raised)), key=raised.__getitem__)
        topic, attribute_class = self.labels[best]
        return About(topic, attribute_class, raised[best] / sum(raised))


def _added(runs: set[str], columns: _Columns, heads: int) -> list[float]:
    """Weights of the known runs, each by its rarity, over the length of the whole (cosine normalisation)."""
    totals, squares = [0.0] * heads, 0.0
    for run in runs:
        if (row := columns.get(run)) is not None:
            rarity = row[0]
            squares += rarity * rarity
            for head in range(heads):
                totals[head] += rarity * row[head + 1]
    length = math.sqrt(squares) or 1.0
    return [total / length for total in totals]


def _likely(score: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, score))))


@cache
def load_heads(path: Path = TABLE) -> Heads:
    """The shipped heads. Raises KeyError or ValueError for a table that is not one."""
    told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    labels = tuple(
        (Topic(topic), AttributeClass(cls)) for topic, _, cls in (name.partition("/") for name in told["labels"])
    )
    return Heads(told["message"], told["clause"], told["topics"], labels, told["offsets"], tuple(told["label_offsets"]))
