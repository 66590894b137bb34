"""Earlier conversations as they are told: 2026年11月28日（2天前）聊到豆豆吐了两次。"""

from collections.abc import Sequence
from datetime import date

from domain.dates import question_period
from domain.offline.responder.wording import Dated, cut_stamp, plain, with_distance
from domain.turn_context import TurnContext
from memory.fulltext import query_tokens, tokenize

SHARED = 2  # two-character words that a talk must share with a question to be what it asks for


def talks_asked_for(context: TurnContext) -> list[str]:
    """The talks of the period that is asked for, or those that share words with the question; else all, newest first.

    A period without a talk in it has none: another day's talk is no answer.
    """
    period = question_period(context.text, context.now)
    if period is not None:
        return [talk for talk in context.summaries if _is_in(period, cut_stamp(talk)[1])]
    sharing = _sharing(context.summaries, context)
    return sharing or list(context.summaries)


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
