"""The dates suite: blind time phrases in, the readings of `domain.dates` out, in the evaluation's format."""

from collections.abc import Iterable

from app.evaluation.cases import DatesCase
from domain.dates import TimeReading, read_time


def predict_dates(cases: Iterable[DatesCase]) -> list[dict[str, object]]:
    """One prediction a case, in order. A whole month or year is no date, so it is answered with none."""
    return [{"id": case.id, **_as_prediction(read_time(case.text, case.now))} for case in cases]


def _as_prediction(reading: TimeReading) -> dict[str, object]:
    date = reading.on.isoformat() if reading.on is not None and reading.is_day else None
    end = reading.until.isoformat() if date is not None and reading.until is not None else None
    return {
        "date": date,
        "time": reading.time,
        "end": end,
        "recurrence": None if reading.recurrence is None else reading.recurrence.as_dict(),
        "supported": reading.supported,
    }
