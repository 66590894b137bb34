"""What every turn needs to know of a household, read once and kept until the household's revision rises.

The revision is read in every turn (one row by key), so a view is never staler than the last commit on any replica.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import BindParameter, bindparam, or_, select
from sqlmodel import col

from domain.follow_ups import OPEN, FollowUp
from domain.health_records import CURRENT
from domain.owners import Consent, Household, Owner, in_force
from domain.pet_profiles import PetProfile
from domain.pets import Pet, profile_of
from domain.record_columns import RecordColumns
from domain.record_kinds import SAFETY_KINDS, RecordKind
from memory.confirmations import Confirmation
from memory.items import MemoryItem
from memory.prepared import Quick, Statement, whole_rows
from memory.scope import Scope
from memory.summaries import TalkSummary, newest_summaries
from memory.transactions import Transactions
from memory.visibility import SERVED
from memory.vocabulary import ConfirmationStatus, Tier

MAX_KEPT = 2000  # views; one is a few kB, so some MB at most


@dataclass(frozen=True, slots=True)
class HouseholdView:
    """Rows as they were at `revision`; readers still ask `visibility.is_live` for what time changes.

    The rows are plain named tuples that read like the models and belong to no session: nobody may write through them.
    """

    revision: int
    owner: Owner
    consents: frozenset[str]  # granted purposes
    pets: Sequence[Pet]
    profiles: tuple[PetProfile, ...]
    core: Sequence[MemoryItem]  # items of the core tier: pets' and this owner's
    safety: Sequence[tuple[RecordKind, RecordColumns]]
    questions: Sequence[Confirmation]  # open ones, oldest first
    off_card: Mapping[str, str] = field(default_factory=dict)  # mirrors that a full card did not take, by record id
    follow_ups: Sequence[FollowUp] = ()  # open ones of this owner
    temporary: Sequence[MemoryItem] = ()  # lines that hold for a time only; whether it is over is asked by readers
    talks: tuple[TalkSummary, ...] = ()  # this owner's last conversations, newest first
    derived: dict[Any, Any] = field(default_factory=dict, compare=False)  # what readers worked out from these rows

    def pet(self, pet_id: str) -> Pet | None:
        """The pet with this id, None when it is not of this household."""
        return next((pet for pet in self.pets if pet.id == pet_id), None)


_OF_HOUSEHOLD: BindParameter[str] = bindparam("household")
_REVISION = Statement(select(col(Household.revision)).where(col(Household.id) == _OF_HOUSEHOLD))
_OWNER = whole_rows(Owner, col(Owner.id) == bindparam("owner"))
_CONSENTS = Statement(
    select(col(Consent.purpose), col(Consent.granted), col(Consent.version))
    .where(col(Consent.owner_id) == bindparam("owner"))
    .order_by(col(Consent.id))
)
_PETS = whole_rows(Pet, col(Pet.household_id) == _OF_HOUSEHOLD, order=col(Pet.id))
_CORE = whole_rows(
    MemoryItem,
    col(MemoryItem.household_id) == _OF_HOUSEHOLD,
    or_(*(col(MemoryItem.status) == word for word in SERVED)),
    col(MemoryItem.tier) == Tier.CORE.value,
    order=col(MemoryItem.id),
)
_MIRRORS = Statement(
    select(col(MemoryItem.id), col(MemoryItem.record_id))
    .where(
        col(MemoryItem.household_id) == _OF_HOUSEHOLD,
        or_(*(col(MemoryItem.record_kind) == kind.name for kind in SAFETY_KINDS)),
    )
    .order_by(col(MemoryItem.id))
)
_QUESTIONS = whole_rows(
    Confirmation,
    col(Confirmation.household_id) == _OF_HOUSEHOLD,
    col(Confirmation.status) == ConfirmationStatus.PENDING.value,
    order=col(Confirmation.id),
)
_FOLLOW_UPS = whole_rows(
    FollowUp,
    col(FollowUp.owner_id) == bindparam("owner"),
    col(FollowUp.status) == OPEN,
    order=col(FollowUp.id),
)
_TEMPORARY = whole_rows(
    MemoryItem,
    col(MemoryItem.household_id) == _OF_HOUSEHOLD,
    or_(*(col(MemoryItem.status) == word for word in SERVED)),
    col(MemoryItem.expires_at).is_not(None),
    order=col(MemoryItem.id),
)
_SAFETY = [
    (
        kind,
        whole_rows(
            kind.table,
            col(kind.table.household_id) == _OF_HOUSEHOLD,
            or_(*(col(kind.table.status) == word for word in CURRENT)),
            col(kind.table.deleted_at).is_(None),
            order=col(kind.table.id),
        ),
    )
    for kind in SAFETY_KINDS
]


class HouseholdViews:
    """Views by owner, the least recently used one forgotten first."""

    def __init__(self) -> None:
        self._views: OrderedDict[str, HouseholdView] = OrderedDict()

    async def view(self, transactions: Transactions, scope: Scope) -> HouseholdView:
        """The household as of now."""
        async with transactions.quick_read() as quick:
            revision = (await quick.rows(_REVISION, {"household": scope.household_id}))[0].revision
            known = self._views.get(scope.owner_id)
            if known is not None and known.revision == revision:
                self._views.move_to_end(scope.owner_id)
                return known
            fresh = await _read(quick, scope, revision)
        self._views[scope.owner_id] = fresh
        if len(self._views) > MAX_KEPT:
            self._views.popitem(last=False)
        return fresh

    def forget(self, owner_id: str) -> None:
        """Drop a view, so that nothing of an erased owner stays in memory."""
        self._views.pop(owner_id, None)


async def _read(quick: Quick, scope: Scope, revision: int) -> HouseholdView:
    household, owner = {"household": scope.household_id}, {"owner": scope.owner_id}
    consents = {
        row.purpose: in_force(row.purpose, row.granted, row.version) for row in await quick.rows(_CONSENTS, owner)
    }
    pets: Sequence[Pet] = await quick.rows(_PETS, household)
    core: Sequence[MemoryItem] = await quick.rows(_CORE, household)
    safety = [(kind, row) for kind, rows in _SAFETY for row in await quick.rows(rows, household)]
    return HouseholdView(
        revision=revision,
        owner=(await quick.rows(_OWNER, owner))[0],
        consents=frozenset(purpose for purpose, granted in consents.items() if granted),
        pets=pets,
        profiles=tuple(profile_of(pet) for pet in pets),
        core=core,
        safety=safety,
        off_card=await _off_card(quick, household, core, safety),
        questions=await quick.rows(_QUESTIONS, household),
        follow_ups=await quick.rows(_FOLLOW_UPS, owner),
        temporary=await quick.rows(_TEMPORARY, household),
        talks=await newest_summaries(quick, scope),
    )


async def _off_card(
    quick: Quick,
    household: Mapping[str, str],
    core: Sequence[MemoryItem],
    safety: Sequence[tuple[RecordKind, RecordColumns]],
) -> dict[str, str]:
    """Asked for only when a danger has no line on its card, which takes a card full of what may not move."""
    on_card = {item.record_id for item in core}
    missing = {record.id for _, record in safety} - on_card
    if not missing:
        return {}
    return {row.record_id: row.id for row in await quick.rows(_MIRRORS, household) if row.record_id in missing}
