"""Medicines: what is given, how much, how often, since when; stopped, changed, forgotten."""

import re
from collections.abc import Iterator

from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.wordlist import Hit
from memory.vocabulary import SpeechAct

FREQUENCY = re.compile(
    r"(?:一|每|两|三|隔|\d)(?:天|日|周|个?月|晚|早)?[^,。\d]{0,2}?(?:[一二两三四五六\d])(?:次|回|顿|遍)|早晚各?|早中晚|隔[一两]?天|每[天日晚早周月]|一日[一二两三]次|睡前|饭[前后]|bid|tid|sid|每\d+(?:个)?小时|每隔|一天[一两三四二]"
)
_DOSE = re.compile(
    r"(?:各|每次|一次)?(?:[一二两三四半\d][\d.]*(?:分之一)?)\s?(?:mg|ml|g|毫克|毫升|片|粒|颗|滴|支|包|袋|个?单位|iu|泵|针|勺|格|喷)"
)
_GIVING = re.compile(r"吃|喂|打|滴|涂|抹|点|上|开|用|停|改|加|减|换|喷|敷|擦|注射|服|输|断|忘|漏|塞|完")
_STOPPED = re.compile(
    r"停(?:了|药|掉|用|吃)?|不用(?:再)?(?:吃|打|喂|点|涂)|断了?|不吃了|吃完了|打完了|不打了|没再吃|不喂了|疗程结束|撤"
)
_NOT_GIVEN = re.compile(
    r"(?:没|未|不|忘了?|忘记|漏了?|别|不能|不要|禁)(?:再|敢|给|有|能|肯|让|愿意)*(?:吃|喂|打|滴|涂|用|碰|给|点)"
)
_NOT_A_DOSE = re.compile(r"药店|药房|药费|药盒|吃药难|药味|喂药器|药瓶|打药|农药|老鼠药|杀虫|蟑螂药|驱虫药")
_VERBAL = frozenset({"喂药", "吃药", "用药", "停药", "断药", "上药", "涂药", "打针", "药"})
_SUPPLEMENT = re.compile(r"益生菌|鱼油|化毛|营养膏|卵磷脂|钙")


def find_medicines(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """One claim for each medicine of a clause; a verb of giving, a dose or a rhythm makes it one."""
    hits = reading.of("drug", "drug_word")
    named = [hit for hit in hits if hit.word.text not in _VERBAL]
    if _NOT_A_DOSE.search(reading.text) or not hits:
        return
    given = _GIVING.search(reading.text) or FREQUENCY.search(reading.text) or _DOSE.search(reading.text)
    if not given and len(named) != 1:
        return
    seen: set[str] = set()
    for hit in named or hits[:1]:
        reading.used.add(hit)
        if hit.id not in seen:
            seen.add(hit.id)
            yield _medicine(reading, hit, alone=len(named) < 2)
    reading.used.update(hits)


def _medicine(reading: Reading, hit: Hit, alone: bool) -> Draft:
    text = reading.text if alone else _own_part(reading, hit)
    dose, frequency = _DOSE.search(text), FREQUENCY.search(text)
    value: dict[str, object] = {"product": hit.word.text}
    if hit.family == "drug":
        value["ingredient"] = hit.id
    if dose:
        value["dose_text"] = dose[0]
    if frequency:
        value["frequency_text"] = frequency[0]
    amounts = [q for q in reading.quantities() if q.unit not in ("次", "顿", "度", "元", "kg", "斤")]
    if amounts and alone:
        value |= amounts[0].as_value()
    stopped = _STOPPED.search(reading.text) is not None
    act = SpeechAct.DECISION if stopped else None
    negated = stopped or _NOT_GIVEN.search(reading.text) is not None
    return Draft(f"medication:{_slot(hit)}", reading.start, reading.end, value, negated, act=act)


def _own_part(reading: Reading, hit: Hit) -> str:
    """The clause from this medicine to the next one."""
    later = [other.start for other in reading.of("drug", "drug_word") if other.start > hit.start]
    return reading.text[hit.start - reading.start : (later[0] - reading.start) if later else None]


def _slot(hit: Hit) -> str:
    return "unnamed" if hit.word.text in _VERBAL else hit.id
