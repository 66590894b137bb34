"""How much or how often a known drug is given, told in figures alone: 匹莫苯丹一次7.5, 每晚50, 隔天喂就行, 减半.

The figures decide, not the words: an amount or a rhythm that the line on record does not hold is another one. Comes
after the other rules, for drugs that nothing else in the message takes up; a bare figure has the unit on record.
"""

import re
from collections.abc import Sequence

from domain.offline.extractor.bearing import Bearing, certainty_of, doubted
from domain.offline.extractor.bearing_mentions import mentions_drug
from domain.offline.extractor.bearing_words import ASKED, MISSED_DOSE, NOT_GIVEN, PROPOSED, UNDECIDED
from domain.offline.extractor.threads import Found
from domain.pet_profiles import KnownFact
from domain.statement_comparison import times_a_day
from memory.text_folding import fold_text
from memory.vocabulary import Certainty, SpeechAct

Value = tuple[tuple[str, object], ...]

_NUMBERS = {"一": 1.0, "二": 2.0, "两": 2.0, "俩": 2.0, "三": 3.0, "四": 4.0, "半": 0.5}
_UNITS = {"毫克": "mg", "毫升": "ml", "iu": "单位", "u": "单位", "个单位": "单位", "个": "单位", "颗": "片", "粒": "片"}
_UNIT = r"(?P<unit>mg|ml|毫克|毫升|个?单位|iu|u(?![a-z])|片|粒|颗|滴|支|喷|包|袋)"
_AMOUNT = re.compile(rf"(?<![\d./])(?P<number>\d+(?:\.\d+)?|[一二两俩三四半])\s?整?{_UNIT}(?P<half>半)?", re.IGNORECASE)
_BARE = re.compile(r"(?<![\d./])(?P<number>\d+(?:\.\d+)?)(?=$|[,，。;；!！了吧的啊呀就也晚早都]|[吃喂打给用]|\s)")
_NO_DOSE = re.compile(
    r"\d+(?:\.\d+)?\s?(?:kg|公斤|千克|斤|g(?![a-z])|克|块|元|%|度|岁|分|点(?!了)|号|日|月|年|天|周|星期|小时|个月|楼|只|袋|盒|瓶|期|级)"
    r"|\d{1,2}[:：]\d{2}|\d{1,2}[-/]\d{1,2}|第?(?:(?<![\d.])\d+|[一二两三四五六七八九十几]+)(?:次|回|遍|顿|天|周|个?月|年|小时|点)"
)
"""Figures that count no dose."""
_RHYTHM = re.compile(
    r"(?:一天|每天|每日|一日)\s?[一二两三四\d](?:次|回|遍|顿)|每?隔[一二两三\d]?[天日]|每[\d一二两三四六八]+个?(?:小时|天|周)"
    r"|[一每](?:周|星期)[\d一二两三四五六](?:次|回|遍)|[两二三]天一?(?:次|回|遍)|早晚(?:各(?:一次?)?|都)|每[晚早]一次?(?!\d)|每天就?一次"
)
_ONE_OF_THE_DAY = re.compile(
    r"只(?:喂|吃|打|滴|用|给|剩|留)(?:了)?(?:早|晚|中午|睡前|早上|晚上)[^,。]{0,3}"
    r"|(?:早|晚|中午|睡前)[上间]?那(?:一)?(?:片|顿|次|针|粒|颗|滴|回|半片)?(?:就|都|给|先)?(?:不(?:吃|喂|打|滴|用|给)|停|省|免|去掉|撤|砍)(?:掉|了)*"
)
"""Of a drug that is given several times a day: one of them is left."""
_DAYTIME = re.compile(r"早|晚|中午|睡前")
_MOMENT = re.compile(r"(?:挪|改|换|调|移)(?:到|成|为|在)(?:了)?(?:每天)?(?P<when>早上?|晚上?|中午|睡前)[吃喂打滴用]?")
"""At another time of the day."""
_RELATIVE = re.compile(r"翻(?:了)?[一]?倍|加倍|[减砍](?:了|掉|去)?(?:一)?半|减为?一半|吃一半")
_ONE_DOSE = re.compile(
    r"(?:今|昨|前天|刚|早上|中午|晚上|上午|下午).{0,8}(?:吃|喂|打|滴|用)(?:了|过)|多(?:吃|喂|打)|一口气"
)
"""One dose of a day, not how it is given from now on."""
_TODAY = re.compile(r"今[天早晚日]|昨|前天|刚|这次|这回")
_FROM_NOW = re.compile(r"开始|[天晚日]起|以后|现在|改|调|加|减|换|医生|大夫|兽医")
_ONLY_A_DOSE = re.compile(
    r"(?:\x00|现在|从?今[天晚早]?(?:起|开始)?|从?明天(?:起|开始)?|以后|往后|医生?|大夫|说|让|先|就|都|只|那|剩|留|改成?|改为|调成?|[挪移]到|调到?|加到?|减到?|换成|量|剂量"
    r"|一次|每次|每回|一回|一天|每天|每晚|每早|早上?|中午|晚上?|睡前|早晚|各|早|晚|一针|一顿|隔[一两二三]?天|每?[两二三\d]天|一周|每周|[一二两三四]次|到|总共"
    r"|[\d.]|mg|ml|毫克|毫升|个?单位|iu|u|片|粒|颗|滴|支|喷|半|[吃喂打给用滴]|的|药|了|吧|行|够|就行|就够|也|是|个|点|→|->|-|试试|\s)+"
)
"""A clause of figures and of nothing but giving."""
_SWAPPED_FOR = re.compile(r"(?:换|改)(?:成|为|用|吃|打)|换了")
_OTHERWISE = re.compile(
    rf"{_SWAPPED_FOR.pattern}|按需|只在|(?<!刚)才(?:吃|喂|打|用)|没必要|脱离|戒[了掉断]|吃到[^,。]{{1,6}}为止"
)
_OTHER_TOPICS = ("food", "brand", "dewormer", "vaccine", "lab", "sign", "body", "visit")


def amount(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> Bearing | None:
    """Another amount or rhythm for the drug; None when the figures are those on record, or tell of one dose."""
    reading = found[place].reading
    text = reading.text
    asked = reading.tone.why_not == "question" or ASKED.search(text) is not None
    if asked or MISSED_DOSE.search(text) or NOT_GIVEN.search(text) or not _is_meant(fact, found, place, known):
        return None
    measured = reading.has("lab", "sign", "body") or "体重" in text
    last = _told_by(found, place)
    text = "，".join(one.reading.text for one in found[place : last + 1])
    value = _dosage(text, fold_text(fact.content), bare=not measured)
    if value is None and mentions_drug(fact, reading, known) and _OTHERWISE.search(text):
        return _given_otherwise(fact, place, found)
    of_a_day = _TODAY.search(text) if _ONE_OF_THE_DAY.search(text) else _ONE_DOSE.search(text)
    if value is None or (of_a_day and not _FROM_NOW.search(text)):
        return None
    thought = "，".join(one.reading.text for one in found)
    unsure = PROPOSED.search(thought) or UNDECIDED.search(thought) or "试试" in text
    certainty = certainty_of(reading) or (doubted(reading) if unsure else None)
    plain = reading.tone.certainty if certainty is None else certainty
    act = SpeechAct.DECISION if plain is Certainty.PLAIN else SpeechAct.OBSERVATION
    first = place - 1 if _only_named_before(fact, found, place, known) else place
    return Bearing(fact, first, last, negated=False, act=act, certainty=certainty, value=value)


def _only_named_before(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> bool:
    """西替利嗪 / 现在只喂早上那片了: the clause before names the drug and says nothing else."""
    if not place or mentions_drug(fact, found[place].reading, known):
        return False
    before = found[place - 1].reading
    same = before.sentence == found[place].reading.sentence
    return same and len(before.text) <= _BARE_NAME and mentions_drug(fact, before, known)


_BARE_NAME = 6  # characters of a clause that holds a drug's name alone


def _told_by(found: list[Found], place: int) -> int:
    """翻倍，2.5一次: how much the double is stands in the next clause."""
    follows = place + 1 < len(found) and _ONLY_A_DOSE.fullmatch(found[place + 1].reading.text)
    return place + 1 if _RELATIVE.search(found[place].reading.text) and follows else place


def another_dose(text: str, held: str) -> Value | None:
    """The amount or rhythm told in `text` that the lines on record do not hold; figures without a unit are none."""
    return _dosage(text, fold_text(held), bare=False)


def is_changed(fact: KnownFact, found: list[Found]) -> bool:
    """Whether a rule has read an ending, a decision, a doubt or a missed dose of it already."""
    missed = f"other:missed_{fact.attribute.partition(':')[2]}"
    own = [draft for one in found for draft in one.drafts if draft.attribute in (fact.attribute, missed)]
    return any(draft.negated or draft.act is not None or draft.attribute == missed for draft in own)


def _given_otherwise(fact: KnownFact, place: int, found: list[Found]) -> Bearing:
    """匹莫苯丹换成依那普利, 匹莫苯丹按需吃: no longer as it is on record."""
    reading = found[place].reading
    certainty = certainty_of(reading)
    decided = _SWAPPED_FOR.search(reading.text) is not None and certainty is None
    act = SpeechAct.DECISION if decided else SpeechAct.OBSERVATION
    return Bearing(fact, place, place, negated=True, act=act, certainty=certainty if decided else doubted(reading))


def _is_meant(fact: KnownFact, found: list[Found], place: int, known: Sequence[KnownFact]) -> bool:
    """The drug is named here, or the clause tells of nothing but giving and no other drug or topic is there."""
    if mentions_drug(fact, found[place].reading, known):
        return True
    if _ONLY_A_DOSE.fullmatch(found[place].reading.text) is None:
        return False
    if any(mentions_drug(fact, one.reading, known) for one in found):
        return True
    given = [one for one in known if one.subject == fact.subject and one.attribute.startswith("medication:")]
    return len(given) == 1 and not any(one.reading.has(*_OTHER_TOPICS) for one in found)


def _dosage(text: str, known: str, *, bare: bool) -> Value | None:
    """What the clause tells of amount and rhythm that the record does not hold. bare: figures alone may be doses."""
    recorded = _amounts(known)
    units = {unit for _, unit in recorded}
    told = {(number, unit) for number, unit in _amounts(text) if unit in units}
    told |= _bare_amounts(text, recorded) if bare else set()
    fresh = told - recorded
    if len(fresh) == 1:
        number, unit = next(iter(fresh))
        return (("number", number), ("unit", unit))
    if fresh:
        return (("dose_text", "，".join(f"{number:g}{unit}" for number, unit in sorted(told))),)
    if relative := _RELATIVE.search(text):
        return (("dose_text", relative[0]),)
    return _rhythm(text, known)


def _amounts(text: str) -> set[tuple[float, str]]:
    return {
        (_number(told["number"]) + (0.5 if told["half"] else 0), _unit(told["unit"])) for told in _AMOUNT.finditer(text)
    }


def _bare_amounts(text: str, recorded: set[tuple[float, str]]) -> set[tuple[float, str]]:
    """Figures without a unit, in the one that is on record."""
    units = {unit for _, unit in recorded if unit != "片"}
    if len(units) != 1:
        return set()
    rest = _AMOUNT.sub(" ", _NO_DOSE.sub(" ", text))
    (unit,) = units
    return {(float(told["number"]), unit) for told in _BARE.finditer(rest)}


def _rhythm(text: str, known: str) -> Value | None:
    fewer = _ONE_OF_THE_DAY.search(text)
    if fewer is not None and (times_a_day(known) or 0) > 1:
        return (("frequency_text", fewer[0]),)
    moved = _MOMENT.search(text)
    if moved is not None and _DAYTIME.search(known) and moved["when"][0] not in known:
        return (("frequency_text", moved[0]),)
    told = _RHYTHM.search(text)
    if told is None:
        return None
    ours, theirs = times_a_day(told[0]), times_a_day(known)
    theirs = 1 if theirs is None and re.search(r"每[天日]|一天", known) else theirs
    by_week = "周" in told[0] or re.match(r"[两二三]天|每?隔", told[0]) is not None
    same = ours == theirs if ours is not None else not by_week or told[0] in known
    return None if same else (("frequency_text", told[0]),)


def _number(text: str) -> float:
    return _NUMBERS.get(text) or float(text)


def _unit(text: str) -> str:
    lowered = text.lower()
    return _UNITS.get(lowered, lowered)
