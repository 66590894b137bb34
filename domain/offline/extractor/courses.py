"""When a course of medicine ends: 吃7天 from the day it begins, 吃到12月10号."""

from dataclasses import replace
from datetime import date, timedelta

from domain.dates import TimeReading
from domain.dates.lengths import days_said, last_day_said
from domain.offline.extractor.reading import Draft, Reading, Scene
from memory.vocabulary import Precision


def with_its_end(draft: Draft, reading: Reading, scene: Scene) -> Draft:
    """The draft of a medicine with the last day of its course, where one is said."""
    if draft.negated:
        return draft
    last = _last_day(reading, scene)
    return draft if last is None else replace(draft, value={**draft.value, "end": last.isoformat()})


def _last_day(reading: Reading, scene: Scene) -> date | None:
    said = _said_of_it(reading, scene)
    last = next((found for one in said if (found := last_day_said(scene.folded, one.times))), None)
    if last is not None and last.on is not None and last.on >= scene.now.date():
        return last.on
    days = next((length for one in said if (length := days_said(one.text, _inside(one)))), None)
    if days is None:
        return None
    dated = (time.on for one in said for time in one.times if time.on and time.precision is Precision.DAY)
    ends = next(dated, scene.now.date()) + timedelta(days=days - 1)
    return ends if ends >= scene.now.date() else None


def _said_of_it(reading: Reading, scene: Scene) -> list[Reading]:
    """The clause, and those after it in its sentence that name no other medicine: 滴耳药，每天一次，用5天."""
    said = [reading]
    for later in scene.readings[reading.place + 1 :]:
        if later.sentence != reading.sentence or later.has("drug", "drug_name", "drug_word"):
            break
        said.append(later)
    return said


def _inside(reading: Reading) -> tuple[TimeReading, ...]:
    """The times of a clause with offsets into its own text."""
    return tuple(replace(one, start=one.start - reading.start, end=one.end - reading.start) for one in reading.times)
