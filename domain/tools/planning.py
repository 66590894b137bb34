"""Tools about plans: make one at the time the owner said, list them, cancel one that the owner wants cancelled."""

import re
from datetime import timedelta

from domain.assistant import ToolResult
from domain.claimed_changes import deeds_on_plans
from domain.pet_resolution import pets_named
from domain.schedule_replies import MOST_LISTED, plan_text
from domain.schedule_requests import Act, ScheduleRequest
from domain.schedule_times import when_said
from domain.schedule_words import kinds_of
from domain.schedules import occurrences_between
from domain.tools.arguments import CancelSchedule, CreateSchedule, ListSchedules
from domain.tools.tool_turn import ToolTurn
from domain.turn_writing import write_plans
from domain.whole_writes import whole
from memory.text_folding import fold_text

OWN_SHARE = 0.7  # of a title's Chinese characters that must be the owner's

_NOT_SAID = "没有安排：quote 必须一字不差地来自主人这次的话。"
_NOT_ASKED = "没有取消：主人这次没有要求取消。"
_NOT_DECIDED = "没有安排：主人是在问或者还没决定，先问清楚。"
_ALREADY = "系统已经处理了主人关于日程的要求："
_NO_PET = "没有这只宠物。家里有：{names}。"
_CANCELS = re.compile(r"取消|不用|不要|别|删|关掉|不去|不打|不做|停")
_PLANS = re.compile(r"提醒|日程|安排|预约|计划|闹钟|约好|约的")
_OPEN = frozenset({"question", "hypothetical", "elsewhere", "joke", "story", "assistant's words"})


async def create_schedule(turn: ToolTurn, given: CreateSchedule) -> ToolResult:
    """A plan at the owner's own time; what is missing is asked back."""
    run = turn.run
    if run.arranged and not run.forgets:
        return _says(_ALREADY + "".join(run.arranged))
    pet = turn.profile(given.pet) if given.pet else None
    if given.pet and pet is None:
        return _says(_NO_PET.format(names=turn.names))
    if not turn.said(given.quote) or not _is_own(given.title, run.request.text):
        return _says(_NOT_SAID)
    if _is_open(turn, given.quote):
        return _says(_NOT_DECIDED)
    request = ScheduleRequest(
        Act.MAKE,
        when=when_said(given.quote, run.scope.local(run.request.now)),
        title=given.title,
        kinds=kinds_of(given.title),
        pets=(pet.id,) if pet else (),
        words=fold_text(given.title),
        explicit=True,
    )
    return await _carry_out(turn, request)


async def cancel_schedule(turn: ToolTurn, given: CancelSchedule) -> ToolResult:
    """Take a plan out, when the owner's words ask for it."""
    run = turn.run
    if run.arranged and not run.forgets:
        return _says(_ALREADY + "".join(run.arranged))
    if not turn.said(given.quote) or not _CANCELS.search(given.quote) or _is_open(turn, given.quote):
        return _says(_NOT_ASKED)
    if not _is_own(given.title, run.request.text) and not _PLANS.search(fold_text(run.request.text)):
        return _says(_NOT_ASKED)  # 把过敏记录删掉 cancels no shot
    request = ScheduleRequest(
        Act.CANCEL,
        kinds=kinds_of(given.title),
        pets=tuple(pets_named(given.title, run.view.profiles)),
        words=fold_text(given.title),
        explicit=True,
    )
    return await _carry_out(turn, request)


async def list_schedules(turn: ToolTurn, given: ListSchedules) -> ToolResult:
    """What lies ahead, soonest first."""
    run = turn.run
    now = run.scope.local(run.request.now)
    async with turn.parts.transactions.read() as session:
        found = await occurrences_between(session, run.scope, now, now + timedelta(days=given.days))
    names = {pet.id: pet.name for pet in run.view.pets}
    told = [plan_text(one.schedule, run.scope.local(one.at), now, names) for one in found[:MOST_LISTED]]
    turn.reviewer.learn(dict.fromkeys(told, ""))
    return _says("\n- ".join(["已经安排的：", *told]) if told else "这段时间没有安排。")


async def _carry_out(turn: ToolTurn, request: ScheduleRequest) -> ToolResult:
    """Do it as a spoken request is done. What was really done is told by us; a question back is the model's to ask."""
    turn.plans_made += 1
    message_id = f"{turn.run.message_id}+{turn.plans_made}"
    done = await whole(write_plans(turn.run, turn.parts, [request], message_id))
    if done.events:
        turn.hands.done |= deeds_on_plans(event["outcome"] for event in done.events)
        turn.hands.arranged += done.told
    return _says("".join(done.told) or "没有找到要改的那个安排。")


def _is_own(title: str, text: str) -> bool:
    letters = [character for character in fold_text(title) if "\u4e00" <= character <= "\u9fff"]
    folded = fold_text(text)
    return bool(letters) and sum(character in folded for character in letters) >= OWN_SHARE * len(letters)


def _is_open(turn: ToolTurn, quote: str) -> bool:
    """Whether the words only ask, suppose or tell of somebody else."""
    place = turn.scene.folded.find(fold_text(quote).strip())
    readings = [one for one in turn.scene.readings if place < one.end and one.start < place + len(quote)]
    return any(not one.tone.usable and one.tone.why_not in _OPEN for one in readings)


def _says(text: str) -> ToolResult:
    return ToolResult(text, {})
