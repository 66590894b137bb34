"""Whether something that repeats falls on a day. Pure.

A recurrence is the mapping that claims carry: every, unit (hour|day|week|month|year), weekdays (1 = Monday), days of
the month, month.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any


def falls_on(recurrence: Mapping[str, Any], day: date) -> bool:
    """Whether a named weekday, day of the month or day of the year of the recurrence is `day`.

    What happens every day or at no named day (隔天, 每三个月) never "falls today": that would be said every day, or
    cannot be known without its first day.
    """
    if recurrence.get("every", 1) != 1:
        return False
    if recurrence.get("month") is not None and recurrence["month"] != day.month:
        return False
    if recurrence.get("weekdays"):
        return day.isoweekday() in recurrence["weekdays"]
    return bool(recurrence.get("days")) and day.day in recurrence["days"]
