"""What a household has already, looked up by what it says: read once an import, and kept in step with what it adds.

Reading it anew for each line made an import of n lines read n times as many. What others write meanwhile is not seen:
a line that they told in those seconds is weighed by the policy like any other.
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.pets import Pet
from domain.record_kinds import RecordKind
from memory.items import MemoryItem
from memory.scope import Scope
from memory.text_folding import fold_text
from memory.visibility import VISIBLE


class Known:
    """The living lines and records of one household."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str | None, str], set[str]] | None = None
        self._records: dict[tuple[str, str], set[str]] = {}

    async def has_line(self, session: AsyncSession, scope: Scope, subject: str | None, content: str) -> bool:
        """Whether a living line of this subject says just this."""
        lines = await self._all_lines(session, scope)
        same = lines.get((subject, _folded(content)), set())
        if not same:
            return False
        still = select(MemoryItem.content).where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.id).in_(same),
            col(MemoryItem.status).in_(VISIBLE),
        )
        return _folded(content) in {_folded(one) for one in (await session.exec(still)).all()}

    def add_line(self, item_id: str, subject: str | None, content: str) -> None:
        """This line says so now."""
        if self._lines is not None:
            self._lines[subject, _folded(content)].add(item_id)

    async def has_record(self, session: AsyncSession, pet: Pet, kind: RecordKind, fields: Mapping[str, Any]) -> bool:
        """Whether the pet has a record that says the same, whatever its note."""
        if (pet.id, kind.name) not in self._records:
            table = kind.table
            rows = await session.exec(
                select(table).where(
                    col(table.household_id) == pet.household_id,
                    col(table.pet_id) == pet.id,
                    col(table.deleted_at).is_(None),
                )
            )
            known = {_said(kind.read(row).model_dump(mode="json")) for row in rows.all()}
            self._records[pet.id, kind.name] = known
        return _said(fields) in self._records[pet.id, kind.name]

    def add_record(self, pet: Pet, kind: RecordKind, fields: Mapping[str, Any]) -> None:
        """The pet has this record now."""
        self._records[pet.id, kind.name].add(_said(fields))

    async def _all_lines(self, session: AsyncSession, scope: Scope) -> dict[tuple[str | None, str], set[str]]:
        if self._lines is None:
            self._lines = defaultdict(set)
            rows = await session.exec(
                select(MemoryItem.id, MemoryItem.subject, MemoryItem.content).where(
                    col(MemoryItem.household_id) == scope.household_id, col(MemoryItem.status).in_(VISIBLE)
                )
            )
            for item_id, subject, content in rows.all():
                self.add_line(item_id, subject, content)
        return self._lines


def _folded(content: str) -> str:
    return "".join(fold_text(content).split())


def _said(fields: Mapping[str, Any]) -> str:
    """The fields as one comparable text; they are JSON already."""
    return json.dumps({name: value for name, value in fields.items() if name != "note"}, sort_keys=True)
