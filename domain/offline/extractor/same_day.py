"""The day of what is told without one: what came out of a visit that the message tells as today's, and times that are
no days of anything because something is only compared with them (比上个月强)."""

import re

from domain.dates import TimeReading
from domain.offline.extractor.reading import Draft, Reading, Scene

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
