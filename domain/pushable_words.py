"""Which of an owner's own words a push can carry: all of them, and those in one prompt.

Everything else in a push is ours. A medicine stands in the title on the last day of its course, a plan's title in its
reminder, a pet's name in nearly all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.inbox import InboxMessage
from domain.medications import Medication
from domain.owners import Owner
from domain.pets import Pet
from domain.schedules import ACTIVE, Schedule


@dataclass(frozen=True, slots=True)
class PromptWords:
    """name: of the pet it is about, "" for none. others: what else of its title is the owner's.

    whole: False where the title holds words that have been changed since, so that nobody knows a verdict on them.
    """

    name: str = ""
    others: frozenset[str] = frozenset()
    whole: bool = True


async def words_of(session: AsyncSession, owner: Owner) -> frozenset[str]:
    """All words of this owner's household that a push can carry."""
    home = owner.household_id
    names = select(Pet.name).where(col(Pet.household_id) == home)
    titles = select(Schedule.title).where(col(Schedule.household_id) == home, col(Schedule.status) == ACTIVE)
    products = select(Medication.product).where(
        col(Medication.household_id) == home, col(Medication.deleted_at).is_(None)
    )
    found = [(await session.exec(query)).all() for query in (names, titles, products)]
    return frozenset(word.strip() for words in found for word in words if word.strip())


async def words_in(session: AsyncSession, rows: Sequence[InboxMessage]) -> list[PromptWords]:
    """The owner's words in each of these prompts, in their order."""
    names = await _by_id(session, Pet, "name", rows, "pet_id")
    titles = await _by_id(session, Schedule, "title", rows, "schedule_id")
    products = await _by_id(session, Medication, "product", rows, "record_id")
    return [_of_prompt(row, names, {**titles, **products}) for row in rows]


def _of_prompt(row: InboxMessage, names: Mapping[str, str], others: Mapping[str, str]) -> PromptWords:
    told = [others.get(str(row.link[key])) for key in ("schedule_id", "record_id") if row.link.get(key)]
    known = [word.strip() for word in told if word]
    whole = len(known) == len(told) and all(word in row.title for word in known)
    return PromptWords(names.get(str(row.link.get("pet_id")), ""), frozenset(known), whole)


async def _by_id(
    session: AsyncSession, table: type[Any], column: str, rows: Sequence[InboxMessage], key: str
) -> dict[str, str]:
    ids = {str(row.link[key]) for row in rows if row.link.get(key)}
    if not ids:
        return {}
    found = await session.exec(select(table.id, getattr(table, column)).where(col(table.id).in_(ids)))
    return dict(found.all())
