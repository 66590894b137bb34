"""Whether a message asks what is planned, for which time, and the lines that answer it. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from domain.dates import TimeReading
from domain.offline.responder.reading import is_question
from domain.opening import PlanPiece
from domain.pet_profiles import PetProfile
from domain.pet_resolution import pets_named
from domain.schedule_replies import MOST_LISTED, named_title, plan_text
from domain.schedule_times import planned_times
from domain.schedule_words import kinds_of, shares_words
from domain.schedules import Occurrence
from memory.text_folding import fold_text
from memory.vocabulary import Precision

MONTH_WINDOW = timedelta(days=31)  # after a day that is only known roughly
LONGEST_WINDOW = timedelta(days=364)  # when no time is named; a year is the longest window that is expanded

_PLANS = re.compile(
    r"安排|日程|行程|计划|预约|提醒(?!我)|约[了好的](?!定)|要做(?:什么|啥|的事)|有(?:什么|啥|"
    r"哪些)(?:事|要做|要忙|到期|快到期)|到期"
)
_OF_REMINDERS = re.compile(
    r"提醒我?(?:些|点)?(?:什么|啥|哪些|几点|干)|(?:什么时候|啥时候|几点|哪天|几号)(?:会|来|要)?提醒"
    r"|还有(?:什么|啥|哪些)(?:事情?)?(?:没|要)(?:做|办|弄|忙)|接下来(?:还)?(?:有|要)?(?:什么|啥|干"
    r"|做)|(?:有没有|是不是)(?:忘|漏)(?:了|掉)?(?:什么|啥)(?:事|安排|日程)"
)
_BARE = re.compile(
    r"(?:帮我|给我|我要|我想|查|看|列|说|念|瞧|一|下|的|我们?|咱们?|家里|所有|全部|现在|"
    r"[,，。!！~\s])*(?:日程|安排|提醒|计划|日历)(?:表|列表|清单)?(?:吧|呢|[,，。!！~\s])*"
)
"""日程, 看看我的提醒, 明天的安排: the word alone asks, its time left out."""
_TO_DO = re.compile(
    r"(?:我们?|咱们?|家里|那|都|要|还|得|该|去|是|会|[,，。?？!！~\s])*"
    r"(?:有(?:没有|什么|啥|别的|其他)*事(?:情|儿)?(?:要?(?:做|忙|办))?(?:吗|没有?|不|么)?|(?:干|做"
    r"|忙)(?:嘛|什么|啥|点啥|些什么)(?:去|来着|呢|的)?)"
    r"(?:呢|啊|呀|[,，。?？!！~\s])*"
)
"""我下周干嘛去, 后天有事吗: asks of a day to come, its time left out."""
_NEXT = re.compile(r"下(?:一)?[次回针]|什么时候|啥时候|哪天|几号|几点")
_ITS_TIME = re.compile(
    r"(?:我们?|咱们?)[^,。?]{0,4}(?:什么时候|啥时候|哪天|几号|几点)(?:要|会|得)?(?:去|走|出发|回|买|交|到|办|做|搬|取)"
)
_PAST = re.compile(r"上(?:一)?[次回]|[打做驱洗查吃去]过?了(?!吗)|的\s*[?？]?$")


@dataclass(frozen=True, slots=True)
class PlansAsked:
    """since, until: local days, the last one included. kinds: what is asked for, all when empty.

    said: the time in the owner's words (下周), "" when none is named. words: by which the plan is found, where it is of
    no known kind (我啥时候去闺女家).
    """

    since: date
    until: date
    kinds: frozenset[str] = frozenset()
    said: str = ""
    words: str = ""


def plans_asked(text: str, now: datetime) -> PlansAsked | None:
    """What a message asks of plans; None for every other one. `now` is aware, in the owner's zone."""
    folded = fold_text(text)
    kinds = kinds_of(text)
    times = [one for one in planned_times(text, now) if one.on is not None and one.recurrence is None]
    said = times[0] if times else None
    in_general = _asks_in_general(folded, times, now)
    if not (in_general or _asks_of_one_thing(folded, kinds) or _asks_of_its_time(folded)):
        return None
    words = "" if in_general or kinds else _NEXT.sub("", folded)
    if said is None or said.on is None or (said.until or said.on) < now.date():
        return PlansAsked(now.date(), now.date() + LONGEST_WINDOW, kinds, words=words)
    since = max(said.on, now.date())
    until = said.until or (said.on if said.precision is Precision.DAY else said.on + MONTH_WINDOW)
    return PlansAsked(since, min(until, since + LONGEST_WINDOW), kinds, said.quote, words)


def _asks_in_general(folded: str, times: Sequence[TimeReading], now: datetime) -> bool:
    """What is planned, of whatever kind."""
    rest = folded
    for one in times:
        rest = rest.replace(fold_text(one.quote), "", 1)
    if _BARE.fullmatch(rest) or asks_what_is_to_do(folded, now):
        return True
    return is_question(folded) and bool(_PLANS.search(folded) or _OF_REMINDERS.search(folded))


def _asks_of_one_thing(folded: str, kinds: frozenset[str]) -> bool:
    asks = bool(kinds) and _NEXT.search(folded) is not None and not _PAST.search(folded)
    return asks and is_question(folded)


def _asks_of_its_time(folded: str) -> bool:
    """我啥时候去闺女家: when something of no known kind is to be; what is over is asked with 了 or 的."""
    return _ITS_TIME.search(folded) is not None and not _PAST.search(folded) and is_question(folded)


def asks_what_is_to_do(text: str, now: datetime) -> bool:
    """Whether a message asks only what there is on a day to come (后天有事吗)."""
    times = [one for one in planned_times(text, now) if one.on is not None and one.recurrence is None]
    rest = fold_text(text)
    for one in times:
        rest = rest.replace(fold_text(one.quote), "", 1)
    ahead = any(one.on is not None and (one.until or one.on) >= now.date() for one in times)
    return ahead and _TO_DO.fullmatch(rest) is not None


def window(asked: PlansAsked, now: datetime) -> tuple[datetime, datetime]:
    """The instants of the days asked about, from the first moment to the one after the last; aware like `now`."""
    since = datetime.combine(asked.since, time.min, now.tzinfo)
    return since, datetime.combine(asked.until, time.min, now.tzinfo) + timedelta(days=1)


def plan_lines(
    asked: PlansAsked,
    found: Sequence[Occurrence],
    names: Mapping[str, str],
    meant: Collection[str],
    now: datetime,
) -> list[str]:
    """One line a plan, at its next time, soonest first. meant: the pets asked about; what is nobody's always counts."""
    told: dict[str, str] = {}
    for one in found:
        plan = one.schedule
        fits = not asked.kinds or bool(kinds_of(plan.title) & asked.kinds)
        fits = fits and (not asked.words or shares_words(plan.title, asked.words))
        over = one.at < now and not plan.all_day
        if fits and not over and (plan.pet_id is None or plan.pet_id in meant) and plan.id not in told:
            told[plan.id] = plan_text(plan, one.at.astimezone(now.tzinfo), now, names)
    return list(told.values())[:MOST_LISTED]


def opening_plans(found: Sequence[Occurrence], names: Mapping[str, str], now: datetime) -> list[PlanPiece]:
    """What of the calendar is worth saying first; `now` is local. Each plan once, at its next time."""
    pieces: dict[str, PlanPiece] = {}
    for one in found:
        plan, at = one.schedule, one.at.astimezone(now.tzinfo)
        day = ("今天", "明天")[(at.date() - now.date()).days] if (at.date() - now.date()).days < 2 else ""
        if plan.id not in pieces and day and (plan.all_day or one.at >= now):
            clock = "" if plan.all_day else f"{at:%H:%M}"
            text = f"{day}{clock} {named_title(plan, names)}。"
            pieces[plan.id] = PlanPiece(text, at.date(), plan.pet_id, plan.id)
    return list(pieces.values())


def asks_of_all(text: str, pets: Sequence[PetProfile]) -> bool:
    """Whether no pet is named, so that the plans of all are told."""
    return not pets_named(text, pets)
