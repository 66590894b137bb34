"""What a night costs when few owners were active, beside a night in which all were.

    python -m bench.nights [--owners 10000] [--active 200] [--lines 20] [--all 10000]

Every owner has a pet and some lines of memory, of which two say the same. Active ones said something that evening. The
job runs as the scheduler runs it: it finds who may sleep, and gives each their night with all seven phases. The bar:
the night with `--active` owners costs at most a twentieth of the one with all of them.
"""

import argparse
import asyncio
import json
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import insert, update
from sqlmodel import col

from app.database import Database, open_database
from app.logging import configure_logging
from domain.night import NightParts
from domain.owners import POLICIES, Consent, Household, Owner
from domain.pets import Pet
from jobs.consolidate import ConsolidateParts, archives_of, consolidate
from memory.consolidation.runs import Sleep
from memory.items import MemoryItem
from memory.messages import Conversation
from memory.prepared import row_of
from memory.sqltypes import new_id

EVENING = datetime(2026, 6, 1, 15, 0, tzinfo=UTC)  # 23:00 in Shanghai
NIGHT = EVENING + timedelta(hours=1)
DAY = timedelta(days=1)
BATCH = 500  # owners a transaction while the database is filled
SECRET = b"bench"


async def main(owners: int, active: int, lines: int, everybody: int) -> None:
    """Fill a database, give the few their night, then the many."""
    configure_logging("ERROR")
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(f"sqlite+aiosqlite:///{Path(folder) / 'bench.db'}")
        await database.migrate()
        ids = await _fill(database, owners, lines)
        few = await _night(database, ids[:active], NIGHT)
        many = await _night(database, ids[:everybody], NIGHT + DAY)
        await database.close()
    scaled = many["cpu_s"] * owners / everybody
    print(
        f"{active} of {owners} owners active: {few['nights']} nights, {few['wall_s']:.2f} s, CPU {few['cpu_s']:.2f} s"
    )
    print(f"{everybody} of {owners} active: {many['nights']} nights, {many['wall_s']:.2f} s, CPU {many['cpu_s']:.2f} s")
    print(json.dumps({"few": few, "many": many, "share_of_all_active": few["cpu_s"] / scaled}))


async def _night(database: Database, active: list[str], now: datetime) -> dict[str, float]:
    """These owners talked an hour ago; the whole job, timed."""
    async with database.write() as session:
        for start in range(0, len(active), BATCH):
            part = active[start : start + BATCH]
            await session.exec(
                update(Conversation)
                .where(col(Conversation.owner_id).in_(part))
                .values(last_at=now - timedelta(hours=1))
            )
    parts = ConsolidateParts(NightParts(database, lambda: now, SECRET, archives=archives_of(database)), lambda: now)
    began, cpu = time.perf_counter(), time.process_time()
    nights = await consolidate(parts)
    return {"nights": nights, "wall_s": time.perf_counter() - began, "cpu_s": time.process_time() - cpu}


async def _fill(database: Database, owners: int, lines: int) -> list[str]:
    """Owners who were active long ago and have slept since."""
    ids: list[str] = []
    for start in range(0, owners, BATCH):
        rows: dict[Any, list[dict[str, Any]]] = {}
        for _ in range(min(BATCH, owners - start)):
            ids.append(_household(rows, lines))
        async with database.write() as session:
            for table, values in rows.items():
                await session.exec(insert(table), params=values)
    return ids


def _household(rows: dict[Any, list[dict[str, Any]]], lines: int) -> str:
    home, owner, pet, long_ago = new_id(), new_id(), new_id(), EVENING - 20 * DAY
    _add(rows, Household, id=home, created_at=long_ago)
    _add(rows, Owner, id=owner, household_id=home, appid="bench", openid=owner, created_at=long_ago)
    _add(
        rows,
        Consent,
        owner_id=owner,
        purpose="long_term_memory",
        version=POLICIES["long_term_memory"].version,
        granted=True,
        at=long_ago,
    )
    _add(rows, Pet, id=pet, household_id=home, name="豆豆", species="dog", created_at=long_ago)
    _add(rows, Conversation, household_id=home, owner_id=owner, started_at=long_ago, last_at=long_ago)
    _add(rows, Sleep, owner_id=owner, household_id=home, seen_at=long_ago, heard_until=long_ago)
    for number in range(lines):
        learned = EVENING - DAY / 2 if number < 2 else long_ago
        _add(
            rows,
            MemoryItem,
            household_id=home,
            owner_id=owner,
            subject=pet,
            attribute=f"behavior:{number}",
            attribute_class="behavior",
            content="豆豆怕吹风机" if number < 2 else f"豆豆的第{number}个小习惯",
            topic="behavior",
            risk="low",
            learned_at=learned,
            last_evidence_at=learned,
        )
    return owner


def _add(rows: dict[Any, list[dict[str, Any]]], table: Any, **values: Any) -> None:
    rows.setdefault(table, []).append(row_of(table, **values))


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    for name, default in (("owners", 10_000), ("active", 200), ("lines", 20), ("all", 10_000)):
        asked.add_argument(f"--{name}", type=int, default=default)
    given = asked.parse_args()
    asyncio.run(main(given.owners, given.active, given.lines, given.all))
