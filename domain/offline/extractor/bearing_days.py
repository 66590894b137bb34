"""Another day for a birthday, a vaccination or a deworming on record: 是2月5号不是15号."""

import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from domain.offline.extractor.bearing import Bearing, doubted, reach
from domain.offline.extractor.bearing_words import SLIPPED, corrected_day
from domain.offline.extractor.reading import Draft
from domain.offline.extractor.threads import Found
from domain.pet_profiles import KnownFact
from memory.numerals import read_number
from memory.text_folding import fold_text
from memory.vocabulary import Certainty, SpeechAct

_RECORDED_DAY = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日")
_CORRECTS_A_DAY = re.compile(
    r"(?:听|记|搞|弄|说|看|写|填|报|打|输|登记)(?:错|混|岔|反)|更正|纠正|改一下|不是.{0,4}\d|手[抖滑误]|口误|[写记说填报输看打]成|(?:日期|日子|时间|那天)[^,。]{0,4}不对|(?:应该)?是.{0,8}[号日](?:才对|吧|打的|做的|吃的|滴的|喂的|驱的|用的|种的)?(?:$|，)|是(?:\d{1,2}月)?\d{1,2}(?:打|做|吃|滴|喂)的|实际(?:上)?是|其实是|(?:写|记|盖|登)(?:着|的)?(?:是)?[^,。]{0,4}\d{1,2}月\d{1,2}"
)
ONE_SEASON = 45  # days between a recorded shot and the day it is corrected to, when several shots are on record


def birthday(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing | None:
    """Another day for the birthday on record, told as a slip; what was given or done on a day is no birthday."""
    last = reach(found, place)
    thought = found[place : last + 1]
    text = "，".join(one.reading.text for one in thought)
    recorded = _RECORDED_DAY.search(fold_text(fact.content))
    elsewhere = any(draft.attribute != fact.attribute for one in thought for draft in one.drafts)
    if recorded is None or not SLIPPED.search(text) or (elsewhere and "生" not in text):
        return None
    day = corrected_day(text, date(int(recorded[1]), int(recorded[2]), int(recorded[3])))
    if day is None:
        return None
    return Bearing(fact, place, last, negated=False, act=SpeechAct.CORRECTION, certainty=Certainty.PLAIN, on=day)


def prevention(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing | None:
    """Another day for a vaccination or deworming on record: 是2月5号不是15号."""
    last = reach(found, place)
    text = "，".join(one.reading.text for one in found[place : last + 1])
    recorded = _RECORDED_DAY.search(fold_text(fact.content))
    if recorded is None:
        return None
    if _UNDONE.search(found[place].reading.text) and _names_the_same(fact, text):
        return _undone(fact, found, place, known)
    if not (_CORRECTS_A_DAY.search(text) or _sets_against(text, recorded)):
        return None
    known_day = date(int(recorded[1]), int(recorded[2]), int(recorded[3]))
    if not (_names_the_same(fact, text) or _is_the_only_day(fact, known, found, known_day)):
        return None
    day = corrected_day(text, known_day)
    if day is None:
        return _not_on_that_day(fact, found, place, known_day)
    doubt = doubted(found[place].reading) if _GUESSED_DAY.search(text) else Certainty.PLAIN
    return Bearing(fact, place, last, negated=False, act=SpeechAct.CORRECTION, certainty=doubt, on=day)


_TWO_DAYS = re.compile(r"(?:(\d{1,2})月)?(\d{1,2})(?![\d月.:：点次片]|\s?(?:针|天|个|kg|公斤|斤))[号日]?")
_OF_ITS_DAY = re.compile(r"是|写|本|应|盖|翻|查|实际|记成|报成")
_SEVERAL = re.compile(r"第[二三四]针|第[2-4]针|[和跟与到至]\d|都打|分别|下次|到期")


def _sets_against(text: str, recorded: re.Match[str]) -> bool:
    """第一针我填的2月15，翻了本子是2月25: the recorded day and one other, of one and the same shot."""
    days = {(month or recorded[2], day) for month, day in _TWO_DAYS.findall(text)}
    return (
        (recorded[2], recorded[3]) in days
        and len(days) == 2
        and _OF_ITS_DAY.search(text) is not None
        and _SEVERAL.search(text) is None
    )


_UNDONE = re.compile(
    r"(?:那次|上次|上回|那针|那支|那回|那天|记的|记录)[^,。]{0,12}(?:没(?:有)?(?:打|滴|吃|喂|驱|种|做)(?:上|成|到|进|了)?(?:$|[,，\s啊呀哦])|不算(?:数|了|$)|作废|白(?:打|滴|吃|喂)了?)"
    r"|(?:其实|实际上?|应该)(?:打|做|滴|用|吃)的是(?!\d|[一二三四五六七八九十]{1,2}[月号]|在|上个?月|昨|前天)"
    r"|(?:其实|根本|实际上?|压根)(?:就|都|还)*没(?:有)?(?:打|滴|吃|喂|驱|种|做)(?!完)"
)
"""What is on record as given was not: 三月那次爱沃克其实没滴上."""
_MONTH = re.compile(r"(?<!\d)(\d{1,2}|[一二三四五六七八九十]{1,2})月")


def _undone(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing | None:
    """The recorded shot or deworming did not take place: the one of the month that is told, else the newest."""
    kind = fact.attribute.partition(":")[0]
    text = found[place].reading.text
    own = [one for one in known if one.attribute.startswith(kind) and one.subject == fact.subject]
    days = [day for one in own if _names_the_same(one, text) and (day := _recorded_day(one))]
    month = _MONTH.search(text)
    of_month = [day for day in days if month is not None and day.month == read_number(month[1])]
    meant = max(of_month or days, default=None)
    if meant is None or meant != _recorded_day(fact):
        return None
    doubt = doubted(found[place].reading) if _GUESSED_DAY.search(text) else Certainty.PLAIN
    return Bearing(fact, place, place, negated=True, act=SpeechAct.CORRECTION, certainty=doubt, on=meant)


_GUESSED_DAY = re.compile(r"好像|可能|也许|大概|似乎|记不清|拿不准|不确定")


def _not_on_that_day(fact: KnownFact, found: list[Found], place: int, day: date) -> Bearing | None:
    """好像不是12号打的: the recorded day is denied, and no other is told."""
    text = found[place].reading.text
    if re.search(rf"不是(?:在)?(?:{day.month}月)?{day.day}[号日]", text) is None:
        return None
    doubt = doubted(found[place].reading) if _GUESSED_DAY.search(text) else Certainty.PLAIN
    return Bearing(fact, place, place, negated=True, act=SpeechAct.CORRECTION, certainty=doubt, on=day)


def _is_the_only_day(fact: KnownFact, known: Sequence[KnownFact], found: list[Found], day: date) -> bool:
    """Nothing else is spoken of, and this is the one shot on record, or the one of the day that is denied."""
    named = [hit for one in found for hit in one.reading.hits if not _LOOSE_SHOT.fullmatch(hit.word.text)]
    if named or not all(_is_a_remark(draft) for one in found for draft in one.drafts):
        return False
    text = "，".join(one.reading.text for one in found)
    given = [one for one in known if one.attribute.startswith(("vaccine", "deworming")) and one.subject == fact.subject]
    denied = re.search(rf"不是(?:{day.month}月)?{day.day}[号日]", text)
    return denied is not None or len(given) == 1 or _is_the_near_one(given, day, text)


_LOOSE_SHOT = re.compile(r"第?[一二三四五首头末]?一?针|加强针?")
"""Which of a series it was says nothing of what was given."""


def _is_a_remark(draft: Draft) -> bool:
    return draft.attribute.startswith("other")


def _is_the_near_one(given: Sequence[KnownFact], day: date, text: str) -> bool:
    """是4月1号打的, of shots a year apart: the newest that it can be."""
    near = [held for one in given if (held := _recorded_day(one)) and _is_near(corrected_day(text, held), held)]
    if near and re.search(r"\d月\d", text):  # a day of a named month is nearest to the shot it belongs to
        return min(near, key=lambda held: (abs((corrected_day(text, held) or held) - held), held)) == day
    return bool(near) and max(near) == day


def _is_near(told: date | None, held: date) -> bool:
    return told is not None and abs((told - held).days) <= ONE_SEASON


def _recorded_day(fact: KnownFact) -> date | None:
    told = _RECORDED_DAY.search(fold_text(fact.content))
    return date(int(told[1]), int(told[2]), int(told[3])) if told else None


_FIRST_SHOT = re.compile(r"首针|头一?针")


def _names_the_same(fact: KnownFact, text: str) -> bool:
    """The product, or which of a series it was: 猫三联, 第一针, 首针."""
    words = re.sub(r"[(（][^)）]*\d[^)）]*[)）]|[\d年月]+[日号]|打了|吃了|做了|用了|滴了", " ", fold_text(fact.content))
    words, text = _FIRST_SHOT.sub("第一针", words), _FIRST_SHOT.sub("第一针", text)
    pairs = (one + other for one, other in pairwise(words) if not (one + other).isspace() and " " not in one + other)
    return any(pair in text for pair in pairs)
