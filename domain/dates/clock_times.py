"""From a part of the day and a spoken hour to "HH:MM", and to the day after where the night runs over midnight."""

from domain.dates.meanings import Clock, DayPart

NOON = 12
LAST_NIGHT_HOUR = 5  # 夜里五点 still belongs to the night before
FIRST_EVENING_HOUR = 5
LIKELY_AFTERNOON = range(1, 6)  # 三点 without a part of the day: nobody makes appointments for three at night


def clock_time(clock: Clock, part: DayPart | None) -> tuple[str, int]:
    """ "HH:MM" and the days to add (1 when the night has passed midnight).

    >>> clock_time(Clock(9, 30), "evening"), clock_time(Clock(12, 0), "evening")
    (('21:30', 0), ('00:00', 1))
    """
    hour, days = _on_24_hours(clock, part)
    return f"{hour:02}:{clock.minute:02}", days


def _on_24_hours(clock: Clock, part: DayPart | None) -> tuple[int, int]:
    hour = clock.hour
    if hour == 24:
        return 0, 1
    if hour > NOON:
        return hour, 0
    if part in ("evening", "midnight"):
        if hour == NOON or hour < FIRST_EVENING_HOUR or (part == "midnight" and hour == LAST_NIGHT_HOUR):
            return hour % NOON, 1
        return hour + NOON, 0
    if part == "dawn":
        return hour % NOON, 0
    if part == "afternoon" or (part == "noon" and hour < 10):
        return hour % NOON + NOON, 0
    if part is None and hour in LIKELY_AFTERNOON and not clock.written:
        return hour + NOON, 0
    return hour, 0
