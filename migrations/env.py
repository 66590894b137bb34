"""How Alembic reaches our tables. The connection comes from `app.database.Database.migrate`."""

from typing import Any

from alembic import context
from sqlmodel import SQLModel

import app.tables

METADATA = SQLModel.metadata
assert app.tables.TABLE_MODULES, "importing the modules fills the metadata"  # noqa: S101  # a start-up check

FTS_TABLES = ("search_fts",)


def include_object(_object: Any, name: str | None, kind: str, _reflected: bool, _compare_to: Any) -> bool:
    """Autogenerate must not touch the full-text index, which the models do not know."""
    return not (kind == "table" and name is not None and name.startswith(FTS_TABLES)) and name != (
        "ix_search_documents_vector"
    )


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    include_object=include_object,
    render_as_batch=True,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
