"""Assistants whose pace a test decides, and a clock that it sets."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import FastAPI

from domain.assistant import AnswerSentence, Mode
from domain.chat_turn import ChatTurns
from domain.turn_context import TurnContext


class SteppedAssistant:
    """Says its next sentence each time it is let go; `asked` keeps what it was given.

    error: raised in place of the end. cites: memory ids that every sentence cites.
    """

    mode: Mode = "basic"

    def __init__(self, *sentences: str, error: Exception | None = None, cites: Sequence[str] = ()) -> None:
        self.sentences = sentences
        self.error = error
        self.cites = tuple(cites)
        self.asked: list[TurnContext] = []
        self.waiting = asyncio.Event()  # set while an answer waits to be let go
        self._steps = asyncio.Semaphore(0)

    def let_go(self, steps: int = 1) -> "SteppedAssistant":
        """Allow `steps` more sentences; the end of an answer is a step too."""
        for _ in range(steps):
            self._steps.release()
        return self

    def let_all_go(self, answers: int = 1) -> "SteppedAssistant":
        """Allow whole answers, from their first sentence to their end."""
        return self.let_go(answers * (len(self.sentences) + 1))

    async def answer(self, context: TurnContext) -> AsyncIterator[AnswerSentence]:
        self.asked.append(context)
        for sentence in self.sentences:
            await self._step()
            yield AnswerSentence(sentence, self.cites)
        await self._step()
        if self.error is not None:
            raise self.error

    async def _step(self) -> None:
        self.waiting.set()
        await self._steps.acquire()
        self.waiting.clear()


class SetClock:
    """The machine's clock as a test wants it."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **amount: float) -> None:
        """Let real time pass: `pass_by(seconds=91)`."""
        self.now += timedelta(**amount)


def answer_with(app: FastAPI, assistant: SteppedAssistant, **parts: Any) -> ChatTurns:
    """Let this assistant answer all turns of the app from now on; `parts` replaces other parts of a turn."""
    container = app.state.container
    container._turns = ChatTurns(replace(container._turn_parts(), assistant=assistant, **parts))
    turns: ChatTurns = container.turns
    return turns
