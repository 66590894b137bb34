"""What speaks for a memory as an answer, and how much each mark counts. Pure.

A logistic model: the log-odds that a memory belongs to the answer are a sum over its marks. The weights are fitted on
question sets whose answers are known; `python -m bench.ranking_fit` prints them with the figures of each set that was
left out of the fit.
"""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Marks:
    """What speaks for one memory among the candidates of a question, each mark about in [0, 1].

    dense: 1 for the nearest by meaning, 0 at the floor's span below it, so it says the same for short questions (whose
    cosines are lower as a whole) and in households of 40 and of 4,000 memories.
    ahead: its share of the nearness of all, 1 where it stands alone.
    keyword: BM25 over the best one. words: BM25 itself, full at ten. shared: a word that says something is shared.
    asked: of a class the words ask for; topic: of its topic only; unlike: of neither.
    meant: how likely the question asks for that class by its meaning.
    newest: the newest of a series that is asked for, or what it is compared with. aside: about somebody not meant.
    """

    dense: float = 0.0
    ahead: float = 0.0
    keyword: float = 0.0
    words: float = 0.0
    shared: float = 0.0
    asked: float = 0.0
    topic: float = 0.0
    unlike: float = 0.0
    newest: float = 0.0
    meant: float = 0.0
    aside: float = 0.0


MARKS = tuple(mark.name for mark in fields(Marks))


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """Log-odds of a memory without any mark, and of each mark: change them only by fitting them again."""

    nothing: float
    marks: Marks


BY_MEANING = RankingWeights(
    nothing=-4.95,
    marks=Marks(
        dense=2.51,
        ahead=3.21,
        keyword=1.67,
        words=1.65,
        shared=0.91,
        asked=1.39,
        topic=0.39,
        unlike=-0.92,
        newest=2.62,
        meant=3.4,
        aside=-2.52,
    ),
)
BY_WORDS = RankingWeights(
    nothing=-2.8,
    marks=Marks(
        keyword=3.44,
        words=2.53,
        shared=0.33,
        asked=2.43,
        topic=0.26,
        unlike=-1.08,
        newest=2.96,
        aside=-2.81,
    ),
)
"""Where no embedder speaks."""


def log_odds(marks: Marks, weights: RankingWeights) -> float:
    """Log-odds that a memory with these marks belongs to the answer."""
    w = weights.marks
    return (
        weights.nothing
        + w.dense * marks.dense
        + w.ahead * marks.ahead
        + w.keyword * marks.keyword
        + w.words * marks.words
        + w.shared * marks.shared
        + w.asked * marks.asked
        + w.topic * marks.topic
        + w.unlike * marks.unlike
        + w.newest * marks.newest
        + w.meant * marks.meant
        + w.aside * marks.aside
    )
