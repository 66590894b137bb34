"""`reindex`: move all memories to another embedder without a pause, or make the index again from the database.

Exit codes: 0 done, 2 refused, 3 the move failed and the old collection goes on serving, 4 another move is running.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from datetime import timedelta

from app.commands import CommandFailed
from app.container import Container, open_container
from app.data_folder import DataFolderInUse, hold
from app.database import Database, open_database
from app.embedders import BEST_BUNDLED, BUNDLED, ENDPOINT, lives_elsewhere, look_at, wanted_embedder
from app.metrics import Metrics
from app.options import machine_clock
from app.settings import Settings
from jobs.move_vectors import GRACE, LONGEST_PAUSE, MoveParts, ask_for_move, cancel_move, move_vectors
from memory.errors import IndexLocked
from memory.vector_moves import CollectionId, MoveState, ServingVectors, Wished, read_serving

Work = Callable[[], Awaitable[ServingVectors]]

FAILED, BUSY = 3, 4
LOOK_SECONDS = 0.3  # how often progress is looked at
NOBODY_SECONDS = 30.0  # without any sign of work; then whoever holds the folder is not going to do it

WHY = {
    "count_differs": "the new collection does not hold what the database says",
    "sample_not_found": "memories are not found in the new collection by their own words",
    "embedder_missing": "the running service cannot open that embedder; give it the same settings and start it again",
    "embedder_unavailable": "the embedder did not answer for too long",
    "index_unavailable": "the vector engine did not answer for too long",
    "cancelled": "it was cancelled",
}


def reindex(arguments: argparse.Namespace) -> int:
    """Do the move here when nobody holds the data folder; otherwise ask the running service for it, and watch."""
    settings = Settings()
    with ExitStack() as held:
        if settings.embedded:
            try:
                held.enter_context(hold(settings.data_dir, "reindex"))
            except DataFolderInUse as in_use:
                if wanted_embedder(settings) == "none":
                    raise
                return asyncio.run(_beside(settings, arguments, in_use))
        try:
            return asyncio.run(_here(settings, arguments))
        except IndexLocked as locked:  # the database is elsewhere, the engine's folder is a running service's
            return asyncio.run(_beside(settings, arguments, locked))


async def _here(settings: Settings, arguments: argparse.Namespace) -> int:
    """This process does the work, alone or as one worker of several."""
    async with open_container(settings) as container:
        if container.vectors.serving is None:
            print("The vector index holds 0 memories.")
            return 0
        parts = container.move_parts(grace=timedelta(0) if settings.embedded else GRACE)

        async def work() -> ServingVectors:
            return await _work(container, parts, to_the_end=settings.embedded)

        return await _run(container.database, settings, arguments, work)


async def _beside(settings: Settings, arguments: argparse.Namespace, holder: Exception) -> int:
    """The process that holds the folder does the work."""
    database = open_database(settings.sql_url)
    try:
        return await _run(database, settings, arguments, lambda: _watch(database, holder))
    finally:
        await database.close()


async def _run(database: Database, settings: Settings, arguments: argparse.Namespace, work: Work) -> int:
    if arguments.cancel:
        stopped = await cancel_move(database, machine_clock())
        print("The move is stopped." if stopped else "There is no move to stop.")
        return 0
    target = await _target(settings, arguments.to)
    wished = await ask_for_move(database, target, machine_clock())
    if wished == Wished.CLEARING:
        await work()
        wished = await ask_for_move(database, target, machine_clock())
    if wished == Wished.SERVES and not arguments.to:
        wished = await ask_for_move(database, None, machine_clock())
    if wished == Wished.SERVES:
        print(f"{target.name} answers already.")
        return 0
    if wished in (Wished.BUSY, Wished.CLEARING):
        return await _tell_busy(database)
    if wished == Wished.NOTHING:
        raise CommandFailed("No service has ever run on this database. Start one first: `pawsignal serve`.")
    return _tell_end(await work())


async def _target(settings: Settings, asked: str | None) -> CollectionId:
    word = BEST_BUNDLED if asked == "local" else asked or wanted_embedder(settings)
    if word not in (BEST_BUNDLED, *BUNDLED) and not (lives_elsewhere(word) and word != ENDPOINT):
        raise CommandFailed(f"--to takes local, {', '.join(BUNDLED)} or endpoint:MODEL, not {word}.")
    return await look_at(word, settings, Metrics())


async def _work(container: Container, parts: MoveParts, *, to_the_end: bool) -> ServingVectors:
    """Work until nothing is left to do, or until the new collection answers and only the grace is left."""
    told = ""
    while True:
        more = await move_vectors(parts)
        await container.sync_vectors()
        row = await _row(container.database)
        told = _tell(row, told)
        if not row.is_moving or (row.state == MoveState.SWITCHED and not to_the_end):
            return row
        if not more:
            await asyncio.sleep(LOOK_SECONDS)


async def _watch(database: Database, holder: Exception) -> ServingVectors:
    """Look on until the new collection answers, or the move has failed. Raises CommandFailed when nobody works."""
    told, last, since = "", None, time.monotonic()
    while True:
        row = await _row(database)
        told = _tell(row, told)
        if row.state == MoveState.SWITCHED or not row.is_moving:
            return row
        seen = (row.generation, row.progress_at, row.tries, row.lease_until)
        if seen != last:
            last, since = seen, time.monotonic()
        if time.monotonic() - since > NOBODY_SECONDS + LONGEST_PAUSE.total_seconds() * (row.tries > 0):
            raise CommandFailed(f"Nobody works on the move. {holder}")
        await asyncio.sleep(LOOK_SECONDS)


async def _row(database: Database) -> ServingVectors:
    async with database.read() as session:
        row = await read_serving(session)
    if row is None:
        raise CommandFailed("The row that says which collection serves is gone. Start the service again.")
    return row


def _tell(row: ServingVectors, told: str) -> str:
    """Say how far it is, when that is news."""
    text = f"{row.state}: {row.done} of {row.total} memories" + (f" ({row.reason})" if row.reason else "")
    if text != told and row.is_moving:
        print(text, flush=True)
    return text


def _tell_end(row: ServingVectors) -> int:
    if row.state == MoveState.FAILED:
        why = WHY.get(row.reason or "", "the log of the service says more")
        print(f"pawsignal: the move failed ({row.reason}): {why}. Nothing has changed.", file=sys.stderr)
        return FAILED
    if row.state == MoveState.SWITCHED:
        minutes = int(GRACE.total_seconds() // 60)
        print(f"{row.serving_id.name} answers now; the old collection is removed in {minutes} minutes.")
        return 0
    print(f"{row.serving_id.name} answers. The vector index holds {row.done} memories.")
    return 0


async def _tell_busy(database: Database) -> int:
    row = await _row(database)
    beside = row.beside_id
    name = row.serving_id.embedder if beside is None else beside.embedder
    print(
        f"pawsignal: move_running: {row.state}, {name}. Join it with --to {name}, or stop it with --cancel.",
        file=sys.stderr,
    )
    return BUSY
