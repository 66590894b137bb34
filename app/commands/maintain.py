"""`migrate` and `status`: what an operator does to a database."""

import argparse
import asyncio
import json
from typing import Any

from sqlalchemy import text

from app.database import open_database
from app.settings import Settings
from memory.vector_moves import read_serving, told_move


def migrate(_arguments: argparse.Namespace) -> int:
    """Bring the schema to the newest version."""
    asyncio.run(_migrate(Settings()))
    print("The database is up to date.")
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
            row = await read_serving(session)
    finally:
        await database.close()
    vectors = None if row is None else told_move(row)
    return {"database": database.dialect, "embedded": settings.embedded, "rows": counts, "vectors": vectors}
