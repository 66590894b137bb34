"""The migrations are one line, and lead to exactly the tables that the models describe."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect
from sqlmodel import SQLModel

from app.database import Database, alembic_config
from app.tables import TABLE_MODULES


def test_there_is_one_head() -> None:
    assert len(ScriptDirectory.from_config(alembic_config()).get_heads()) == 1


def test_every_table_is_imported() -> None:
    named = {name for module in TABLE_MODULES for name in dir(module)}
    assert {table.name for table in SQLModel.metadata.sorted_tables}
    assert "MemoryItem" in named


async def test_models_and_migrations_agree(database: Database) -> None:
    async with database.read() as session:
        connection = await session.connection()
        assert await connection.run_sync(_differences) == []


async def test_migrating_twice_changes_nothing(database: Database) -> None:
    await database.migrate()
    async with database.read() as session:
        connection = await session.connection()
        names = await connection.run_sync(lambda sync: set(inspect(sync).get_table_names()))
    assert {table.name for table in SQLModel.metadata.sorted_tables} <= names


def _differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(
        connection, opts={"compare_type": True, "compare_server_default": True, "include_object": _is_ours}
    )
    return list(compare_metadata(context, SQLModel.metadata))


def _is_ours(_object: object, name: str | None, kind: str, _reflected: bool, _compare_to: object) -> bool:
    """The full-text index is made by hand, beside the models."""
    return not (kind == "table" and (name or "").startswith("search_fts")) and name != "ix_search_documents_vector"
