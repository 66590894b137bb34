"""The weight curve as plain numbers for an inline SVG. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

WIDTH, HEIGHT = 640, 190  # user units; the page scales them
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 14, 26
MAX_POINTS = 60  # more than one every six days of a year cannot be told apart
LEAST_SPAN_KG = 0.2  # a flat curve must not look like a mountain


@dataclass(frozen=True, slots=True)
class Mark:
    """A point or a tick, with its words."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class WeightChart:
    """points: oldest first. line: the same as an SVG `points` attribute. ticks: of the axes."""

    points: tuple[Mark, ...]
    line: str
    ticks_y: tuple[Mark, ...]
    ticks_x: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT


def chart_of(curve: Sequence[tuple[date, float]]) -> WeightChart | None:
    """The curve of weighings in kg, oldest first; None for fewer than two."""
    dated = _thinned(curve)
    if len(dated) < 2:
        return None
    low, high = min(kg for _, kg in dated), max(kg for _, kg in dated)
    margin = max(LEAST_SPAN_KG, high - low) * 0.15
    low, high = max(0.0, low - margin), high + margin
    first, last = dated[0][0], dated[-1][0]
    days = max(1, (last - first).days)

    def x(on: date) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (on - first).days / days, 1)

    def y(kg: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - kg) / (high - low), 1)

    points = tuple(Mark(x(on), y(kg), f"{on.isoformat()} {kg:g} kg") for on, kg in dated)
    middle = (low + high) / 2
    return WeightChart(
        points=points,
        line=" ".join(f"{point.x},{point.y}" for point in points),
        ticks_y=tuple(Mark(LEFT - 6, y(kg), f"{kg:.1f}") for kg in (low + margin, middle, high - margin)),
        ticks_x=tuple(Mark(x(on), HEIGHT - 8, on.isoformat()) for on in (first, last)),
    )


def _thinned(dated: Sequence[tuple[date, float]]) -> Sequence[tuple[date, float]]:
    """At most MAX_POINTS, evenly, the first and the last among them."""
    if len(dated) <= MAX_POINTS:
        return dated
    step = (len(dated) - 1) / (MAX_POINTS - 1)
    return [dated[round(place * step)] for place in range(MAX_POINTS)]
