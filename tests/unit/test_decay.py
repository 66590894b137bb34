"""How memories fade."""

import math

import pytest

from memory.decay import ARCHIVE_BELOW, DAILY_RATE, days_until_faded, has_faded, weight_now
from memory.vocabulary import Kind


@pytest.mark.parametrize(
    ("kind", "half_life"), [(Kind.FACT, 86.6), (Kind.SUMMARY, 27.7), (Kind.BELIEF, 9.9), (Kind.EVENT, 4.6)]
)
def test_half_is_left_after_the_half_life_of_the_kind(kind: Kind, half_life: float) -> None:
    assert weight_now(3, kind, half_life) == pytest.approx(0.5, abs=0.003)
    assert math.log(2) / DAILY_RATE[kind] == pytest.approx(half_life, abs=0.06)


def test_every_kind_has_a_rate() -> None:
    assert set(DAILY_RATE) == set(Kind)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_memory_starts_at_its_weight_and_a_clock_set_back_changes_nothing(level: int) -> None:
    assert weight_now(level, Kind.EVENT, 0) == weight_now(level, Kind.EVENT, -5) == level / 3


@pytest.mark.parametrize("kind", list(Kind))
def test_safety_facts_and_locked_memories_do_not_fade(kind: Kind) -> None:
    assert weight_now(3, kind, 10_000, exempt=True) == 1.0
    assert days_until_faded(3, kind, exempt=True) == math.inf


@pytest.mark.parametrize(
    ("level", "kind", "days"),
    [
        (3, Kind.FACT, 374.5),
        (1, Kind.FACT, 237.1),
        (3, Kind.EVENT, 20.0),
        (1, Kind.EVENT, 12.6),
        (3, Kind.BELIEF, 42.8),
    ],
)
def test_the_day_a_memory_has_faded(level: int, kind: Kind, days: float) -> None:
    assert days_until_faded(level, kind) == pytest.approx(days, abs=0.1)
    assert not has_faded(weight_now(level, kind, days - 0.2))
    assert has_faded(weight_now(level, kind, days + 0.2))


def test_the_limit_itself_is_not_faded() -> None:
    assert not has_faded(ARCHIVE_BELOW)
