"""Every corner of the nightly score."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.scoring import (
    Band,
    ScoreParts,
    Signals,
    Thresholds,
    decide_band,
    explain,
    freshness_part,
    signal_part,
    weight_part,
)
from memory.vocabulary import Kind

FOREVER = 1e6  # days; freshness is zero


def score(signals: Signals, confidence: float, weight_level: int, days_idle: float) -> float:
    return explain(signals, confidence, weight_level, days_idle).score


@pytest.mark.parametrize(("level", "fresh", "stale"), [(3, 0.635, 0.485), (2, 0.568, 0.418), (1, 0.502, 0.352)])
def test_a_fact_that_nobody_used_scores_by_weight_and_freshness(level: int, fresh: float, stale: float) -> None:
    assert score(Signals(), 0.95, level, 0) == pytest.approx(fresh, abs=0.0005)
    assert score(Signals(), 0.95, level, FOREVER) == pytest.approx(stale, abs=0.0005)


def test_an_unused_health_fact_leaves_after_47_days_not_288() -> None:
    """The reason for the half-life of fourteen days; a fact's decay rate would have kept it until day 288."""
    assert score(Signals(), 0.95, 3, 46) >= 0.50 > score(Signals(), 0.95, 3, 47)
    assert freshness_part(47) < 0.10 < freshness_part(46)


@pytest.mark.parametrize(("level", "needed"), [(3, 0.33), (2, 0.52), (1, 0.71)])
def test_the_signal_that_a_fresh_fact_needs_for_core(level: int, needed: float) -> None:
    without_signal = score(Signals(), 0.95, level, 0)
    assert (0.75 - without_signal) / 0.35 == pytest.approx(needed, abs=0.006)


def test_a_belief_about_small_talk_can_never_reach_core_and_one_about_health_can() -> None:
    endless = Signals(cited=10_000)
    assert score(endless, 0.6, 1, 0) < 0.75
    assert (0.75 - score(Signals(), 0.6, 3, 0)) / 0.35 == pytest.approx(0.63, abs=0.006)


@pytest.mark.parametrize(
    ("level", "signals"),
    [(3, Signals(cited=2)), (2, Signals(cited=3)), (1, Signals(cited=4))],
)
def test_every_level_of_a_fact_reaches_core_with_a_few_citations(level: int, signals: Signals) -> None:
    assert decide_band(score(signals, 0.95, level, 0), signals.cited, Kind.FACT, 1) is Band.CORE
    fewer = Signals(cited=signals.cited - 1)
    assert decide_band(score(fewer, 0.95, level, 0), fewer.cited, Kind.FACT, 1) is Band.PENDING


@pytest.mark.parametrize(
    ("signals", "expected"),
    [
        (Signals(), 0.0),
        (Signals(cited=3), 0.632),
        (Signals(viewed=6), 0.632),
        (Signals(hit=1), 0.125),
        (Signals(cited=1, viewed=1, hit=1), 0.469),
        (Signals(cited=1000), 1.0),
    ],
)
def test_the_signal_saturates(signals: Signals, expected: float) -> None:
    assert signal_part(signals) == pytest.approx(expected, abs=0.0005)


def test_recall_count_is_the_sum_of_the_signals() -> None:
    assert Signals(cited=1, viewed=2, hit=3).recall_count == 6


@pytest.mark.parametrize(("days", "expected"), [(0, 1.0), (14, 0.5), (28, 0.25), (-3, 1.0), (140, 0.000977)])
def test_freshness_halves_every_fourteen_days(days: float, expected: float) -> None:
    assert freshness_part(days) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("level", [0, 4, -1])
def test_there_are_three_levels_of_weight(level: int) -> None:
    with pytest.raises(ValueError, match="weight level"):
        weight_part(level)


def test_the_shares_make_one_and_the_parts_are_explained() -> None:
    assert ScoreParts(1, 1, 1, 1).score == pytest.approx(1.0)
    parts = explain(Signals(cited=3), 0.9, 2, 14)
    assert (parts.confidence, parts.weight, parts.freshness) == (0.9, pytest.approx(2 / 3), 0.5)
    assert parts.score == pytest.approx(0.35 * parts.signal + 0.30 * 0.9 + 0.20 * 2 / 3 + 0.15 * 0.5)


@pytest.mark.parametrize(
    ("value", "cited", "kind", "age", "expected"),
    [
        (0.75, 2, Kind.FACT, 1, Band.CORE),
        (0.749, 9, Kind.FACT, 1, Band.PENDING),
        (0.90, 1, Kind.FACT, 1, Band.PENDING),
        (0.90, 9, Kind.BELIEF, 1, Band.PENDING),
        (0.90, 9, Kind.BELIEF, 60, Band.ARCHIVE),
        (0.50, 0, Kind.FACT, 59.9, Band.PENDING),
        (0.50, 0, Kind.FACT, 60, Band.ARCHIVE),
        (0.80, 2, Kind.FACT, 500, Band.CORE),
        (0.499, 0, Kind.FACT, 30, Band.KEEP),
        (0.499, 0, Kind.FACT, 30.1, Band.ARCHIVE),
        (0.10, 0, Kind.EVENT, 3, Band.KEEP),
    ],
)
def test_the_bands(value: float, cited: int, kind: Kind, age: float, expected: Band) -> None:
    assert decide_band(value, cited, kind, age) is expected


def test_a_score_that_is_exactly_on_the_line_counts_as_reached() -> None:
    on_the_line = 0.35 * 1.0 + 0.30 * 0.5 + 0.20 * 0.5 + 0.15 * 1.0
    assert decide_band(on_the_line, 2, Kind.FACT, 1) is Band.CORE


def test_changed_thresholds_change_the_decision() -> None:
    strict = Thresholds(core_score=0.9, core_citations=5, pending_score=0.8, pending_days=10, short_days=5)
    assert decide_band(0.85, 9, Kind.FACT, 1, strict) is Band.PENDING
    assert decide_band(0.95, 4, Kind.FACT, 1, strict) is Band.PENDING
    assert decide_band(0.85, 9, Kind.FACT, 10, strict) is Band.ARCHIVE
    assert decide_band(0.79, 9, Kind.FACT, 6, strict) is Band.ARCHIVE


@given(
    st.builds(Signals, st.integers(0, 500), st.integers(0, 500), st.integers(0, 500)),
    st.floats(-1, 2),
    st.integers(1, 3),
    st.floats(-10, 5000),
)
def test_every_part_and_the_score_stay_in_bounds(signals: Signals, confidence: float, level: int, days: float) -> None:
    parts = explain(signals, confidence, level, days)
    for part in (parts.signal, parts.confidence, parts.weight, parts.freshness, parts.score):
        assert 0.0 <= part <= 1.0 + 1e-12
