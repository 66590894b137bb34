"""What became of the owner's statements, told as it is: nothing is claimed that `written` does not show."""

import re
from collections.abc import Sequence
from dataclasses import replace

from domain.assistant import AnswerSentence
from domain.offline.responder.lines import Line
from domain.offline.responder.voice import quoted, say
from domain.offline.responder.wording import joined, plain
from domain.turn_context import AskedQuestion, TurnContext, Written
from memory.confirmation_texts import TAKEN_BACK
from memory.vocabulary import Outcome

_REFUSALS: dict[str, str] = {
    "only_asked": "这句像是在问，我没有当成事实记下",
    "machine_words": "这是推测，不是你说的，我没有记",
    "rejected_lately": "你前不久否定过这条，我没有再记",
    "implausible_value": "数字看起来不太对，请核对一下单位和小数点，我先没记",
    "deleted_by_owner": "这条你删过，我没有再记",
    "over_turn_limit": "一次说得有点多，有的没放进便签，原话还在聊天记录里",
    "unknown_subject": "没分清说的是谁，我没有记",
}
_REFUSED = "这条我没有记下"
_NOT_KEPT = "我先没记"
_NOTHING_CHANGED = {"answer_not_possible": "档案没有改，核对好了再告诉我就行"}
"""What a refusal with a detail ends with, by its reason, where it is not that nothing was kept."""
_KEPT = (Outcome.ADDED, Outcome.MERGED, Outcome.SUPERSEDED)
_UNWELL_SLOTS = ("symptom",)
_HEAVIER_OR_LIGHTER = "symptom:weight_change"  # no sign that comes back or gets worse
_WELL = re.compile(r"没有?|不再|正常|好了|好多|恢复|痊愈|消失|精神好|胃口好|停了")
_NO_REMINDER = "要我到点提醒的话，把哪天、几点告诉我。"
_ASKED_END = re.compile(r"[?？]$")


def tell_written(context: TurnContext, lines: Sequence[Line]) -> list[AnswerSentence]:
    """One sentence for each outcome that occurred, after what became of a request about plans."""
    told = [replace(say(text), tells_back="receipt") for text in context.arranged]
    told += [
        replace(sentence, tells_back="receipt")
        for outcome, tell in _TELLERS.items()
        if (some := [item for item in _each_once(context.written) if item.outcome is outcome])
        for sentence in tell(some, lines)
    ]
    if not context.arranged and any(_is_planned(item) for item in context.written):
        told.append(replace(say(_NO_REMINDER), tells_back="receipt"))
    if not context.alerts and any(_is_unwell(item) for item in context.written):
        told.append(say("要是反复或加重，尽早让兽医看看。"))
    told += [replace(say(text), tells_back="receipt") for text in context.followed]
    return told


def _each_once(items: Sequence[Written]) -> list[Written]:
    """Without what repeats a statement of this message: its second half was merged into its first."""
    told: dict[tuple[str | None, str], Written] = {}
    for item in items:
        kept = item.outcome in _KEPT
        told.setdefault((item.subject, item.content if kept else f"{item.outcome.value}:{item.content}"), item)
    return list(told.values())


def ask_written(context: TurnContext) -> list[AnswerSentence]:
    """The first question that a statement of this message raised."""
    return ask(next((item.confirmation for item in context.written if item.confirmation), None))


def ask(question: AskedQuestion | None, opening: str = "") -> list[AnswerSentence]:
    """The question of a confirmation, as it stands."""
    if question is None:
        return []
    words = plain(question.question)
    asked = say(f"{opening}{words}{'' if _ASKED_END.search(words) else '？'}")
    return [replace(asked, tells_back="question")]


def _added(items: Sequence[Written], _lines: Sequence[Line]) -> list[AnswerSentence]:
    tentative = [item for item in items if item.reason == "new_tentative"]
    late = [item for item in items if item.reason == "older_news"]
    firm = [item for item in items if item not in tentative and item not in late]
    told = [say(f"记下了：{_contents(firm)}。")] if firm else []
    told += [say(f"先当不太确定的记着：{_contents(tentative)}。")] if tentative else []
    return told + ([say(f"作为过去的情况记下了：{_contents(late)}。")] if late else [])


def _merged(items: Sequence[Written], _lines: Sequence[Line]) -> list[AnswerSentence]:
    return [say(f"这条之前就有，又添了一次依据：{_contents(items)}。")]


def _superseded(items: Sequence[Written], _lines: Sequence[Line]) -> list[AnswerSentence]:
    gone = [item for item in items if item.content.endswith(TAKEN_BACK)]
    changed = [item for item in items if item not in gone]
    told = [say(f"记下了，已经改成：{_contents(changed)}。")] if changed else []
    return [*told, say(f"已经划掉：{_told_wrongly(gone)}。")] if gone else told


def _told_wrongly(items: Sequence[Written]) -> str:
    return joined(plain(item.content.removesuffix(TAKEN_BACK)) for item in items)


def _candidate(items: Sequence[Written], lines: Sequence[Line]) -> list[AnswerSentence]:
    return [_watched(item, lines) for item in items[:2]]


def _watched(item: Written, lines: Sequence[Line]) -> AnswerSentence:
    served = [line for line in lines if _is_served_for(line, item)]
    if item.content.endswith(TAKEN_BACK):
        return say(f"“{_told_wrongly([item])}”还没有动，等你确认。", served[:1])
    if not served:
        return say(f"先记在待观察里：{plain(item.content)}，档案没有改。")
    return say(f"先记在待观察里：{plain(item.content)}；档案里仍是“{quoted(served[0])}”。", served[:1])


def _is_served_for(line: Line, item: Written) -> bool:
    return (
        line.subject == item.subject
        and line.attribute == item.attribute
        and bool(item.attribute)
        and line.memory_id != item.memory_id
        and line.pending not in ("观察中", "候选")
    )


def _provisional(items: Sequence[Written], _lines: Sequence[Line]) -> list[AnswerSentence]:
    return [say(f"先按“{_contents(items)}”防着，待你确认。")]


def _refused(items: Sequence[Written], _lines: Sequence[Line]) -> list[AnswerSentence]:
    return [say(f"{joined(map(_why_not, items))}。")]


def _why_not(item: Written) -> str:
    """The reason in plain words; what follows a colon is a detail already worded for the owner."""
    reason, _, detail = (item.reason or "").partition(": ")
    if not detail:
        return _REFUSALS.get(reason, _REFUSED)
    return f"{plain(detail)}，{_NOTHING_CHANGED.get(reason, _NOT_KEPT)}"


def _contents(items: Sequence[Written]) -> str:
    return joined(plain(item.content) for item in items)


def _is_planned(item: Written) -> bool:
    """A plan that was kept: remembered, but nobody will be reminded of it."""
    return item.attribute.startswith("schedule") and item.outcome in _KEPT


def _is_unwell(item: Written) -> bool:
    stored = item.outcome in (Outcome.ADDED, Outcome.MERGED, Outcome.PROVISIONAL)
    unwell = item.attribute.partition(":")[0] in _UNWELL_SLOTS and item.attribute != _HEAVIER_OR_LIGHTER
    return stored and unwell and not _WELL.search(item.content)


_TELLERS = {
    Outcome.ADDED: _added,
    Outcome.MERGED: _merged,
    Outcome.SUPERSEDED: _superseded,
    Outcome.PROVISIONAL: _provisional,
    Outcome.CANDIDATE: _candidate,
    Outcome.REFUSED: _refused,
}
