"""`migrate`, `reindex` and `status`: what an operator does to a database and its index."""

import argparse
import asyncio
import json
from typing import Any

from sqlalchemy import text

from app.container import open_container
from app.data_folder import hold
from app.database import open_database
from app.settings import Settings
from jobs.sync_vectors import rebuild


def migrate(_arguments: argparse.Namespace) -> int:
    """Bring the schema to the newest version."""
    asyncio.run(_migrate(Settings()))
    print("The database is up to date.")
    return 0


def reindex(_arguments: argparse.Namespace) -> int:
    """Rebuild the vector index from SQL. Refuses while a service holds the data folder, and names it."""
    settings = Settings()
    if settings.embedded:
        with hold(settings.data_dir, "reindex"):
            count = asyncio.run(_reindex(settings))
    else:
        count = asyncio.run(_reindex(settings))
    print(f"The vector index holds {count} memories.")
    return 0


def status(_arguments: argparse.Namespace) -> int:
    """Print how much there is, as one JSON object."""
    print(json.dumps(asyncio.run(_status(Settings())), ensure_ascii=False))
    return 0


async def _migrate(settings: Settings) -> None:
    database = open_database(settings.sql_url)
    try:
        await database.migrate()
    finally:
        await database.close()


async def _reindex(settings: Settings) -> int:
    async with open_container(settings) as container:
        return await rebuild(container.vector_parts())


COUNTS = ("households", "owners", "pets", "memory_items", "messages", "turns", "confirmations", "outbox")


async def _status(settings: Settings) -> dict[str, Any]:
    database = open_database(settings.sql_url)
    try:
        await database.migrate()
        async with database.read() as session:
            connection = await session.connection()
            counts = {
                table: (await connection.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one()  # noqa: S608  # names from a constant
                for table in COUNTS
            }
    finally:
        await database.close()
    return {"database": database.dialect, "embedded": settings.embedded, "rows": counts}
