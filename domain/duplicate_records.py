"""A form sent again: the same record is recognised and answered, not stored twice.

Only what says the same in every field is the same; measurements and happenings must also have the same exact time.
"""

from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.health_records import CURRENT
from domain.pets import Pet
from domain.record_columns import RecordColumns, RecordFields
from domain.record_kinds import RecordKind

_TIMED = {
    "vaccinations": "given_on",
    "dewormings": "given_on",
    "weights": "measured_at",
    "visits": "visited_on",
    "observations": "occurred_at",
}
"""Kinds of which a pet may have many alike, and the field that tells one from another."""


async def same_record(session: AsyncSession, pet: Pet, kind: RecordKind, fields: RecordFields) -> RecordColumns | None:
    """The record in force that says exactly this already; None when there is none."""
    time = _TIMED.get(kind.name)
    if time is not None and getattr(fields, time) is None:
        return None
    table: Any = kind.table
    given = fields.model_dump()
    query = select(table).where(
        col(table.household_id) == pet.household_id,
        col(table.pet_id) == pet.id,
        col(table.attribute) == kind.slot(fields),
        col(table.deleted_at).is_(None),
        col(table.status).in_(CURRENT),
    )
    rows = (await session.exec(query.order_by(col(table.id)))).all()
    return next((row for row in rows if kind.read(row).model_dump() == given), None)
