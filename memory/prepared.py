"""Statements of the hot path: built once as SQLAlchemy Core, compiled once a dialect, run with as little as possible.

A chat turn makes some thirty small statements by key. Building and caching expressions for each costs more than the
database does, so these are built at import and run through `Quick`: on SQLite the compiled SQL goes straight to the
driver, on PostgreSQL the prebuilt statement goes through SQLAlchemy. Types (times, JSON) are converted alike on both.
"""

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Dialect, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql import ClauseElement
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

Params = Mapping[str, Any]
Convert = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Compiled:
    """SQL text with positional parameters, and the conversions of what goes in and comes out.

    fixed: values that stand in the statement itself (a LIMIT), by parameter name. lists: parameters that take a list,
    with the mark in the text that becomes one placeholder a value.
    """

    text: str
    names: tuple[str, ...]
    fixed: Params
    binders: tuple[Convert | None, ...]
    converted: tuple[tuple[int, Convert], ...]  # the binders that there are, with their places
    readers: tuple[tuple[int, Convert], ...]  # of the columns that have one, with their places
    row: Callable[[Sequence[Any]], Any] | None  # makes a named tuple; None for plain text, of unknown columns
    lists: Mapping[str, str]

    def bound(self, params: Params) -> tuple[str, tuple[Any, ...]]:
        """SQL and positional parameters for the driver. Raises KeyError for a parameter that is missing."""
        if self.lists:
            return self._expanded(params)
        return self.text, self.bind(params)

    def bind(self, params: Params) -> tuple[Any, ...]:
        """Positional parameters of a statement without lists."""
        given = {**self.fixed, **params} if self.fixed else params
        values = [given[name] for name in self.names]
        for place, bind in self.converted:
            values[place] = bind(values[place])
        return tuple(values)

    def _expanded(self, params: Params) -> tuple[str, tuple[Any, ...]]:
        sql, values = self.text, []
        for name, bind in zip(self.names, self.binders, strict=True):
            value = params[name] if name in params else self.fixed[name]
            several = value if name in self.lists else (value,)
            values += [bind(one) if bind else one for one in several]
        for name, mark in self.lists.items():
            count = len(params[name] if name in params else self.fixed[name])
            sql = sql.replace(mark, ",".join("?" * count) or "NULL")
        return sql, tuple(values)

    def read(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """Named rows with Python values; of a plain text statement the driver's own tuples."""
        if self.row is None:
            return list(rows)
        if not self.readers:
            return list(map(self.row, rows))
        named = []
        for row in rows:
            values = list(row)
            for place, read in self.readers:
                if values[place] is not None:  # which is None in all types
                    values[place] = read(values[place])
            named.append(self.row(values))
        return named


class Statement:
    """One prebuilt statement. Every parameter is a `bindparam` and is given by name when it runs."""

    __slots__ = ("_compiled", "clause")

    def __init__(self, clause: Any) -> None:
        self.clause: Any = clause
        self._compiled: dict[str, Compiled] = {}

    def compiled(self, dialect: Dialect) -> Compiled:
        """The statement for this dialect, compiled at its first use."""
        known = self._compiled.get(dialect.name)
        if known is None:
            known = self._compiled[dialect.name] = _compile(self.clause, dialect)
        return known


QUICK = "quick"
"""Under this name a session's `info` holds the `Quick` of its own transaction."""


class Quick(Protocol):
    """A short unit of work of prebuilt statements: reads, or one write transaction."""

    @property
    def dialect_name(self) -> str: ...

    async def rows(self, statement: Statement, params: Params) -> list[Any]:
        """All rows, with the columns as attributes."""
        ...

    async def run(self, statement: Statement, params: Params) -> int:
        """Run a write; how many rows it touched."""
        ...

    async def run_many(self, statement: Statement, params: Sequence[Params]) -> None:
        """Run a write for each set of parameters."""
        ...


class ConnectionQuick:
    """`Quick` over an SQLAlchemy connection, inside whatever transaction it is in."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    @property
    def dialect_name(self) -> str:
        return self._connection.dialect.name

    async def rows(self, statement: Statement, params: Params) -> list[Any]:
        return list((await self._connection.execute(statement.clause, params)).all())

    async def run(self, statement: Statement, params: Params) -> int:
        return (await self._connection.execute(statement.clause, params)).rowcount

    async def run_many(self, statement: Statement, params: Sequence[Params]) -> None:
        await self._connection.execute(statement.clause, list(params))


async def quick_of(session: AsyncSession) -> Quick:
    """Prebuilt statements inside a session's own transaction."""
    known: Quick | None = session.info.get(QUICK)
    if known is None:
        known = session.info[QUICK] = ConnectionQuick(await session.connection())
    return known


def insert_of(model: type[SQLModel], *, ignore_conflicts: bool = False) -> tuple[Statement, Statement]:
    """Statements that insert a whole row of `model`: for SQLite and for PostgreSQL. See `by_dialect`."""
    made = []
    for dialect in (sqlite, postgresql):
        table = model.__table__  # type: ignore[attr-defined]  # SQLModel's stub hides it
        clause = dialect.insert(table).values({name: bindparam(name) for name in columns_of(model)})
        made.append(Statement(clause.on_conflict_do_nothing() if ignore_conflicts else clause))
    return made[0], made[1]


def whole_rows(
    model: type[SQLModel], *conditions: ColumnElement[bool], order: Any = None, limit: int | None = None
) -> Statement:
    """A statement that reads whole rows of `model`; they come as named tuples with the model's attributes.

    order: one expression or a tuple of them.
    """
    table = model.__table__  # type: ignore[attr-defined]  # SQLModel's stub hides it
    query = select(*table.columns).where(*conditions).limit(limit)
    return Statement(query if order is None else query.order_by(*order if isinstance(order, tuple) else (order,)))


def by_dialect(statements: tuple[Statement, Statement], quick: Quick) -> Statement:
    """The one of a pair that this database takes."""
    return statements[1] if quick.dialect_name == "postgresql" else statements[0]


def row_of(model: type[SQLModel], **values: Any) -> dict[str, Any]:
    """A whole row as parameters: `values`, and the model's defaults for the rest."""
    return {**_defaults(model)(), **values}


@cache
def columns_of(model: type[SQLModel]) -> tuple[str, ...]:
    """All columns but a number that the database counts up itself."""
    table = model.__table__  # type: ignore[attr-defined]  # SQLModel's stub hides it
    return tuple(column.name for column in table.columns if column is not table._autoincrement_column)


@cache
def _defaults(model: type[SQLModel]) -> Callable[[], dict[str, Any]]:
    fields = {name: model.model_fields[name] for name in columns_of(model)}
    fixed = {name: field.default for name, field in fields.items() if field.default_factory is None}
    made = {name: field.default_factory for name, field in fields.items() if field.default_factory is not None}
    return lambda: {**fixed, **{name: make() for name, make in made.items()}}  # type: ignore[call-arg]  # none of our factories takes the data


def _compile(clause: ClauseElement, dialect: Dialect) -> Compiled:
    compiled: Any = clause.compile(dialect=dialect)
    names = tuple(compiled.positiontup or ())
    binds = [compiled.binds[name] for name in names]
    binders = tuple(bind.type.dialect_impl(dialect).bind_processor(dialect) for bind in binds)
    columns = compiled._result_columns or []
    keys = [entry.keyname for entry in columns]
    readers = [entry.type.dialect_impl(dialect).result_processor(dialect, None) for entry in columns]
    return Compiled(
        text=str(compiled),
        names=names,
        fixed={name: bind.value for name, bind in zip(names, binds, strict=True) if not bind.required},
        binders=binders,
        converted=tuple((place, bind) for place, bind in enumerate(binders) if bind),
        readers=tuple((place, read) for place, read in enumerate(readers) if read),
        row=_maker_of(keys) if keys else None,
        lists={name: f"__[POSTCOMPILE_{name}]" for name, bind in zip(names, binds, strict=True) if bind.expanding},
    )


def _maker_of(keys: Sequence[str]) -> Callable[[Sequence[Any]], Any]:
    named = namedtuple("Row", keys)  # type: ignore[misc]  # columns are known at run time
    return partial(tuple.__new__, named)  # what `_make` does, but for looking whether the columns are as many


def padded(values: Sequence[str]) -> list[str]:
    """`values` with the last one repeated up to a power of two, so that few lengths of IN lists are ever compiled."""
    if not values:
        return [""]
    return [*values, *[values[-1]] * ((1 << (len(values) - 1).bit_length()) - len(values))]
