"""Does something that repeats fall on a day?"""

from datetime import date
from typing import Any

import pytest

from memory.recurrence import falls_on

WEDNESDAY = date(2026, 6, 3)


@pytest.mark.parametrize(
    ("recurrence", "falls"),
    [
        ({"every": 1, "unit": "week", "weekdays": [3]}, True),
        ({"every": 1, "unit": "week", "weekdays": [1, 3, 5]}, True),
        ({"every": 1, "unit": "week", "weekdays": [4]}, False),
        ({"every": 2, "unit": "week", "weekdays": [3]}, False),
        ({"every": 1, "unit": "month", "days": [3]}, True),
        ({"every": 1, "unit": "month", "days": [4]}, False),
        ({"every": 1, "unit": "year", "month": 6, "days": [3]}, True),
        ({"every": 1, "unit": "year", "month": 7, "days": [3]}, False),
        ({"every": 1, "unit": "day"}, False),
        ({"every": 3, "unit": "month"}, False),
        ({}, False),
    ],
)
def test_only_a_named_day_falls_on_today(recurrence: dict[str, Any], falls: bool) -> None:
    assert falls_on(recurrence, WEDNESDAY) is falls
