"""How bad is it, does it need a vet: what the signs told in this talk call for is said again; else who can judge."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from domain.assistant import AnswerSentence
from domain.offline.responder.for_the_vet import order_in
from domain.offline.responder.lines import Line
from domain.offline.responder.voice import say, tell
from domain.triage import LEVELS, Alert, triage
from domain.triage.how_bad import asks_how_bad
from domain.turn_context import TurnContext

STILL_URGENT = 6  # messages back: three exchanges
JUST_SAID = 2  # the exchange just before
STILL_OPEN = 12  # messages back in which a sign is looked for, when the owner asks how bad it is
LATELY = timedelta(days=3)  # a sign on record is what 要紧吗 asks about
MOST_SIGNS = 3

_WHAT_TO_DO = re.compile(
    r"怎么办|咋办|怎么弄|怎么处理|严重|要紧|要不要|用不用|需要|能等|等等|观察|去(?:医院|看)|危险|有事"
    r"|注意|准备|路上|还(?:要|用|得)(?:去|看)[吗么不]|(?:做|带)(?:点|些)?(?:什么|啥)"
)
_AT_THE_VET = re.compile(r"(?:到|去过|送|在|从)(?:了)?医院|医生(?:说|让|看|给)|看过医生|打了针|好了|没事了")
_CANNOT_TELL = "要不要紧我在这里判断不了"
_ASK_A_VET = "拿不准就先打电话问问医院。"
_WHEN_TO_GO = "反复、加重，或者没精神、不吃不喝，就尽早带去看兽医"


def urged_before(context: TurnContext, back: int = STILL_URGENT) -> str:
    """The sentence by which we sent the owner to a vet in this talk, where nothing has been told since that ends it.

    back: messages that are looked at.
    """
    names = [pet.name for pet in (*context.subjects, *context.others)]
    for said in reversed(context.history[-back:]):
        if said.role == "user" and _AT_THE_VET.search(said.text):
            return ""
        if said.role == "assistant" and (urged := order_in(said.text, names)) and not _is_for_another(urged, context):
            return urged
    return ""


def _is_for_another(urged: str, context: TurnContext) -> bool:
    """Whether the sentence names a pet that is not meant now, and none that is."""
    ours, others = (any(pet.name in urged for pet in pets) for pets in (context.subjects, context.others))
    return bool(context.subjects) and others and not ours


def how_bad(context: TurnContext, lines: Sequence[Line]) -> list[AnswerSentence]:
    """What the gravest sign of the talk calls for, or the signs on record and that this cannot be told from here.

    [] when something else is asked, or no sign was told lately.
    """
    alert = _gravest(context) if asks_how_bad(context.text) or _WHAT_TO_DO.search(context.text) else None
    if _WHAT_TO_DO.search(context.text) and (urged := urged_before(context)):
        return [say(urged), *([say(_steps(alert))] if alert and _steps(alert) else [])]
    if not asks_how_bad(context.text):
        return []
    if alert:
        return [say(alert.advice), *([say(_ASK_A_VET)] if alert.level == "watch" else [])]
    signs = [line for line in lines if line.slot == "symptom" and _is_of_now(line, context)]
    told = [replace(one, tells_back="recap") for one in tell(signs[:MOST_SIGNS], "这几天的记录：")]
    return [*told, say(f"{_CANNOT_TELL}：{_WHEN_TO_GO}。{_ASK_A_VET}")] if told else []


def _steps(alert: Alert) -> str:
    """What to do and what not, without how urgent it is."""
    return alert.advice.partition("。")[2]


def _gravest(context: TurnContext) -> Alert | None:
    alerts = [*context.alerts, *_told_before(context)]
    return min(alerts, key=lambda alert: LEVELS.index(alert.level), default=None)


def _told_before(context: TurnContext) -> Iterator[Alert]:
    """The alerts of what the owner told of the pets meant since the last word of a vet."""
    today, meant = context.now.date(), {pet.id for pet in context.subjects}
    everybody = (*context.subjects, *context.others)
    focus = context.subjects[0].id if len(meant) == 1 else None
    for said in reversed(context.history[-STILL_OPEN:]):
        if said.role != "user":
            continue
        if _AT_THE_VET.search(said.text):
            return
        found = triage(said.text, everybody, focus, today)
        yield from (alert for alert in found if not meant or alert.pet_id is None or alert.pet_id in meant)


def _is_of_now(line: Line, context: TurnContext) -> bool:
    today = context.now.date()
    day = line.on.day if line.on is not None else line.told_on
    return day is not None and today - LATELY <= day <= today
