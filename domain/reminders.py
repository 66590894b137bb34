"""When a plan is to be brought up: its occurrences minus the lead times. Pure.

A lead of whole days keeps the clock time across a change of the clocks; what lasts the whole day is brought up at nine
in the morning.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from domain.repetition import occurrences

MORNING = time(9, 0)  # local: after quiet hours, before the clinic's first appointment
DAY = 1440  # minutes
HORIZON = timedelta(days=20 * 366)  # how far ahead a plan may lie


class Remindable(Protocol):
    """What is needed of a plan."""

    @property
    def starts_at(self) -> datetime: ...
    @property
    def timezone(self) -> str: ...
    @property
    def all_day(self) -> bool: ...
    @property
    def rrule(self) -> str | None: ...
    @property
    def remind_before_minutes(self) -> Sequence[int]: ...


@dataclass(frozen=True, slots=True)
class Reminder:
    """One time to bring a plan up. at: when; occurrence: what it is about; both aware UTC. lead: minutes."""

    at: datetime
    occurrence: datetime
    lead: int


def reminders_after(plan: Remindable, after: datetime) -> Iterator[Reminder]:
    """Those later than `after`, in no strict order: an occurrence's own, then the next one's."""
    if not plan.remind_before_minutes:
        return
    since = after - timedelta(days=1)  # a whole day is brought up at nine of a day that has begun
    for occurrence in occurrences(plan.starts_at, plan.rrule, plan.timezone, since, after + HORIZON):
        for lead in plan.remind_before_minutes:
            at = _fires_at(plan, occurrence, lead)
            if at > after:
                yield Reminder(at, occurrence, lead)


def next_reminder(plan: Remindable, after: datetime) -> Reminder | None:
    """The first one later than `after`; None when there is none any more."""
    longest = timedelta(minutes=max(plan.remind_before_minutes, default=0) + DAY)
    best: Reminder | None = None
    for one in reminders_after(plan, after):
        if best is not None and one.occurrence - longest > best.at:
            break
        best = one if best is None or one.at < best.at else best
    return best


def latest_reminder(plan: Remindable, since: datetime, now: datetime) -> Reminder | None:
    """The last one in [since, now]: after an outage only the newest is worth saying."""
    best, after = None, since - timedelta(microseconds=1)
    longest = timedelta(minutes=max(plan.remind_before_minutes, default=0) + DAY)
    for one in reminders_after(plan, after):
        if one.occurrence - longest > now:
            break
        if one.at <= now and (best is None or one.at >= best.at):
            best = one
    return best


def _fires_at(plan: Remindable, occurrence: datetime, lead: int) -> datetime:
    local = occurrence.astimezone(ZoneInfo(plan.timezone))
    if plan.all_day:
        local = datetime.combine(local.date(), MORNING, local.tzinfo)
    days, minutes = divmod(lead, DAY)
    moved = datetime.combine(local.date() - timedelta(days=days), local.time(), local.tzinfo)
    return moved.astimezone(UTC) - timedelta(minutes=minutes)
