"""Writes the one sentence about each conversation that has been silent for half an hour."""

from datetime import datetime

from domain.talk_settling import BATCH, WRITTEN_BATCH, SettlingParts, settle_talks


async def summarize_talks(parts: SettlingParts, now: datetime) -> int:
    """Work off what has ended by `now`. Returns how many conversations were looked at.

    Safe to run anywhere, any time, in any number: each conversation is leased to one worker.
    """
    looked_at, batch = 0, BATCH if parts.writer is None else WRITTEN_BATCH
    while True:
        taken = await settle_talks(parts, now, limit=batch)
        looked_at += taken
        if taken < batch:
            return looked_at
