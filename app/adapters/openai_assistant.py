"""The assistant with a model: asks, streams its sentences, lets it use tools, and goes on until the answer is whole."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

import structlog

from app.adapters.answer_text import (
    MOST_ANSWER_CHARS,
    MOST_REPEATS,
    Sentence,
    SentenceCutter,
    is_heading,
    is_looping,
    is_other_language,
    is_parroted,
    is_refusal,
    is_small_noise,
    letters,
)
from app.adapters.model_client import ModelClient
from app.adapters.model_requests import Finished, Message, ModelRequest, ToolCall
from app.adapters.model_tokens import prompt_tokens
from app.adapters.prompt_echo import is_prompt_echo
from app.adapters.prompt_words import AGAIN_IN_CHINESE, CALLED_BEFORE, NO_MORE_TOOLS
from app.adapters.prompts import Citations, reply_messages
from app.adapters.quoting import plain
from domain.assistant import AnswerSentence, Hands, ToolSpec
from domain.model_faults import BadAnswer
from domain.token_budget import count_tokens
from domain.token_use import Tokens
from domain.turn_context import TurnContext

MOST_ROUNDS = 6  # of tool calls in one answer; then it must speak
MOST_TOKENS = 900  # of one round; five sentences need a third of it
MOST_RESULT_CHARS = 3000  # of one tool's answer

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Answer:
    """One answer in the making. question: the owner's words. messages: what was asked so far."""

    question: str
    hands: Hands
    messages: list[Message]
    citations: Citations
    said: list[str] = field(default_factory=list)
    repeats: int = 0
    called: dict[tuple[str, str], str] = field(default_factory=dict)
    asked_again: bool = False


@dataclass(slots=True)
class _Round:
    """One call of the model: its words as they are, its end, and whether it was stopped by us."""

    words: str = ""
    end: Finished | None = None
    stopped: bool = False
    another_language: bool = False


class OpenAIAssistant:
    """Implements `domain.assistant.ModelAssistant` over a ModelClient; keeps no state between turns."""

    def __init__(self, client: ModelClient) -> None:
        self._client = client

    async def answer(self, context: TurnContext, hands: Hands) -> AsyncGenerator[AnswerSentence, None]:
        """Sentences as they come. Raises ModelFault; what was told before it stays told."""
        citations = Citations()
        answer = _Answer(context.text, hands, list(reply_messages(context, citations)), citations)
        for number in range(MOST_ROUNDS + 2):  # one to speak after the last tools, one to be asked again in Chinese
            done = _Round()
            async with aclosing(self._round(answer, done, with_tools=number < MOST_ROUNDS)) as sentences:
                async for sentence in sentences:
                    yield sentence
            if not await _goes_on(answer, done):
                break
        if not answer.said:
            raise BadAnswer("blank")

    async def _round(self, answer: _Answer, done: _Round, *, with_tools: bool) -> AsyncGenerator[AnswerSentence, None]:
        """One call, sentence by sentence; `done` is filled in."""
        request = _request(answer, with_tools=with_tools)
        cutter = SentenceCutter()
        try:
            async with aclosing(self._client.stream(request, answer.hands.until)) as stream:
                async for piece in stream:
                    if isinstance(piece, Finished):
                        done.end = piece
                        break
                    done.words += piece.text
                    for sentence in cutter.add(piece.text):
                        if not done.stopped and (told := _told(sentence, answer, done)) is not None:
                            yield told
                    if done.stopped:
                        break
        finally:
            if done.end is not None or done.words:
                answer.hands.spent(*_cost(request, done))
        if not done.stopped and (last := _last(cutter, answer, done)) is not None:
            yield last


def _request(answer: _Answer, *, with_tools: bool) -> ModelRequest:
    tools = [_protocol(tool) for tool in answer.hands.tools] if with_tools else []
    messages = answer.messages
    if answer.hands.tools and not with_tools:
        messages = [*messages, {"role": "user", "content": NO_MORE_TOOLS}]
    return ModelRequest("reply", list(messages), MOST_TOKENS, tools=tools, cheap=answer.hands.cheap)


def _protocol(tool: ToolSpec) -> dict[str, Any]:
    told = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": told}


def _told(sentence: Sentence, answer: _Answer, done: _Round) -> AnswerSentence | None:
    """The sentence as it may be told; None for one that is left out. Sets `done.stopped` when no more is wanted."""
    if not answer.said and is_refusal(sentence.text):
        raise BadAnswer("refusal")
    if is_prompt_echo(sentence.text):
        if not answer.said:
            raise BadAnswer("echo")
        done.stopped = True
        return None
    if is_other_language(sentence.text):
        done.stopped = done.another_language = True
        return None
    if is_small_noise(sentence.text) or is_heading(sentence.text) or is_parroted(sentence.text, answer.question):
        return None
    invented = [short for short in sentence.cited if short not in answer.citations.ids]
    if invented and len(invented) == len(sentence.cited):
        log.info("invented_citation")
        return None
    bare = sentence.text.strip()
    if letters(bare) and letters(bare) in map(letters, answer.said):
        answer.repeats += 1
        done.stopped = answer.repeats >= MOST_REPEATS
        return None
    if is_looping(bare) or sum(map(len, answer.said)) + len(bare) > MOST_ANSWER_CHARS:
        done.stopped = True
        return None
    if bare:
        answer.said.append(bare)
    ids = (answer.citations.ids.get(short) for short in sentence.cited)
    return AnswerSentence(sentence.text, tuple(memory_id for memory_id in ids if memory_id))


def _last(cutter: SentenceCutter, answer: _Answer, done: _Round) -> AnswerSentence | None:
    """What is left when the stream has ended; half a sentence at the token limit is left out."""
    rest = cutter.rest()
    if rest is None or (done.end is not None and done.end.cut_short and answer.said):
        return None
    return _told(rest, answer, done)


async def _goes_on(answer: _Answer, done: _Round) -> bool:
    """Prepare the next round, if there is to be one. Raises BadAnswer for an answer that stays unusable."""
    if done.end is not None and done.end.refused and not answer.said:
        raise BadAnswer("refusal")
    if done.another_language:
        if answer.said or answer.asked_again:
            raise BadAnswer("language")
        answer.asked_again = True
        answer.messages += [
            {"role": "assistant", "content": plain(done.words)},
            {"role": "user", "content": AGAIN_IN_CHINESE},
        ]
        return True
    calls = done.end.tool_calls if done.end is not None else ()
    if not calls:
        return False
    answer.messages.append(_calling(done.words, calls))
    results = await asyncio.gather(*(_result(answer, call) for call in calls))
    answer.messages += [
        {"role": "tool", "tool_call_id": call.id or f"call_{place}", "content": result}
        for place, (call, result) in enumerate(zip(calls, results, strict=True))
    ]
    return True


def _calling(words: str, calls: tuple[ToolCall, ...]) -> Message:
    """The model's own message, as the protocol wants it back."""
    told = [
        {
            "id": call.id or f"call_{place}",
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for place, call in enumerate(calls)
    ]
    return {"role": "assistant", "content": words, "tool_calls": told}


async def _result(answer: _Answer, call: ToolCall) -> str:
    """What the tool answers. The same call twice is not run twice: the model is told that it has the answer."""
    key = (call.name, call.arguments)
    if key in answer.called:
        return CALLED_BEFORE
    answer.called[key] = ""
    result = await answer.hands.use(call.name, call.arguments)
    told = result.text
    for memory_id, text in result.lines.items():
        told += f"\n- {answer.citations.mark(memory_id)} {plain(text)}"
    return told[:MOST_RESULT_CHARS]


def _cost(request: ModelRequest, done: _Round) -> tuple[Tokens, str]:
    """What a round cost; estimated when its stream did not come to its end."""
    if done.end is not None:
        return done.end.tokens, done.end.model
    return Tokens(prompt_tokens(request), count_tokens(done.words)), ""
