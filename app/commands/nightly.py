"""`consolidate`: what runs at night, by hand. It writes SQL only; a running service brings its vectors in line."""

import argparse
import asyncio
from datetime import UTC, datetime

from app.chores import opened_writers
from app.commands import CommandFailed
from app.database import open_database
from app.options import night_parts_of
from app.secret_keys import load_keys
from app.settings import Settings
from jobs.consolidate import ConsolidateParts, consolidate_owner
from jobs.consolidate import consolidate as consolidate_all


def consolidate(arguments: argparse.Namespace) -> int:
    """One owner whatever the hour, or all who may sleep now."""
    print(asyncio.run(_consolidate(Settings(), arguments.owner, arguments.now)))
    return 0


async def _consolidate(settings: Settings, owner_id: str | None, now: datetime | None) -> str:
    database = open_database(settings.sql_url)
    try:
        await database.migrate()
        async with opened_writers(settings, database) as writers:
            night = night_parts_of(settings, database, load_keys(settings), writers=writers)
            parts = ConsolidateParts(night, lambda: now or datetime.now(UTC))
            if owner_id is None:
                return f"{await consolidate_all(parts)} nights were slept."
            ended = await consolidate_owner(parts, owner_id)
    finally:
        await database.close()
    if ended is None:
        raise CommandFailed(
            "nothing was consolidated: no such owner, no consent to long-term memory, a turn is running, "
            "or another worker is at it"
        )
    return f"The night of {owner_id} ended: {ended}."
