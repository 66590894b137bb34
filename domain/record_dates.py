"""Dates that cannot be right: what has happened lies not ahead, and nothing ends before it begins. Pure."""

from datetime import date, datetime, timedelta
from typing import Any

from domain.errors import Implausible
from memory.scope import Scope

HAPPENED = ("born_on", "onset_on", "given_on", "visited_on", "measured_at", "occurred_at")
"""Fields that tell of the past. A drug or a diet may begin tomorrow, so `started_on` is none of them."""
SLACK = timedelta(days=1)  # phones in other time zones, and clocks that run ahead

_LABELS = {
    "born_on": "出生日期",
    "onset_on": "开始日期",
    "given_on": "接种或驱虫日期",
    "visited_on": "就诊日期",
    "measured_at": "称重时间",
    "occurred_at": "发生时间",
}


def require_possible_dates(fields: Any, scope: Scope, now: datetime) -> None:
    """Check the dates of a form, as they will be stored. `now` is domain time. Raises Implausible."""
    latest = scope.local(now + SLACK).date()
    for name in HAPPENED:
        when = getattr(fields, name, None)
        if when is not None and _day(when, scope) > latest:
            raise Implausible(f"{_LABELS[name]}还没有到，请核对后再填")
    begun = getattr(fields, "started_on", None) or getattr(fields, "onset_on", None)
    ended = getattr(fields, "ended_on", None)
    if begun is not None and ended is not None and ended < begun:
        raise Implausible("结束日期早于开始日期，请核对后再填")


def _day(when: date | datetime, scope: Scope) -> date:
    return scope.local(when).date() if isinstance(when, datetime) else when
