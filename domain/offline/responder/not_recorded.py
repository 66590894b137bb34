"""What is said when no line answers: 没有记录, naming what is missing, then what lies nearest."""

import re
from collections.abc import Sequence

from domain.assistant import AnswerSentence
from domain.dates import question_period
from domain.offline.responder.lines import Line
from domain.offline.responder.question import LONGEST_PHRASE, Question, best_lines, label_of, related_lines, whose
from domain.offline.responder.things import Thing, things_named
from domain.offline.responder.voice import missing, say, tell
from domain.offline.responder.wording import cut_words
from domain.plans_asked import plans_asked
from memory.vocabulary import OWNER_SUBJECT

MOST_LISTED = 4  # lines of a list of happenings
MOST_LINES = 2  # lines told for one pet

_REMINDERS = re.compile(r"(?:什么|哪些|啥|几个|有没有).{0,4}(?:提醒|闹钟|日程)|(?:提醒|闹钟|日程)(?:有哪些|都?有什么)")
_VAGUE_TIME = re.compile(r"最近|近来|近期|刚才|刚刚|这阵子?|这段时间|这几天")
_WHAT_HAPPENED = re.compile(
    r"怎么了|咋了|发生|有(?:过|没有)?(?:什么|啥)|(?:干|做|记|忙)(?:了|过|着)?(?:什么|啥|嘛|些)|哪些|情况|经历|都有"
)
"""最近胃口怎么样 asks for one thing of the time, not for all that happened in it."""


def not_recorded(question: Question) -> list[AnswerSentence]:
    """没有记录, naming what is missing; then the wider thing's lines, or what recall found nearest."""
    asked, theirs = question.asked, whose(question)
    if _REMINDERS.search(asked.text):
        return [say("现在没有设任何提醒。要我提醒的话，把哪天、几点、什么事告诉我。")]
    if in_time := _of_the_period(question):
        return tell(in_time, "那段时间的记录：")
    planned = plans_asked(asked.text, question.context.now)
    if planned and not planned.words and not asked.things:
        return [say(f"没有记下{theirs}{'的' if theirs else ''}安排。要我提醒的话，把哪天、几点、什么事告诉我。")]
    if not asked.things and not asked.presumes and (nearest := related_lines(question)):
        return tell(nearest, "最相关的记录：")
    if asked.things or not asked.phrase:
        told = [missing(f"没有{theirs}{'的' if theirs else ''}{label_of(asked) if asked.things else '相关'}记录。")]
    else:
        told = [missing(f"没有找到{theirs}和“{cut_words(asked.phrase, LONGEST_PHRASE)}”有关的记录。")]
    if not question.context.remembers:
        told.append(say("长期记忆没有打开，聊过的没有留下。"))
    return told + near_lines(question)


def _of_the_period(question: Question) -> list[Line]:
    """What happened to those meant in the time that is asked about, in its order."""
    text = question.asked.text
    period = question_period(text, question.context.now)
    if period is None or question.asked.things or (_VAGUE_TIME.search(text) and not _WHAT_HAPPENED.search(text)):
        return []
    meant = {pet.id for pet in question.pets} or {OWNER_SUBJECT}
    dated = [(line.on.day, line) for line in question.lines if line.on is not None and line.subject in meant]
    found = [(day, line) for day, line in dated if period[0] <= day <= period[1]]
    return [line for _, line in sorted(found, key=lambda pair: pair[0])][:MOST_LISTED]


def near_lines(question: Question) -> list[AnswerSentence]:
    """Lines about the wider thing when a named one is missing; else lines of the class, or what recall found first."""
    named = [thing for thing in question.asked.things if thing.named]
    if named:
        return tell(_wider(question, named), "相近的记录：")
    return tell(best_lines(question, MOST_LINES) or related_lines(question)[:1], "相近的记录：")


def _wider(question: Question, named: Sequence[Thing]) -> list[Line]:
    wider = [things_named()[thing.part_of] for thing in named if thing.part_of]
    found = [line for line in question.lines if any(line.slot in thing.slots for thing in wider)]
    return sorted(found, key=lambda line: line.on.day.toordinal() if line.on else 0, reverse=True)[:1]
