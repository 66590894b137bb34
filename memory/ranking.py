"""Which memories answer a question, and in what order. Pure: scores and rows in, a short list out.

Three steps, each on its own numbers:
1. the gate looks at raw scores: a cosine under the embedder's floor with no shared word is no memory for this
   question, so a nonsense question gets nothing;
2. the chance that a memory belongs to the answer, by a logistic model of a dozen marks (`Marks`): how near it is
   among the candidates by meaning and by words, whether it is of the class that is asked for, by the question's words
   and by its meaning. Its weights are fitted (`python -m bench.ranking_fit`), not guessed. It is asked twice: over the
   whole household, to tell whom the question means, and then among the memories of those meant;
3. the order: chance, and between things of like chance freshness, confidence and weight. They only order what passed;
   they let nothing in.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from types import MappingProxyType

from memory.embedder import RelevanceFloor
from memory.ranking_weights import BY_MEANING, BY_WORDS, Marks, RankingWeights, log_odds
from memory.vocabulary import AttributeClass, Precision

APART = 1.0  # log-odds: two answers nearer than this fit a question alike
LEAST_CHANCE = 0.1  # of belonging to the answer, from which a memory is told
LEAST_CHANCE_OF_MANY = 0.08  # the same where several things are asked for
FAR_BEHIND = 5.0  # log-odds: a memory so far behind the best one is no answer beside it
FAR_BEHIND_BY_WORDS = 3.5  # the same where no embedder speaks: words alone set answers less far apart
HABITS_UNASKED = 1  # of today's habits, beside what answers the question
KEYWORD_EVIDENCE = 2.0  # BM25 of one rare pair of characters in a household of some dozen lines
MANY_SHARED_WORDS = 10.0  # BM25 from which more words in common say no more
SHARED_WORD = 1.0  # BM25 from which a memory shares a word with the question that says something
KEYWORD_NEAR_BEST = 0.5  # of the best keyword score: a line that shares less only shares common words
KEYWORD_NEAR_BEST_ALONE = 0.25  # the same where no embedder speaks
PLAINLY_MEANT = 0.5  # chance of a class from which its newest row is looked for though no word asks for it
COMPARED_WITH = 0.9  # of the newest row's mark, for the one that a change is measured from
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

    classes and topics: how strongly an answer of that class or topic is asked for by the words, in [0, 1].
    meant: how likely an answer of that class is by the meaning of the question, in [0, 1]; None where nothing reads it.
    known_subject: the question points at somebody of the household.
    period: first and last local day the question speaks of, None when it names none.
    trend: a change is asked for, so the measurement before (or at the start of the period) belongs to the answer.
    past: an old happening is asked for by itself. many: the question asks for several things at once.
    """

    classes: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    topics: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    meant: Mapping[str, float] | None = None
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
    """A memory that passed the gate.

    relevance: chance in (0, 1) that it belongs to the answer; odds: its log-odds; order: what the list is sorted by.
    newest: see Marks. worth: near 1, by freshness, confidence and weight.
    """

    item: RecallItem
    signals: Signals
    relevance: float
    order: float
    odds: float = 0.0
    newest: float = 0.0
    worth: float = 1.0


NEAR = 0.1  # of the floor's span, by which the nearest must be ahead to be nearly three times as near
MEANT_IF_ASKED = 0.5  # a class that the words ask for is answered by this share of questions, where nothing else tells
AGE = 0.08  # how much of the order freshness, confidence and weight may move
CONFIDENCE = 0.10
WEIGHT = 0.06

NEVER_MIXED_UP = frozenset(
    {AttributeClass.ALLERGY.value, AttributeClass.CHRONIC_CONDITION.value, AttributeClass.MEDICATION.value}
)
"""Classes whose rows do harm when they are told of the wrong pet."""

SERIES = frozenset({AttributeClass.WEIGHT.value})
"""Classes whose rows replace each other as the answer to "now"."""


def score(
    items: Sequence[RecallItem],
    signals: Mapping[str, Signals],
    wanted: Wanted,
    floor: RelevanceFloor | None,
    today: date,
) -> list[Scored]:
    """All memories that may be about the question, best first. floor None = no embedder: keywords alone decide."""
    if not _is_about_memory(signals, wanted, floor):
        return _only_today(items, signals)
    answers = _answers_of_series(items, wanted)
    known = [(item, signals.get(item.id, Signals())) for item in items]
    best = _best(seen for _, seen in known)
    passed = [
        Scored(item, seen, 0.0, 0.0, newest=answers.get(item.id, 0.0), worth=_worth(item, wanted, today))
        for item, seen in known
        if item.id in answers or _passes(seen, best, floor, item.attribute_class in wanted.classes)
    ]
    return weigh(passed, wanted, floor)


def weigh(
    scored: Sequence[Scored],
    wanted: Wanted,
    floor: RelevanceFloor | None,
    aside: Collection[str] = (),
    weights: RankingWeights | None = None,
) -> list[Scored]:
    """The chance of each to belong to the answer among these candidates, best first. aside: see `choose`."""
    weights = weights or (BY_WORDS if floor is None else BY_MEANING)
    found = []
    for one, marks in zip(scored, marks_of(scored, wanted, floor, aside), strict=True):
        odds = log_odds(marks, weights)
        chance = 1 / (1 + math.exp(-odds))
        found.append(replace(one, odds=odds, relevance=chance, order=chance * one.worth))
    return sorted(found, key=lambda one: (-one.order, one.item.id))


def marks_of(
    scored: Sequence[Scored], wanted: Wanted, floor: RelevanceFloor | None, aside: Collection[str] = ()
) -> list[Marks]:
    """The marks of each of these candidates, in their order."""
    best = _best(one.signals for one in scored)
    near = [_nearness(one.signals.dense, best.dense, floor) for one in scored]
    crowd = sum(near) or 1.0
    return [
        _marks(one, best, nearness / crowd, wanted, floor, one.item.id in aside)
        for one, nearness in zip(scored, near, strict=True)
    ]


def _nearness(dense: float | None, best: float | None, floor: RelevanceFloor | None) -> float:
    """1 for the nearest; falls fast enough that a memory a little farther off counts for little beside it."""
    if dense is None or best is None or floor is None:
        return 0.0
    return math.exp((dense - best) / (NEAR * floor.span))


def _marks(
    one: Scored, best: Signals, ahead: float, wanted: Wanted, floor: RelevanceFloor | None, aside: bool
) -> Marks:
    asked, topic = one.item.attribute_class in wanted.classes, one.item.topic in wanted.topics
    return Marks(
        dense=_dense_share(one.signals.dense, best.dense, floor),
        ahead=ahead,
        keyword=one.signals.keyword / best.keyword if best.keyword else 0.0,
        words=min(1.0, one.signals.keyword / MANY_SHARED_WORDS),
        shared=one.signals.keyword >= SHARED_WORD,
        asked=asked,
        topic=topic and not asked,
        unlike=bool(wanted.classes) and not asked and not topic,
        newest=one.newest,
        meant=_meant(one.item.attribute_class, wanted),
        aside=aside,
    )


def _meant(attribute_class: str, wanted: Wanted) -> float:
    if wanted.meant is not None:
        return wanted.meant.get(attribute_class, 0.0)
    return MEANT_IF_ASKED if attribute_class in wanted.classes else 0.0


def _best(signals: Iterable[Signals]) -> Signals:
    known = list(signals)
    return Signals(
        dense=max((seen.dense for seen in known if seen.dense is not None), default=None),
        keyword=max((seen.keyword for seen in known), default=0.0),
    )


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
    floor: RelevanceFloor | None,
    limit: int = MAX_INJECTED,
    told: Collection[str] = (),
    doubtful: bool = False,
    aside: Collection[str] = (),
    weights: RankingWeights | None = None,
) -> list[Scored]:
    """The few to inject: of these subjects, likely to belong to the answer, at most `limit`, in order.

    told: ids that a card tells anyway. They are not repeated, but still say how good an answer can be.
    aside: ids about somebody who is not meant (the owner's affairs beside a pet's).
    doubtful: the subjects are a guess. Then a medical fact is told only when nothing of anybody comes near it.
    weights: others than those of this module, while they are being fitted.
    """
    allowed = _in_reach([one for one in scored if one.item.subject in subjects], wanted)
    weighed = weigh(allowed, wanted, floor, aside, weights)
    untold = [one for one in weighed if one.item.id not in told]
    nearest = max((one.odds for one in weighed), default=0.0)
    behind = FAR_BEHIND_BY_WORDS if floor is None else FAR_BEHIND
    least = LEAST_CHANCE_OF_MANY if wanted.many else LEAST_CHANCE
    likely = [one for one in untold if one.relevance >= least and one.odds >= nearest - behind]
    if doubtful:
        plain = _plain_to_anybody(scored, subjects)
        likely = [one for one in likely if one.item.attribute_class not in NEVER_MIXED_UP or one.item.id in plain]
    unasked = [one for one in untold if one.signals.falls_today and one not in likely][:HABITS_UNASKED]
    return [*likely[: limit - len(unasked)], *unasked]


def _plain_to_anybody(scored: Sequence[Scored], subjects: Collection[str | None]) -> set[str]:
    """The best memory, if it is one of theirs and nothing of anybody else comes near it."""
    best = max((one.odds for one in scored), default=-math.inf)
    rival = max((one.odds for one in scored if one.item.subject not in subjects), default=-math.inf)
    return {one.item.id for one in scored if one.odds == best > rival + APART}


def _in_reach(scored: Sequence[Scored], wanted: Wanted) -> list[Scored]:
    """What has faded into its archive is told of the past, and where nothing of today comes nearer."""
    if wanted.past or wanted.period is not None:
        return list(scored)
    nearest = max((one.relevance for one in scored if not one.item.archived), default=0.0)
    return [one for one in scored if not one.item.archived or one.relevance > nearest]


def _only_today(items: Sequence[RecallItem], signals: Mapping[str, Signals]) -> list[Scored]:
    """Habits of the day: they surface unasked, whatever is talked about."""
    today = [(item, signals[item.id]) for item in items if item.id in signals and signals[item.id].falls_today]
    return [Scored(item, seen, 0.0, 0.0) for item, seen in today]


def _dense_share(dense: float | None, best: float | None, floor: RelevanceFloor | None) -> float:
    if dense is None or best is None or floor is None:
        return 0.0
    return max(0.0, 1 - (best - dense) / floor.span)


def _answers_of_series(items: Sequence[RecallItem], wanted: Wanted) -> dict[str, float]:
    """The newest row of each series that is asked for, and for a change the one it is compared with."""
    answers: dict[str, float] = {}
    rows: dict[tuple[str | None, str], list[RecallItem]] = {}
    for item in items:
        if item.attribute_class in SERIES and _is_asked(item.attribute_class, wanted) and item.happened_on:
            rows.setdefault((item.subject, item.attribute_class), []).append(item)
    for series in rows.values():
        series.sort(key=lambda item: (item.happened_on or date.min, item.id), reverse=True)
        answers[series[0].id] = 1.0
        if wanted.trend and len(series) > 1:
            answers[_compared_with(series, wanted).id] = COMPARED_WITH
    return answers


def _is_asked(attribute_class: str, wanted: Wanted) -> bool:
    return attribute_class in wanted.classes or (wanted.meant or {}).get(attribute_class, 0.0) >= PLAINLY_MEANT


def _compared_with(newest_first: Sequence[RecallItem], wanted: Wanted) -> RecallItem:
    """The row at the start of the period that is asked about, or the one before the newest."""
    older = newest_first[1:]
    if wanted.period is None:
        return older[0]
    start = wanted.period[0]
    return min(older, key=lambda item: abs((item.happened_on or date.min) - start))


def _worth(item: RecallItem, wanted: Wanted, today: date) -> float:
    fresh = 1.0 if wanted.past or item.happened_on is None else freshness(item.happened_on, today)
    return (1 - AGE * (1 - fresh)) * (1 - CONFIDENCE * (1 - item.confidence)) * (1 - WEIGHT * (1 - item.weight_now))


def freshness(happened_on: date, today: date) -> float:
    """0.5 per half-life of age, in (0, 1]; the future counts as today."""
    return math.pow(0.5, max(0, (today - happened_on).days) / FRESHNESS_HALF_LIFE_DAYS)
