"""Whether a message asks what is due, and the short lines the assistant is given then. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from domain.due_dates import DueDate, DueKind
from domain.offline.responder.reading import Form, is_question, read_question
from domain.pet_profiles import PetProfile

MOST_LINES = 6  # two pets with a vaccine and both dewormings each; the soonest first

_KIND_OF_THING: dict[str, DueKind] = {"疫苗": "vaccine", "驱虫": "deworming"}
_BOTH: frozenset[DueKind] = frozenset(_KIND_OF_THING.values())
_PLANS = "安排"  # the thing of a question about all that is planned
_RUNS_OUT = re.compile(r"到期|过期")


@dataclass(frozen=True, slots=True)
class DueAsked:
    """kinds: what is asked for. pressing_only: in passing, so only what is overdue or due soon is told."""

    kinds: frozenset[DueKind]
    pressing_only: bool = False


def due_asked(text: str, pets: Sequence[PetProfile], *, told_something: bool = False) -> DueAsked | None:
    """What the message asks of due things; None for every other message."""
    if not is_question(text, told_something=told_something):
        return None
    asked = read_question(text, pets)
    words = {word for thing in asked.things for word in (thing.label, thing.part_of)}
    if kinds := frozenset(kind for word, kind in _KIND_OF_THING.items() if word in words):
        return DueAsked(kinds)
    if asked.form is Form.OVERVIEW:
        return DueAsked(_BOTH, pressing_only=True)
    in_general = not asked.things and _RUNS_OUT.search(text)
    return DueAsked(_BOTH) if _PLANS in words or in_general else None


def due_lines(
    asked: DueAsked, names: Mapping[str, str], due: Mapping[str, Sequence[DueDate]], today: date
) -> list[str]:
    """豆豆的狂犬疫苗2026年12月30日到期（还有30天，按“每年一次”算); soonest first. names and due: by pet id."""
    told = [
        (one, names[pet_id])
        for pet_id, dates in due.items()
        for one in dates
        if one.rests_on != "nothing"
        and one.kind in asked.kinds
        and not (asked.pressing_only and one.status == "upcoming")
    ]
    told.sort(key=lambda pair: pair[0].due_on)
    return [due_line(one, name, today) for one, name in told[:MOST_LINES]]


def due_line(due: DueDate, name: str, today: date) -> str:
    """One thing due, with its day and the rule behind it."""
    if due.stage == "restart_ask_vet":
        return f"{name}的{due.what}{due.rule_text}"
    if due.lapsed:
        return f"{name}的{due.what}没有记录，{_day(due)}就该打了，打过就告诉我日子，没打过请兽医决定怎么补"
    distance = f"{_distance((due.due_on - today).days)}，" if due.due_on_precision == "day" else ""
    return f"{name}的{due.what}{_day(due)}{_verb(due)}（{distance}按“{due.rule_text}”算）"


def _day(due: DueDate) -> str:
    month = f"{due.due_on.year}年{due.due_on.month}月"
    return f"{month}{due.due_on.day}日" if due.due_on_precision == "day" else month


def _verb(due: DueDate) -> str:
    if due.stage == "repeat":
        return "到期"
    return "该打" if due.kind == "vaccine" else "该做"


def _distance(days: int) -> str:
    if days == 0:
        return "就是今天"
    return f"还有{days}天" if days > 0 else f"已经过了{-days}天"
