"""Reading everything that is kept about one household, as plain JSON values."""

from collections.abc import AsyncIterator
from datetime import date, datetime, time
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from sqlalchemy import Table, select
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.ai_labels import EXPORT, PRODUCER, AiLabel
from domain.portability.schema import FORMAT, RECORD_SECTIONS, SECTIONS, VERSION, Section
from memory.scope import Scope

Export = dict[str, Any]
"""`export.json`: {format, version, exported_at, ai_label, <section>: [row, …]}; see docs/export.md."""


async def export_household(
    session: AsyncSession, scope: Scope, exported_at: datetime, producer: str = PRODUCER
) -> Export:
    """All sections of one household. What was deleted, and can come back for ten minutes, is not among them.

    producer: who answers for generated words, as their label names it.
    """
    export: Export = {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": _plain(exported_at),
        "ai_label": AiLabel(EXPORT, _number(scope, exported_at), producer).as_json(),
    }
    for section in SECTIONS:
        export[section.name] = [row async for row in _rows(session, scope, section)]
    _leave_out_what_is_deleted(export)
    return export


def _number(scope: Scope, exported_at: datetime) -> str:
    """The number of one export."""
    return str(uuid5(NAMESPACE_URL, f"urn:pawsignal:export:{scope.household_id}:{exported_at.isoformat()}"))


def _leave_out_what_is_deleted(export: Export) -> None:
    """What hangs on a deleted memory or record goes with it."""
    memories = {row["id"] for row in export["memories"]}
    records = {row["id"] for section in RECORD_SECTIONS for row in export[section.name]}
    for name, key, kept in (
        ("memory_versions", "item_id", memories),
        ("signals", "item_id", memories),
        ("record_versions", "record_id", records),
        ("evidence", "target_id", memories | records),
    ):
        export[name] = [row for row in export[name] if row[key] in kept]


async def _rows(session: AsyncSession, scope: Scope, section: Section) -> AsyncIterator[dict[str, Any]]:
    table = SQLModel.metadata.tables[section.table]
    columns = [column for column in table.columns if column.name not in section.without]
    connection = await session.connection()
    keys = list(table.primary_key.columns)
    found = await connection.execute(select(*columns).where(*_conditions(table, scope)).order_by(*keys))
    for row in found:
        yield {column.name: _plain(value) for column, value in zip(columns, row, strict=True)}


def _conditions(table: Table, scope: Scope) -> list[Any]:
    """Of this household and, where a row belongs to a person, of this owner; nothing that was deleted."""
    wanted: list[Any] = []
    if "household_id" in table.columns:
        wanted.append(table.columns["household_id"] == scope.household_id)
    if table.name == "owners":
        wanted.append(table.columns["id"] == scope.owner_id)
    elif "owner_id" in table.columns and "household_id" not in table.columns:
        wanted.append(table.columns["owner_id"] == scope.owner_id)
    if "deleted_at" in table.columns:
        wanted.append(table.columns["deleted_at"].is_(None))
    return wanted


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, date | time):
        return value.isoformat()
    return value
