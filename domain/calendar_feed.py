"""The household's calendar as calendar apps read it (RFC 5545): plans with their repetition, and what is due. Pure."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zlib import crc32
from zoneinfo import ZoneInfo

from icalendar import Alarm, Calendar, Event, vRecur, vText

from domain.ai_labels import AiLabel
from domain.due_dates import DueDate
from domain.due_lines import due_line
from domain.reminders import DAY, MORNING
from domain.repetition import occurrences
from domain.schedule_replies import named_title
from domain.schedules import Schedule

PRODUCT = "-//PawSignal//Care calendar//ZH"
NAME = "宠爱信号"
REFRESH = timedelta(hours=4)  # how often an app should look again
DOMAIN = "pawsignal.app"  # only makes ids unique; nothing is looked up there
SEARCH = timedelta(days=20 * 366)  # within which the first occurrence lies


def feed(
    plans: Sequence[Schedule],
    due: Mapping[str, Sequence[DueDate]],
    names: Mapping[str, str],
    today: date,
    at: datetime,
    label: AiLabel,
) -> bytes:
    """The text of the calendar: CRLF, folded lines, UTF-8. due and names: by pet id. at: when it was made, aware."""
    calendar = Calendar()
    for name, value in (
        ("prodid", PRODUCT),
        ("version", "2.0"),
        ("calscale", "GREGORIAN"),
        ("method", "PUBLISH"),
        ("x-wr-calname", NAME),
        ("x-wr-caldesc", label.text),
        ("x-aigc", vText(label.metadata)),
        ("x-published-ttl", "PT4H"),
    ):
        calendar.add(name, value)
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    for plan in plans:
        event = _event(plan, names)
        if event is not None:
            calendar.add_component(event)
    for pet_id, dates in due.items():
        for one in dates:
            if one.has_a_day:
                calendar.add_component(_due_event(one, pet_id, names[pet_id], today, at))
    calendar.add_missing_timezones()
    text: bytes = calendar.to_ical()
    return text


def _event(plan: Schedule, names: Mapping[str, str]) -> Event | None:
    """One plan; its start is its first occurrence, for apps count the start as one. None when it never falls."""
    first = next(occurrences(plan.starts_at, plan.rrule, plan.timezone, plan.starts_at, plan.starts_at + SEARCH), None)
    if first is None:
        return None
    local = first.astimezone(ZoneInfo(plan.timezone))
    event = Event()
    event.add("uid", f"schedule-{plan.id}@{DOMAIN}")
    event.add("dtstamp", plan.created_at)
    event.add("sequence", plan.version - 1)
    event.add("summary", named_title(plan, names))
    event.add("dtstart", local.date() if plan.all_day else local)
    if not plan.all_day:
        event.add("duration", timedelta(minutes=30))
    if plan.rrule:
        event.add("rrule", _rule(plan))
    for lead in plan.remind_before_minutes:
        event.add_component(_alarm(named_title(plan, names), lead, all_day=plan.all_day))
    return event


def _rule(plan: Schedule) -> vRecur:
    """The repetition; its end is a day for a plan of whole days, and an instant in UTC for any other."""
    rule: Any = vRecur.from_ical(plan.rrule or "")
    ends = [_end(one, plan) for one in rule.get("UNTIL", [])]
    if ends:
        rule["UNTIL"] = ends
    return rule  # type: ignore[no-any-return]  # the library types it as a plain mapping


def _end(until: date | datetime, plan: Schedule) -> date | datetime:
    zone = ZoneInfo(plan.timezone)
    if isinstance(until, datetime):
        at = until if until.tzinfo else until.replace(tzinfo=zone)
        return at.astimezone(zone).date() if plan.all_day else at.astimezone(UTC)
    return until if plan.all_day else datetime.combine(until, time(23, 59, 59), zone).astimezone(UTC)


def _alarm(title: str, lead: int, *, all_day: bool) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", title)
    morning = timedelta(hours=MORNING.hour, minutes=MORNING.minute)
    alarm.add("trigger", morning - timedelta(days=lead // DAY) if all_day else -timedelta(minutes=lead))
    return alarm


def _due_event(due: DueDate, pet_id: str, name: str, today: date, at: datetime) -> Event:
    event = Event()
    event.add("uid", f"due-{pet_id}-{crc32(f'{due.rule} {due.what}'.encode()):08x}-{due.due_on:%Y%m%d}@{DOMAIN}")
    event.add("dtstamp", at)
    event.add("summary", f"{name}：{due.what}到期")
    event.add("description", f"{due_line(due, name, today)}\n依据：{due.source}")
    event.add("dtstart", due.due_on)
    event.add("transp", "TRANSPARENT")
    return event
