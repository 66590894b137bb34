"""One import under way: bounded batches, each in a transaction of its own, and the report of what became of them.

A batch is taken in or not at all. What was taken in is found again when the same file comes once more, so an import
that was cut off goes on where it stopped.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from sqlmodel.ext.asyncio.session import AsyncSession

from domain.access_log import Who, note_access
from domain.owner_memories import LONG_TERM_MEMORY, CardLimits, ConsentNeeded
from domain.owner_profiles import owner_of
from domain.owners import has_consent
from domain.pets import pets_of
from domain.portability.known import Known
from domain.portability.merging import Desk, Told
from memory.revision import touch
from memory.scope import Scope
from memory.transactions import Transactions

LINES_A_BATCH = 8  # put to the policy in one transaction; one message may bring five memories itself

T = TypeVar("T")


@dataclass(slots=True)
class ImportReport:
    """What became of the file. `lines`: each line that was put to the policy; `counts`: rows put back, by section."""

    lines: list[Told] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ImportParts:
    """Limits of the cards, the key of tombstones, and the two clocks."""

    cards: CardLimits
    secret: bytes
    now: datetime
    real_now: datetime


@dataclass(frozen=True, slots=True)
class Importing:
    """One import under way."""

    transactions: Transactions
    scope: Scope
    parts: ImportParts
    report: ImportReport
    known: Known = field(default_factory=Known)

    @asynccontextmanager
    async def batch(self) -> AsyncIterator[Desk]:
        """A transaction of its own; what became of its lines is reported once it is stored.

        Raises ConsentNeeded, and NotFound when the owner was erased meanwhile.
        """
        parts = self.parts
        async with self.transactions.write() as session:
            await require_leave(session, self.scope)
            pets = await pets_of(session, self.scope)
            desk = Desk(
                session, self.scope, pets, parts.cards, parts.secret, parts.now, parts.real_now, known=self.known
            )
            yield desk
            touch(session, self.scope.household_id)
        self.report.lines += desk.told
        await asyncio.sleep(0)  # others have their turn between two batches


async def require_leave(session: AsyncSession, scope: Scope) -> None:
    """Raises ConsentNeeded, and NotFound for an owner who is gone."""
    await owner_of(session, scope)
    if not await has_consent(session, scope.owner_id, LONG_TERM_MEMORY):
        raise ConsentNeeded(purpose=LONG_TERM_MEMORY)


def in_batches(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The values in their order, at most `size` at a time."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


async def open_import(
    transactions: Transactions, scope: Scope, notes: Sequence[str], parts: ImportParts, by: Who
) -> Importing:
    """Begin: the owner lets it be kept, and sees in the access log that it was done. Raises ConsentNeeded."""
    async with transactions.write(short=True) as session:
        await require_leave(session, scope)
        note_access(session, scope, by, "import", parts.real_now)
    return Importing(transactions, scope, parts, ImportReport(notes=list(notes)))
