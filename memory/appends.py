"""Rows that are only inserted (new lines, records, evidence, versions, outbox, search documents) go in cheaply.

They need no identity map and no change tracking, which is most of what the object layer costs. They wait in the
session and go in with one prebuilt statement a table, just before the commit and in the same transaction. A session
that is asked for anything meanwhile first brings the waiting objects in, so nobody reads past them.
"""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

from sqlalchemy import bindparam, inspect
from sqlalchemy.orm import make_transient, make_transient_to_detached
from sqlalchemy.orm.exc import StaleDataError
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.prepared import Statement, by_dialect, columns_of, insert_of, quick_of, row_of

_ROWS = "appended_rows"

_Waiting = dict[type[SQLModel], list[dict[str, Any] | SQLModel]]


class AppendingSession(AsyncSession):
    """A session that brings appended objects in before it reads anything."""

    async def exec(self, *args: Any, **more: Any) -> Any:
        await bring_in(self)
        return await super().exec(*args, **more)

    async def get(self, *args: Any, **more: Any) -> Any:
        await bring_in(self)
        return await super().get(*args, **more)

    async def flush(self, objects: Sequence[Any] | None = None) -> None:
        """Like the stock one, which takes 20 µs to find that nothing has changed and 500 for a change of one row."""
        changed = self.dirty
        if self.new or self.deleted:
            await super().flush(objects)
        elif changed:
            await _write_changes(self, list(changed))


def append(session: AsyncSession, model: type[SQLModel], **values: Any) -> None:
    """Insert a row of `model` at the end of this transaction; fields not given take the model's defaults."""
    _waiting(session).setdefault(model, []).append(row_of(model, **values))


def append_object(session: AsyncSession, new: SQLModel) -> None:
    """Insert this new object at the end of this transaction, as it is then.

    It may still be changed, and even be added to the session; then the session inserts it.
    """
    _waiting(session).setdefault(type(new), []).append(new)


def drop_appended(session: AsyncSession, model: type[SQLModel], column: str, values: Collection[Any]) -> None:
    """Take back rows of `model` that are still waiting."""
    rows = _waiting(session).get(model)
    if rows:
        rows[:] = [row for row in rows if not isinstance(row, dict) or row[column] not in values]


async def write_appended(session: AsyncSession) -> None:
    """Write what waits. Called once, after the last flush and before the commit."""
    waiting: _Waiting = session.info.pop(_ROWS, {})
    if not waiting:
        return
    quick = await quick_of(session)
    for model, rows in sorted(waiting.items(), key=lambda entry: _place(entry[0])):
        values = [row if isinstance(row, dict) else _values(row) for row in rows if not _is_known(session, row)]
        if values:
            await quick.run_many(by_dialect(_insert(model), quick), values)


async def bring_in(session: AsyncSession) -> None:
    """Write the waiting objects now and let the session know them, because somebody is about to read."""
    waiting: _Waiting = session.info.get(_ROWS, {})
    objects = {model: [row for row in rows if not isinstance(row, dict)] for model, rows in waiting.items()}
    if not any(objects.values()):
        return
    for model in objects:
        waiting[model] = [row for row in waiting[model] if isinstance(row, dict)]
    quick = await quick_of(session)
    for model, rows in sorted(objects.items(), key=lambda entry: _place(entry[0])):
        new = [row for row in rows if not _is_known(session, row)]
        if new:
            await quick.run_many(by_dialect(_insert(model), quick), [_values(row) for row in new])
            for row in new:
                make_transient_to_detached(row)
                session.add(row)


async def _write_changes(session: AsyncSession, rows: Sequence[SQLModel]) -> None:
    """Update the changed columns of rows that the session knows, and let it know them as they are now.

    Raises StaleDataError, as the stock flush does, for a row that is not there any more.
    """
    quick = await quick_of(session)
    for row in sorted(rows, key=_place_and_key):
        state, now = inspect(row), row.__dict__
        before = {name: value for name, value in state.committed_state.items() if name in now}
        changed = sorted(name for name, value in before.items() if now[name] != value)
        if changed:
            key = {f"key_{name}": now[name] for name in _keys(type(row))}
            if not await quick.run(_update(type(row), tuple(changed)), {name: now[name] for name in changed} | key):
                raise StaleDataError(f"{type(row).__name__} {inspect(row).identity} is gone")
        make_transient(row)
        make_transient_to_detached(row)
        session.add(row)


def _place_and_key(row: SQLModel) -> tuple[int, Any]:
    return _place(type(row)), inspect(row).identity


def _is_known(session: AsyncSession, row: dict[str, Any] | SQLModel) -> bool:
    """Whether the session itself inserts this object, or has."""
    return not isinstance(row, dict) and row in session


def _waiting(session: AsyncSession) -> _Waiting:
    waiting: _Waiting = session.info.setdefault(_ROWS, {})
    return waiting


def _values(row: SQLModel) -> dict[str, Any]:
    return {name: getattr(row, name) for name in columns_of(type(row))}


@cache
def _place(model: type[SQLModel]) -> int:
    """Where the table stands in the order of foreign keys."""
    return model.metadata.sorted_tables.index(model.__table__)  # type: ignore[attr-defined]  # SQLModel's stub hides it


@cache
def _keys(model: type[SQLModel]) -> tuple[str, ...]:
    return tuple(column.name for column in model.__table__.primary_key)  # type: ignore[attr-defined]  # SQLModel's stub hides it


@cache
def _update(model: type[SQLModel], changed: tuple[str, ...]) -> Statement:
    table = model.__table__  # type: ignore[attr-defined]  # SQLModel's stub hides it
    mine = [table.c[name] == bindparam(f"key_{name}") for name in _keys(model)]
    return Statement(table.update().where(*mine).values({name: bindparam(name) for name in changed}))


@cache
def _insert(model: type[SQLModel]) -> tuple[Statement, Statement]:
    return insert_of(model)
