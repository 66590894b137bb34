"""Clinical records: the truth about a pet's health. Every write keeps its version and its mirrored memory line in step.

A mirror is one memory item rendered from the record (`record_kind`, `record_id`); memory refuses to edit it. Current
allergies, conditions and medications stand on the card from the moment they exist, the latest weight as one line;
everything else is an archive entry.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.attributes import AttributeSpec, spec_of
from domain.card_notices import tell_no_room
from domain.errors import StaleVersion, UnknownRecord
from domain.observations import ObservationFields, require_plausible_reading
from domain.pets import Pet, pet_of
from domain.record_columns import RecordColumns, RecordFields
from domain.record_kinds import SAFETY_KINDS, RecordKind
from domain.record_versions import RecordVersion
from domain.weight_line import WEIGHTS, keep_latest_weight_on_card
from domain.weights import WeightFields, require_plausible
from domain.word_verdicts import words_written
from memory.appends import append, append_object
from memory.core_budget import PET_CARD, Limits
from memory.core_card import enter_core
from memory.item_writes import add_item, revise_item
from memory.items import EvidenceRow, MemoryItem
from memory.revision import touch
from memory.scope import Scope
from memory.vocabulary import Kind, MemoryStatus, Risk, Source, Tier

CURRENT = ("active", "provisional")
"""Record statuses that count for every safety check."""

_SAFETY_NAMES = tuple(kind.name for kind in SAFETY_KINDS)

_ON_CARDS = ("weights", "diets")  # kinds beside the safety kinds whose lines may stand on a card

_ITEM_STATUS: dict[str, MemoryStatus] = {
    "active": MemoryStatus.ACTIVE,
    "provisional": MemoryStatus.PROVISIONAL,
    "ended": MemoryStatus.ARCHIVED,
    "refuted": MemoryStatus.REJECTED,
    "superseded": MemoryStatus.SUPERSEDED,
}


@dataclass(frozen=True, slots=True)
class Change:
    """Who changes records, when and why. `now` is domain time, `real_now` the machine's clock."""

    scope: Scope
    by: str  # owner id, or the name a vet gave
    reason: str
    source: Source
    now: datetime
    real_now: datetime
    verified: bool = False


async def create_record(
    session: AsyncSession,
    change: Change,
    pet: Pet,
    kind: RecordKind,
    fields: RecordFields,
    *,
    status: str = "active",
    attribute: str | None = None,
    content: str | None = None,
    evidence: Sequence[EvidenceRow] = (),
    inherit: MemoryItem | None = None,
    card: Limits = PET_CARD,
) -> tuple[RecordColumns, MemoryItem]:
    """Store one record and its mirror; returns both.

    A line that belongs on the card makes room there within the limits of `card`; where nothing may move it becomes an
    archive entry, and safety still serves the record.

    attribute: the slot, when the caller knows it better than the kind's own rule. content: the mirror's line when it
    says more than the fields can. inherit: the item whose signals, tier and lock the mirror takes over.
    Raises Implausible for a weight no such animal has.
    """
    require_plausible_fields(fields, pet)
    if isinstance(fields, WeightFields):
        fields.measured_at = fields.measured_at or change.now
    record = kind.table(
        household_id=pet.household_id,
        pet_id=pet.id,
        attribute=attribute or kind.slot(fields),
        status=status,
        source=change.source.value,
        verified=change.verified,
        recorded_at=change.now,
        recorded_by=change.by,
        valid_from=happened_at(kind, fields, change.scope),
        **fields.model_dump(),
    )
    append_object(session, record)
    _keep_version(session, change, kind, record)
    mirror = _new_mirror(change, pet, kind, record, fields, content)
    if inherit is not None:
        take_over(mirror, inherit)
    if mirror.tier == Tier.CORE.value:
        took = await enter_core(session, change.scope, mirror, card, _SAFETY_NAMES, change.now, change.real_now)
        if not took:
            await tell_no_room(session, change.scope, mirror, change.now)
    add_item(session, mirror, change.by, change.reason, change.real_now)
    for said in evidence:
        said.target_kind, said.target_id = kind.name, record.id
        append_object(session, said)
    await _settle_card(session, pet, kind)
    if kind.name == "allergies" and status in CURRENT and pet.no_known_allergies:
        page = await pet_of(session, change.scope, pet.id)  # `pet` may be a row that only reads
        page.no_known_allergies = False
        session.add(page)
    return record, mirror


async def update_record(
    session: AsyncSession,
    change: Change,
    pet: Pet,
    kind: RecordKind,
    record_id: str,
    given: Mapping[str, Any],
    version: int | None = None,
) -> RecordColumns:
    """Replace the given fields (absent = unchanged, None = cleared) as a new version.

    Raises UnknownRecord, StaleVersion, Implausible, and pydantic's ValidationError for impossible values.
    """
    record = await record_of(session, change.scope, pet.id, kind, record_id)
    if version is not None and version != record.version:
        raise StaleVersion(current_version=record.version)
    fields = kind.fields.model_validate({**kind.read(record).model_dump(), **given})
    require_plausible_fields(fields, pet)
    for name, value in fields.model_dump().items():
        setattr(record, name, value)
    if kind.safety:
        record.status = status_told_by(fields, change.scope.local(change.now).date(), record.status)
    record.attribute = kind.slot(fields) if set(given) & {"substance", "name", "product"} else record.attribute
    record.valid_from = happened_at(kind, fields, change.scope)
    await _revise(session, change, pet, kind, record, content=None)
    await _settle_card(session, pet, kind)
    return record


def require_plausible_fields(fields: RecordFields, pet: Pet) -> None:
    """Raises Implausible for a number that no such animal has."""
    if isinstance(fields, WeightFields):
        require_plausible(fields.value, fields.unit, pet.species)  # type: ignore[arg-type]  # PetFields validates it
    if isinstance(fields, ObservationFields):
        require_plausible_reading(fields)


async def set_record_status(
    session: AsyncSession,
    change: Change,
    pet: Pet,
    kind: RecordKind,
    record: RecordColumns,
    status: str,
    valid_to: datetime | None = None,
) -> None:
    """End, refute, supersede or bring back a record; its mirror follows."""
    record.status = status
    record.valid_to = valid_to if valid_to is not None else record.valid_to
    record.verified = record.verified or change.verified
    await _revise(session, change, pet, kind, record, content=None)
    await _settle_card(session, pet, kind)


async def delete_record(
    session: AsyncSession, change: Change, pet: Pet, kind: RecordKind, record_id: str
) -> MemoryItem | None:
    """Delete a record and its mirror; both can be brought back for ten minutes. Returns the mirror."""
    record = await record_of(session, change.scope, pet.id, kind, record_id)
    record.deleted_at = change.real_now
    session.add(record)
    touch(session, record.household_id)
    mirror = await mirror_of(session, change.scope, kind, record.id)
    if mirror is not None:
        mirror.status_before, mirror.status = mirror.status, MemoryStatus.DELETED.value
        mirror.deleted_at = change.real_now
        await revise_item(session, mirror, change.by, change.reason, change.now, change.real_now)
    await _settle_card(session, pet, kind)
    return mirror


async def restore_record(
    session: AsyncSession, change: Change, pet: Pet, kind: RecordKind, mirror: MemoryItem, record_id: str
) -> None:
    """Bring a deleted record and its mirror back as they were. Whether it is still time is the caller's to judge."""
    record = await session.get(kind.table, record_id)
    if record is None or record.household_id != change.scope.household_id:
        raise UnknownRecord()
    record.deleted_at = None
    session.add(record)
    mirror.status, mirror.status_before = mirror.status_before or _ITEM_STATUS[record.status].value, None
    mirror.deleted_at = mirror.retired_at = None
    await revise_item(session, mirror, change.by, change.reason, change.now, change.real_now)
    await _settle_card(session, pet, kind)


async def record_of(
    session: AsyncSession, scope: Scope, pet_id: str, kind: RecordKind, record_id: str
) -> RecordColumns:
    """One record of one pet of this household. Raises UnknownRecord."""
    table = kind.table
    record = (
        await session.exec(
            select(table).where(
                col(table.household_id) == scope.household_id,
                col(table.pet_id) == pet_id,
                col(table.id) == record_id,
                col(table.deleted_at).is_(None),
            )
        )
    ).one_or_none()
    if record is None:
        raise UnknownRecord()
    return record


async def records_of(
    session: AsyncSession,
    scope: Scope,
    pet_id: str,
    kind: RecordKind,
    *,
    current_only: bool = False,
    limit: int = 100,
    before: str | None = None,
) -> Sequence[RecordColumns]:
    """Records of one kind, newest first; `before` is the id to go on from."""
    table = kind.table
    query = select(table).where(
        col(table.household_id) == scope.household_id,
        col(table.pet_id) == pet_id,
        col(table.deleted_at).is_(None),
    )
    if current_only:
        query = query.where(col(table.status).in_(CURRENT))
    if before is not None:
        query = query.where(col(table.id) < before)
    return (await session.exec(query.order_by(col(table.id).desc()).limit(limit))).all()


async def safety_records(session: AsyncSession, scope: Scope) -> Sequence[tuple[RecordKind, RecordColumns]]:
    """Current allergies, conditions and medications of every pet of the household."""
    found: list[tuple[RecordKind, RecordColumns]] = []
    for kind in SAFETY_KINDS:
        table = kind.table
        rows = await session.exec(
            select(table).where(
                col(table.household_id) == scope.household_id,
                col(table.status).in_(CURRENT),
                col(table.deleted_at).is_(None),
            )
        )
        found.extend((kind, row) for row in rows.all())
    return found


async def mirror_of(session: AsyncSession, scope: Scope, kind: RecordKind, record_id: str) -> MemoryItem | None:
    """The memory line rendered from this record."""
    return (
        await session.exec(
            select(MemoryItem).where(
                col(MemoryItem.household_id) == scope.household_id,
                col(MemoryItem.record_kind) == kind.name,
                col(MemoryItem.record_id) == record_id,
            )
        )
    ).one_or_none()


def take_over(successor: MemoryItem, predecessor: MemoryItem) -> None:
    """Hand signals, tier and lock of a corrected line on to the one that replaces it."""
    successor.supersedes = predecessor.id
    successor.cited, successor.viewed, successor.hit = predecessor.cited, predecessor.viewed, predecessor.hit
    successor.last_used_at = predecessor.last_used_at
    successor.locked = predecessor.locked
    successor.protected = predecessor.protected
    if predecessor.tier == Tier.CORE.value:
        successor.tier = predecessor.tier


def happened_at(kind: RecordKind, fields: RecordFields, scope: Scope) -> datetime | None:
    """When the record became true in the world; the start of the local day when only a date is known."""
    when, _ = kind.happened(fields)
    if when is None or isinstance(when, datetime):
        return when
    return start_of_day(when, scope.timezone)


def start_of_day(day: date, timezone: str) -> datetime:
    """Local midnight as an instant."""
    return datetime.combine(day, time.min, ZoneInfo(timezone)).astimezone(UTC)


async def _settle_card(session: AsyncSession, pet: Pet, kind: RecordKind) -> None:
    if kind.name == WEIGHTS:
        await keep_latest_weight_on_card(session, pet)


def _new_mirror(
    change: Change, pet: Pet, kind: RecordKind, record: RecordColumns, fields: RecordFields, content: str | None
) -> MemoryItem:
    spec = spec_of(record.attribute)
    _, precision = kind.happened(fields)
    return MemoryItem(
        household_id=pet.household_id,
        owner_id=change.scope.owner_id,
        subject=pet.id,
        attribute=record.attribute,
        attribute_class=kind.attribute_class.value,
        value=fields.model_dump(mode="json", exclude_none=True),
        negated=bool(getattr(fields, "negated", False)),
        content=content or kind.line(pet.name, fields),
        topic=spec.topic.value,
        kind=(spec.kind if not kind.safety else Kind.FACT).value,
        memory_type=spec.memory_type.value,
        risk=spec.risk.value,
        weight_level=spec.weight_level,
        confidence=_confidence(change, record),
        tier=_tier(kind, record.status, spec).value,
        status=_ITEM_STATUS[record.status].value,
        source=change.source.value,
        record_kind=kind.name,
        record_id=record.id,
        valid_from=record.valid_from,
        valid_from_precision=precision.value,
        learned_at=change.now,
        last_evidence_at=change.now,
    )


async def _revise(
    session: AsyncSession, change: Change, pet: Pet, kind: RecordKind, record: RecordColumns, content: str | None
) -> None:
    record.version += 1
    session.add(record)
    _keep_version(session, change, kind, record)
    mirror = await mirror_of(session, change.scope, kind, record.id)
    if mirror is None:
        return
    fields = kind.read(record)
    rendered = content or kind.line(pet.name, fields)
    if kind.line(pet.name, fields) != kind.line(pet.name, kind.fields.model_validate(_own(kind, mirror.value))):
        mirror.content = rendered
    mirror.value = fields.model_dump(mode="json", exclude_none=True)
    mirror.attribute, mirror.negated = record.attribute, bool(getattr(fields, "negated", mirror.negated))
    mirror.status = _ITEM_STATUS[record.status].value
    mirror.tier = _tier(kind, record.status, spec_of(record.attribute)).value
    mirror.valid_from, mirror.valid_to = record.valid_from, record.valid_to
    mirror.valid_from_precision = kind.happened(fields)[1].value
    await revise_item(session, mirror, change.by, change.reason, change.now, change.real_now)


def _own(kind: RecordKind, value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value[name] for name in kind.fields.model_fields if name in value}


def _keep_version(session: AsyncSession, change: Change, kind: RecordKind, record: RecordColumns) -> None:
    if kind.safety or kind.name in _ON_CARDS:
        touch(session, record.household_id)
    if kind.name == "medications":
        words_written(session, record.household_id, change.scope.owner_id)
    snapshot = kind.read(record).model_dump(mode="json")
    append(
        session,
        RecordVersion,
        record_id=record.id,
        version=record.version,
        household_id=record.household_id,
        pet_id=record.pet_id,
        record_kind=kind.name,
        snapshot={**snapshot, "status": record.status},
        changed_by=change.by,
        reason=change.reason,
        at=change.now,
    )


def _tier(kind: RecordKind, status: str, spec: AttributeSpec) -> Tier:
    prescribed_diet = kind.name == "diets" and spec.risk is Risk.HIGH
    on_card = kind.safety or kind.name == "weights" or prescribed_diet
    return Tier.CORE if on_card and status in CURRENT else Tier.LONG


def status_told_by(fields: RecordFields, today: date, status: str = "active") -> str:
    """An end date, a cure or a refutation that the owner enters changes what the record is.

    A course that ends on a day to come is still taken; `ended_courses` ends it once that day is over.
    """
    if getattr(fields, "verification_status", None) == "refuted":
        return "refuted"
    ended_on: date | None = getattr(fields, "ended_on", None)
    if (ended_on is not None and ended_on <= today) or getattr(fields, "clinical_status", None) == "resolved":
        return "ended"
    return "active" if status in ("ended", "refuted") else status


def _confidence(change: Change, record: RecordColumns) -> float:
    """An owner's form or a verified vet is sure; talk is nearly so; a provisional caution is a guess."""
    if record.status == "provisional":
        return 0.5
    return 1.0 if change.source is Source.OWNER or change.verified else 0.95
