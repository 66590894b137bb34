"""What a score is made of: ratios with an interval, counts, details, and the cases that were not right."""

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]
"""One parsed line of a JSONL file: a gold case or a prediction."""

SEED, RESAMPLES = 20260101, 1000  # the same input always prints the same interval
LOWER, UPPER = 0.025, 0.975  # the ends of a 95 % interval
NAME_WIDTH = 50


@dataclass(frozen=True, slots=True)
class Metric:
    """A ratio (`value` is numerator / denominator, None over nothing) or a count (out of `denominator` where known).

    `interval` is the 95 % bootstrap interval over cases (households in recall), for headline ratios only.
    """

    name: str
    value: float | None
    numerator: float
    denominator: float | None
    interval: tuple[float, float] | None = None
    is_count: bool = False

    def line(self) -> str:
        """The metric as one printed line."""
        if self.is_count:
            of = "" if self.denominator is None else f"  (of {self.denominator:g})"
            return f"{self.name:<{NAME_WIDTH}} {self.numerator:g}{of}"
        value = "-" if self.value is None else f"{self.value:.3f}"
        interval = "" if self.interval is None else f"  95% [{self.interval[0]:.3f}, {self.interval[1]:.3f}]"
        return f"{self.name:<{NAME_WIDTH}} {value}  ({self.numerator:g}/{self.denominator:g}){interval}"


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """The metrics of one suite in printing order, details such as the confusion table, and every case not right."""

    suite: str
    metrics: tuple[Metric, ...]
    details: Record = field(default_factory=dict)
    failures: tuple[Record, ...] = ()

    def __getitem__(self, name: str) -> Metric:
        """The metric of that name; KeyError when the suite has none."""
        for metric in self.metrics:
            if metric.name == name:
                return metric
        raise KeyError(name)

    def lines(self) -> Iterator[str]:
        """One line a metric, then one a detail."""
        yield from (metric.line() for metric in self.metrics)
        yield from (f"{name}: {json.dumps(detail, ensure_ascii=False)}" for name, detail in self.details.items())


class Tally:
    """Collects a score case by case. Ratios are kept per case so that cases can be drawn again for the interval."""

    def __init__(self) -> None:
        self.details: Record = {}
        self.failures: list[Record] = []
        self._ratios: dict[str, dict[str, tuple[float, float]]] = {}
        self._counts: dict[str, tuple[int, int | None]] = {}
        self._headlines: set[str] = set()

    def declare(self, *names: str, headlines: Iterable[str] = ()) -> None:
        """Fixes the printing order of ratios; those in `headlines` get an interval."""
        for name in names:
            self._ratios.setdefault(name, {})
        self._headlines |= set(headlines)

    def add(self, name: str, case: Record, numerator: float, denominator: float = 1) -> None:
        """Adds to a ratio what one case contributes."""
        cases = self._ratios.setdefault(name, {})
        up, down = cases.get(case["id"], (0, 0))
        cases[case["id"]] = up + numerator, down + denominator

    def count(self, name: str, number: int, of: int | None = None) -> None:
        """Adds to a count, and to how many it could have been when that is known."""
        value, total = self._counts.get(name, (0, None))
        self._counts[name] = value + int(number), total if of is None else (total or 0) + int(of)

    def fail(self, case: Record, **why: object) -> None:
        """Notes a case that was not right, with what was expected and what came."""
        self.failures.append({"id": case["id"], **why})

    def report(self, suite: str) -> ScoreReport:
        """The finished score."""
        ratios = [self._ratio(name, tuple(cases.values())) for name, cases in self._ratios.items()]
        counts = [Metric(name, value, value, of, is_count=True) for name, (value, of) in self._counts.items()]
        return ScoreReport(suite, (*ratios, *counts), self.details, tuple(self.failures))

    def _ratio(self, name: str, pairs: Sequence[tuple[float, float]]) -> Metric:
        up, down = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
        interval = bootstrap_interval(pairs) if down and name in self._headlines else None
        return Metric(name, up / down if down else None, round(up, 3), down, interval)


def bootstrap_interval(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The 95 % interval of sum(numerators) / sum(denominators) when cases are drawn again with replacement.

    Seeded. `pairs` must hold at least one denominator above zero.
    """
    drawn = random.Random(SEED)  # noqa: S311 resampling, no secret
    values: list[float] = []
    for _ in range(RESAMPLES):
        sample = drawn.choices(pairs, k=len(pairs))
        below = sum(pair[1] for pair in sample)
        if below:
            values.append(sum(pair[0] for pair in sample) / below)
    values.sort()
    return values[int(len(values) * LOWER)], values[int(len(values) * UPPER)]
