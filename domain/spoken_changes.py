"""What a change said in one breath changes: 不是3月1日，是5月1日; 不是12公斤，是21公斤; 5mg改成2.5mg.

Extractors read clause by clause and may take the denied half for the statement. Here, before anything is decided, the
claims of a message are brought to what its words say: the new day, figure or dose, as a correction of the old one.
"""

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from domain.dates.reader import find_times
from domain.dates.readings import TimeReading
from memory.claims import Claim
from memory.similarity import quantities
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass, Precision, SpeechAct

HAPPENED = frozenset({AttributeClass.VACCINE, AttributeClass.DEWORMING, AttributeClass.WEIGHT, AttributeClass.SYMPTOM})
"""Classes that only hold what has happened; what is planned is an appointment."""

_GIVEN = frozenset({AttributeClass.VACCINE, AttributeClass.DEWORMING})
_SENTENCE_END = re.compile(r"[。！？!?\n]+")
_DENIES_NEXT = re.compile(r"(?:不是|并非|不在|不是在)\s*$")
_ASSERTS_NEXT = re.compile(r"(?<!不)(?:是|是在|应该是|改成|改为|改到|其实是)\s*$")
_PUT_RIGHT = re.compile(r"(?:是|为|该)\s*[\d一二两三四五六七八九十](?!联|价|合)")
_DENIED = re.compile(r"没|不")
_YEAR = re.compile(r"年")
_NEW_DOSE = re.compile(r"(?:改|减|加|换|变|调|降|升|增|涨)(?:量|少|整|低|高)?(?:成|到|为|至)([^,，。;；]{1,8})")


def as_meant(claims: Sequence[Claim], text: str, said_at: datetime) -> list[Claim]:
    """The claims of one message with what their words change set right. said_at: in the owner's zone."""
    set_right = [_not_denied(claim) for claim in _weighings_joined(_told_once(claims))]
    days = [_gone_by(_with_new_day(claim, text, said_at), said_at.date()) for claim in set_right]
    days = [_still_to_come(claim, said_at.date()) for claim in days]
    return [_with_new_dose(claim) for claim in days]


def lies_ahead(claim: Claim, today: date) -> bool:
    """Whether a happening is told of a day that has not come: no such day is ever stored."""
    return claim.attribute_class in HAPPENED and claim.occurred_on is not None and claim.occurred_on > today


def _told_once(claims: Sequence[Claim]) -> list[Claim]:
    """A correction that found its pet is not kept a second time about no pet in particular, nor a sign as a remark."""
    corrected = {_told(claim) for claim in claims if claim.subject is not None and claim.act is SpeechAct.CORRECTION}
    signs = {(one.subject, one.content) for one in claims if one.attribute_class is AttributeClass.SYMPTOM}
    return [
        claim
        for claim in claims
        if (claim.subject is not None or _told(claim) not in corrected)
        and not (_is_a_remark(claim) and (claim.subject, claim.content) in signs)
    ]


def _is_a_remark(claim: Claim) -> bool:
    """早上吃了半碗 is a sign of that morning: kept once more as what it eats, the same words would stand twice."""
    return claim.attribute_class is AttributeClass.OTHER or claim.attribute == "diet.amount"


def _told(claim: Claim) -> tuple[str, object, date | None]:
    return claim.attribute, claim.value.get("number"), claim.occurred_on


def _not_denied(claim: Claim) -> Claim:
    """记错了，是21公斤 takes back what was said before; it does not deny the 21."""
    quote = claim.evidence.quote
    told = claim.attribute_class in HAPPENED and claim.negated and claim.act is SpeechAct.CORRECTION
    if told and (_PUT_RIGHT.search(claim.content) or _PUT_RIGHT.search(quote)) and not _DENIED.search(quote):
        return replace(claim, negated=False)
    return claim


_DAY_ALONE = re.compile(r"(?<![月\d])\d{1,2}[号日]")


def _still_to_come(claim: Claim, today: date) -> Claim:
    """17号早上八点半 of an appointment that is moved is the next seventeenth, for nothing is moved to the past."""
    on = claim.occurred_on
    moved = claim.attribute_class is AttributeClass.SCHEDULE and claim.act is SpeechAct.DECISION and not claim.negated
    if not moved or on is None or on >= today or not _DAY_ALONE.search(claim.evidence.quote):
        return claim
    return replace(claim, occurred_on=_next_of_that_number(on.day, today))


def _next_of_that_number(number: int, today: date) -> date:
    """The next day of the month with this number, today included; a month that is too short is passed over."""
    months = (divmod(today.year * 12 + today.month - 1 + step, 12) for step in range(3))
    fitting = ((year, month + 1) for year, month in months if number <= monthrange(year, month + 1)[1])
    return next(day for year, month in fitting if (day := date(year, month, number)) >= today)


def _gone_by(claim: Claim, today: date) -> Claim:
    """是5月1日 of a shot is the last first of May, whatever the extractor took it for."""
    on = claim.occurred_on
    if not lies_ahead(claim, today) or on is None or _YEAR.search(claim.evidence.quote):
        return claim
    past = [_in_year(on, year) for year in (today.year, today.year - 1)]
    gone = next((day for day in past if day is not None and day <= today), None)
    return replace(claim, occurred_on=gone) if gone and claim.act is SpeechAct.CORRECTION else claim


def _in_year(day: date, year: int) -> date | None:
    try:
        return day.replace(year=year)
    except ValueError:
        return None


def _weighings_joined(claims: Sequence[Claim]) -> list[Claim]:
    """不是12公斤 and 是21公斤 of one pet are one correction; the denied half is no statement of its own."""
    joined = list(claims)
    for denied in [claim for claim in claims if claim.attribute == "weight" and claim.negated]:
        told = [claim for claim in joined if _takes_the_place(claim, denied)]
        if len(told) == 1:
            place = joined.index(told[0])
            value = {**told[0].value, "corrects": denied.value["number"]}
            joined[place] = replace(told[0], value=value, act=SpeechAct.CORRECTION)
            joined.remove(denied)
    return joined


def _takes_the_place(claim: Claim, denied: Claim) -> bool:
    same_slot = (claim.subject, claim.attribute) == (denied.subject, denied.attribute)
    said = claim.value.get("number") is not None and denied.value.get("number") is not None
    return same_slot and said and not claim.negated and claim.occurred_on in (denied.occurred_on, None)


def _with_new_day(claim: Claim, text: str, said_at: datetime) -> Claim:
    """A shot whose sentence denies one day and tells another was given on the other."""
    if claim.attribute_class not in _GIVEN or claim.negated:
        return claim
    sentence = _sentence_of(claim, text)
    days = [reading for reading in find_times(sentence, said_at) if reading.on is not None]
    denied = [reading for reading in days if _DENIES_NEXT.search(sentence[: reading.start])]
    asserted = [reading for reading in days if _ASSERTS_NEXT.search(sentence[: reading.start])]
    if len(denied) != 1 or denied[0].on is None:
        return claim
    if len(asserted) != 1:
        wrong = claim.occurred_on is not None and _same_day_of_year(claim.occurred_on, denied[0])
        return replace(claim, negated=True, act=SpeechAct.CORRECTION) if wrong and not asserted else claim
    on, wrong_day = (_latest_past(reading, said_at.date()) for reading in (asserted[0], denied[0]))
    return replace(
        claim,
        occurred_on=on,
        occurred_on_precision=asserted[0].precision if on else Precision.UNKNOWN,
        act=SpeechAct.CORRECTION,
        value={**claim.value, **({"corrects": wrong_day.isoformat()} if wrong_day else {})},
    )


def _sentence_of(claim: Claim, text: str) -> str:
    """The sentence that the claim's words stand in."""
    start = max((end.end() for end in _SENTENCE_END.finditer(text, 0, claim.evidence.start)), default=0)
    end = _SENTENCE_END.search(text, claim.evidence.end)
    return text[start : end.start() if end else len(text)]


def _same_day_of_year(day: date, reading: TimeReading) -> bool:
    return reading.on is not None and (day.month, day.day) == (reading.on.month, reading.on.day)


def _latest_past(reading: TimeReading, today: date) -> date | None:
    """The day told, of this year or the last; None when it would still lie ahead."""
    years = (today.year, today.year - 1)
    on = reading.on
    said = on is not None and (on <= today or _YEAR.search(reading.quote) is not None)
    days = [on] if on is None or said else [_in_year(on, year) for year in years]
    return next((day for day in days if day is not None and day <= today), None)


def _with_new_dose(claim: Claim) -> Claim:
    """5mg改成2.5mg: what the dose is from now on."""
    if claim.attribute_class is not AttributeClass.MEDICATION or claim.negated:
        return claim
    told = _NEW_DOSE.search(fold_text(claim.evidence.quote))
    figures = list(quantities(told[1])) if told else []
    if told is None or len(figures) != 1:
        return claim
    figure, unit = figures[0]
    known = list(quantities(str(claim.value.get("dose_text") or "")))
    if not unit:
        unit = known[0][1] if known else ""
    if unit in _NO_DOSE or (figure, unit) in known:
        return claim
    return replace(claim, value={**claim.value, "dose_text": f"{figure}{unit}", "number": float(figure), "unit": unit})


_NO_DOSE = frozenset({"", "次", "顿", "天", "日", "周", "月", "个月", "年", "小时", "餐", "号", "点"})
"""Units that tell how often or when, not how much."""
