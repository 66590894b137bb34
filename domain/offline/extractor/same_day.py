"""The day of what is told without one: what came out of a visit that the message tells as today's, and times that are
no days of anything because something is only compared with them (比上个月强)."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from domain.dates import TimeReading, find_times
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.pet_profiles import Utterance
from memory.claims import Claim
from memory.numerals import read_number
from memory.text_folding import fold_text
from memory.vocabulary import Precision, SpeechAct

_COMPARES = re.compile(r"(?:比起?|较|对比|相比)(?:之)?$")
_SETS_BESIDE = re.compile(r"(?:跟|和|与|同)$")
_IS_THE_MEASURE = re.compile(r"[^,。]{0,6}?(?:比|相比|差不多|一样|一个样|持平|那[次回会])")
REACH = 10  # characters after a time in which 跟…比 closes

_FOUND = ("visit", "lab", "condition", "symptom")
_FINDING = re.compile(
    r"医生|大夫|兽医|vet|[说讲]|查|拍|片子?|b超|彩超|心超|验|量|测|指标|偏|比|没变|[大小厚薄轻重高低好差]了|[升降冲飙窜冒涨掉][到了]|[高低]到|\d"
)
_A_LONG_DAY = re.compile(
    r"折腾[^,。]{0,5}(?:天|散架|坏)|(?:这|一整?|大半)天|累[^,。]{0,3}(?:瘫|散架|死|垮)|跑断|总算|终于|好不?容易|刚[^,。]{0,8}(?:出来|回来|到家|完)"
)
_AT_THE_CLINIC = re.compile(r"医院|诊所|医生|大夫|兽医|复查|体检|b超|彩超|心超|拍片|片子|抽血|验血|血检|化验")
_NOT_TODAY = re.compile(r"最近|一直|以前|之前|去年|前年|小时候|从小|上次|上回|那次|这几天|这阵|昨|前天|开始")


_ANOTHER_DAY = re.compile(r"昨|前天|那天|上[次回]|那[次回]")
_COMPARISON = re.compile(r"(?:比|跟|和|较)[^,。]{0,8}?(?:那[次回会]|上[次回]|时候|比)")


def is_only_compared(scene: Scene, time: TimeReading) -> bool:
    """Whether 上个月 stands in 比上个月强, 跟三个月前比没长."""
    reading = next((one for one in scene.readings if one.start <= time.start < one.end), None)
    if reading is None:
        return False
    start, end = time.start - reading.start, time.end - reading.start
    before = reading.text[max(0, start - 3) : start]
    if _COMPARES.search(before):
        return True
    after = reading.text[end : end + REACH]
    return _SETS_BESIDE.search(before) is not None and _IS_THE_MEASURE.match(after) is not None


def was_found_today(draft: Draft, reading: Reading, scene: Scene) -> bool:
    """今天折腾一天…片子拍了，…就是ALT高到210: a finding, in a sentence that tells of today at the clinic."""
    told = _COMPARISON.sub("", reading.text)
    if not draft.attribute.startswith(_FOUND) or _NOT_TODAY.search(told) or not _FINDING.search(reading.text):
        return False
    sentence = [other for other in scene.readings[: reading.place + 1] if other.sentence == reading.sentence]
    text = _COMPARISON.sub("", scene.folded[sentence[0].start : reading.end]) if sentence else ""
    if not _AT_THE_CLINIC.search(text) or _ANOTHER_DAY.search(text):
        return False
    today = scene.now.date()
    days = {time.on for other in sentence for time in other.times if not is_only_compared(scene, time)}
    return days <= {today, None} and (today in days or _A_LONG_DAY.search(text) is not None)


_PUT_RIGHT = ("symptom:", "medication:")
_LONG_BEFORE = re.compile(r"昨|前天|上周|上个?月|号|去年|以前|之前|最近|[几两三]天|有点|老(?!是?一直)")


def day_put_right(utterance: Utterance, attribute: str) -> date | None:
    """The day of what is put right just after it was told: the day it was told of, or today; None for what lasts."""
    last = [said.text for said in utterance.history if said.role == "user"][-1:]
    if not last or not attribute.startswith(_PUT_RIGHT):
        return None
    days = [time.on for time in find_times(fold_text(last[0]), utterance.now) if time.on]
    if days:
        return days[0] if days[0] <= utterance.now.date() else None
    return None if _LONG_BEFORE.search(last[0]) else utterance.now.date()


def dated_as_put_right(claims: Sequence[Claim], utterance: Utterance) -> tuple[Claim, ...]:
    """Corrections that hold no day of their own, with the day of what they put right."""
    return tuple(
        replace(claim, occurred_on=day, occurred_on_precision=Precision.DAY)
        if claim.occurred_on is None
        and claim.act is SpeechAct.CORRECTION
        and (day := day_put_right(utterance, claim.attribute)) is not None
        else claim
        for claim in claims
    )


_DAY_OF = re.compile(r"第([\d一二三四五六七八九十]{1,3})天")
_RUNS_FOR_DAYS = ("symptom:heat", "condition:")


def began_on(draft: Draft, reading: Reading, scene: Scene) -> date | None:
    """发情第五天, 叫春到今天第四天: what is counted in days began so many days ago."""
    counted = (
        _DAY_OF.search(reading.text) if "第" in reading.text and draft.attribute.startswith(_RUNS_FOR_DAYS) else None
    )
    number = read_number(counted[1]) if counted else None
    if not number or any(time.on and time.on != scene.now.date() for time in reading.times):
        return None
    return scene.now.date() - timedelta(days=int(number) - 1)


_PARTS = {"早": 1, "上午": 1, "中午": 2, "下午": 3, "傍晚": 3, "晚": 4, "夜": 5}
_OF_A_DAY = re.compile(r"(?:大?清早|一?大早|早上|早晨|早起|上午|中午|下午|傍晚|晚上|夜里|半夜|大半夜|当晚|深夜)")


def later_that_day(told: Sequence[TimeReading], before: Sequence[TimeReading]) -> date | None:
    """晚上就开始吐, after 昨天我妈来: the evening of the day that was just told, not of today."""
    if len(told) != 1 or _OF_A_DAY.fullmatch(told[0].quote) is None or told[0].time:
        return None
    days = [time for time in before if time.on and time.precision is Precision.DAY and time.recurrence is None]
    if not days or told[0].on is None or days[-1].on is None or days[-1].on >= told[0].on:
        return None
    return days[-1].on if _part(days[-1].quote) < _part(told[0].quote) > _PARTS["早"] else None


def _part(quote: str) -> int:
    return max((place for word, place in _PARTS.items() if word in quote), default=0)
