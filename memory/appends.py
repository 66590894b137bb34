"""Rows that are only ever appended (versions, outbox, search documents), written at the end of a transaction.

They need no identity map and no change tracking, which is most of what the object layer costs; so they wait as plain
values and go in with one prebuilt statement a table, just before the commit and in the same transaction.
"""

from collections.abc import Collection
from functools import cache
from typing import Any

from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.prepared import Statement, by_dialect, insert_of, quick_of, row_of

_KEY = "appended_rows"


def append(session: AsyncSession, model: type[SQLModel], **values: Any) -> None:
    """Add a row of `model` at the end of this transaction; fields not given take the model's defaults."""
    session.info.setdefault(_KEY, {}).setdefault(model, []).append(row_of(model, **values))


def drop_appended(session: AsyncSession, model: type[SQLModel], column: str, values: Collection[Any]) -> None:
    """Take back rows of `model` that are still waiting."""
    waiting = session.info.get(_KEY, {}).get(model)
    if waiting:
        waiting[:] = [row for row in waiting if row[column] not in values]


async def write_appended(session: AsyncSession) -> None:
    """Write what waits. Called once, after the last flush and before the commit."""
    waiting: dict[type[SQLModel], list[dict[str, Any]]] = session.info.pop(_KEY, {})
    if not waiting:
        return
    quick = await quick_of(session)
    for model, rows in waiting.items():
        if rows:
            await quick.run_many(by_dialect(_insert(model), quick), rows)


@cache
def _insert(model: type[SQLModel]) -> tuple[Statement, Statement]:
    return insert_of(model)
