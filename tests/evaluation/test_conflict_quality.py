"""Conflicts on the project's own cases: right outcomes, the right lines served, and never a dangerous error."""

from pathlib import Path

import pytest

from app.evaluation.cases import read_conflict_cases, read_records
from app.evaluation.conflict_suite import predict_conflicts
from app.evaluation.scoring import ScoreReport, score

HERE = Path(__file__).parent
STRICT_BARS = {"conflict_own.jsonl": 0.72, "conflict_dev.jsonl": 0.78}
"""Our own cases are the harder ones: many of them may rightly end in more than one way."""


async def _report(path: Path) -> ScoreReport:
    return score("conflict", read_records(path), await predict_conflicts(read_conflict_cases(path)))


@pytest.mark.parametrize("name", STRICT_BARS)
async def test_conflicts_end_as_the_policy_says(name: str) -> None:
    report = await _report(HERE / name)

    assert report["outcome accuracy, strict"].value >= STRICT_BARS[name]
    assert report["outcome accuracy, lenient"].value >= 0.85
    assert report["serving accuracy"].value >= 0.92
    assert report["dangerous errors (statements)"].value == 0
    assert report["nagging"].value <= 3
