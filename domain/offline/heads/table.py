"""The table of weights, and how it is added up."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from domain.offline.heads.ngrams import LONGEST_FOR_TOPIC, LONGEST_IN_CLAUSE, LONGEST_IN_MESSAGE, ngrams
from memory.topics import Topic
from memory.vocabulary import AttributeClass

TABLE = Path(__file__).with_name("heads.json")
_Columns = Mapping[str, tuple[float, ...]]
"""Of a run of letters: the square of its rarity (idf), then its weight times its rarity for each head. A score is the
sum of the weights over the root of the sum of the squares (cosine normalisation)."""


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
        squares, nothing, keep = 0.0, 0.0, 0.0
        get = self.message.get
        for run in ngrams(message, LONGEST_IN_MESSAGE):
            if row := get(run):
                squares += row[0]
                nothing += row[1]
                keep += row[2]
        length = math.sqrt(squares) or 1.0
        return _likely(nothing / length + self.offsets["nothing"]), keep / length

    def keep(self, clause: str, of_message: float) -> float:
        """How likely a clause without names is worth keeping. of_message: from `read`."""
        squares, score = 0.0, 0.0
        get = self.clause.get
        for run in ngrams(clause, LONGEST_IN_CLAUSE):
            if row := get(run):
                squares += row[0]
                score += row[1]
        return _likely(score / (math.sqrt(squares) or 1.0) + of_message + self.offsets["keep"])

    def about(self, clause: str) -> About:
        """The likeliest topic and class of a clause without names."""
        rows = [row for run in ngrams(clause, LONGEST_FOR_TOPIC) if (row := self.topics.get(run))]
        length = math.sqrt(sum(row[0] for row in rows)) or 1.0
        scores = [
            sum(row[place] for row in rows) / length + offset
            for place, offset in enumerate(self.label_offsets, start=1)
        ]
        raised = [math.exp(min(score, 50.0)) for score in scores]
        best = max(range(len(raised)), key=raised.__getitem__)
        topic, attribute_class = self.labels[best]
        return About(topic, attribute_class, raised[best] / sum(raised))


def _likely(score: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, score))))


@cache
def load_heads(path: Path = TABLE) -> Heads:
    """The shipped heads. Raises KeyError or ValueError for a table that is not one."""
    told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    named = (name.partition("/") for name in told["labels"])
    labels = tuple((Topic(topic), AttributeClass(cls)) for topic, _, cls in named)
    message, clause, topics = (_columns(told[block]) for block in ("message", "clause", "topics"))
    return Heads(message, clause, topics, labels, told["offsets"], tuple(told["label_offsets"]))


def _columns(rows: Mapping[str, list[float]]) -> _Columns:
    """From rarity and weights as they stand in the file."""
    return {
        run: (rarity * rarity, *(rarity * weight for weight in weights)) for run, (rarity, *weights) in rows.items()
    }
