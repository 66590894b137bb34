"""Cuts an assistant's stream into batches: what is ready is given at once, the rest as it comes.

A sentence leaves as soon as it exists unless one has left less than 150 ms before: then it waits for that time and
takes along what comes meanwhile, so that a phone redraws a few times a second and a turn writes its events in a few
small transactions. What only tells back what was written (a receipt) holds nobody up: the first words of the answer
follow it at once. An assistant that answers without waiting (the offline one) comes out as one batch.
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
        clock = asyncio.get_running_loop().time
        earliest = clock()
        while True:
            batch, ended = await _gather(queue, earliest)
            if any(sentence.tells_back is None for sentence in batch):
                earliest = clock() + GATHER_SECONDS
            if ended:
                await producer
            yield batch, ended
            if ended:
                return
    finally:
        producer.cancel()


async def _produce(sentences: AsyncIterator[AnswerSentence], queue: asyncio.Queue[AnswerSentence | None]) -> None:
    try:
        async for sentence in sentences:
            queue.put_nowait(sentence)
    finally:
        queue.put_nowait(None)


async def _gather(queue: asyncio.Queue[AnswerSentence | None], earliest: float) -> Batch:
    """What is ready once there is something, not before the loop's time `earliest`."""
    batch: list[AnswerSentence] = []
    sentence = await queue.get()
    wait = earliest - asyncio.get_running_loop().time()
    if sentence is not None and wait > 0:
        await asyncio.sleep(wait)
    while sentence is not None:
        batch.append(sentence)
        if queue.empty():
            return batch, False
        sentence = queue.get_nowait()
    return batch, True
