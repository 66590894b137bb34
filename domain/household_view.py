"""What every turn needs to know of a household, read once and kept until the household's revision rises.

The revision is read in every turn (one row by key), so a view is never staler than the last commit on any replica.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.health_records import safety_records
from domain.owners import Household, Owner, consents_of
from domain.pet_profiles import PetProfile
from domain.pets import Pet, pets_of, profile_of
from domain.record_columns import RecordColumns
from domain.record_kinds import RecordKind
from memory.confirmations import Confirmation
from memory.items import MemoryItem
from memory.scope import Scope
from memory.visibility import SERVED
from memory.vocabulary import ConfirmationStatus, Tier

MAX_KEPT = 2000  # views; one is a few kB, so some MB at most


@dataclass(frozen=True, slots=True)
class HouseholdView:
    """Rows as they were at `revision`; readers still ask `visibility.is_live` for what time changes."""

    revision: int
    owner: Owner
    consents: frozenset[str]  # granted purposes
    pets: Sequence[Pet]
    profiles: tuple[PetProfile, ...]
    core: Sequence[MemoryItem]  # items of the core tier: pets' and this owner's
    safety: Sequence[tuple[RecordKind, RecordColumns]]
    questions: Sequence[Confirmation]  # open ones, oldest first

    def pet(self, pet_id: str) -> Pet | None:
        """The pet with this id, None when it is not of this household."""
        return next((pet for pet in self.pets if pet.id == pet_id), None)


class HouseholdViews:
    """Views by owner, the least recently used one forgotten first."""

    def __init__(self) -> None:
        self._views: OrderedDict[str, HouseholdView] = OrderedDict()

    async def view(self, session: AsyncSession, scope: Scope) -> HouseholdView:
        """The household as of now."""
        revision = (await session.exec(select(Household.revision).where(col(Household.id) == scope.household_id))).one()
        known = self._views.get(scope.owner_id)
        if known is not None and known.revision == revision:
            self._views.move_to_end(scope.owner_id)
            return known
        fresh = await _read(session, scope, revision)
        self._views[scope.owner_id] = fresh
        if len(self._views) > MAX_KEPT:
            self._views.popitem(last=False)
        return fresh

    def forget(self, owner_id: str) -> None:
        """Drop a view, so that nothing of an erased owner stays in memory."""
        self._views.pop(owner_id, None)


async def _read(session: AsyncSession, scope: Scope, revision: int) -> HouseholdView:
    owner = (await session.exec(select(Owner).where(col(Owner.id) == scope.owner_id))).one()
    consents = await consents_of(session, scope.owner_id)
    pets = await pets_of(session, scope)
    core = await session.exec(
        select(MemoryItem).where(
            col(MemoryItem.household_id) == scope.household_id,
            col(MemoryItem.status).in_(SERVED),
            col(MemoryItem.tier) == Tier.CORE.value,
        )
    )
    questions = await session.exec(
        select(Confirmation)
        .where(
            col(Confirmation.household_id) == scope.household_id,
            col(Confirmation.status) == ConfirmationStatus.PENDING.value,
        )
        .order_by(col(Confirmation.id))
    )
    return HouseholdView(
        revision=revision,
        owner=owner,
        consents=frozenset(purpose for purpose, latest in consents.items() if latest.granted),
        pets=pets,
        profiles=tuple(profile_of(pet) for pet in pets),
        core=core.all(),
        safety=await safety_records(session, scope),
        questions=questions.all(),
    )
