"""Which memories answer a question, and in what order. Pure: scores and rows in, a short list out.

Three steps, each on its own numbers:
1. the gate looks at raw relevance: a cosine under the embedder's floor with no shared word is no memory for this
   question, so a nonsense question gets nothing;
2. fusion: dense similarity between the floor and the best hit (0.8) and keyword score over the best one (0.2), plus
   what the question asks for (class and topic of the answer, its time, today's habit);
3. the order: relevance, and between things of like relevance freshness, confidence and weight. They only order what
   passed; they let nothing in.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from types import MappingProxyType

from memory.embedder import RelevanceFloor
from memory.vocabulary import AttributeClass, Precision

APART = 0.1  # relevance: two answers nearer than this fit a question alike
HABITS_UNASKED = 1  # of today's habits, beside what answers the question
KEYWORD_EVIDENCE = 2.0  # BM25 of one rare pair of characters in a household of some dozen lines
SHARED_WORD = 1.0  # BM25 from which a memory shares a word with the question that says something
KEYWORD_NEAR_BEST = 0.5  # of the best keyword score: a line that shares less only shares common words
KEYWORD_NEAR_BEST_ALONE = 0.25  # the same where no embedder speaks
MAX_INJECTED = 5  # memories beside the cards in one turn (product contract)
FRESHNESS_HALF_LIFE_DAYS = 180  # an answer half a year old still is one; only near ties should feel age


@dataclass(frozen=True, slots=True)
class RecallItem:
    """A memory row as ranking sees it.

    happened_on: the owner's day it is about (or was learned); happened_at and precision as they are stored.
    weight_now: decayed weight in [0, 1]. provisional: a danger said with doubt. archived: it has left everyday recall.
    """

    id: str
    subject: str | None
    topic: str
    attribute: str
    attribute_class: str
    kind: str
    content: str
    happened_on: date | None = None
    confidence: float = 1.0
    weight_now: float = 1.0
    provisional: bool = False
    happened_at: datetime | None = None
    precision: str = Precision.UNKNOWN.value
    learned_at: datetime | None = None
    archived: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the question asks for, in memory's own words.

    classes and topics: how strongly an answer of that class or topic is asked for, in [0, 1].
    known_subject: the question points at somebody of the household.
    period: first and last local day the question speaks of, None when it names none.
    trend: a change is asked for, so the measurement before (or at the start of the period) belongs to the answer.
    past: an old happening is asked for by itself. many: the question asks for several things at once.
    """

    classes: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    topics: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    known_subject: bool = False
    period: tuple[date, date] | None = None
    trend: bool = False
    past: bool = False
    many: bool = False


@dataclass(frozen=True, slots=True)
class Signals:
    """Raw evidence for one memory; None = that arm did not answer or did not find it."""

    dense: float | None = None
    keyword: float = 0.0
    in_period: bool = False
    falls_today: bool = False


@dataclass(frozen=True, slots=True)
class Scored:
    """A memory that passed the gate. relevance: fused, may exceed 1; order: what the list is sorted by."""

    item: RecallItem
    signals: Signals
    relevance: float
    order: float


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """Measured on question sets of ours (docs/recall.md): change them only with the figures beside."""

    dense: float = 0.8
    keyword: float = 0.2
    keyword_alone: float = 0.5
    asked_class: float = 0.25
    asked_topic: float = 0.10
    period: float = 0.10
    today: float = 0.25
    newest: float = 0.35  # the newest of a series that is asked for
    near_best: float = 0.66  # a memory under this share of the best relevance is no answer beside it
    near_best_of_many: float = 0.54
    no_shared_word: float = 1.03  # times that share for a memory without one of the question's words
    unlike_asked: float = 1.3  # times that share for one that is also of another class and topic than is asked for
    aside: float = 1.36  # times that share for a line of somebody who is not meant
    beside_card: float = 0.58  # the same share beside an answer that a card tells anyway
    age: float = 0.08  # how much of the order freshness, confidence and weight may move
    confidence: float = 0.10
    weight: float = 0.06


WEIGHTS = RankingWeights()

NEVER_MIXED_UP = frozenset(
    {AttributeClass.ALLERGY.value, AttributeClass.CHRONIC_CONDITION.value, AttributeClass.MEDICATION.value}
)
"""Classes whose rows do harm when they are told of the wrong pet."""

SERIES = {AttributeClass.WEIGHT.value: 1.0, AttributeClass.DEWORMING.value: 0.4}
"""Classes whose rows replace each other as the answer to "now": how strongly the newest one is it."""


def score(
    items: Sequence[RecallItem],
    signals: Mapping[str, Signals],
    wanted: Wanted,
    floor: RelevanceFloor | None,
    today: date,
    weights: RankingWeights = WEIGHTS,
) -> list[Scored]:
    """All memories that may be about the question, best first. floor None = no embedder: keywords alone decide."""
    known = [signals.get(item.id, Signals()) for item in items]
    if not _is_about_memory(signals, wanted, floor):
        return _only_today(items, signals)
    best = Signals(
        dense=max((seen.dense for seen in known if seen.dense is not None), default=None),
        keyword=max((seen.keyword for seen in known), default=0.0),
    )
    answers = _answers_of_series(items, wanted)
    words = weights.keyword if floor is not None and best.dense is not None else weights.keyword_alone
    found = []
    for item, seen in zip(items, known, strict=True):
        if item.id not in answers and not _passes(seen, best, floor, item.attribute_class in wanted.classes):
            continue
        dense = _dense_share(seen.dense, best.dense, floor)
        keyword = seen.keyword / best.keyword if best.keyword else 0.0
        relevance = weights.dense * dense + words * keyword + _asked_for(item, seen, wanted, weights)
        relevance += weights.newest * answers.get(item.id, 0.0)
        found.append(Scored(item, seen, relevance, relevance * _worth(item, wanted, today, weights)))
    return sorted(found, key=lambda scored: (-scored.order, scored.item.id))


def _is_about_memory(signals: Mapping[str, Signals], wanted: Wanted, floor: RelevanceFloor | None) -> bool:
    """Whether the question has to do with this household's memories at all: the gate against nonsense."""
    best_keyword = max((s.keyword for s in signals.values()), default=0.0)
    best_dense = max((s.dense for s in signals.values() if s.dense is not None), default=None)
    if floor is None or best_dense is None:
        return best_keyword >= KEYWORD_EVIDENCE or (best_keyword > 0 and bool(wanted.classes))
    if best_dense >= floor.sure:
        return True
    if best_keyword >= KEYWORD_EVIDENCE or wanted.known_subject:
        return best_dense >= floor.nothing
    return bool(wanted.classes) and best_dense >= (floor.nothing + floor.sure) / 2


def _passes(seen: Signals, best: Signals, floor: RelevanceFloor | None, asked_for: bool) -> bool:
    """Whether one memory is near enough to the best hit of an arm, on the raw scores of that arm.

    Where no embedder speaks, being of the class that is asked for is a witness too.
    """
    if seen.falls_today:
        return True
    if floor is None or best.dense is None:
        return asked_for or (seen.keyword > 0 and seen.keyword >= KEYWORD_NEAR_BEST_ALONE * best.keyword)
    if seen.dense is not None and seen.dense > best.dense - floor.span:
        return True
    return seen.keyword > 0 and seen.keyword >= KEYWORD_NEAR_BEST * best.keyword


def choose(
    scored: Sequence[Scored],
    subjects: Collection[str | None],
    wanted: Wanted,
    limit: int = MAX_INJECTED,
    told: Collection[str] = (),
    doubtful: bool = False,
    aside: Collection[str] = (),
    weights: RankingWeights = WEIGHTS,
) -> list[Scored]:
    """The few to inject: of these subjects, near the best of them, at most `limit`, in order.

    told: ids that a card tells anyway. They are not repeated, but still say how good an answer can be.
    aside: ids about somebody who is not meant (the owner's affairs beside a pet's): told only when as good as the best.
    doubtful: the subjects are a guess. Then a medical fact is told only when nothing of anybody comes near it.
    """
    allowed = _in_reach([one for one in scored if one.item.subject in subjects], wanted)
    if not allowed:
        return []
    share = weights.near_best_of_many if wanted.many else weights.near_best
    untold = [one for one in allowed if one.item.id not in told]
    bar = _bar(allowed, untold, share, weights)
    near = [one for one in untold if one.relevance >= bar * _doubt(one, wanted, aside, weights)]
    if doubtful:
        top = max(one.relevance for one in scored)
        rival = max((one.relevance for one in scored if one.item.subject not in subjects), default=0.0)
        plain = top if rival < top - APART else math.inf
        near = [one for one in near if one.item.attribute_class not in NEVER_MIXED_UP or one.relevance >= plain]
    unasked = [one for one in untold if one.signals.falls_today and one not in near][:HABITS_UNASKED]
    return [*near[: limit - len(unasked)], *unasked]


def _in_reach(scored: Sequence[Scored], wanted: Wanted) -> list[Scored]:
    """What has faded into its archive is told of the past, and where nothing of today comes nearer."""
    if wanted.past or wanted.period is not None:
        return list(scored)
    nearest = max((one.relevance for one in scored if not one.item.archived), default=0.0)
    return [one for one in scored if not one.item.archived or one.relevance > nearest]


def _bar(allowed: Sequence[Scored], untold: Sequence[Scored], share: float, weights: RankingWeights) -> float:
    """Relevance from which a memory is told: near the best untold one, and not far below what a card tells."""
    best_untold = max((one.relevance for one in untold), default=0.0)
    return max(share * best_untold, weights.beside_card * max(one.relevance for one in allowed))


def _doubt(one: Scored, wanted: Wanted, aside: Collection[str], weights: RankingWeights) -> float:
    """How much better than the bar a memory must be, at least 1: nearness of meaning alone is a weak witness."""
    if one.item.id in aside:
        return weights.aside
    if one.signals.keyword >= SHARED_WORD:
        return 1.0
    asked = one.item.attribute_class in wanted.classes or one.item.topic in wanted.topics
    return weights.no_shared_word if asked or not wanted.classes else weights.unlike_asked


def _only_today(items: Sequence[RecallItem], signals: Mapping[str, Signals]) -> list[Scored]:
    """Habits of the day: they surface unasked, whatever is talked about."""
    today = [(item, signals[item.id]) for item in items if item.id in signals and signals[item.id].falls_today]
    return [Scored(item, seen, WEIGHTS.today, WEIGHTS.today) for item, seen in today]


def _dense_share(dense: float | None, best: float | None, floor: RelevanceFloor | None) -> float:
    """1 for the best hit, 0 at `span` below it: a scale of its own for each question, since short questions score
    lower as a whole, and the same in a household of 40 and of 4,000 memories."""
    if dense is None or best is None or floor is None:
        return 0.0
    return max(0.0, 1 - (best - dense) / floor.span)


def _answers_of_series(items: Sequence[RecallItem], wanted: Wanted) -> dict[str, float]:
    """The newest row of each series that is asked for, and for a change the one it is compared with."""
    answers: dict[str, float] = {}
    rows: dict[tuple[str | None, str], list[RecallItem]] = {}
    for item in items:
        if item.attribute_class in SERIES and item.attribute_class in wanted.classes and item.happened_on:
            rows.setdefault((item.subject, item.attribute_class), []).append(item)
    for (_, attribute_class), series in rows.items():
        series.sort(key=lambda item: (item.happened_on or date.min, item.id), reverse=True)
        answers[series[0].id] = SERIES[attribute_class]
        if wanted.trend and len(series) > 1:
            answers[_compared_with(series, wanted).id] = SERIES[attribute_class] * 0.9
    return answers


def _compared_with(newest_first: Sequence[RecallItem], wanted: Wanted) -> RecallItem:
    """The row at the start of the period that is asked about, or the one before the newest."""
    older = newest_first[1:]
    if wanted.period is None:
        return older[0]
    start = wanted.period[0]
    return min(older, key=lambda item: abs((item.happened_on or date.min) - start))


def _asked_for(item: RecallItem, seen: Signals, wanted: Wanted, weights: RankingWeights) -> float:
    return (
        weights.asked_class * wanted.classes.get(item.attribute_class, 0.0)
        + weights.asked_topic * wanted.topics.get(item.topic, 0.0)
        + weights.period * seen.in_period
        + weights.today * seen.falls_today
    )


def _worth(item: RecallItem, wanted: Wanted, today: date, weights: RankingWeights) -> float:
    fresh = 1.0 if wanted.past or item.happened_on is None else freshness(item.happened_on, today)
    return (
        (1 - weights.age * (1 - fresh))
        * (1 - weights.confidence * (1 - item.confidence))
        * (1 - weights.weight * (1 - item.weight_now))
    )


def freshness(happened_on: date, today: date) -> float:
    """0.5 per half-life of age, in (0, 1]; the future counts as today."""
    return math.pow(0.5, max(0, (today - happened_on).days) / FRESHNESS_HALF_LIFE_DAYS)
