"""What a night costs: 10,000 owners of whom 200 were active, beside all of them active, and the memory it takes.

    python -m bench.nightly_upgrade [--owners 10000] [--active 200] [--memories 100] [--json]

The database (owners x memories rows, one million by default) is written by plain SQL once; each night runs in a process
of its own that opens the database alone, never the vector folder. Every active owner has five memories that were said
or used that day. Bars: the cost of 200 active owners is at most 1/20 of that of all, and the anonymous memory of the
process stays below 300 MiB.
"""

import argparse
import asyncio
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from app.database import open_database
from app.logging import configure_logging
from bench.memory_watch import MemoryWatch
from jobs.upgrade_memory import UpgradeParts, upgrade_due
from memory.items import MemoryItem
from memory.prepared import columns_of, row_of

DUE_EACH = 5
NIGHT = datetime(2026, 6, 1, 19, 31, tzinfo=UTC)  # 03:31 in Shanghai
SAID = NIGHT - timedelta(hours=10)
FAR = NIGHT + timedelta(days=30)
CHUNK = 200  # owners written in one transaction


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--owners", type=int, default=10_000)
    parser.add_argument("--active", type=int, default=200)
    parser.add_argument("--memories", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--night", type=Path, help=argparse.SUPPRESS)  # the child process: run one night
    arguments = parser.parse_args()
    if arguments.night is not None:
        print(json.dumps(asyncio.run(_one_night(arguments.night))))
        return
    print(json.dumps(_measure(arguments)) if arguments.json else _told(_measure(arguments)))


def _measure(arguments: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pawsignal.db"
        asyncio.run(_migrate(file))
        _fill(file, arguments.owners, arguments.memories)
        found: dict[str, Any] = {"memories": arguments.owners * arguments.memories}
        for name, active in (("nobody", 0), ("some", arguments.active), ("all", arguments.owners)):
            _wake(file, active)
            found[name] = _in_a_process(file)
        found["share"] = round(found["some"]["cpu_s"] / found["all"]["cpu_s"], 4)
        return found


async def _migrate(file: Path) -> None:
    database = open_database(f"sqlite+aiosqlite:///{file}")
    await database.migrate()
    await database.close()


def _fill(file: Path, owners: int, memories: int) -> None:
    """Households of one owner and one dog, with memories that are all looked after until a month from now."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA synchronous=OFF")
    names = columns_of(MemoryItem)
    insert = f"INSERT INTO memory_items ({','.join(names)}) VALUES ({','.join('?' * len(names))})"  # noqa: S608  # our own columns
    for first in range(0, owners, CHUNK):
        connection.execute("BEGIN")
        for owner in range(first, min(first + CHUNK, owners)):
            _household(connection, owner)
            connection.executemany(insert, [_memory(owner, number, names) for number in range(memories)])
        connection.execute("COMMIT")
    connection.close()


def _household(connection: sqlite3.Connection, owner: int) -> None:
    at = _stored(SAID)
    connection.execute("INSERT INTO households (id, created_at, revision) VALUES (?, ?, 0)", (f"home-{owner}", at))
    connection.execute(
        "INSERT INTO owners (id, household_id, appid, openid, timezone, quiet_from, quiet_to, preferences, created_at) "
        "VALUES (?, ?, 'app', ?, 'Asia/Shanghai', '22:00:00.000000', '08:00:00.000000', '{}', ?)",
        (f"owner-{owner:06}", f"home-{owner}", f"open-{owner}", at),
    )


def _memory(owner: int, number: int, names: tuple[str, ...]) -> tuple[Any, ...]:
    tier = "core" if number < DUE_EACH else "short" if number < 3 * DUE_EACH else "long"
    row = row_of(
        MemoryItem,
        id=f"memory-{owner:06}-{number:04}",
        household_id=f"home-{owner}",
        owner_id=f"owner-{owner:06}",
        subject=f"pet-{owner}",
        attribute=f"behavior:{number}",
        attribute_class="behavior",
        content=f"豆豆喜欢第{number}样东西，一看到就摇尾巴",
        topic="behavior",
        risk="low",
        tier=tier,
        learned_at=SAID,
        last_evidence_at=SAID,
        review_at=FAR,
        cited=number % 4,
    )
    return tuple(_stored(row[name]) for name in names)


def _stored(value: Any) -> Any:
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC).isoformat(timespec='microseconds')[:26]}Z"
    return json.dumps(value) if isinstance(value, dict) else value


def _wake(file: Path, active: int) -> None:
    """Let the first owners have said or used five memories today; nobody else has anything due."""
    connection = sqlite3.connect(file)
    connection.execute("DELETE FROM job_runs")
    connection.execute("UPDATE archives SET stale_at = NULL")
    connection.execute("UPDATE memory_items SET review_at = ? WHERE review_at <> ?", (_stored(FAR), _stored(FAR)))
    due = [f"memory-{owner:06}-{number:04}" for owner in range(active) for number in range(10, 10 + DUE_EACH)]
    connection.executemany(
        "UPDATE memory_items SET review_at = ?, tier = 'short' WHERE id = ?", [(_stored(SAID), one) for one in due]
    )
    connection.commit()
    connection.close()


def _in_a_process(file: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.nightly_upgrade", "--night", str(file)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # ourselves
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


async def _one_night(file: Path) -> dict[str, Any]:
    configure_logging("ERROR")
    database = open_database(f"sqlite+aiosqlite:///{file}")
    watch = MemoryWatch()
    watch.start()
    began, cpu = time.perf_counter(), time.process_time()
    report = await upgrade_due(UpgradeParts(database, lambda: datetime.now(UTC)), NIGHT)
    cpu_s, wall_s = time.process_time() - cpu, time.perf_counter() - began
    watch.stop()
    await database.close()
    return {
        "owners": report.owners,
        "reviewed": report.upgraded.reviewed,
        "moves": dict(report.upgraded.moves),
        "cpu_s": round(cpu_s, 3),
        "wall_s": round(wall_s, 3),
        "anonymous_mib": watch.peak_mib,
    }


def _told(found: dict[str, Any]) -> str:
    nights = [
        f"{name:>6}: {night['owners']} owners, {night['reviewed']} memories, {night['cpu_s']} s of CPU, "
        f"{night['wall_s']} s, {night['anonymous_mib']} MiB anonymous"
        for name in ("nobody", "some", "all")
        for night in (found[name],)
    ]
    return "\n".join([f"{found['memories']} memories", *nights, f"share of some in all: {found['share']} (bar 0.05)"])


if __name__ == "__main__":
    main()
