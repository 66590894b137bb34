"""Rows of an export put back as they were, under ids of this household: for pets and talk that it does not have.

Whatever exists already is left alone. Nothing of a file is believed beyond what an owner may say: who owns a row, how
risky it is and whether a vet is verified is decided here.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Table, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.attributes import spec_of
from domain.portability.column_values import BadRow, column_value, instant, require_types
from domain.portability.id_mapping import is_id, translated
from domain.portability.row_rules import require_possible
from domain.portability.schema import SECTIONS, Section
from memory.item_writes import FINDABLE
from memory.personal_numbers import mask_value
from memory.prepared import quick_of
from memory.scope import Scope
from memory.search_documents import MEMORY, MESSAGE, add_documents, document_of

Row = dict[str, Any]

CHUNK = 500  # rows in one statement

_FRESH: dict[str, Callable[[Row, datetime], Row]] = {
    "conversations": lambda row, now: {"summary_lease_until": None},
    "turns": lambda row, now: {
        "client_msg_id": f"import {row['id']}",
        "status": "done",
        "body_hash": "",
        "lease_until": instant(row["started_at"]),
        "cancel_requested": False,
        "trace": None,
        "answer": None,
    },
    "memory_items": lambda row, now: {
        "review_at": now,
        "deleted_at": None,
        "risk": spec_of(row["attribute"]).risk.value,
    },
    "dreams": lambda row, now: {"changes": {}},  # what a file says that a night changed is put back into no memory
    "signals": lambda row, now: {"once_key": f"import {row['id']}"},
    "archives": lambda row, now: {"stale_at": now},
    "schedules": lambda row, now: {"remind_at": now},  # the next look finds when it really rings
    "inbox_messages": lambda row, now: {
        "dedupe_key": f"import {row['id']}",
        "delivery": "none",
        "push_id": None,
        "not_before": instant(row["created_at"]),
    },
}
"""What a row gets of its own instead of from the file, by table."""


@dataclass(slots=True)
class Restored:
    """How many rows of each section were added, were there already, or were refused and why."""

    added: dict[str, int] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)
    refused: list[tuple[str, str, str]] = field(default_factory=list)  # section, what it said, reason


@dataclass(frozen=True, slots=True)
class MadeRows:
    """Rows of one section as they may be stored, those that may not (`Restored`), and the words they are found by."""

    section: Section
    rows: Sequence[Row]
    refused: Sequence[tuple[str, str, str]] = ()
    documents: Mapping[str, Row] = field(default_factory=dict)

    def only(self, wanted: Collection[str], key: str = "id") -> "MadeRows":
        """The rows with one of these values under a key."""
        kept = [row for row in self.rows if row[key] in wanted]
        return MadeRows(self.section, kept, self.refused, self.documents)


def make_rows(
    scope: Scope, section: Section, rows: Sequence[Mapping[str, Any]], ids: Mapping[str, str], now: datetime
) -> MadeRows:
    """Rows of the file as rows of ours. Pure, and what costs most of bringing a row back: done before a transaction."""
    table = SQLModel.metadata.tables[section.table]
    made: list[Row] = []
    refused: list[tuple[str, str, str]] = []
    for row in rows:
        try:
            made.append(_row(table, section, row, scope, ids, now))
        except BadRow as bad:
            refused.append((section.name, _named(row), bad.reason))
    documents = {row["id"]: _document(section, row) for row in made if _findable(section, row)}
    return MadeRows(section, made, refused, documents)


def _findable(section: Section, row: Row) -> bool:
    return section.table == "messages" or (section.table == "memory_items" and row["status"] in FINDABLE)


def _document(section: Section, row: Row) -> Row:
    kind, column = (MESSAGE, "text") if section.table == "messages" else (MEMORY, "content")
    return document_of(kind, row["id"], row["household_id"], row[column])


async def insert_rows(session: AsyncSession, scope: Scope, made: MadeRows) -> tuple[Restored, list[Row]]:
    """Insert the rows that are not there yet. The second value are the rows that were inserted."""
    section, told = made.section, Restored(refused=list(made.refused))
    table = SQLModel.metadata.tables[section.table]
    fresh = await _not_there(session, table, made.rows)
    fresh = await _with_parents(session, scope, section, fresh, told)
    dialect = (await session.connection()).dialect.name
    put = (postgresql if dialect == "postgresql" else sqlite).insert(table).on_conflict_do_nothing()
    for start in range(0, len(fresh), CHUNK):
        await session.exec(put, params=fresh[start : start + CHUNK])
    documents = [made.documents[row["id"]] for row in fresh if "id" in row and row["id"] in made.documents]
    if documents:
        await add_documents(await quick_of(session), documents)
    told.added[section.name], told.known[section.name] = len(fresh), len(made.rows) - len(fresh)
    return told, fresh


def readable_rows(export: Mapping[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str, str]]]:
    """The same export without the rows whose values are of other types than ours, and those rows: see `Restored`."""
    read, refused = dict(export), []
    for section in SECTIONS:
        table, rows = SQLModel.metadata.tables[section.table], []
        for row in export[section.name]:
            try:
                require_types(table, row)
                rows.append(_identified(table, row))
            except BadRow as bad:
                refused.append((section.name, _named(row), bad.reason))
        read[section.name] = rows
    return read, refused


def _identified(table: Table, row: Row) -> Row:
    if "id" in table.columns and not is_id(row.get("id")):
        raise BadRow("编号不对")
    return row


def section_named(name: str) -> Section:
    """One section of the schema."""
    return next(section for section in SECTIONS if section.name == name)


def _row(
    table: Table, section: Section, given: Mapping[str, Any], scope: Scope, ids: Mapping[str, str], now: datetime
) -> Row:
    """One row of the file as one of ours. Raises BadRow."""
    if "id" in table.columns and given.get("id") not in ids:
        raise BadRow("编号不对")
    row = {column.name: _value(column, given.get(column.name), ids) for column in table.columns if column.name in given}
    row = mask_value(row) if section.table not in ("evidence", "messages") else row
    owned = {"household_id": scope.household_id, "owner_id": scope.owner_id}
    row |= {name: value for name, value in owned.items() if name in table.columns}
    if "verified" in row:
        row["verified"] = False
    made = _FRESH.get(table.name)
    for column in table.columns:
        if column.name not in row and not column.nullable and column.name not in section.without:
            raise BadRow(f"缺少 {column.name}")
    require_possible(table.name, row)
    if made is not None:
        row |= made(row, now)
    return {column.name: row.get(column.name) for column in table.columns}


def _value(column: "Column[Any]", value: Any, ids: Mapping[str, str]) -> Any:
    """One value, of the type that the column has, with our ids. Raises BadRow."""
    column_value(column, value)
    return column_value(column, translated(value, ids))


async def _with_parents(
    session: AsyncSession, scope: Scope, section: Section, rows: Sequence[Row], told: Restored
) -> list[Row]:
    """Rows whose parents stand in this household; the others are refused."""
    table = SQLModel.metadata.tables[section.table]
    kept = list(rows)
    for key in table.foreign_keys:
        parent, name = key.column.table, key.parent.name
        if parent.name in ("households", "owners"):
            continue
        connection = await session.connection()
        known: set[Any] = set()
        for part in _chunks(sorted({row[name] for row in kept if row[name] is not None})):
            ours = parent.columns["household_id"] == scope.household_id
            known |= {one[0] for one in await connection.execute(select(key.column).where(ours, key.column.in_(part)))}
        told.refused += [
            (section.name, _named(row), "它所属的内容不在文件里") for row in kept if row[name] not in {None, *known}
        ]
        kept = [row for row in kept if row[name] is None or row[name] in known]
    return kept


async def _not_there(session: AsyncSession, table: Table, rows: Sequence[Row]) -> list[Row]:
    keys = list(table.primary_key.columns)
    known: set[tuple[Any, ...]] = set()
    first = keys[0]
    connection = await session.connection()
    for part in _chunks(sorted({row[first.name] for row in rows})):
        found = await connection.execute(select(*keys).where(first.in_(part)))
        known |= {tuple(one) for one in found}
    fresh: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        key = tuple(row[column.name] for column in keys)
        if key not in known:
            fresh.setdefault(key, row)
    return list(fresh.values())


def _chunks(values: Sequence[Any]) -> Iterable[Sequence[Any]]:
    for start in range(0, len(values), CHUNK):
        yield values[start : start + CHUNK]


def _named(row: Mapping[str, Any]) -> str:
    """How a refused row is told to the owner."""
    for key in ("content", "name", "text", "title", "product", "substance", "food", "id"):
        if isinstance(row.get(key), str) and not is_id(row[key]):
            return str(row[key])[:60].encode(errors="replace").decode()
    return ""
