"""Reading times: every time phrase of a text, or the one time of a short phrase."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from domain.dates.calendar_days import Days, resolve, resolve_end
from domain.dates.clock_times import clock_time
from domain.dates.direction import direction_of
from domain.dates.meanings import DayPart, Direction, Shift
from domain.dates.phrases import Phrase, find_phrases
from domain.dates.readings import Recurrence, TimeReading
from domain.dates.script import Script, read_script
from memory.vocabulary import Precision

MAX_TEXT = 4000  # characters of one message; what lies beyond is not read
SMALL_HOURS = 5  # until then, 今晚 said of the past is the evening before
_HABIT = re.compile(
    r"都(?![^,。]{0,8}[了过])|老(?!板|公|婆|师|家|了)|总(?!算|共)|一般|经常|平时|每|容易|从来|习惯|一到|天天"
)
_CLAUSE = 20


def find_times(text: str, now: datetime) -> tuple[TimeReading, ...]:
    """Every time phrase of `text` in order, with offsets into `text`. `now` is aware, in the owner's zone.

    A reading without a date is there too (`supported=False`) so that a caller can see what was said. Only the first
    MAX_TEXT characters are read; the work is linear in the text.
    """
    return tuple(reading for _, reading in _read_all(text, now))


def times_asked_about(text: str, now: datetime) -> tuple[TimeReading, ...]:
    """The time phrases of a question, which looks back where its verb does not say (三月份体重多少)."""
    return tuple(reading for _, reading in _read_all(text, now, Direction.PAST))


def read_time(text: str, now: datetime) -> TimeReading:
    """The one reading of a short phrase. What repeats comes before a day, a day before a month, and any of them before
    words that name no date; a text without any time reads as unsupported."""
    found = _read_all(text, now)
    readings = [reading for _, reading in found]
    repeating = [reading for reading in readings if reading.recurrence is not None]
    if repeating:
        return _with_loose_clock(repeating[0], readings)
    dated = [reading for phrase, reading in found if reading.on is not None and phrase.day is not None]
    nameless = [reading for reading in readings if not reading.supported]
    loose = [reading for reading in readings if reading.on is not None]
    ranked = [*(r for r in dated if r.is_day), *dated, *nameless, *loose]
    return ranked[0] if ranked else TimeReading(0, len(text), text, supported=False)


def _with_loose_clock(repeating: TimeReading, readings: list[TimeReading]) -> TimeReading:
    """每周洗一次澡 … 晚上八点: a clock said apart from its habit still belongs to it."""
    if repeating.time is not None or repeating.recurrence is None or repeating.recurrence.times:
        return repeating
    time = next((reading.time for reading in readings if reading.time is not None), None)
    if time is None:
        return repeating
    return replace(repeating, time=time, recurrence=replace(repeating.recurrence, times=(time,)))


def _read_all(text: str, now: datetime, bare: Direction = Direction.BARE) -> list[tuple[Phrase, TimeReading]]:
    script = read_script(text[:MAX_TEXT])
    found = [(phrase, _read_phrase(phrase, script, now, bare)) for phrase in find_phrases(script.plain)]
    return [(phrase, reading) for phrase, reading in found if reading is not None]


@dataclass(frozen=True, slots=True)
class _Said:
    """A phrase with its surroundings: where it stands, when it was said and which way its sentence looks."""

    phrase: Phrase
    now: datetime
    direction: Direction
    is_habit: bool
    has_begun: bool = False  # 从中午起: it goes on since then

    @property
    def today(self) -> date:
        return self.now.date()


def _read_phrase(phrase: Phrase, script: Script, now: datetime, bare: Direction) -> TimeReading | None:
    start, end = script.slice_of(phrase.start, phrase.end)
    blank = TimeReading(start, end, script.original[start:end])
    if phrase.no_date:
        return replace(blank, supported=False)
    clause = _clause_around(script.plain, phrase)
    direction = direction_of(script.plain, phrase.start, phrase.end, bare)
    begun = _SINCE.search(script.plain, max(0, phrase.start - 1), phrase.start) is not None
    begun = begun and script.plain.startswith(("起", "开始"), phrase.end)
    said = _Said(phrase, now, direction, _HABIT.search(clause) is not None, begun)
    if phrase.repeat is not None:
        return _read_repeating(blank, said)
    if phrase.day is not None:
        return _read_day(blank, said)
    return _read_bare_time(blank, said)


_SINCE = re.compile(r"[从打自]$")
_CLAUSE_END = re.compile(r"[,。!?;]")


def _clause_around(plain: str, phrase: Phrase) -> str:
    """The clause that holds the phrase, at most _CLAUSE characters to either side; 她耳朵都不灵 is another one."""
    before = _CLAUSE_END.split(plain[max(0, phrase.start - _CLAUSE) : phrase.start])[-1]
    after = _CLAUSE_END.split(plain[phrase.end : phrase.end + _CLAUSE], maxsplit=1)[0]
    return before + plain[phrase.start : phrase.end] + after


def _read_repeating(blank: TimeReading, said: _Said) -> TimeReading:
    phrase = said.phrase
    rule = phrase.repeat or Recurrence(1, "day")
    times = rule.times or tuple(dict.fromkeys(clock_time(clock, part)[0] for clock, part in phrase.clocks))
    recurrence = replace(rule, times=times)
    begin = resolve(phrase.day, said.today, Direction.FUTURE) if phrase.day is not None else None
    dated = blank if begin is None else replace(blank, on=begin.on, precision=begin.precision)
    return replace(dated, recurrence=recurrence, time=times[0] if len(times) == 1 else None)


def _read_day(blank: TimeReading, said: _Said) -> TimeReading:
    phrase = said.phrase
    if isinstance(phrase.day, Shift) and phrase.day.minutes:
        moment = said.now + timedelta(minutes=phrase.day.minutes)
        return replace(blank, on=moment.date(), precision=Precision.DAY, time=f"{moment:%H:%M}")
    days = resolve(phrase.day, said.today, said.direction) if phrase.day is not None else None
    if days is None:
        return replace(blank, supported=False)
    time, over_midnight = _first_time(phrase)
    on = days.on + timedelta(days=phrase.adjust + over_midnight + _small_hours_shift(said, time))
    until = _last_day(phrase, days, said.today)
    if phrase.until is not None and until is None:
        return replace(blank, supported=False)
    return replace(blank, on=on, until=until, precision=days.precision, time=time)


def _first_time(phrase: Phrase) -> tuple[str | None, int]:
    if not phrase.clocks:
        return None, 0
    clock, part = phrase.clocks[0]
    time, over_midnight = clock_time(clock, part)
    return time, 1 if phrase.past_midnight else over_midnight


def _small_hours_shift(said: _Said, time: str | None) -> int:
    """Awake after midnight, 今晚吐了 is the evening that has just gone."""
    tonight = said.phrase.day == Shift("day") and said.phrase.part == "evening"
    gone = said.now.hour < SMALL_HOURS and said.direction is Direction.PAST
    return -1 if tonight and gone and (time is None or time > f"{said.now:%H:%M}") else 0


def _last_day(phrase: Phrase, days: Days, today: date) -> date | None:
    if phrase.until is None:
        return days.until
    return resolve_end(phrase.until, days.on, today)


def _read_bare_time(blank: TimeReading, said: _Said) -> TimeReading | None:
    """A clock or a part of the day without a day: two clocks are a habit, one is today, or the nearest such time."""
    phrase = said.phrase
    if len(phrase.clocks) > 1:
        return _read_repeating(blank, said)
    time, over_midnight = _first_time(phrase)
    if time is None:
        return _read_bare_part(blank, said, phrase.part)
    on = said.today
    has_gone = not over_midnight and time <= f"{said.now:%H:%M}"
    if said.direction in (Direction.FUTURE, Direction.BARE) and has_gone:
        on += timedelta(days=1)
    elif said.direction is Direction.PAST and not has_gone and not over_midnight:
        early = _in_the_small_hours(phrase.part, time)
        if early is not None and early <= f"{said.now:%H:%M}":
            return replace(blank, on=on, precision=Precision.DAY, time=early)
        on -= timedelta(days=1)
    elif over_midnight and said.direction is not Direction.PAST:
        on += timedelta(days=1)
    return replace(blank, on=on, precision=Precision.DAY, time=time)


def _in_the_small_hours(part: DayPart | None, time: str) -> str | None:
    """01:00 for a bare 一点, which is read as 13:00: awake at night, owners mean the hour that has just gone."""
    hour = int(time[:2])
    return f"{hour - 12:02}{time[2:]}" if part is None and hour > 12 else None


def _read_bare_part(blank: TimeReading, said: _Said, part: DayPart | None) -> TimeReading | None:
    """下午抽了一下 is today; 早上空腹 or 晚上睡不好 is no time at all."""
    if not said.has_begun and (said.direction is not Direction.PAST or said.is_habit):
        return None
    not_yet = part in ("evening", "midnight") and said.now.hour < SMALL_HOURS
    return replace(blank, on=said.today - timedelta(days=int(not_yet)), precision=Precision.DAY)
