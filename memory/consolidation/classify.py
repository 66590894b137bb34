"""Phase 4, classify: lines that say the same become one, and guesses are weighed against what was heard since.

Facts: two lines of one subject that `similarity` calls the same thing are merged; when the owner wrote or locked both
or the one that would go, the owner is asked first. Beliefs: confidence follows the evidence; above .85 a guess has
become a fact, below .2 it is marked for deletion. High risk is never settled by counting.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from memory.consolidation.lines import NightLine
from memory.similarity import bigram_likeness, difference, same_thing, sameness_key
from memory.vocabulary import Kind, MemoryStatus, Risk, Tier

FACT_ABOVE = 0.85  # product contract: a belief above it is a fact
FADES_BELOW = 0.20  # product contract: marked for deletion
MOVED = 0.005  # a smaller move of confidence is rounding

FIRST_GUESS = 0.6  # how far one doubtful telling is trusted
DOUBT_LEFT = 0.7  # share of the doubt that one more telling leaves
AFTER_DENIAL = 0.65  # share of the confidence that one contrary day leaves

JUDGED_FROM = 0.55  # likeness of bigrams from which a judge is asked; below, two lines share hardly a word
MOST_JUDGED = 40  # pairs a judge sees in one run

_TIER_RANK = {Tier.CORE: 2, Tier.LONG: 1, Tier.SHORT: 0}


@dataclass(frozen=True, slots=True)
class Merge:
    """`gone` hands everything on to `into`. asks: the owner has to agree first."""

    gone: NightLine
    into: NightLine
    asks: bool


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the evidence makes of a belief."""

    line: NightLine
    confidence: float

    @property
    def becomes_fact(self) -> bool:
        return self.confidence > FACT_ABOVE and self.line.risk is Risk.LOW

    @property
    def fades(self) -> bool:
        return self.confidence < FADES_BELOW and not self.line.guarded


@dataclass(frozen=True, slots=True)
class Heard:
    """Evidence about one belief: tellings of it, and days on which the opposite was said.

    premise_days: on how many days what it was inferred from happened, as far as that still stands; None for a belief
    that was told.
    """

    tellings: int = 1
    contrary_days: int = 0
    premise_days: int | None = None


def plan_merges(
    lines: Sequence[NightLine],
    fresh: Collection[str],
    names: Collection[str],
    apart: Collection[frozenset[str]] = (),
    judged: Collection[frozenset[str]] = (),
) -> tuple[Merge, ...]:
    """Pairs that are one thing and of which one is new. A line may take over several; one that goes takes over none.

    names: of all pets. apart: pairs the owner wants to keep or is being asked about. judged: pairs of which a judge
    has said that they are the same; the guard still has the last word.
    """
    merges: list[Merge] = []
    gone: set[str] = set()
    taken_over: set[str] = set()
    for one, other in _pairs(lines, fresh, judged):
        pair = frozenset((one.id, other.id))
        if gone & pair or pair in apart or not _is_one_thing(one, other, names, pair in judged):
            continue
        merge = _merge(one, other)
        if merge is not None and merge.gone.id not in taken_over:
            merges.append(merge)
            gone.add(merge.gone.id)
            taken_over.add(merge.into.id)
    return tuple(merges)


def doubtful_pairs(
    lines: Sequence[NightLine], fresh: Collection[str], names: Collection[str]
) -> tuple[tuple[NightLine, NightLine], ...]:
    """Pairs that only a judge can tell: nothing forbids them, their words are alike and not the same; likest first."""
    groups: dict[tuple[str | None, str], list[NightLine]] = defaultdict(list)
    for line in lines:
        groups[line.subject, line.topic].append(line)
    found = [
        (bigram_likeness(one.content, other.content), one, other)
        for group in groups.values()
        for one, other in combinations(group, 2)
        if (one.id in fresh or other.id in fresh) and not (one.mirror and other.mirror) and _is_low(one, other)
    ]
    alike = sorted((pair for pair in found if pair[0] >= JUDGED_FROM), key=lambda pair: (-pair[0], pair[1].id))
    open_ones = (
        (one, other)
        for _, one, other in alike
        if not same_thing(one.content, other.content) and difference(one.compared, other.compared, names) is None
    )
    return tuple(pair for pair, _ in zip(open_ones, range(MOST_JUDGED), strict=False))


def weigh(line: NightLine, heard: Heard) -> Weighed:
    """The confidence of a belief as all its evidence together has it; asking twice answers the same.

    Inferred ones count the days of their standing premises against days of the contrary (a rule of succession that
    begins at one third); told ones keep what their tellings gave them until the contrary is heard.
    """
    if heard.premise_days is not None:
        confidence = confidence_of(heard)
    elif heard.contrary_days:
        told = 1 - (1 - FIRST_GUESS) * DOUBT_LEFT ** (max(1, heard.tellings) - 1)
        confidence = min(line.confidence, told * AFTER_DENIAL**heard.contrary_days)
    else:
        confidence = line.confidence
    return Weighed(line, round(confidence, 4))


def confidence_of(heard: Heard) -> float:
    """Trust in an inferred belief: (days + 1) / (days + 2 · contrary days + 3), and next to nothing without days."""
    days = heard.premise_days or 0
    return round((days + 1) / (days + 2 * heard.contrary_days + 3), 4) if days else FADES_BELOW / 2


def plan_beliefs(lines: Sequence[NightLine], heard: Mapping[str, Heard]) -> tuple[Weighed, ...]:
    """The beliefs that tonight's evidence moves; those that stay as they are, are not among them."""
    weighed = (
        weigh(line, heard.get(line.id, Heard()))
        for line in lines
        if line.kind is Kind.BELIEF and line.status is MemoryStatus.ACTIVE and not line.mirror
    )
    return tuple(
        one for one in weighed if one.becomes_fact or one.fades or abs(one.confidence - one.line.confidence) >= MOVED
    )


def _pairs(
    lines: Iterable[NightLine], fresh: Collection[str], judged: Collection[frozenset[str]]
) -> Iterator[tuple[NightLine, NightLine]]:
    """Only lines of the same characters can be the same thing, so only those are compared; and what a judge saw."""
    buckets: dict[tuple[str | None, str], list[NightLine]] = defaultdict(list)
    known: dict[str, NightLine] = {}
    for line in lines:
        if line.status is not MemoryStatus.FADING:
            buckets[line.subject, sameness_key(line.content)].append(line)
            known[line.id] = line
    for bucket in buckets.values():
        ranked = sorted(bucket, key=_rank)
        yield from (pair for pair in combinations(ranked, 2) if pair[0].id in fresh or pair[1].id in fresh)
    for ids in sorted(judged, key=sorted):
        if all(one in known for one in ids):
            first, second = sorted(ids)
            yield known[first], known[second]


def _is_one_thing(one: NightLine, other: NightLine, names: Collection[str], judged: bool) -> bool:
    if one.status is not other.status or one.expires_at != other.expires_at:
        return False
    if difference(one.compared, other.compared, names) is not None:
        return False
    return (judged and _is_low(one, other)) or same_thing(one.content, other.content)


def _is_low(one: NightLine, other: NightLine) -> bool:
    """High risk is never settled by an opinion."""
    return one.risk is Risk.LOW and other.risk is Risk.LOW


def _merge(one: NightLine, other: NightLine) -> Merge | None:
    """Which of the two stays: the record's, else the owner's own, the higher one, the more used, the older."""
    if one.mirror and other.mirror:
        return None
    into, gone = sorted((one, other), key=_rank)
    return Merge(gone, into, asks=gone.guarded)


def _rank(line: NightLine) -> tuple[object, ...]:
    guess = line.kind is Kind.BELIEF
    return (not line.mirror, not line.guarded, guess, -_TIER_RANK[line.tier], -line.recall_count, line.id)
