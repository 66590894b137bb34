"""One evaluation: a file is read blind, the product answers it, and the answers are scored if the file holds gold."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.evaluation.cases import (
    read_conflict_cases,
    read_dates_cases,
    read_extraction_cases,
    read_recall_cases,
    read_records,
    read_safety_cases,
)
from app.evaluation.conflict_suite import predict_conflicts
from app.evaluation.dates_suite import predict_dates
from app.evaluation.extraction_suite import predict_extraction
from app.evaluation.recall_suite import predict_recall
from app.evaluation.safety_suite import predict_safety
from app.evaluation.scoring import Record, ScoreReport, extraction_slices, score

GOLD_FIELDS = frozenset({"expect", "gold"})


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came out. `slices` are further reports that must be read beside the main one; no gold, no reports."""

    suite: str
    predictions: list[Record]
    report: ScoreReport | None = None
    slices: dict[str, ScoreReport] | None = None


async def _extraction(path: Path) -> list[Record]:
    return list(predict_extraction(read_extraction_cases(path)))


async def _conflict(path: Path) -> list[Record]:
    return await predict_conflicts(read_conflict_cases(path))


async def _recall(path: Path) -> list[Record]:
    return await predict_recall(read_recall_cases(path))


async def _safety(path: Path) -> list[Record]:
    return list(predict_safety(read_safety_cases(path)))


async def _dates(path: Path) -> list[Record]:
    return list(predict_dates(read_dates_cases(path)))


RUNNERS: dict[str, Callable[[Path], Awaitable[list[Record]]]] = {
    "extraction": _extraction,
    "conflict": _conflict,
    "recall": _recall,
    "safety": _safety,
    "dates": _dates,
}


async def evaluate(suite: str, path: Path) -> Evaluation:
    """Run one suite over a file. Gold is read only after the last prediction is made.

    Raises ValueError for a line that is no JSON object, KeyError for a case without a field its suite needs.
    """
    predictions = await RUNNERS[suite](path)
    gold = read_records(path)
    if not gold or not all(_holds_gold(case) for case in gold):
        return Evaluation(suite, predictions)
    slices = extraction_slices(gold) if suite == "extraction" else {}
    reports = {name: score(suite, cases, _of(cases, predictions)) for name, cases in slices.items()}
    return Evaluation(suite, predictions, score(suite, gold, predictions), reports)


def _of(cases: list[Record], predictions: list[Record]) -> list[Record]:
    ids = {case["id"] for case in cases}
    return [prediction for prediction in predictions if prediction["id"] in ids]


def _holds_gold(value: Any) -> bool:
    """Whether a case carries labels anywhere: a statement's `expect`, a question's `gold`."""
    if isinstance(value, dict):
        return bool(GOLD_FIELDS & value.keys()) or any(_holds_gold(part) for part in value.values())
    return isinstance(value, list) and any(_holds_gold(part) for part in value)
