"""RFC 5545 repetition rules as schedules use them: which are accepted, and on which instants they fall. Pure.

A rule is expanded in local wall-clock time, so 15:00 stays 15:00 when the clocks change. It may go on without an end,
because it is only ever read through a window. Refused is what repeats more often than daily, and what falls on no day
at all (30 February), which would be searched for ever; so each frequency takes only the parts that can be checked.
"""

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from dateutil.rrule import rrule, rrulestr

from domain.errors import DomainFault

PARTS: dict[str, frozenset[str]] = {
    "DAILY": frozenset({"BYDAY"}),
    "WEEKLY": frozenset({"BYDAY"}),
    "MONTHLY": frozenset({"BYDAY", "BYMONTHDAY", "BYSETPOS"}),
    "YEARLY": frozenset({"BYMONTH", "BYMONTHDAY"}),
}
"""The parts a rule of each frequency may have beside the ones all may have."""

ANYWHERE = frozenset({"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST"})
MAX_RULE = 200  # characters
MAX_INTERVAL = 100
MAX_COUNT = 1000  # repetitions; nearly three years of every day
MAX_OCCURRENCES = 500  # of one schedule in one window
LONGEST_WINDOW = timedelta(days=366)  # one year and its leap day, in one call
PERIODS_TRIED = 120  # months or years looked at for a day that exists: 29 February comes back within these

_RULE = re.compile(r"[A-Z]+=[A-Z0-9,+-]+(?:;[A-Z]+=[A-Z0-9,+-]+)*")
_UNTIL = re.compile(r"(\d{8})(?:T(\d{6})(Z?))?")
_WEEKDAYS = re.compile(r"(?:MO|TU|WE|TH|FR|SA|SU)(?:,(?:MO|TU|WE|TH|FR|SA|SU))*")
_NTH_WEEKDAYS = re.compile(r"[+-]?[1-5](?:MO|TU|WE|TH|FR|SA|SU)(?:,[+-]?[1-5](?:MO|TU|WE|TH|FR|SA|SU))*")


class BadRepetition(DomainFault):
    """A rule that cannot be read, falls on no day, or repeats too often."""

    code = "bad_repetition"
    detail = "重复规则无法识别，例如 FREQ=WEEKLY;BYDAY=MO"


def require_usable(rule: str, starts_at: datetime, timezone: str) -> str:
    """The rule in its plain form (`FREQ=WEEKLY;BYDAY=MO`). Raises BadRepetition with the reason in Chinese."""
    plain = rule.strip().upper().removeprefix("RRULE:").rstrip(";")
    parts = _parts(plain)
    begins = _local(starts_at, timezone)
    _require_known_parts(parts)
    _require_numbers(parts)
    _require_days(parts, begins)
    if next(iter(_parsed(parts, begins, timezone)), None) is None:
        raise BadRepetition("按这个规则一次也不会发生")
    return plain


def occurrences(
    starts_at: datetime, rule: str | None, timezone: str, since: datetime, until: datetime
) -> Iterator[datetime]:
    """The instants in [since, until), in order, at most MAX_OCCURRENCES; aware UTC. Without a rule just the start.

    `rule` has passed `require_usable`.
    """
    if rule is None:
        if since <= starts_at < until:
            yield starts_at.astimezone(UTC)
        return
    zone = ZoneInfo(timezone)
    first, end = _local(since, timezone), _local(until, timezone)
    parts = _parts(rule)
    found = _within(_parsed(parts, _nearer(parts, _local(starts_at, timezone), first), timezone), first, end)
    for local in islice(found, MAX_OCCURRENCES):
        yield local.replace(tzinfo=zone).astimezone(UTC)


def _nearer(parts: Mapping[str, str], begins: datetime, first: datetime) -> datetime:
    """A start of the same rule just before `first`: nobody unrolls the years since an old daily plan began."""
    days = {"DAILY": 1, "WEEKLY": 7}.get(parts["FREQ"], 0) * int(parts.get("INTERVAL", "1"))
    if not days or "COUNT" in parts or first <= begins:
        return begins
    return begins + timedelta(days=max(0, (first - begins).days // days - 1) * days)


def _within(found: rrule, first: datetime, end: datetime) -> Iterator[datetime]:
    for local in found:
        if local >= end:
            return
        if local >= first:
            yield local


def _parts(rule: str) -> dict[str, str]:
    if len(rule) > MAX_RULE or not _RULE.fullmatch(rule):
        raise BadRepetition()
    pairs = [part.split("=", 1) for part in rule.split(";")]
    if len({name for name, _ in pairs}) != len(pairs):
        raise BadRepetition()
    return dict(pairs)


def _require_known_parts(parts: Mapping[str, str]) -> None:
    frequency = parts.get("FREQ", "")
    if frequency not in PARTS:
        raise BadRepetition("只支持按天、周、月、年重复")
    if not parts.keys() <= ANYWHERE | PARTS[frequency]:
        raise BadRepetition("重复规则里有不支持的部分")
    if "COUNT" in parts and "UNTIL" in parts:
        raise BadRepetition("重复次数和结束日期只能有一个")


def _require_numbers(parts: Mapping[str, str]) -> None:
    for name, most, label in (("INTERVAL", MAX_INTERVAL, "重复间隔"), ("COUNT", MAX_COUNT, "重复次数")):
        given = parts.get(name, "1")
        if not given.isdecimal() or not 1 <= int(given) <= most:
            raise BadRepetition(f"{label}要在 1 到 {most} 之间")
    if "UNTIL" in parts and not _UNTIL.fullmatch(parts["UNTIL"]):
        raise BadRepetition()


def _require_days(parts: Mapping[str, str], begins: datetime) -> None:
    """Every combination that is let through falls on a day sooner or later."""
    frequency, interval = parts["FREQ"], int(parts.get("INTERVAL", "1"))
    weekdays = parts.get("BYDAY")
    nth = frequency == "MONTHLY" and "BYSETPOS" not in parts
    if weekdays is not None and not (_WEEKDAYS.fullmatch(weekdays) or (nth and _NTH_WEEKDAYS.fullmatch(weekdays))):
        raise BadRepetition()
    if frequency == "DAILY" and weekdays is not None and interval != 1:
        raise BadRepetition("按天重复时，指定星期就不能再隔天")
    if frequency == "MONTHLY" and weekdays is not None and "BYMONTHDAY" in parts:
        raise BadRepetition("按月重复时，日期和星期只能选一个")
    if "BYSETPOS" in parts and (weekdays is None or not set(_numbers(parts, "BYSETPOS", 5))):
        raise BadRepetition()
    if "BYMONTHDAY" in parts or "BYMONTH" in parts:
        _require_some_day(parts, begins, frequency, interval)


def _require_some_day(parts: Mapping[str, str], begins: datetime, frequency: str, interval: int) -> None:
    days = _numbers(parts, "BYMONTHDAY", 31) or [begins.day]
    months = _numbers(parts, "BYMONTH", 12) or [begins.month]
    if any(month < 1 for month in months):
        raise BadRepetition()
    step = interval * (12 if frequency == "YEARLY" else 1)
    first = begins.year * 12 + begins.month - 1
    for period in (first + step * count for count in range(PERIODS_TRIED)):
        year, month = divmod(period, 12)
        shown = months if frequency == "YEARLY" else [month + 1]
        if any(abs(day) <= monthrange(year, one)[1] for day in days for one in shown):
            return
    raise BadRepetition("按这个规则一次也不会发生")


def _numbers(parts: Mapping[str, str], name: str, most: int) -> list[int]:
    """The numbers of a part, each in ±1…most; [] when the part is absent."""
    if name not in parts:
        return []
    try:
        numbers = [int(number) for number in parts[name].split(",")]
    except ValueError:
        raise BadRepetition() from None
    if any(not 1 <= abs(number) <= most for number in numbers):
        raise BadRepetition()
    return numbers


def _parsed(parts: Mapping[str, str], begins: datetime, timezone: str) -> rrule:
    rest = ";".join(f"{name}={value}" for name, value in parts.items() if name != "UNTIL")
    try:
        found = rrulestr(rest, dtstart=begins)
        until = _end(parts["UNTIL"], timezone) if "UNTIL" in parts else None
    except (ValueError, TypeError, KeyError, IndexError, OverflowError):
        raise BadRepetition() from None
    if not isinstance(found, rrule):
        raise BadRepetition()
    return found if until is None else found.replace(until=until)


def _end(given: str, timezone: str) -> datetime:
    """The last local instant: the end of a day when only a date is given."""
    shape = _UNTIL.fullmatch(given)
    if shape is None:
        raise BadRepetition()
    day, clock, utc = shape.groups()
    if clock is None:
        return datetime.combine(datetime.strptime(day, "%Y%m%d"), time.max)  # noqa: DTZ007  # local wall-clock time
    at = datetime.strptime(day + clock, "%Y%m%d%H%M%S")  # noqa: DTZ007  # the same, unless it says UTC
    return _local(at.replace(tzinfo=UTC), timezone) if utc else at


def _local(at: datetime, timezone: str) -> datetime:
    """Wall-clock time there, without a zone."""
    return at.astimezone(ZoneInfo(timezone)).replace(tzinfo=None)
