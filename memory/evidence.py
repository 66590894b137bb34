"""Reading the owner's or vet's own words behind memories and records."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.items import EvidenceRow
from memory.scope import Scope

MEMORY = "memory"
"""The `target_kind` of evidence behind a memory item; records use the name of their kind."""


async def evidence_of(
    session: AsyncSession, scope: Scope, target_kind: str, target_ids: Collection[str]
) -> Mapping[str, list[EvidenceRow]]:
    """Evidence by target id, oldest first; a target without any is absent."""
    found: dict[str, list[EvidenceRow]] = defaultdict(list)
    if not target_ids:
        return found
    rows = await session.exec(
        select(EvidenceRow)
        .where(
            col(EvidenceRow.household_id) == scope.household_id,
            col(EvidenceRow.target_kind) == target_kind,
            col(EvidenceRow.target_id).in_(target_ids),
        )
        .order_by(col(EvidenceRow.said_at), col(EvidenceRow.id))
    )
    for row in rows.all():
        found[row.target_id].append(row)
    return found
