"""Dates: which day, clock time, span or recurrence a phrase means, and whether a day was invented."""

import re
from collections.abc import Sequence

from app.evaluation.scoring.report import Record, Tally
from app.evaluation.scoring.values import date_ok, minutes, recurrence_ok

ROUGH_MINUTES = 30  # either side of 九点多, 八点左右
_ROUGH = re.compile("多|左右")
_NO_DATE, _ALL_RIGHT = "unsupported: no date given", "right in every scored field"
_RATIOS = ("date accuracy", "time accuracy", "span accuracy", "recurrence accuracy", _NO_DATE, _ALL_RIGHT)


def score_dates(gold: Sequence[Record], predictions: dict[str, Record], tally: Tally) -> None:
    """Adds the metrics of the dates suite to `tally`."""
    tally.declare(*_RATIOS, headlines=("date accuracy", _ALL_RIGHT))
    for case in gold:
        answer = predictions.get(case["id"], {})
        marks = _marks(case, answer)
        if _NO_DATE in marks:
            tally.count("invented dates", not marks[_NO_DATE], of=1)
        for name, right in marks.items():
            tally.add(name, case, right)
        tally.add(_ALL_RIGHT, case, all(marks.values()))
        if not all(marks.values()):
            tally.fail(
                case,
                text=case["text"],
                wrong=[name for name, right in marks.items() if not right],
                expected=case["expect"],
                got={name: answer.get(name) for name in ("date", "time", "end", "recurrence")},
            )


def _marks(case: Record, answer: Record) -> dict[str, bool]:
    """Metric -> right or wrong, for the fields that gold fixes."""
    expect, marks = case["expect"], {}
    if expect["date"]:
        tolerance, accept = expect.get("date_tolerance_days", 0), expect.get("accept_dates", [])
        marks["date accuracy"] = date_ok(answer.get("date"), expect["date"], tolerance, accept)
    if expect["time"]:
        marks["time accuracy"] = _time_ok(case["text"], answer.get("time"), expect["time"])
    if expect["end"]:
        marks["span accuracy"] = date_ok(answer.get("end"), expect["end"])
    if expect["recurrence"]:
        marks["recurrence accuracy"] = recurrence_ok(answer.get("recurrence"), expect["recurrence"])
    if not expect["supported"]:
        marks[_NO_DATE] = not answer.get("date")
    return marks


def _time_ok(text: str, got: object, want: str) -> bool:
    said, expected = minutes(got), minutes(want)
    slack = ROUGH_MINUTES if _ROUGH.search(text) else 0
    return said is not None and expected is not None and abs(said - expected) <= slack
