"""When a date, a clock time, a number with its unit or a recurrence is equal to the one expected."""

import datetime as dt
import re
from collections.abc import Sequence
from typing import Any

from app.evaluation.scoring.report import Record
from app.evaluation.scoring.text import plain

NUMBER_TOLERANCE = 0.005  # of the expected value, for rounding in unit conversion
_ISO_DATE_LENGTH = 10
_KILOGRAMS: dict[str, float] = {
    "kg": 1,
    "公斤": 1,
    "千克": 1,
    "斤": 0.5,
    "两": 0.05,
    "g": 0.001,
    "克": 0.001,
    "mg": 1e-6,
    "毫克": 1e-6,
    "磅": 0.45359,
    "lb": 0.45359,
}
_SAME_UNIT = {"块": "元", "rmb": "元", "cny": "元", "u": "单位", "iu": "单位", "个单位": "单位"}
_STEPS = {"week": (7, "day"), "year": (12, "month")}


def day(value: object) -> dt.date | None:
    """The date at the beginning of an ISO text; None for anything else."""
    try:
        return dt.date.fromisoformat(str(value)[:_ISO_DATE_LENGTH])
    except ValueError:
        return None


def date_ok(got: object, want: str, tolerance: int = 0, accept: Sequence[str] = ()) -> bool:
    """Equal, within `tolerance` days, or one of the dates also accepted."""
    date, expected = day(got), day(want)
    if date is None:
        return False
    near = expected is not None and abs((date - expected).days) <= tolerance
    return near or any(date == day(other) for other in accept)


def minutes(value: object) -> int | None:
    """ "HH:MM" as minutes after midnight."""
    match = re.match(r"(\d{1,2}):(\d{2})", str(value or ""))
    return int(match[1]) * 60 + int(match[2]) if match else None


def number_ok(got: Record, want: Record) -> bool:
    """Equal after unit conversion; an expected number without a unit is compared alone."""
    try:
        number, expected = float(got["number"]), float(want["number"])
    except (KeyError, TypeError, ValueError):
        return False
    unit, want_unit = _unit(got.get("unit")), _unit(want.get("unit"))
    if want_unit in _KILOGRAMS and unit in _KILOGRAMS:
        number, expected = number * _KILOGRAMS[unit], expected * _KILOGRAMS[want_unit]
    elif want_unit and unit != want_unit:
        return False
    return abs(number - expected) <= NUMBER_TOLERANCE * abs(expected)


def _unit(said: object) -> str:
    unit = plain(said).strip()
    return _SAME_UNIT.get(unit, unit)


def recurrence_ok(got: object, want: Record) -> bool:
    """The same step (2 weeks = 14 days, 1 year = 12 months) and every detail that gold lists."""
    have = _canonical(got) if isinstance(got, dict) else {}
    return all(have.get(name) == detail for name, detail in _canonical(want).items())


def _canonical(recurrence: Record) -> dict[str, Any]:
    unit, every = recurrence.get("unit"), recurrence.get("every")
    factor, base = _STEPS.get(str(unit), (1, unit))
    days = [recurrence["day"]] if "day" in recurrence else recurrence.get("days")
    detail: dict[str, Any] = {
        name: sorted(value) if isinstance(value, list) else value
        for name, value in recurrence.items()
        if name not in ("every", "unit", "day")
    }
    detail["step"] = (every * factor if isinstance(every, int | float) else None, base)
    return detail | ({"days": sorted(days)} if days else {})
