"""A message as readings: cut into clauses, each with its pets, tone, words and times, and rejoined where one needs
the other ("不是右耳，是左耳", "卡洛芬 一天一次")."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace
from typing import Generic, Protocol, TypeVar

from domain.dates import TimeReading, find_times
from domain.offline.extractor.arrivals import CAME_HOME, is_only_a_day
from domain.offline.extractor.clauses import Clause, cut_at_names, split_clauses
from domain.offline.extractor.dosages import is_only_dosage
from domain.offline.extractor.drug_stems import with_stemmed
from domain.offline.extractor.reading import Reading, Scene
from domain.offline.extractor.tone import Tone, tones_of
from domain.offline.extractor.wordlist import Hit, known_words
from domain.pet_halves import told_apart
from domain.pet_mentions import About, Follower, Mention, MentionKind
from domain.pet_objects import in_anothers_moment, is_of_the_other
from domain.pet_profiles import Utterance


def read_scene(utterance: Utterance, folded: str) -> Scene:
    """All readings of a folded message, in order."""
    follower = Follower(folded, utterance)
    clauses = cut_at_names(split_clauses(folded), [name.start for name in follower.names])
    tones = tones_of(_without_names(clauses, folded, follower.names))
    everyone = [pet.id for pet in follower.roll.alive]
    abouts = told_apart(folded, follower.follow([(clause.start, clause.end) for clause in clauses]), everyone)
    masked = _masked(folded, abouts, [name for name in follower.names if folded.endswith("不是", 0, name.start)])
    known = list(known_words().find(masked))
    hits = Placed(with_stemmed(masked, known))
    times = Placed(find_times(masked, utterance.now))
    readings = [_reading(about, clauses[about.clause], tones[about.clause], masked, hits, times) for about in abouts]
    joined = _joined(readings, masked)
    for place, reading in enumerate(joined):
        reading.place = place
    return Scene(utterance, folded, joined, tuple(times.found))


def _without_names(clauses: list[Clause], folded: str, names: Iterable[Mention]) -> list[Clause]:
    """Clauses as their tone is read: a pet called 红包 is no joke about money."""
    letters = list(folded)
    for name in names:
        letters[name.start : name.end] = "\x00" * (name.end - name.start)
    return [replace(clause, text="".join(letters[clause.start : clause.end])) for clause in clauses]


class _Spanned(Protocol):
    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


T = TypeVar("T", bound=_Spanned)


class Placed(Generic[T]):
    """Things found in a text, in order, ready to be asked for by place."""

    def __init__(self, found: Iterable[T]) -> None:
        self.found = sorted(found, key=lambda one: one.start)
        self._starts = [one.start for one in self.found]

    def within(self, start: int, end: int) -> list[T]:
        """Those that begin in [start, end)."""
        return self.found[bisect_left(self._starts, start) : bisect_left(self._starts, end)]


def _reading(
    about: About, clause: Clause, tone: Tone, masked: str, hits: Placed[Hit], times: Placed[TimeReading]
) -> Reading:
    end = about.end if tone.text_end is None else max(about.start, min(about.end, clause.start + tone.text_end))
    text = masked[about.start : end]
    inside = [
        hit
        for hit in hits.within(about.start, end)
        if hit.end <= end
        and not in_anothers_moment(text, about.mentions, about.start, hit.start, about.pets)
        and not (hit.family in ("sign", "body") and is_of_the_other(text, hit.start - about.start))
    ]
    when = tuple(times.within(about.start, end))
    return Reading(about, text, tone, inside, clause.sentence, when)


def _masked(folded: str, abouts: list[About], ruled_out: Iterable[Mention]) -> str:
    """What points at a pet is blanked, so that 馒头 is a pet and no food; 不是黑豆 too."""
    letters = list(folded)
    for name in ruled_out:
        letters[name.start : name.end] = "\x00" * (name.end - name.start)
    for about in abouts:
        for mention in about.mentions:
            if mention.kind is not MentionKind.STRANGER:
                letters[mention.start : mention.end] = "\x00" * (mention.end - mention.start)
    return "".join(letters)


_ADDS_A_DOSE = re.compile(
    r"^\d+(?:\.\d+)?的?$|^(?:从|打)?(?:今[天晚]|昨[天晚]|明[天晚]|[上下这]?(?:周|礼拜|星期)[一二三四五六日天]|\d{1,2}号)(?:起|开始|就)*(?:减|加|改|换|调)(?:成|到|为|回|半)|^(?:眼下|目前|如今|现在|这阵子?)?(?:一天|一顿|每顿|一餐|每天|每日|每晚|每隔|每[\d一二两三四六八十]{1,2}个?(?:小时|钟头|天|周|月)|一日|早晚|早上|晚上|早中晚|每次|一次|先吃|连吃|连续|隔[一两]?[天日]|[二三四]分之[一二三]|\d/\d|(?:头|前)[一二两三四五六七几\d]+[天周次]|(?:后面|之后|然后|后来)?(?:减|加|改)[到成为量]|睡前|饭后|饭前|疗程|各|半"
    r"|吃[一二两三四五六七\d]|打[一二两三四五六七\d]|[一二两三四五六七\d.]+\s?(?:mg|ml|片|粒|颗|滴|支|个?单位|毫升|毫克))"
)
_HOW_OFTEN = re.compile(
    r"[一二两三四五六七八九十半几\d.]+(?:次|顿|回|针|片|粒|颗|滴|支|泵|勺|格|喷|袋|包|毫|个?单位|天|周|个月|\s?m[gl])|每|隔"
)
_ONLY_HOW_MUCH = re.compile(
    r"^(?:连(?:着)?|算上|加上|算到现在|算[下起]来|加起来|前前后后)?(?:今[天儿晚早]|昨[天儿晚]|这[顿回次])?(?:早上|上午|中午|下午|晚上)?(?:算上|在内|这[顿回次])?(?:大概|差不多|快|都|已经|有|今天|到现在|前后|一共|总共|持续|连着|又|就|才|是|可能)*"
    r"(?:[一二两三四五六七八九十半几\d.]+(?:多|来)?(?:天|次|回|顿|餐|个?晚上?|宿|夜|个?小时|分钟|周|个?月|年|个?礼拜|个?星期|下|遍|滩|泡|口)(?:半|多)?)"
    r"(?:了|多|左右|吧|啦|的样子|呢|呀|都|这样|这么着)*$"
)
_HOUR = (
    r"(?:(?:[头末]|第[一二三四五]|最后|最末|一|早|晚|中)一?[餐顿回次]|早上?|中午?|下午|晚上?|夜里|上午)(?:早上?|中午|下午|晚上?|夜里|上午)?"
    r"[\d一二三四五六七八九十]{1,3}(?:点|:\d\d)?[半拌]?"
)
_ONLY_HOURS = re.compile(
    rf"(?:分别)?(?:是|在)?{_HOUR}(?:[、和跟]?{_HOUR})+(?:左右|吧)?|[头末]一?[餐顿回次][^,。]{{0,2}}点[半拌]?"
)  # 早六点晚八点
_BORN = re.compile(
    r"(?:生日|一天过)(?:(?:都|也)?(?:是|在)?(?:一样|同一天)?的?)$|出生的?$|生的$|破壳的?$|(?:日期|时间|日子)(?:是|为)?$"
)
MAX_DATE = 14  # characters of a clause that is a date: 2024年11月3号
_BESIDE_A_DOSE = re.compile(r"饭|粮|罐头|零食|[一两二三四]针|打针")  # what a dose is taken with or counted in
_PRESCRIBED = re.compile(r"开了|开的|给开|配了")
_NOT_THIS = re.compile(r"不是")
_BUT_THAT = re.compile(r"^(?:而是|应该是|其实是|是)(?!不是|我)")


def _joined(readings: list[Reading], masked: str) -> list[Reading]:
    """Clauses that only complete the one before them become one reading with it."""
    joined: list[Reading] = []
    for reading in readings:
        if joined and _completes(joined[-1], reading):
            joined[-1] = _together(joined[-1], reading, masked)
        else:
            joined.append(reading)
    return joined


def _together(last: Reading, reading: Reading, masked: str) -> Reading:
    about = replace(last.about, end=reading.about.end, mentions=last.about.mentions + reading.about.mentions)
    hits, times = last.hits + reading.hits, last.times + reading.times
    return Reading(about, masked[about.start : reading.end], last.tone, hits, last.sentence, times)


def _completes(last: Reading, reading: Reading) -> bool:
    if not (last.usable and reading.usable) or reading.about.explicit or last.about.pets != reading.about.pets:
        return False
    if last.end == reading.start and not last.text.strip("\x00"):
        return True  # 豆豆|现在住我姐家
    if _BORN.search(last.text) and not last.times and reading.times and len(reading.text) <= MAX_DATE:
        return True
    if CAME_HOME.search(last.text) and not last.times and is_only_a_day(reading):
        return True  # 两兄弟同一天来的家，22年11月3号
    if _ONLY_HOURS.fullmatch(reading.text) and not last.tone.in_question and (last.hits or last.times):
        return True
    if _BUT_THAT.search(reading.text) and _NOT_THIS.search(last.text):
        return True
    if _ONLY_HOW_MUCH.search(reading.text) and last.hits:
        return True
    if reading.sentence != last.sentence and not _HOW_OFTEN.search(reading.text):
        return False  # 滴到周日停。晚上约了朋友
    medicine = last.has("drug", "drug_name", "drug_word") or _PRESCRIBED.search(last.text) is not None
    return medicine and _completes_a_medicine(last, reading)


_STRENGTH = re.compile(
    r"\d(?:[\d.]*)的?(?:[一二三四五六七]分之|半|一|两)|\d\s?(?:mg|毫克|ml|毫升)"
)  # 呋塞米20的四分之一
_SAYS_WHAT_FOR = re.compile(r"[^,。]{1,4}的$")  # 碳酸镧（降磷的）


def _completes_a_medicine(last: Reading, reading: Reading) -> bool:
    drugs = [hit for hit in reading.hits if hit.family in ("drug", "drug_name")]
    if any(hit.id == "ate_wrong" for hit in last.hits):
        return False
    if drugs and re.search(r"那种|那个|那款|的那", reading.text) and len(reading.text) < 8:
        return True
    if reading.hits and all(hit.family == "drug_word" for hit in reading.hits) and _SAYS_WHAT_FOR.match(reading.text):
        return True
    names_it = len(drugs) == len(reading.hits) == 1 and not last.has("drug", "drug_name")
    names_it = names_it and not re.search(r"^(?:还|再|又|另|先用|改用)|早|晚|次", reading.text)
    names_it = names_it and not re.search(r"没(?:上|吃|用|打|开)|停了|不用", last.text)  # 没上激素，先用的环孢素
    told = [hit for hit in reading.hits if hit.family != "trap" and not _BESIDE_A_DOSE.fullmatch(hit.word.text)]
    only_dose = (_ADDS_A_DOSE.search(reading.text) is not None and not told) or is_only_dosage(reading.text)
    got_at = re.search(r"嚼|偷|舔|吞|啃|扒|叼|误|咬", last.text) is not None
    opens = (
        names_it
        and not got_at
        and reading.hits[0].start == reading.start
        and _STRENGTH.search(reading.text) is not None
    )
    return only_dose or opens or (names_it and len(reading.text) <= len(reading.hits[0].word.text) + 3)
