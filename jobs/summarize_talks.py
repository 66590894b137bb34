"""Writes the one sentence about each conversation that has been silent for half an hour."""

from datetime import datetime

from domain.talk_settling import BATCH, SettlingParts, settle_talks


async def summarize_talks(parts: SettlingParts, now: datetime) -> int:
    """Work off what has ended by `now`. Returns how many conversations were looked at.

    Safe to run anywhere, any time, in any number: each conversation is leased to one worker.
    """
    looked_at = 0
    while True:
        taken = await settle_talks(parts, now)
        looked_at += taken
        if taken < BATCH:
            return looked_at
