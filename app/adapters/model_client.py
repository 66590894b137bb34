"""The models behind one or two endpoints: tries again with jitter, gives up in time, rests what is broken, falls back.

Everything that calls a model goes through here: replies, extraction, chores, embeddings.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import TypeVar

from app.adapters.model_endpoint import ModelEndpoint
from app.adapters.model_requests import Called, CallPurpose, Completion, Embedded, Finished, ModelRequest, Piece
from domain.model_faults import BadAnswer, ModelAway, ModelFault, ModelMisconfigured
from domain.token_use import Tokens

TRIES = 3  # of one endpoint for one call
FIRST_PAUSE_S = 0.3  # before the second try; doubles, and is drawn at random below that
LONGEST_PAUSE_S = 4.0
LONGEST_RETRY_AFTER_S = 8.0  # an owner does not wait longer: another endpoint, or basic mode
LEAST_TIME_S = 0.5  # with less left no call is begun

Answer = TypeVar("Answer")


class ModelClient:
    """Raises ModelAway when no endpoint answers in time, BadAnswer when what came cannot be used."""

    def __init__(
        self, endpoints: Sequence[ModelEndpoint], observe: Callable[[Called], None] = lambda _called: None
    ) -> None:
        self._endpoints = tuple(endpoints)
        self._observe = observe

    async def close(self) -> None:
        """Close all connections."""
        for endpoint in self._endpoints:
            await endpoint.close()

    async def stream(self, request: ModelRequest, until: float) -> AsyncGenerator[Piece, None]:
        """Pieces, then one Finished. Tried again only while nothing was said; a later fault is raised as it is."""
        tries = _Tries(self._endpoints, request.purpose, until)
        while True:
            endpoint = await tries.next()
            watch, said = _Watch(self._observe, endpoint, request.purpose), False
            try:
                async with aclosing(endpoint.stream(request, until)) as stream:
                    async for piece in stream:
                        if isinstance(piece, Finished):
                            watch.over(tokens=piece.tokens)
                        said = True
                        yield piece
                return
            except ModelFault as fault:
                watch.over(fault)
                if said or isinstance(fault, BadAnswer):
                    raise
                tries.failed(fault)

    async def complete(self, request: ModelRequest, until: float) -> Completion:
        """The whole answer. Raises BadAnswer(refusal) for a refusal."""
        answer = await self._tried(
            request.purpose, until, lambda endpoint: endpoint.complete(request, until), lambda done: done.tokens
        )
        if answer.refused:
            raise BadAnswer("refusal").costing(answer.model, answer.tokens)
        return answer

    async def embed(
        self, texts: Sequence[str], until: float, purpose: CallPurpose, dimensions: int | None = None
    ) -> Embedded:
        """One vector a text. Only endpoints of the same embedding model may stand behind one client."""
        return await self._tried(
            purpose, until, lambda endpoint: endpoint.embed(texts, until, dimensions), lambda done: done.tokens
        )

    async def _tried(
        self,
        purpose: CallPurpose,
        until: float,
        call: Callable[[ModelEndpoint], Awaitable[Answer]],
        tokens: Callable[[Answer], Tokens],
    ) -> Answer:
        tries = _Tries(self._endpoints, purpose, until)
        while True:
            endpoint = await tries.next()
            watch = _Watch(self._observe, endpoint, purpose)
            try:
                answer = await call(endpoint)
            except BadAnswer as fault:
                watch.over(fault)
                raise
            except ModelAway as fault:
                watch.over(fault)
                tries.failed(fault)
            else:
                watch.over(tokens=tokens(answer))
                return answer


class _Tries:
    """Which endpoint is asked next, and after what pause."""

    def __init__(self, endpoints: Sequence[ModelEndpoint], purpose: CallPurpose, until: float) -> None:
        self._left = list(endpoints)
        self._purpose: CallPurpose = purpose
        self._until = until
        self._tries = 0
        self._pause = 0.0
        self._fault: ModelFault = ModelAway("resting")

    async def next(self) -> ModelEndpoint:
        """The endpoint to ask, once it is time to. Raises the last fault when there is none."""
        while self._left:
            if self._remaining() - self._pause < LEAST_TIME_S:
                raise self._fault if self._tries or self._pause else ModelAway("timeout")
            if self._pause:
                await asyncio.sleep(self._pause)
                self._pause = 0.0
            if self._left[0].breaker(self._purpose).allows():
                self._tries += 1
                return self._left[0]
            self._go_on()
        raise self._fault

    def failed(self, fault: ModelFault) -> None:
        """Note how the last try went."""
        self._fault = fault
        wait = fault.retry_after if isinstance(fault, ModelAway) else None
        pause = random.uniform(0, min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (self._tries - 1)))  # noqa: S311  # jitter
        self._pause = max(pause, wait or 0.0)
        hopeless = isinstance(fault, ModelMisconfigured) or (wait or 0.0) > LONGEST_RETRY_AFTER_S
        if hopeless or self._tries >= TRIES or self._pause > self._remaining() - LEAST_TIME_S:
            self._go_on()

    def _go_on(self) -> None:
        self._left.pop(0)
        self._tries, self._pause = 0, 0.0

    def _remaining(self) -> float:
        return self._until - asyncio.get_running_loop().time()


class _Watch:
    """Tells the breaker and the metrics how a call went, once."""

    def __init__(self, observe: Callable[[Called], None], endpoint: ModelEndpoint, purpose: CallPurpose) -> None:
        self._observe, self._endpoint = observe, endpoint
        self._purpose: CallPurpose = purpose
        self._begun = asyncio.get_running_loop().time()
        self._told = False

    def over(self, fault: ModelFault | None = None, tokens: Tokens | None = None) -> None:
        if self._told:
            return
        self._told = True
        self._endpoint.breaker(self._purpose).note(in_time=not isinstance(fault, ModelAway))
        seconds = asyncio.get_running_loop().time() - self._begun
        outcome = fault.reason if fault else "ok"
        self._observe(Called(self._endpoint.address.name, self._purpose, outcome, seconds, tokens or Tokens()))
