"""Where a plan goes when it is moved: another day keeps the clock time, another clock time keeps the day. Pure."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from dateutil.relativedelta import relativedelta

from domain.dates.readings import RRULE_WEEKDAYS
from domain.schedule_requests import ScheduleRequest
from domain.schedule_times import When, planned


class Movable(Protocol):
    """What is needed of a plan."""

    @property
    def starts_at(self) -> datetime: ...
    @property
    def timezone(self) -> str: ...
    @property
    def all_day(self) -> bool: ...
    @property
    def rrule(self) -> str | None: ...


def moved_fields(plan: Movable, request: ScheduleRequest, next_at: datetime, now: datetime) -> dict[str, Any] | None:
    """The fields that change; None when the new time is not clear or lies behind us. next_at: when it falls next.

    A weekday that names no week is one of the week the plan stands in. `now` is aware, in the owner's zone.
    """
    zone = ZoneInfo(plan.timezone)
    at, when = next_at.astimezone(zone), request.when
    if request.shift is not None:
        return _ahead({"starts_at": at + request.shift, "rrule": plan.rrule}, now)
    if when.recurrence is not None:
        return _repeats_anew(when, at, now, all_day=plan.all_day)
    if when.missing == "day" and not when.clocks:
        return None
    day = _day(when, at, now)
    clock = when.clocks[0] if when.clocks else None if plan.all_day else at.time()
    given: dict[str, Any] = {
        "starts_at": datetime.combine(day, clock or time.min, zone),
        "all_day": clock is None,
        "rrule": _rule(plan.rrule, at.date(), day),
    }
    return _ahead(given, now)


def _ahead(given: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    starts_at = given["starts_at"]
    over = starts_at.date() < now.date() if given.get("all_day") else starts_at <= now
    return None if over else given | {"starts_at": starts_at.astimezone(UTC)}


def _day(when: When, at: datetime, now: datetime) -> date:
    if when.on is None:
        return at.date()
    if when.weekday_only is None:
        return at.date() if _is_clock_only(when, now) else when.on
    monday = at.date() - timedelta(days=at.isoweekday() - 1)
    same_week = monday + timedelta(days=when.weekday_only - 1)
    return same_week if same_week > now.date() else when.on


def _is_clock_only(when: When, now: datetime) -> bool:
    """改成下午四点 names no day; it was read as the nearest such time."""
    return bool(when.clocks) and when.nearest and when.on in (now.date(), now.date() + relativedelta(days=1))


def _repeats_anew(when: When, at: datetime, now: datetime, *, all_day: bool) -> dict[str, Any]:
    """改成每两个月一次: a new repetition from the day it stands on; the clock time stays unless one is said."""
    rule = when.recurrence
    names_days = rule is not None and bool(rule.weekdays or rule.days or rule.unit == "day")
    first = planned(when if names_days or when.on else replace(when, on=at.date()), now)[0]
    starts_at = first.starts_at
    if first.all_day and not all_day:
        starts_at = datetime.combine(starts_at.date(), at.time(), at.tzinfo)
    return {"starts_at": starts_at.astimezone(UTC), "rrule": first.rrule, "all_day": first.all_day and all_day}


def _rule(rule: str | None, old: date, new: date) -> str | None:
    """The repetition on its new day: every Wednesday becomes every Friday, the 5th of each month the 8th."""
    if rule is None or old == new:
        return rule
    parts = dict(part.split("=", 1) for part in rule.split(";"))
    if parts["FREQ"] == "WEEKLY" and "BYDAY" in parts:
        parts["BYDAY"] = RRULE_WEEKDAYS[new.isoweekday() - 1]
    elif "BYDAY" in parts:
        del parts["BYDAY"]
    if "BYMONTHDAY" in parts:
        parts["BYMONTHDAY"] = str(new.day)
    if "BYMONTH" in parts:
        parts["BYMONTH"] = str(new.month)
    return ";".join(f"{name}={value}" for name, value in parts.items())
