"""The whole database as a test sees it: how many rows, and whether a text stands anywhere."""

from pathlib import Path

from sqlalchemy import text
from sqlmodel import SQLModel

import app.tables  # noqa: F401  # every table is known
from app.database import Database

NOT_OF_A_TURN = {"sign_in_sessions"}


async def row_counts(database: Database) -> dict[str, int]:
    """Rows of every table."""
    async with database.read() as session:
        connection = await session.connection()
        return {
            table.name: (await connection.execute(text(f'SELECT count(*) FROM "{table.name}"'))).scalar_one()  # noqa: S608  # our own tables
            for table in SQLModel.metadata.sorted_tables
            if table.name not in NOT_OF_A_TURN
        }


async def tables_with(database: Database, words: str) -> list[str]:
    """Tables with a row in which `words` stand, in any column, JSON written as escapes included."""
    escaped = words.encode("ascii", "backslashreplace").decode()
    found = []
    async with database.read() as session:
        connection = await session.connection()
        for table in SQLModel.metadata.sorted_tables:
            rows = (await connection.execute(text(f'SELECT * FROM "{table.name}"'))).all()  # noqa: S608  # our own tables
            if any(words in str(value) or escaped in str(value) for row in rows for value in row):
                found.append(table.name)
    return found


def files_with(folder: Path, words: str) -> list[str]:
    """Files below a folder in whose bytes `words` stand."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [path.name for path in files if words.encode() in path.read_bytes()]
