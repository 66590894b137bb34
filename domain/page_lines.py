"""Lines of memory about what a pet's page says, when the owner changes the page by hand.

That act is the confirmation: what memory held in the slot is superseded, an open question about it ends, and where a
line stood a line of the new page takes its place.
"""

from collections.abc import Collection

from sqlmodel import col, select

from domain.pets import Pet
from domain.profile_facts import line_from_profile
from domain.statement_rows import Desk
from memory.confirmations import Confirmation, void_questions
from memory.item_writes import revise_item
from memory.items import MemoryItem
from memory.visibility import SERVED
from memory.vocabulary import ConfirmationStatus, MemoryStatus

PAGE_CHANGED = "page_changed"
SLOT_OF_FIELD = {"sex": "sex", "neutered": "neutered", "born_on": "birth_date", "species": "species"}
"""The memory slot that a field of the page fills."""


async def follow_page(desk: Desk, pet: Pet, changed: Collection[str]) -> None:
    """Bring the lines of the changed fields in line with the page."""
    for slot in sorted({SLOT_OF_FIELD[name] for name in changed if name in SLOT_OF_FIELD}):
        await _end_questions(desk, pet, slot)
        lines = await _standing(desk, pet, slot)
        for line in lines:
            line.status, line.valid_to = MemoryStatus.SUPERSEDED.value, desk.now
            await revise_item(desk.session, line, desk.by, PAGE_CHANGED, desk.now, desk.real_now)
        fresh = line_from_profile(desk, pet, slot) if lines else None
        if fresh is not None:
            fresh.supersedes, fresh.learned_at, fresh.last_evidence_at = lines[0].id, desk.now, desk.now


async def _standing(desk: Desk, pet: Pet, slot: str) -> list[MemoryItem]:
    rows = await desk.session.exec(
        select(MemoryItem)
        .where(
            col(MemoryItem.household_id) == desk.scope.household_id,
            col(MemoryItem.subject) == pet.id,
            col(MemoryItem.attribute) == slot,
            col(MemoryItem.status).in_((*SERVED, MemoryStatus.CANDIDATE.value)),
        )
        .order_by(col(MemoryItem.id))
    )
    return list(rows.all())


async def _end_questions(desk: Desk, pet: Pet, slot: str) -> None:
    rows = await desk.session.exec(
        select(Confirmation).where(
            col(Confirmation.household_id) == desk.scope.household_id,
            col(Confirmation.subject) == pet.id,
            col(Confirmation.attribute) == slot,
            col(Confirmation.status) == ConfirmationStatus.PENDING.value,
        )
    )
    await void_questions(desk.session, rows.all(), desk.now)
