"""What a message wants done with the household's plans: make, move or cancel one, take the last change back. Pure.

A request is an explicit one (提醒我…), or a plan with its own future day that the owner states about a pet
("下周三下午三点带豆豆打疫苗"); wishes, questions, suppositions and other people's animals are none.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from domain.dates import TimeReading
from domain.knowledge.question_cues import load_question_cues
from domain.offline.responder.reading import is_question
from domain.pet_profiles import PetProfile, SaidBefore
from domain.pet_resolution import last_named_in, pets_named
from domain.schedule_replies import LIST_OPENING, MADE_OPENING
from domain.schedule_times import When, planned_times, when_said
from domain.schedule_words import OF_ONE_PET, OF_SEVERAL, kinds_of, title_of
from memory.claims import Claim
from memory.text_folding import fold_text
from memory.vocabulary import OWNER_SUBJECT, AttributeClass, Certainty

MAX_READ = 300  # characters; a longer story makes no appointment
LONGEST_JOTTED = 40  # characters of a plan jotted down with its time
LONGEST_NOTE = 16  # characters beside the time; more is a story
ASKED_MARKS = ("安排在哪天", "具体几点", "给谁安排", "提醒你做什么", "改哪一个", "取消哪一个", "改到什么时候")
"""Words of our questions, by which the next message is known to be an answer."""

_EXPLICIT = re.compile(
    r"提醒(?:一下)?(?:我|咱|一下|带|给|去|要|喂|打|做)|(?:设|定|加|建|记|添加|创建|新建|安排)(?:一?个|一?条|一?下)?[^,。?]{0,14}(?:提醒|闹钟|日程)"
    r"|(?:叫|喊|通知)我(?!们|家|的)|到(?:点|时候?)(?:叫|喊|提醒)|(?:加|放|记)(?:到|进|入)日程"
)
_NOT_ASKED_OF_US = re.compile(
    r"(?:没|没有|怎么|为什么|为啥|会|不用|别(?!忘|落)|不要(?!忘)|不必|不需要|谁|医生|大夫|兽医|朋友|闺蜜|妈|爸|老公|老婆|店员|店家)[^,。]{0,4}(?:提醒|叫我|通知)"
    r"|提醒(?:我|一下)?(?:过|了)|(?:叫|喊|通知)我(?:起床|吃饭|了|去(?:交|拿|取))"
)
_UNDECIDED = re.compile(
    r"想(?!让)|考虑|犹豫|纠结|要不要|没想好|看情况|不知道|如果|要是|万一|假如|的话|可能|也许|大概|说不定"
)
# 提醒 asks by itself; 叫我 does with something to do or a time: 以后叫我小雨就行 gives a name.
_REMINDS = re.compile(r"提醒|闹钟|日程|到(?:点|时候?)")
_CALLS_FOR = re.compile(
    r"(?:叫|喊|通知)我(?:一声|一下)?(?:们)?(?:去|给|带|喂|买|接|打|做|遛|洗|起|记|别|把|出|铲|换|复)"
)
_TAKES_A_TIME = ("安排在哪天", "具体几点", "改到什么时候")
_SHOPPING = re.compile(r"(?:去|来|再|该|要|我)?(?:买|囤|下单|网购|订购|补货|取快递|拿快递)")
_BIRTHDAY = re.compile(r"(?:过)?生日(?:那天|当天|那一天|那日|的时候|时)")
_NO_MORE = re.compile(
    r"(?:[哎哦噢嗯呃]|抱歉|不好意思|刚才|不对|(?:我)?[说写打记弄]?错了?|口误|更正|应该|是|就|那就?|改|在|定在|[吧好啊呀哈呢了的行左右,，。.!！~\s])*"
)
_NOT_THAT = re.compile(r"不是[^,，。是]{1,10}(?:[,，]|[。.!！]*$)")  # the time that was wrong
_TIMELY = re.compile(r"[早晚午]|\d|[一二两三四五六七八九十]点|天|周|星期|礼拜|[号日]$")
_CLOCK = re.compile(r"点|\d[:：]\d")
_ASKS_ABOUT = re.compile(r"哪天|几号|几点|什么时候|啥时候|什么时间|为什么|为啥|谁|上次|上回")
_ASKS_WHAT = re.compile(r"提醒我?(?:些|点|做|的是)?(?:什么|啥|哪些)(?!时候)")
_TELLS = re.compile(r"了|过|[吐拉咳喘抽瘸]|不吃|没")
_MOVE = re.compile(
    r"(?:改|换|挪|调|推迟|延后|延期|顺延|提前|改期|改约|推|延|移)(?:到|至|成|在)"
    r"|(?P<way>推迟|延后|顺延|往后推|延期|提前|往前)(?P<count>\d{1,3}|[一二两三四五六七八九十半]{1,2})个?(?P<unit>分钟|小时|天|周|星期|礼拜|月)"
    r"(?!就?(?:提醒|叫我|喊我|通知))"
)
_LEAD = re.compile(
    r"提前(?P<count>\d{1,3}|[一二两三四五六七八九十半]{1,2})个?(?P<unit>分钟|小时|天|周|星期|礼拜)(?:就)?(?:提醒|叫|喊|通知|告诉我|跟我说)"
)
_THEN_REMIND = re.compile(
    r"(?:的时候|左右|准时|[再请你要就都整，, ]|麻烦|帮我|记得|务必|一定)*(?:提醒|[叫喊](?=我)|通知)(?!过|了)"
)
_CANCEL = re.compile(
    r"取消|不用(?:再|去)?(?:提醒|叫我|去|[叫喊](?:了|我|醒)|告诉我)|别(?:再)?(?:提醒|叫我)|不要(?:再)?提醒|(?:删|去|关|停)(?:掉|了|除)?[^,。]{0,12}(?:提醒|日程|闹钟)"
    r"|(?:提醒|日程|闹钟)[^,。]{0,8}(?:删|关|取消|不要了|不用了|停)"
)
_CALLED_OFF = re.compile(r"取消(?:了)?(?:吗|没|\?)|没取消|别取消|不取消|怎么取消|能取消吗")
_NAMES_PLANS = re.compile(
    r"提醒|日程|闹钟|预约|安排|约|(?:打|做|洗|剪|驱|买|查|去)[^,。]{0,8}那[个次](?:再|也|就|给我|帮我|先|要)*(?:改|挪|调|推|延|提前|移|取消)"
)
_GENTLY = re.compile(r"吧(?=$|[,，。!！])")  # 取消吧 asks for it to be done, and asks nothing
_ALL = re.compile(r"全部|全都|全(?:取消|删|撤|不要)|都取消|都不|所有|统统|都删")
_PICK = re.compile(r"第([一二三四五1-5])个")
_MINUTES = {"分钟": 1, "小时": 60, "天": 1440, "周": 7 * 1440, "星期": 7 * 1440, "礼拜": 7 * 1440, "月": 30 * 1440}
_NUMERALS = {**{word: number for number, word in enumerate("一二三四五六七八九十", 1)}, "两": 2}


class Act(StrEnum):
    """What is wanted."""

    MAKE = "make"
    MOVE = "move"
    CANCEL = "cancel"
    UNDO = "undo"  # `undo_requests` reads it
    LEAD = "lead"  # how long before it one is reminded


@dataclass(frozen=True, slots=True)
class ScheduleRequest:
    """One request. pets: ids meant, () while unclear. words: folded text by which a plan is found.

    explicit: it speaks of reminders or plans in so many words, so it is answered even when nothing fits.
    shift: a move by a length of time. lead: minutes before. pick: the number of a plan in the list shown, from 1.
    """

    act: Act
    when: When = field(default_factory=When)
    title: str = ""
    kinds: frozenset[str] = frozenset()
    pets: tuple[str, ...] = ()
    words: str = ""
    explicit: bool = False
    shift: timedelta | None = None
    lead: int | None = None
    everything: bool = False
    pick: int | None = None
    answers: bool = False

    @property
    def needs_pet(self) -> bool:
        """Whether it is nothing without the pet it is meant for; what is said of several stands as it is said."""
        return bool(self.kinds & OF_ONE_PET) and not OF_SEVERAL.search(self.words)


@dataclass(frozen=True, slots=True)
class Said:
    """A message with what is known of it. claims: what the extractor made of it; refused: why it made nothing.

    meant: the pets it was resolved to, () while unclear. now: aware, in the owner's zone.
    """

    text: str
    now: datetime
    pets: Sequence[PetProfile]
    claims: Sequence[Claim] = ()
    refused: bool = False
    meant: Sequence[str] = ()
    focus: str | None = None
    history: Sequence[SaidBefore] = ()


def read_request(said: Said) -> ScheduleRequest | None:
    """The request in a message, together with the talk it answers; None for every other message."""
    if len(said.text) > MAX_READ:
        return None
    own = _own_request(said, said.text)
    if own is not None and own.act is not Act.MAKE:
        return own
    if (own is None or _NO_MORE.fullmatch(own.title)) and (set_time := _clock_for_the_new(said)):
        return set_time
    before = _asked_about(said.history)
    if before and not _may_answer(said):
        return own
    if before and (own is None or not own.title):
        return _answer(said, before)
    return own


def _clock_for_the_new(said: Said) -> ScheduleRequest | None:
    """早上9点吧, right after a plan was made for a whole day: its time."""
    last = said.history[-1] if said.history else None
    if last is None or last.role != "assistant" or not last.text.startswith(MADE_OPENING):
        return None
    text = _NOT_THAT.sub("", said.text)
    when, times = when_said(text, said.now), planned_times(text, said.now)
    if not when.clocks or not times or is_question(_GENTLY.sub("", text)):
        return None
    rest = "".join(part for part in _around(text, times))
    return _about(said, said.text, fold_text(said.text), Act.MOVE, when=when) if _NO_MORE.fullmatch(rest) else None


def _around(text: str, times: Sequence[TimeReading]) -> tuple[str, str]:
    return text[: times[0].start], text[times[-1].end :]


def asks_for_a_reminder(text: str) -> bool:
    """Whether words ask us to remind: they tell nothing of a pet."""
    folded = fold_text(text)
    asks = _EXPLICIT.search(folded) is not None and not _NOT_ASKED_OF_US.search(folded)
    return asks and (_REMINDS.search(folded) is not None or _CALLS_FOR.search(folded) is not None)


def read_part(said: Said, *, explicit: bool) -> ScheduleRequest | None:
    """The plan that one part of a message makes by itself. explicit: the whole message asks for a reminder."""
    own = _own_request(said, said.text, answering=explicit)
    return own if own is not None and own.act is Act.MAKE and own.title else None


def _may_answer(said: Said) -> bool:
    """Whether a message can answer what we asked of a plan: 咪咪多大了 and 咪咪三岁了 are about something else."""
    if when_said(said.text, said.now).said:
        return not (said.claims and tells_what_happened(said.text))
    if is_question(said.text):
        return False
    if any(mark in said.history[-1].text for mark in _TAKES_A_TIME):
        return _TIMELY.search(fold_text(said.text)) is not None and not _tells_only(said)
    return not _tells_only(said)


def _tells_only(said: Said) -> bool:
    """Whether a message states something that happened, and names no plan."""
    return bool(said.claims) and tells_what_happened(said.text) and not kinds_of(said.text)


def changes_a_plan(text: str) -> bool:
    """Whether words move or cancel something: what they say is the calendar's."""
    folded = fold_text(text)
    return _MOVE.search(folded) is not None or _CANCEL.search(folded) is not None


def tells_what_happened(text: str) -> bool:
    """Whether a message tells of something that is done or seen, beside what it plans."""
    return _TELLS.search(fold_text(text)) is not None


def _answer(said: Said, before: Sequence[str]) -> ScheduleRequest | None:
    """What was asked for before, with what this message adds."""
    whole = "，".join((*before, said.text))
    asked = _own_request(said, whole, answering=True)
    if asked is None:
        return None
    if asked.act is Act.MAKE:
        title = title_of(before[0], planned_times(before[0], said.now)) or asked.title
        when = _completed("，".join(before), said, asked.when)
        return replace(asked, when=when, title=title, kinds=kinds_of(whole), answers=True)
    picked = _PICK.search(fold_text(said.text))
    pick = int(picked[1]) if picked and picked[1].isdecimal() else _NUMERALS.get(picked[1]) if picked else None
    return replace(asked, pick=pick, everything=bool(_ALL.search(said.text)), answers=True)


def _completed(before: str, said: Said, together: When) -> When:
    """The time once it was asked for: the answer's own where it is whole, or what was missing of the first."""
    first, own = when_said(before, said.now), when_said(said.text, said.now)
    daily = when_said(f"每天{said.text}", said.now).clocks  # 早上八点和晚上八点 are both meant
    if first.recurrence is not None and daily:
        enough = len(daily) >= (first.recurrence.times_per_day or 1)
        return replace(first, clocks=daily, missing="" if enough else "clock")
    return own if together.missing and own.said and not own.missing else together


def _own_request(said: Said, text: str, *, answering: bool = False) -> ScheduleRequest | None:
    folded = fold_text(text).strip().rstrip("。.!！~～ ")
    if (lead := _LEAD.search(folded)) and kinds_of(text) == frozenset() and not planned_times(text, said.now):
        return _about(said, text, folded, Act.LEAD, lead=_minutes(lead))
    if _CANCEL.search(folded) and not _CALLED_OFF.search(folded) and not _asks(folded):
        return _about(said, text, folded, Act.CANCEL)
    if (move := _MOVE.search(folded)) and not _asks(folded):
        return _moved(said, text, folded, move)
    return _made(said, text, folded, answering=answering)


def _asks(folded: str) -> bool:
    return is_question(_GENTLY.sub("", folded))


def _moved(said: Said, text: str, folded: str, move: re.Match[str]) -> ScheduleRequest | None:
    """改到周五, 推迟三天; without any time it is about something else (换成鸡肉味)."""
    way = move["way"]
    minutes = _minutes(move) if way else 0
    shift = timedelta(minutes=-minutes if way in ("提前", "往前") else minutes) if minutes else None
    when = When() if way else when_said(text[move.end() :], said.now)
    if shift is None and not when.said:
        return None
    return _about(said, text, folded, Act.MOVE, when=when, shift=shift)


def _about(said: Said, text: str, folded: str, act: Act, **more: Any) -> ScheduleRequest:
    return replace(
        ScheduleRequest(
            act,
            kinds=kinds_of(text),
            pets=tuple(pets_named(text, said.pets)),
            words=folded,
            explicit=bool(_NAMES_PLANS.search(folded)) or (act is Act.CANCEL and _is_plainly_of_plans(said, text)),
            everything=bool(_ALL.search(folded)),
        ),
        **more,
    )


def _is_plainly_of_plans(said: Said, text: str) -> bool:
    """Whether 取消 can only mean plans: it names a kind of them, or follows our list of them (都取消)."""
    return bool(kinds_of(text)) or (bool(said.history) and said.history[-1].text.startswith(LIST_OPENING))


def _made(said: Said, text: str, folded: str, *, answering: bool) -> ScheduleRequest | None:
    named, text = text, _on_birthday(said, text)
    if _ASKS_WHAT.search(folded):
        return None
    explicit = bool(_EXPLICIT.search(folded)) and not _NOT_ASKED_OF_US.search(folded)
    if not (explicit or answering or _may_state_a_plan(said)):
        return None  # most messages: their times need not be read
    when = when_said(text, said.now)
    if explicit and not (_REMINDS.search(folded) or _CALLS_FOR.search(folded) or kinds_of(text) or when.said):
        return None
    if not explicit and not answering and not _is_stated_plan(said, folded, when):
        return None
    if not when.said and not answering and _ASKS_ABOUT.search(folded):
        return None  # 你上次提醒我的是哪天
    if answering and not (explicit or kinds_of(text)):
        return None
    times = planned_times(text, said.now)
    return ScheduleRequest(
        Act.MAKE,
        when=when,
        title=title_of(text, times, when.on),
        kinds=kinds_of(text),
        pets=_pets(said, named),
        words=folded,
        explicit=explicit,
        lead=_lead_said(text, folded, times),
    )


def _on_birthday(said: Said, text: str) -> str:
    """提醒我 with the birthday of the one pet named as a date: 豆豆生日那天 is its 3月2号."""
    born = {pet.born_on for pet in said.pets if pet.id in pets_named(text, said.pets) and pet.born_on}
    if len(born) != 1 or not _BIRTHDAY.search(text):
        return text
    day = born.pop()
    names = "|".join(re.escape(name) for pet in said.pets for name in (pet.name, *pet.nicknames))
    return re.sub(rf"(?:在|到|等)?(?:{names})?的?{_BIRTHDAY.pattern}", f"{day.month}月{day.day}号", text, count=1)


def _lead_said(text: str, folded: str, times: Sequence[TimeReading]) -> int | None:
    """How long before it one is to be reminded; 0 where the time is that of the reminder itself (八点提醒我喂药)."""
    if lead := _LEAD.search(folded):
        return _minutes(lead)
    return 0 if any(_THEN_REMIND.match(text, one.end) for one in times) else None


def _may_state_a_plan(said: Said) -> bool:
    if any(claim.attribute_class in (AttributeClass.SCHEDULE, AttributeClass.MEDICATION) for claim in said.claims):
        return True
    jotted = _CLOCK.search(said.text) is not None and len(said.text) <= LONGEST_JOTTED
    return jotted and bool(pets_named(said.text, said.pets)) and bool(kinds_of(said.text))


def _is_stated_plan(said: Said, folded: str, when: When) -> bool:
    """A plan told as a fact, with its own day ahead; what repeats must say its end, or it is a habit."""
    if said.refused or _UNDECIDED.search(folded) or is_question(said.text, told_something=True):
        return False
    plans = [claim for claim in said.claims if claim.attribute_class is AttributeClass.SCHEDULE]
    courses = [claim for claim in said.claims if claim.attribute_class is AttributeClass.MEDICATION]
    if any(claim.negated or claim.certainty is not Certainty.PLAIN for claim in (*plans, *courses)):
        return False
    if not plans and when.recurrence is None:
        return _is_jotted_down(said, folded, when)
    if when.recurrence is not None:
        return bool(plans or courses) and bool(when.clocks) and when.ends and not when.missing
    return bool(plans) and when.on is not None and not when.missing and (when.on > said.now.date() or bool(when.clocks))


def _is_jotted_down(said: Said, folded: str, when: When) -> bool:
    """12月9号 15:00 豆豆 狂犬疫苗: day, clock time, pet and thing, and hardly a word more."""
    whole = when.on is not None and bool(when.clocks) and not when.missing and bool(kinds_of(said.text))
    short = len(title_of(said.text, planned_times(said.text, said.now))) <= LONGEST_NOTE
    return whole and short and bool(pets_named(said.text, said.pets)) and not _TELLS.search(folded)


def _pets(said: Said, text: str) -> tuple[str, ...]:
    """Named, or known from what the message was taken to say; () while it is unclear."""
    living = [pet.id for pet in said.pets if pet.status == "active"]
    named = [pet_id for pet_id in pets_named(text, said.pets) if pet_id in living]
    if named:
        return tuple(dict.fromkeys(named))
    if _SHOPPING.search(fold_text(text)):
        return ()
    if OF_SEVERAL.search(fold_text(text)):
        return ()
    subjects = {claim.subject for claim in said.claims} - {None, OWNER_SUBJECT}
    guessed = (subjects, set(said.meant)) if _points_at_a_pet(said, text) else ()
    for meant in ({said.focus} if said.focus else set(), *guessed):
        if len(meant) == 1 and meant <= set(living):
            return tuple(pet_id for pet_id in meant if pet_id)
    return tuple(living) if len(living) == 1 else ()


def _points_at_a_pet(said: Said, text: str) -> bool:
    """Whether the words, or the exchange just before, tell whom it is for; what was talked of earlier does not."""
    points = load_question_cues().points.search(fold_text(text)) is not None
    lately = [one for one in said.history[-2:] if one.role == "user"]
    return points or (bool(kinds_of(text)) and len(last_named_in(lately, said.pets)) == 1)


def _asked_about(history: Sequence[SaidBefore]) -> list[str]:
    """The owner's messages that our last questions about a plan were asked about, oldest first."""
    found: list[str] = []
    place = len(history) - 1
    while place > 0 and _asks_of_a_plan(history[place]) and history[place - 1].role == "user":
        found.insert(0, history[place - 1].text)
        place -= 2
    return found


def _asks_of_a_plan(said: SaidBefore) -> bool:
    return said.role == "assistant" and any(mark in said.text for mark in ASKED_MARKS)


def _minutes(found: re.Match[str]) -> int:
    count = found["count"]
    number = 0.5 if count == "半" else int(count) if count.isdecimal() else _NUMERALS.get(count, 1)
    return round(number * _MINUTES[found["unit"]])
