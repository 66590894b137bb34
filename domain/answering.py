"""Who answers a turn: the model when it may and can, the offline assistant otherwise, and an honest word in between.

Around a model's words stand our own: the receipts of what was written before, and the open question after them. What
was told stays told; whatever happens, a turn ends with something useful.
"""

from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from dataclasses import dataclass, replace

import structlog

from domain.assistant import AnswerSentence, Assistant, ModelAssistant
from domain.claimed_changes import claimed_deeds
from domain.model_faults import ModelAway, ModelFault
from domain.offline.responder import closing_question, receipts
from domain.turn_context import TurnContext
from domain.turn_hands import TurnHands

AWAY = "智能回答暂时连不上，我先用基础模式回答你。"
NOT_USABLE = "智能回答这次没有答好，我先用基础模式回答你。"
SPENT = "今天的智能回答额度用完了，先用基础模式回答你，明天会恢复。"
CUT_OFF = "刚才的回答断在这里了，没说完的再问我一次就好。"
NOTICES = frozenset({AWAY, NOT_USABLE, SPENT, CUT_OFF})
"""Ours to say: a model finds them in the talk so far and may not repeat them."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Voices:
    """Who can answer. model None: no endpoint is set up."""

    offline: Assistant
    model: ModelAssistant | None = None


async def answer_turn(
    context: TurnContext, voices: Voices, hands: TurnHands | None
) -> AsyncGenerator[AnswerSentence, None]:
    """The answer, sentence by sentence. hands None: no model may be asked in this turn.

    An emergency is answered by rules: at once, and with nothing but what is on record.
    """
    if voices.model is None or hands is None or any(alert.level == "emergency" for alert in context.alerts):
        async for sentence in voices.offline.answer(context):
            yield sentence
        return
    if hands.spent_out:
        yield _notice(SPENT)
        async for sentence in voices.offline.answer(context):
            yield sentence
        return
    async with aclosing(_with_model(context, voices.model, voices.offline, hands)) as sentences:
        async for sentence in sentences:
            yield sentence


async def _with_model(
    context: TurnContext, model: ModelAssistant, offline: Assistant, hands: TurnHands
) -> AsyncGenerator[AnswerSentence, None]:
    for sentence in receipts(context):
        yield sentence
    fault: ModelFault | None = None
    try:
        async with aclosing(_spoken(context, model, hands)) as spoken:
            async for sentence in spoken:
                hands.spoke = hands.spoke or bool(sentence.text)
                if hands.spoke:
                    yield sentence
    except ModelFault as error:
        fault = error
        log.warning("model_failed", reason=error.reason, spoke=hands.spoke)
    by_tools = replace(context, written=tuple(hands.written), arranged=tuple(hands.arranged), followed=())
    for sentence in receipts(by_tools):
        yield sentence
    if hands.spoke:
        for sentence in _end(replace(context, written=(*context.written, *hands.written)), fault):
            yield sentence
        return
    yield _notice(AWAY if isinstance(fault, ModelAway) else NOT_USABLE)
    async for sentence in offline.answer(context):
        if sentence.tells_back != "receipt":
            yield sentence


async def _spoken(
    context: TurnContext, model: ModelAssistant, hands: TurnHands
) -> AsyncGenerator[AnswerSentence, None]:
    """The model's sentences without those that claim what was not done, and without our notices."""
    async with aclosing(model.answer(context, hands)) as sentences:
        async for sentence in sentences:
            if sentence.text.strip() in NOTICES:
                continue
            undone = claimed_deeds(sentence.text) - hands.deeds(context)
            if undone:
                log.info("claimed_change_left_out", deeds=sorted(undone))
            else:
                yield sentence


def _end(context: TurnContext, fault: ModelFault | None) -> Iterable[AnswerSentence]:
    if fault is not None:
        yield _notice(CUT_OFF)
    yield from closing_question(context)


def _notice(words: str) -> AnswerSentence:
    return AnswerSentence(words, tells_back="notice")
