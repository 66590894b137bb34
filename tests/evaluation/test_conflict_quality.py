"""Conflicts on the project's own cases: right outcomes, the right lines served, and never a dangerous error."""

from pathlib import Path

import pytest

from app.evaluation.cases import read_conflict_cases, read_records
from app.evaluation.conflict_suite import predict_conflicts
from app.evaluation.scoring import ScoreReport, score

HERE = Path(__file__).parent
CASES = [HERE / "conflict_own.jsonl", HERE / "conflict_dev.jsonl"]


async def _report(path: Path) -> ScoreReport:
    return score("conflict", read_records(path), await predict_conflicts(read_conflict_cases(path)))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
async def test_conflicts_end_as_the_policy_says(path: Path) -> None:
    report = await _report(path)

    assert report["outcome accuracy, strict"].value >= 0.75
    assert report["outcome accuracy, lenient"].value >= 0.85
    assert report["serving accuracy"].value >= 0.92
    assert report["dangerous errors (statements)"].value == 0
    assert report["nagging"].value <= 3
