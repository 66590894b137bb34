"""Which of the eight archives a sentence belongs to, by words and patterns (`data/topics.yaml`)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from domain.knowledge.lexicon import Entry, Index
from domain.knowledge.sheets import Row, open_sheet, read_origin
from memory.text_folding import fold_text
from memory.topics import Topic


@dataclass(frozen=True, slots=True)
class TopicScore:
    topic: Topic
    score: float


@dataclass(frozen=True, slots=True)
class TopicWords:
    topic: Topic
    name_zh: str
    owner_sentence: str
    keywords: tuple[str, ...]
    strong_keywords: tuple[str, ...]
    patterns: tuple[str, ...]
    strong_patterns: tuple[str, ...]
    examples: tuple[str, ...]
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class TopicSheet:
    """weights: points for strong, keyword, pattern and strong_pattern; tie_order: who wins at equal points."""

    topics: tuple[TopicWords, ...]
    weights: Mapping[str, float]
    tie_order: tuple[Topic, ...]


def route_topics(text: str) -> tuple[TopicScore, ...]:
    """The archives that `text` speaks of, best first; empty when no word of any topic is in it."""
    points = _router().score(fold_text(text))
    order = load_topics().tie_order
    ranked = sorted(points.items(), key=lambda item: (-item[1], order.index(item[0])))
    return tuple(TopicScore(topic, score) for topic, score in ranked)


class _Router:
    def __init__(self, sheet: TopicSheet) -> None:
        entries = [
            (word, Entry(words.topic, "food", weight, words.name_zh))
            for words in sheet.topics
            for weight, listed in (("strong", words.strong_keywords), ("keyword", words.keywords))
            for word in listed
            if weight == "strong" or word not in words.strong_keywords
        ]
        self._index = Index(entries, frozenset())
        self._weights = sheet.weights
        self._patterns = [
            (words.topic, re.compile(pattern.lower()), sheet.weights[weight])
            for words in sheet.topics
            for weight, listed in (("strong_pattern", words.strong_patterns), ("pattern", words.patterns))
            for pattern in listed
        ]

    def score(self, folded: str) -> dict[Topic, float]:
        points: dict[Topic, float] = {}
        for _, _, entry in self._index.scan(folded):
            topic = Topic(entry.family)
            points[topic] = points.get(topic, 0.0) + self._weights[entry.entity_id]
        for topic, pattern, weight in self._patterns:
            if pattern.search(folded):
                points[topic] = points.get(topic, 0.0) + weight
        return points


@cache
def _router() -> _Router:
    return _Router(load_topics())


@cache
def load_topics() -> TopicSheet:
    """All topics, read once. Raises KnowledgeError with file and line."""
    return open_sheet("topics.yaml").read(read_topic_sheet)


def read_topic_sheet(top: Row) -> TopicSheet:
    top.only("meta", "rules", "scoring_weights", "tie_order", "topics", "ambiguous")
    weights = top.row("scoring_weights")
    names = {topic.value: topic for topic in Topic}
    return TopicSheet(
        topics=tuple(_read_topic(row, names) for row in top.rows("topics")),
        weights={name: weights.number(name) for name in ("strong", "keyword", "pattern", "strong_pattern")},
        tie_order=tuple(Topic(name) for name in top.texts("tie_order")),
    )


def _read_topic(row: Row, names: Mapping[str, Topic]) -> TopicWords:
    row.only(
        *("id", "name_zh", "owner_sentence", "belongs", "not_belongs", "strong_keywords", "keywords"),
        *("strong_patterns", "patterns", "examples", "source", "confidence"),
    )
    source, confidence = read_origin(row)
    return TopicWords(
        topic=row.choice("id", names),
        name_zh=row.text("name_zh"),
        owner_sentence=row.text("owner_sentence"),
        keywords=row.texts("keywords"),
        strong_keywords=row.texts("strong_keywords"),
        patterns=row.texts("patterns"),
        strong_patterns=row.texts("strong_patterns"),
        examples=row.texts("examples"),
        source=source,
        confidence=confidence,
    )
