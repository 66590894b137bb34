"""Earlier conversations as they are told: 2026年11月28日（2天前）聊到豆豆吐了两次。"""

import re
from collections.abc import Sequence
from datetime import date

from domain.dates import question_period
from domain.offline.responder.wording import Dated, cut_stamp, plain, with_distance
from domain.turn_context import TurnContext
from memory.fulltext import query_tokens, tokenize, word_runs
from memory.text_folding import fold_text

_FRAME = re.compile(
    r"[上下]次|[之以]前|[上这]个?(?:周|月|星期|礼拜)|昨[天晚]|前[天晚]|今天|那天|最近|今年|去年|什么时候|哪[天次]|几[号月]|我们|咱们?|我|你|"
    r"是不是|有没有|是否|还?记得|好像|曾经|聊|说|提|讲|谈|问|到|过|起|的事情?|这?件?事情?|关于|吗|呢|吧|了|哪|啥|什么|来着|[跟和的有没]"
)

SHARED = 2  # two-character words that a talk must share with a question to be what it asks for


def talks_asked_for(context: TurnContext) -> list[str]:
    """The talks of the period that is asked for, or those that share words with the question; else all, newest first.

    A period without a talk in it has none: another day's talk is no answer.
    """
    period = question_period(context.text, context.now)
    topic, talks = talk_topic(context.text), list(context.summaries)
    if period is not None:
        talks = [talk for talk in talks if _is_in(period, cut_stamp(talk)[1])]
    told = [talk for talk in talks if topic and all(word in fold_text(talk) for word in topic)]
    if told:
        return told
    return ([] if period else _sharing(talks, context)) or ([] if topic else talks)


def talk_topic(text: str) -> list[str]:
    """What the talk was of that a question asks for: 上周我们是不是聊过疫苗的事 → 疫苗; [] when it asks for any."""
    return word_runs(_FRAME.sub(" ", fold_text(text)))


def talk_told(talk: str, today: date) -> str:
    """The talk with its day in front of it."""
    text, on = cut_stamp(talk)
    return f"{with_distance(on, today)}{plain(text)}" if on is not None else plain(text)


def _is_in(period: tuple[date, date], on: Dated | None) -> bool:
    return on is not None and period[0] <= on.day <= period[1]


def _sharing(talks: Sequence[str], context: TurnContext) -> list[str]:
    names = {name for pet in (*context.subjects, *context.others) for name in (pet.name, *pet.nicknames)}
    asked = {token for token, weight in query_tokens(context.text).items() if weight >= 1.0 and token not in names}
    shared = {talk: len(asked & set(tokenize(talk))) for talk in talks}
    found = [talk for talk in talks if shared[talk] >= SHARED]
    return sorted(found, key=lambda talk: -shared[talk])
