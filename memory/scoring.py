"""The nightly score of a memory and what it decides. Values in, values out; ages are given in days.

score = 0.35 · signal + 0.30 · confidence + 0.20 · weight + 0.15 · freshness, every part in [0, 1]:

- signal = 1 − e^(−(1.0 · cited + 0.5 · viewed + 0.4 · hit) / 3): it saturates, so that a hot row cannot drown others;
- confidence: how sure we are that it is true;
- weight = weight_level / 3: 3 health and safety, 2 routine care, 1 small talk;
- freshness = 0.5^(days since the last evidence or use / 14). With the decay rate of a fact (0.008 a day) a health
  fact that nobody ever used would stay above 0.50 for 288 days; with fourteen days it leaves after 47.

The score reads the undecayed weight; the decayed one (`decay`) orders recall.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import exp

from memory.vocabulary import Kind

SIGNAL_SHARE = 0.35
CONFIDENCE_SHARE = 0.30
WEIGHT_SHARE = 0.20
FRESHNESS_SHARE = 0.15

CITED_VALUE = 1.0  # the reply really used it
VIEWED_VALUE = 0.5  # its owner opened it
HIT_VALUE = 0.4  # a search of the owner returned it
SIGNAL_SCALE = 3.0  # three citations reach 63 % of the signal

HIGHEST_WEIGHT_LEVEL = 3
FRESHNESS_HALF_LIFE_DAYS = 14.0

_ROUNDING = 1e-9  # 0.75 made of four products must count as 0.75


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where the bands of the nightly decision lie; days count from when a memory was learned."""

    core_score: float = 0.75
    core_citations: int = 2
    pending_score: float = 0.50
    pending_days: float = 60.0  # then watching ends; otherwise the short tier would grow without anybody seeing it
    short_days: float = 30.0


DEFAULT_THRESHOLDS = Thresholds()


@dataclass(frozen=True, slots=True)
class Signals:
    """Uses of one memory by its owner; being injected is none."""

    cited: int = 0
    viewed: int = 0
    hit: int = 0

    @property
    def recall_count(self) -> int:
        return self.cited + self.viewed + self.hit


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """The four parts in [0, 1], before their shares; what the owner reads under "why"."""

    signal: float
    confidence: float
    weight: float
    freshness: float

    @property
    def score(self) -> float:
        return (
            SIGNAL_SHARE * self.signal
            + CONFIDENCE_SHARE * self.confidence
            + WEIGHT_SHARE * self.weight
            + FRESHNESS_SHARE * self.freshness
        )


class Band(StrEnum):
    """What the nightly run does with a short-term memory."""

    CORE = "core"
    PENDING = "pending"  # watched on
    ARCHIVE = "archive"  # summarised by topic into the long-term archive
    KEEP = "keep"  # too young to be judged


def explain(signals: Signals, confidence: float, weight_level: int, days_idle: float) -> ScoreParts:
    """Return the parts of the score. `days_idle`: days since the last evidence or use, never below zero."""
    return ScoreParts(
        signal=signal_part(signals),
        confidence=min(1.0, max(0.0, confidence)),
        weight=weight_part(weight_level),
        freshness=freshness_part(days_idle),
    )


def signal_part(signals: Signals) -> float:
    """How much its owner used it, in [0, 1)."""
    uses = CITED_VALUE * signals.cited + VIEWED_VALUE * signals.viewed + HIT_VALUE * signals.hit
    return 1.0 - exp(-uses / SIGNAL_SCALE)


def weight_part(weight_level: int) -> float:
    """The undecayed weight of levels 1 to 3. Raises ValueError for another level."""
    if not 1 <= weight_level <= HIGHEST_WEIGHT_LEVEL:
        raise ValueError(f"weight level must be 1, 2 or 3, not {weight_level}")
    return weight_level / HIGHEST_WEIGHT_LEVEL


def freshness_part(days_idle: float) -> float:
    """1 on the day of the last evidence or use, one half after fourteen days. A clock set back counts as today."""
    return float(0.5 ** (max(0.0, days_idle) / FRESHNESS_HALF_LIFE_DAYS))


def decide_band(
    score: float, cited: int, kind: Kind, age_days: float, thresholds: Thresholds = DEFAULT_THRESHOLDS
) -> Band:
    """Place a short-term memory. `age_days`: days since it was learned.

    A belief never enters core before it has become a fact. At day 60 watching ends, whatever the score below core.
    """
    if _reaches(score, thresholds.core_score) and cited >= thresholds.core_citations and kind is not Kind.BELIEF:
        return Band.CORE
    if _reaches(score, thresholds.pending_score):
        return Band.PENDING if age_days < thresholds.pending_days else Band.ARCHIVE
    return Band.ARCHIVE if age_days > thresholds.short_days else Band.KEEP


def _reaches(score: float, threshold: float) -> bool:
    return score >= threshold - _ROUNDING
