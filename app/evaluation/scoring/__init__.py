"""Scoring: predictions against gold, one file a suite (`extraction`, `conflict`, `recall`, `safety`, `dates`).

Shared: `text` (one reading for all spellings), `values` (when dates, numbers and recurrences are equal), `report`
(ratios, counts, bootstrap intervals). What each number means is written in docs/evaluation.md.
"""

from collections.abc import Callable, Sequence

from app.evaluation.scoring.conflict import score_conflict
from app.evaluation.scoring.dates import score_dates
from app.evaluation.scoring.extraction import score_extraction
from app.evaluation.scoring.recall import score_recall
from app.evaluation.scoring.report import Metric, Record, ScoreReport, Tally
from app.evaluation.scoring.safety import score_safety

__all__ = ["SUITES", "Metric", "Record", "ScoreReport", "extraction_slices", "score"]

_Scorer = Callable[[Sequence[Record], dict[str, Record], Tally], None]
SUITES: dict[str, _Scorer] = {
    "extraction": score_extraction,
    "conflict": score_conflict,
    "recall": score_recall,
    "safety": score_safety,
    "dates": score_dates,
}


def score(suite: str, gold_cases: Sequence[Record], predictions: Sequence[Record]) -> ScoreReport:
    """Scores one suite. Predictions are joined to cases by `id`; a case without one is scored as empty.

    Raises KeyError for an unknown suite and ValueError for a prediction without an id or an id that occurs twice.
    """
    by_id = _by_id(predictions)
    ids = {case["id"] for case in gold_cases}
    tally = Tally()
    tally.count("cases without a prediction (scored as empty)", len(ids - set(by_id)), of=len(ids))
    tally.count("predictions for unknown ids (ignored)", len(set(by_id) - ids))
    SUITES[suite](gold_cases, by_id, tally)
    return tally.report(suite)


def _by_id(predictions: Sequence[Record]) -> dict[str, Record]:
    by_id: dict[str, Record] = {}
    for prediction in predictions:
        name = prediction.get("id")
        if not isinstance(name, str):
            raise ValueError("a prediction has no id")
        if name in by_id:
            raise ValueError(f"the id {name} occurs twice in the predictions")
        by_id[name] = prediction
    return by_id


def extraction_slices(gold_cases: Sequence[Record]) -> dict[str, list[Record]]:
    """The two slices of the extraction cases that are always shown on their own: several pets, and no facts.

    A system that stores nothing is perfect on the second and useless elsewhere, so never quote one without the other.
    """
    return {
        "several pets": [case for case in gold_cases if "multi" in case["tags"]],
        "no facts": [case for case in gold_cases if not case["expect"]["facts"]],
    }
