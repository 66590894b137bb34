"""Puts together what the assistant is given: fixed order, budgets, a trim order, and a trace of why each line is there.

Clock, owner's card and one pet's card fit in 2,000 tokens; everything else of memory adds at most 1,000; with several
pets the hard total is 4,000. Over budget, lines go in this order: summaries, recalled items, owner's card, other lines
of the pets' cards. Safety lines never go.
"""

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from domain.token_budget import total_tokens
from domain.turn_context import CardLine, PetCard, TurnContext

CARDS_BUDGET = 2_000  # tokens: clock, owner's card and one pet's card
EXTRAS_BUDGET = 1_000  # tokens: summaries, recalled items, due items, open questions
HARD_TOTAL = 4_000  # tokens, with several pets
CLOCK_TOKENS = 40  # "现在是2026年5月20日星期三 19:00，距上次聊天3天"


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens for the cards and for everything else of memory."""

    cards: int = CARDS_BUDGET
    extras: int = EXTRAS_BUDGET
    total: int = HARD_TOTAL


def fit(context: TurnContext, budget: Budget | None = None) -> TurnContext:
    """The context within its budget, with the trace of what is in it and why; what was trimmed is traced too."""
    limits = budget or Budget()
    fitted, trimmed = _trim_extras(context, limits.extras)
    room = limits.cards if len(fitted.cards) < 2 else limits.total - _extras_tokens(fitted)
    fitted, more = _trim_cards(fitted, room - CLOCK_TOKENS)
    return replace(fitted, trace=(*context.trace, *_trace(fitted), *trimmed, *more))


def _trim_extras(context: TurnContext, room: int) -> tuple[TurnContext, list[dict[str, Any]]]:
    trimmed: list[dict[str, Any]] = []
    while _extras_tokens(context) > room and (context.summaries or context.recalled):
        if context.summaries:
            trimmed.append(_note("summary", context.summaries[-1], "trimmed: over budget"))
            kept = len(context.summaries) - 1
            context = replace(
                context, summaries=context.summaries[:kept], summary_reasons=context.summary_reasons[:kept]
            )
        else:
            trimmed.append(_note("recalled", context.recalled[-1].text, "trimmed: over budget"))
            context = replace(context, recalled=context.recalled[:-1])
    return context, trimmed


def _trim_cards(context: TurnContext, room: int) -> tuple[TurnContext, list[dict[str, Any]]]:
    trimmed: list[dict[str, Any]] = []
    while _cards_tokens(context) > room:
        if context.owner_lines:
            trimmed.append(_note("owner_card", context.owner_lines[-1].text, "trimmed: over budget"))
            context = replace(context, owner_lines=context.owner_lines[:-1])
            continue
        shorter = _without_last_plain_line(context.cards)
        if shorter is None:
            break
        cards, gone = shorter
        trimmed.append(_note("pet_card", gone.text, "trimmed: over budget"))
        context = replace(context, cards=cards)
    return context, trimmed


def _without_last_plain_line(cards: tuple[PetCard, ...]) -> tuple[tuple[PetCard, ...], CardLine] | None:
    """The cards without the last line that is no safety line, the last pet's first; None when only safety is left."""
    for index in range(len(cards) - 1, -1, -1):
        lines = cards[index].lines
        for place in range(len(lines) - 1, -1, -1):
            if not lines[place].safety:
                card = replace(cards[index], lines=lines[:place] + lines[place + 1 :])
                return (*cards[:index], card, *cards[index + 1 :]), lines[place]
    return None


def _extras_tokens(context: TurnContext) -> int:
    lines = [line.text for line in context.recalled]
    questions = [question.question for question in context.questions]
    findings = [finding.text for finding in context.insights]
    return total_tokens(
        [*context.summaries, *lines, *context.due, *context.plans, *(context.past or ()), *findings, *questions]
    )


def _cards_tokens(context: TurnContext) -> int:
    lines = [line.text for card in context.cards for line in card.lines]
    return total_tokens([*(line.text for line in context.owner_lines), *lines])


def _trace(context: TurnContext) -> list[dict[str, Any]]:
    """One entry a line, in the order of the prompt."""
    return [
        *(_note("owner_card", line.text, "owner's card", line.memory_id) for line in context.owner_lines),
        *(
            _note("pet_card", line.text, "record in force" if line.safety else "core", line.memory_id)
            for card in context.cards
            for line in card.lines
        ),
        *(
            _note("summary", summary, why)
            for summary, why in zip_longest(
                context.summaries, context.summary_reasons, fillvalue="earlier conversation"
            )
        ),
        *(_note("recalled", line.text, line.why, line.memory_id) for line in context.recalled),
        *(_note("due", line, "due by the rules") for line in context.due),
        *(_note("insight", line.text, "a finding over the records") for line in context.insights),
        *(_note("plan", line, "in the calendar") for line in context.plans),
        *(_note("past", line, "on record at the time asked about") for line in context.past or ()),
        *(_note("question", question.question, "open confirmation") for question in context.questions),
    ]


def _note(part: str, text: str, why: str, memory_id: str | None = None) -> dict[str, Any]:
    return {"part": part, "text": text, "why": why, "memory_id": memory_id}
