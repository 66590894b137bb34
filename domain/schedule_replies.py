"""What is said about plans: receipts after the commit, questions for what is missing, and lists. Pure."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from domain.dates.readings import RRULE_WEEKDAYS
from domain.schedule_times import When

MOST_LISTED = 8  # plans told in one answer; a phone shows about as many lines
MOST_CHOICES = 5  # plans put to choice

WEEKDAYS = "一二三四五六日"
_UNITS = {"DAILY": "天", "WEEKLY": "周", "MONTHLY": "个月", "YEARLY": "年"}
_SINGLE = {"DAILY": "每天", "WEEKLY": "每周", "MONTHLY": "每月", "YEARLY": "每年"}

MADE_OPENING = "已安排："  # the receipt of a new plan
LIST_OPENING = "日程："  # what is planned, told as a list
UNDO_HINT = "说“撤销”就能改回来"
NOTHING_TO_UNDO = "没有刚才改动过的日程可以撤销。"
NONE_FOUND = "没有找到要改的那个安排。"
TOO_FAR = "这个日子太远或者已经过去了，换一个日子再告诉我。"


class Plan(Protocol):
    """What is shown of a plan."""

    @property
    def title(self) -> str: ...
    @property
    def pet_id(self) -> str | None: ...
    @property
    def all_day(self) -> bool: ...
    @property
    def rrule(self) -> str | None: ...


def time_text(at: datetime, today: datetime, *, all_day: bool) -> str:
    """12月9日（周三）15:00; with the year when it is another one. Both are local."""
    year = f"{at.year}年" if at.year != today.year else ""
    day = f"{year}{at.month}月{at.day}日（周{WEEKDAYS[at.isoweekday() - 1]}）"
    return day if all_day else f"{day}{at:%H:%M}"


def rule_text(rule: str) -> str:
    """每3个月; 每周一、三; 每天，到12月7日为止"""
    parts = dict(part.split("=", 1) for part in rule.split(";"))
    frequency, every = parts["FREQ"], int(parts.get("INTERVAL", "1"))
    text = _SINGLE[frequency] if every == 1 else f"每{every}{_UNITS[frequency]}"
    if "BYDAY" in parts and frequency == "WEEKLY":
        days = "、".join(WEEKDAYS[RRULE_WEEKDAYS.index(day)] for day in parts["BYDAY"].split(","))
        text = f"{text}{days}" if every == 1 else f"{text}的周{days}"
    if "BYMONTHDAY" in parts:
        text += "、".join("最后一天" if day == "-1" else f"{day}日" for day in parts["BYMONTHDAY"].split(","))
    if "UNTIL" in parts:
        text += f"，到{int(parts['UNTIL'][4:6])}月{int(parts['UNTIL'][6:8])}日为止"
    return text


def named_title(plan: Plan, names: Mapping[str, str]) -> str:
    """The title, with the pet's name in front where it does not say whom it is about."""
    name = names.get(plan.pet_id or "", "")
    return plan.title if not name or name in plan.title else f"{name}：{plan.title}"


def plan_text(plan: Plan, at: datetime, today: datetime, names: Mapping[str, str]) -> str:
    """12月9日（周三）15:00 带豆豆打疫苗（每3个月）; both times local."""
    repeats = f"（{rule_text(plan.rrule)}）" if plan.rrule else ""
    return f"{time_text(at, today, all_day=plan.all_day)} {named_title(plan, names)}{repeats}"


def made(texts: Sequence[str], leads: Sequence[str]) -> str:
    """The receipt of what was made. leads: when one is reminded."""
    reminded = f"，{'和'.join(leads)}提醒你" if leads else ""
    return f"{MADE_OPENING}{'；'.join(texts)}{reminded}。{UNDO_HINT}。"


def without_hint(text: str) -> str:
    """A receipt after which another one comes."""
    return text.removesuffix(f"{UNDO_HINT}。")


def known_already(texts: Sequence[str]) -> str:
    """Nothing was made twice."""
    return f"已经有这个安排了：{'；'.join(texts)}。"


def moved(text: str) -> str:
    """The receipt of a move."""
    return f"已改到{text}。{UNDO_HINT}。"


def cancelled(texts: Sequence[str]) -> str:
    """The receipt of a cancellation."""
    return f"已取消：{'；'.join(texts)}。{UNDO_HINT}。"


def restored(text: str) -> str:
    """The receipt of an undo that brings a plan back, or puts it back to its time."""
    return f"已恢复：{text}。"


def taken_back(text: str) -> str:
    """The receipt of an undo of what had just been made."""
    return f"已撤销，不再安排：{text}。"


def lead_changed(text: str, lead: str) -> str:
    """The receipt of another lead time."""
    return f"已改成{lead}提醒：{text}。"


def ask_when(title: str, when: When) -> str:
    """What is missing of a time."""
    what = f"“{title}”" if title else "这件事"
    if when.missing == "future":
        return f"这个时间已经过去了，{what}要安排在哪天、几点？"
    if when.missing == "clock":
        return f"{what}具体几点？一天几次的话，每次的时间都告诉我。"
    return f"{what}安排在哪天、几点？"


def ask_pet(title: str, names: Sequence[str]) -> str:
    """Whom a plan is for."""
    return f"“{title}”是给谁安排的？{'还是'.join(names)}？"


def ask_what() -> str:
    """What one is to be reminded of."""
    return "要提醒你做什么？"


def ask_which(verb: str, texts: Sequence[str]) -> str:
    """Which of several plans is meant; they are numbered."""
    listed = "；".join(f"{number}. {text}" for number, text in enumerate(texts[:MOST_CHOICES], 1))
    return f"要{verb}哪一个？{listed}。说“第几个”就行。"


def ask_new_time(text: str) -> str:
    """To when a plan is moved."""
    return f"“{text}”要改到什么时候？"


def lead_text(minutes: int, *, all_day: bool) -> str:
    """提前1天; 到点; 当天早上9点"""
    if all_day:
        return "当天早上9点" if minutes == 0 else f"提前{minutes // 1440}天的早上9点"
    if minutes == 0:
        return "到点"
    for size, unit in ((1440, "天"), (60, "小时")):
        if minutes % size == 0:
            return f"提前{minutes // size}{unit}"
    return f"提前{minutes}分钟"


def usual_leads(at: datetime, now: datetime, *, repeats: bool, all_day: bool) -> list[int]:
    """Minutes before at which one is reminded when nothing else is said.

    An appointment a day and an hour before, what repeats when it is time; what is over already is left out.
    """
    wanted = [0] if repeats else [1440, 0] if all_day else [1440, 60]
    left = [minutes for minutes in wanted if at - timedelta(minutes=minutes) > now]
    return left or [0]
