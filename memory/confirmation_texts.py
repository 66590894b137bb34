"""The words of a confirmation: old fact, new statement, evidence with dates, and what each answer does.

The owner reads plain Chinese. The text never claims that anything has changed, and says what is served meanwhile.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from memory.settlement import Answer
from memory.vocabulary import ConfirmationKind, Source

TAKEN_BACK = "（说错了）"
"""Ends a line that tells of another's what was told wrongly."""
_SLIP = re.compile(r"(?:刚才|刚刚|之前|上次|前面)?我?(?:看|说|记|写|打|填|量|称|搞|弄)错了?[，,、]")
"""How an owner leads up to a correction; it is no part of what is proposed."""
MAX_QUOTE_CHARS = 40  # an owner recognises their own sentence from its first line
MAX_QUOTES = 3  # the newest; the rest is one tap away
PENDING_MARK = "待确认"

ANSWER_LABELS: dict[Answer, str] = {Answer.ACCEPT: "更新", Answer.KEEP: "保持原样", Answer.WATCH: "再观察"}


@dataclass(frozen=True, slots=True)
class Quoted:
    """One piece of evidence as it was said. `said_on` is the owner's local date; `by` a vet's name."""

    text: str
    said_on: date
    source: Source = Source.CHAT
    verified: bool = False
    by: str | None = None


@dataclass(frozen=True, slots=True)
class QuestionParts:
    """What a question is made of.

    old: the line served now, None when nothing stood there; old_since: the local date it was learned.
    new: the line that would be served. evidence: in any order.
    """

    kind: ConfirmationKind
    new: str
    today: date
    old: str | None = None
    old_since: date | None = None
    evidence: Sequence[Quoted] = ()


def question_text(parts: QuestionParts) -> str:
    """The whole question for the in-app prompt: known, heard, asked, and what is served until it is answered."""
    sentences = (_known(parts), _heard(parts), _asked(parts), _meanwhile(parts))
    return "\n".join(sentence for sentence in sentences if sentence)


def chat_question(parts: QuestionParts) -> str:
    """The question in one or two sentences, for a natural moment of the talk."""
    newest = max(parts.evidence, key=lambda one: one.said_on, default=None)
    heard = f"{_speaker(newest)}{_day(newest.said_on, parts.today)}说「{_shortened(newest.text)}」。" if newest else ""
    return f"{heard}{_known(parts)}{_asked(parts)}"


def pending_line(parts: QuestionParts) -> str:
    """The line that stands in a prompt or on a card while the question is open; marked, never a plain fact."""
    if parts.kind is ConfirmationKind.NEW_DANGER or parts.old is None:
        return f"{PENDING_MARK}：{_bare(parts.new)}（确认前先按有风险对待）"
    return f"{PENDING_MARK}：有说法是「{_bare(parts.new)}」，确认前仍以「{_bare(parts.old)}」为准"


def consequences(kind: ConfirmationKind) -> dict[Answer, str]:
    """What each of the three answers does, one short line each."""
    return dict(_CONSEQUENCES[kind])


def settled_text(parts: QuestionParts, answer: Answer) -> str:
    """What is said once an answer is written; never before."""
    if answer is Answer.WATCH:
        return f"好的，先不下结论，我继续留意：{_bare(parts.new)}。"
    if answer is Answer.ACCEPT:
        return f"已更新：{_bare(parts.new)}。"
    if parts.kind is ConfirmationKind.NEW_DANGER:
        return f"好的，已取消这条提醒：{_bare(parts.new)}。"
    return f"好的，保持原样：{_bare(parts.old or parts.new)}。"


_CONSEQUENCES: dict[ConfirmationKind, dict[Answer, str]] = {
    ConfirmationKind.CHANGE: {
        Answer.ACCEPT: "更新：以后按新的来，旧的留在历史里",
        Answer.KEEP: "保持原样：还按原来的来",
        Answer.WATCH: "再观察：先不改，有新情况再问你",
    },
    ConfirmationKind.NEW_DANGER: {
        Answer.ACCEPT: "更新：正式记下，以后都会提醒",
        Answer.KEEP: "保持原样：不是这样，取消这条提醒",
        Answer.WATCH: "再观察：先照样小心，有新情况再问你",
    },
    ConfirmationKind.MERGE: {
        Answer.ACCEPT: "更新：合成一条，来源都保留",
        Answer.KEEP: "保持原样：两条都留着",
        Answer.WATCH: "再观察：先不动",
    },
    ConfirmationKind.IMPORT: {
        Answer.ACCEPT: "更新：以导入的为准，旧的留在历史里",
        Answer.KEEP: "保持原样：不采用导入的这条",
        Answer.WATCH: "再观察：先不改，有新情况再问你",
    },
}


def _known(parts: QuestionParts) -> str:
    if parts.old is None:
        return ""
    since = f"（{_day(parts.old_since, parts.today)}记下的）" if parts.old_since else ""
    return f"现在记的是：{_bare(parts.old)}{since}。"


def _heard(parts: QuestionParts) -> str:
    newest_first = sorted(parts.evidence, key=lambda one: one.said_on, reverse=True)
    told = [
        f"{_speaker(one)}{_day(one.said_on, parts.today)}说：「{_shortened(one.text)}」"
        for one in reversed(newest_first[:MAX_QUOTES])
    ]
    more = len(newest_first) - len(told)
    return "；".join(told) + (f"（另有{more}条）" if more > 0 else "") + "。" if told else ""


def _asked(parts: QuestionParts) -> str:
    new = _bare(parts.new)
    if parts.kind is ConfirmationKind.NEW_DANGER:
        return f"要正式记下「{new}」吗？"
    if parts.kind is ConfirmationKind.MERGE:
        return f"它和「{new}」像是同一件事，合成一条吗？"
    if parts.kind is ConfirmationKind.IMPORT:
        return f"导入的资料写的是「{new}」，要以它为准吗？"
    if new.endswith(TAKEN_BACK):
        return f"「{new.removesuffix(TAKEN_BACK)}」是说错了，要去掉吗？"
    return f"要改成「{_SLIP.sub('', new) or new}」吗？"


def _meanwhile(parts: QuestionParts) -> str:
    if parts.kind is ConfirmationKind.MERGE:
        return ""
    if parts.kind is ConfirmationKind.NEW_DANGER:
        return "在你回答之前，我先按有风险来提醒。"
    return "在你回答之前，我仍按原来的来。"


def _speaker(quoted: Quoted) -> str:
    if quoted.source is Source.VET:
        name = f"兽医{quoted.by}" if quoted.by else "兽医"
        return name if quoted.verified else f"{name}（身份未核实）"
    return "资料" if quoted.source is Source.IMPORT else "你"


def _day(day: date, today: date) -> str:
    """The date, for a question is stored and read on other days; the year only when it is not this year's."""
    year = "" if day.year == today.year else f"{day.year}年"
    return f"{year}{day.month}月{day.day}日"


def _shortened(text: str) -> str:
    """One line of an owner's words; quotation marks inside change so that they cannot end the quote."""
    line = " ".join(text.split()).translate(str.maketrans("「」", "『』"))
    return line if len(line) <= MAX_QUOTE_CHARS else f"{line[: MAX_QUOTE_CHARS - 1]}…"


def _bare(line: str) -> str:
    return line.strip().rstrip("。.!！").translate(str.maketrans("「」", "『』"))
