"""What a night costs when few owners were active, beside a night in which all were.

    python -m bench.nights [--owners 10000] [--active 200] [--lines 20] [--all 10000]

Every owner has a pet and some lines of memory, of which two say the same. Active ones said something that evening. The
job runs as the scheduler runs it: it finds who may sleep, and gives each their night with all seven phases, in a
process of its own that opens the database alone, never the vector folder. The bars: the night with `--active` owners
costs at most a twentieth of the one with all of them, and the anonymous memory of the process stays below 300 MiB
(with `--lines 100` it has a million memories before it).
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import insert, update
from sqlmodel import col, select

from app.database import Database, open_database
from app.logging import configure_logging
from bench.memory_watch import MemoryWatch
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


def main(given: argparse.Namespace) -> None:
    """Fill a database, give the few their night, then the many."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.db"
        asyncio.run(_filled(file, given.owners, given.lines))
        few = _in_a_process(file, given.active, NIGHT)
        many = _in_a_process(file, given.all, NIGHT + DAY)
    for count, found in ((given.active, few), (given.all, many)):
        print(
            f"{count} of {given.owners} owners active: {found['nights']} nights, {found['wall_s']:.2f} s, "
            f"CPU {found['cpu_s']:.2f} s, {found['anonymous_mib']} MiB anonymous"
        )
    scaled = many["cpu_s"] * given.owners / given.all
    memories = given.owners * given.lines
    print(json.dumps({"memories": memories, "few": few, "many": many, "share_of_all_active": few["cpu_s"] / scaled}))


def _in_a_process(file: Path, active: int, now: datetime) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.nights", "--run", str(file), "--active", str(active)]
    command += ["--now", now.isoformat()]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # ourselves
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


async def _filled(file: Path, owners: int, lines: int) -> None:
    database = open_database(f"sqlite+aiosqlite:///{file}")
    await database.migrate()
    await _fill(database, owners, lines)
    await database.close()


async def night(file: Path, active: int, now: datetime) -> dict[str, Any]:
    """The first owners talked an hour ago; the whole job, timed."""
    configure_logging("ERROR")
    database = open_database(f"sqlite+aiosqlite:///{file}")
    async with database.write() as session:
        ids = list((await session.exec(select(Owner.id).order_by(col(Owner.id)).limit(active))).all())
        for start in range(0, len(ids), BATCH):
            await session.exec(
                update(Conversation)
                .where(col(Conversation.owner_id).in_(ids[start : start + BATCH]))
                .values(last_at=now - timedelta(hours=1))
            )
    parts = ConsolidateParts(NightParts(database, lambda: now, SECRET, archives=archives_of(database)), lambda: now)
    watch = MemoryWatch()
    watch.start()
    began, cpu = time.perf_counter(), time.process_time()
    nights = await consolidate(parts)
    found = {"nights": nights, "wall_s": time.perf_counter() - began, "cpu_s": time.process_time() - cpu}
    watch.stop()
    await database.close()
    return {**found, "anonymous_mib": watch.peak_mib}


async def _fill(database: Database, owners: int, lines: int) -> None:
    """Owners who were active long ago and have slept since."""
    for start in range(0, owners, BATCH):
        rows: dict[Any, list[dict[str, Any]]] = {}
        for _ in range(min(BATCH, owners - start)):
            _household(rows, lines)
        async with database.write() as session:
            for table, values in rows.items():
                await session.exec(insert(table), params=values)


def _household(rows: dict[Any, list[dict[str, Any]]], lines: int) -> None:
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


def _add(rows: dict[Any, list[dict[str, Any]]], table: Any, **values: Any) -> None:
    rows.setdefault(table, []).append(row_of(table, **values))


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    for name, default in (("owners", 10_000), ("active", 200), ("lines", 20), ("all", 10_000)):
        asked.add_argument(f"--{name}", type=int, default=default)
    asked.add_argument("--run", type=Path, help=argparse.SUPPRESS)  # the child process: one night
    asked.add_argument("--now", type=datetime.fromisoformat, help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.run is None:
        main(given)
    else:
        print(json.dumps(asyncio.run(night(given.run, given.active, given.now))))
