"""When a course of medicine ends: 吃7天 from the day it begins, 吃到12月10号."""

import re
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
    last = _given_once(reading, scene) or _last_day(reading, scene)
    return draft if last is None else replace(draft, value={**draft.value, "end": last.isoformat()})


ACTS_FOR = timedelta(days=1)  # what was given once counts as given on the day after, too: shots work on
_ONCE = re.compile(r"(?:打|喂|吃|用|滴|涂|灌|注射|输|点)(?:了|过)(?:一|1)(?:针|次|片|粒|颗|支|回|剂|袋|滴)(?!一)")
_GOES_ON = re.compile(r"每|天天|一天|一日|隔|早晚|开始|第[一1]|继续|明天|再(?:吃|打|用|喂)|还要|疗程|连|先|以后|都")


def _given_once(reading: Reading, scene: Scene) -> date | None:
    """打了一针止吐针, with nothing that says it goes on: over the day after."""
    said = "".join(one.text for one in _said_of_it(reading, scene))
    if not _ONCE.search(reading.text) or _GOES_ON.search(said):
        return None
    days = [time.on for time in reading.times if time.on is not None and time.on <= scene.now.date()]
    return max(days, default=scene.now.date()) + ACTS_FOR


def _last_day(reading: Reading, scene: Scene) -> date | None:
    said = _said_of_it(reading, scene)
    last = next((found for one in said if (found := last_day_said(scene.folded, one.times))), None)
    if last is not None and last.on is not None and last.on >= scene.now.date():
        return last.on
    spans = (time.until for one in said for time in one.times if time.until and time.until >= scene.now.date())
    if (until := next(spans, None)) is not None:
        return until  # 接下来三天
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
