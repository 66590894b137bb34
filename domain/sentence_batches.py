"""Cuts an assistant's stream into batches: what is ready is given at once, the rest as it comes.

The first sentence leaves as soon as it exists; later ones are gathered for up to 150 ms, so that a phone redraws a few
times a second and a turn writes its events in a few small transactions. An assistant that answers without waiting (the
offline one) comes out as one batch.
"""

import asyncio
from collections.abc import AsyncIterator

from domain.assistant import AnswerSentence

GATHER_SECONDS = 0.15  # inside the 100-200 ms that phones take well

Batch = tuple[list[AnswerSentence], bool]
"""The sentences, and whether they are the last."""


async def batches(sentences: AsyncIterator[AnswerSentence]) -> AsyncIterator[Batch]:
    """Batches in order; the last one has True and may be empty. Exceptions of the stream are raised here."""
    queue: asyncio.Queue[AnswerSentence | None] = asyncio.Queue()
    producer = asyncio.create_task(_produce(sentences, queue))
    try:
        first = True
        while True:
            batch, ended = await _gather(queue, 0 if first else GATHER_SECONDS)
            if ended:
                await producer
            yield batch, ended
            if ended:
                return
            first = False
    finally:
        producer.cancel()


async def _produce(sentences: AsyncIterator[AnswerSentence], queue: asyncio.Queue[AnswerSentence | None]) -> None:
    try:
        async for sentence in sentences:
            queue.put_nowait(sentence)
    finally:
        queue.put_nowait(None)


async def _gather(queue: asyncio.Queue[AnswerSentence | None], seconds: float) -> Batch:
    batch: list[AnswerSentence] = []
    sentence = await queue.get()
    if sentence is not None and seconds:
        await asyncio.sleep(seconds)
    while sentence is not None:
        batch.append(sentence)
        if queue.empty():
            return batch, False
        sentence = queue.get_nowait()
    return batch, True
