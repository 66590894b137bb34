"""When an owner's memory may sleep: twenty quiet minutes outside the owner's active hours. Values in, values out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

QUIET = timedelta(minutes=20)
HOURS_A_DAY = 24
MIN_TALKS = 20  # talks that must be known before an owner's own hours replace the usual ones
MIN_DAYS = 7  # on so many days, so that one long evening teaches nothing
STRAY_SHARE = 0.05  # of all talks: what happens in the quiet hours now and then does not make them active
MIN_QUIET_HOURS = 4  # a night shorter than this is no night; then the usual hours hold


@dataclass(frozen=True, slots=True)
class ActiveHours:
    """Local wall-clock hours between which an owner is usually there; they may run over midnight."""

    begin: time = time(8)
    end: time = time(23)

    def hold(self, local: datetime) -> bool:
        """Whether the owner is usually there at this local time."""
        clock = local.time()
        if self.begin <= self.end:
            return self.begin <= clock < self.end
        return clock >= self.begin or clock < self.end


USUAL_HOURS = ActiveHours()


def active_hours(talks: Sequence[datetime]) -> ActiveHours:
    """The hours of an owner from when their talks took place (local times); the usual ones while little is known.

    The longest run of hours with hardly any talk is taken for the night, the rest for the day.
    """
    if len(talks) < MIN_TALKS or len({talk.date() for talk in talks}) < MIN_DAYS:
        return USUAL_HOURS
    by_hour = Counter(talk.hour for talk in talks)
    strays = int(len(talks) * STRAY_SHARE)
    start, length = max(
        ((hour, _quiet_run(by_hour, hour, strays)) for hour in range(HOURS_A_DAY)),
        key=lambda run: (run[1], -run[0]),
    )
    if length < MIN_QUIET_HOURS:
        return USUAL_HOURS
    return ActiveHours(begin=time((start + length) % HOURS_A_DAY), end=time(start))


def may_sleep(
    local_now: datetime, last_talk: datetime, hours: ActiveHours, *, turn_running: bool, anything_new: bool
) -> bool:
    """Whether a run may begin now. `last_talk`: when the owner last said something, in any zone."""
    if turn_running or not anything_new:
        return False
    return local_now - last_talk >= QUIET and not hours.hold(local_now)


def _quiet_run(by_hour: Counter[int], start: int, strays: int) -> int:
    """How many hours from `start` on hold at most `strays` talks together; it must begin with a silent hour."""
    if by_hour[start]:
        return 0
    heard = 0
    for length in range(HOURS_A_DAY):
        heard += by_hour[(start + length) % HOURS_A_DAY]
        if heard > strays:
            return length
    return HOURS_A_DAY
