"""Writing what was decided: a line comes into service, changes or leaves it. A clinical fact does so as a record.

The same few acts serve a statement of the talk and the owner's answer to a question. A row that replaces another one
inherits its signals, tier and lock.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.attributes import spec_of
from domain.card_notices import tell_no_room
from domain.claim_records import Told, record_fields, record_kind_of, told_by_item
from domain.dose_times import changed_in_part
from domain.errors import Implausible
from domain.health_records import (
    Change,
    create_record,
    record_of,
    require_plausible_fields,
    set_record_status,
    take_over,
    update_record,
)
from domain.pets import Pet
from domain.record_columns import RecordFields
from domain.record_kinds import SAFETY_KINDS, RecordKind, kind_named
from memory.core_budget import OWNER_CARD, PET_CARD, Limits
from memory.core_card import enter_core
from memory.intake import start_of_day
from memory.item_writes import add_evidence, add_item, revise_item
from memory.items import EvidenceRow, MemoryItem
from memory.scope import Scope
from memory.vocabulary import OWNER_SUBJECT, Certainty, MemoryStatus, Precision, Source

_STATUS_OF_RECORD = {MemoryStatus.SUPERSEDED: "superseded", MemoryStatus.REJECTED: "refuted"}
_WHEN_DENIED = {"allergies": "refuted", "conditions": "ended", "medications": "ended", "diets": "ended"}
"""What a record becomes when the owner accepts that it does not hold (any more)."""


@dataclass(frozen=True, slots=True)
class Desk:
    """One unit of work: whose memory, who writes, when. `now` is domain time, `real_now` the machine's clock."""

    session: AsyncSession
    scope: Scope
    pets: Mapping[str, Pet]
    now: datetime
    real_now: datetime
    by: str
    source: Source = Source.CHAT
    verified: bool = False
    pet_card: Limits = PET_CARD
    owner_card: Limits = OWNER_CARD

    def card_of(self, line: MemoryItem) -> Limits:
        """The limits of the card that a line would stand on."""
        return self.owner_card if line.subject == OWNER_SUBJECT else self.pet_card

    def change(self, reason: str) -> Change:
        """The same as the record service wants it."""
        return Change(self.scope, self.by, reason, self.source, self.now, self.real_now, self.verified)


@dataclass(frozen=True, slots=True)
class Successor:
    """What takes the place of a row that leaves: the day it became true, and whether it denies what the row says."""

    became_true_on: date | None = None
    denies: bool = False


async def establish(
    desk: Desk,
    line: MemoryItem,
    told: Told,
    reason: str,
    evidence: Sequence[EvidenceRow],
    inherit: MemoryItem | None = None,
) -> MemoryItem:
    """Bring a new statement into service: as a record with its mirror, or as the line itself. Returns what is served.

    Raises Implausible, and pydantic's ValidationError, before anything is written.
    """
    pet = desk.pets.get(line.subject or "")
    kind = record_kind_of(told) if pet is not None and line.status in _IN_SERVICE else None
    if kind is None or pet is None or is_only_a_guess(line, kind):
        if inherit is not None:
            take_over(line, inherit)
        if line.protected and line.subject is not None and line.status in _IN_SERVICE:
            card = desk.card_of(line)
            if not await enter_core(desk.session, desk.scope, line, card, _SAFETY_NAMES, desk.now, desk.real_now):
                await tell_no_room(desk.session, desk.scope, line, desk.now)
        add_item(desk.session, line, desk.by, reason, desk.real_now)
        for said in evidence:
            add_evidence(desk.session, "memory", line.id, said)
        return line
    fields = record_fields(kind, told)
    if inherit is not None and inherit.record_kind == kind.name:
        fields = await _with_details_of(desk, pet, kind, inherit, fields, line.content)
    record, mirror = await create_record(
        desk.session,
        desk.change(reason),
        pet,
        kind,
        fields,
        status=_IN_SERVICE[line.status],
        attribute=told.attribute,
        content=None if _denies_something(told) else told.content or None,
        evidence=evidence,
        inherit=inherit,
        card=desk.pet_card,
    )
    if inherit is not None and inherit.record_kind == kind.name:
        record.supersedes = inherit.record_id
    _as_told(desk, mirror, line)
    return mirror


def require_holdable(desk: Desk, subject: str | None, told: Told) -> None:
    """Raises Implausible for a statement that could never become its record, before anything is written of it.

    Values come from talk and from files; whatever is wrong with one is the same to an owner.
    """
    pet, kind = desk.pets.get(subject or ""), record_kind_of(told)
    if pet is None or kind is None:
        return
    try:
        fields = record_fields(kind, told)
    except (ValueError, TypeError) as error:
        raise Implausible() from error
    require_plausible_fields(fields, pet)


def is_only_a_guess(line: MemoryItem, kind: RecordKind) -> bool:
    """Said with doubt: no record, for a vet reads those. What was seen is one even so, and a caution always is."""
    doubtful = line.certainty != Certainty.PLAIN.value and line.status == MemoryStatus.ACTIVE.value
    return doubtful and kind.name != "observations"


async def promote(desk: Desk, item: MemoryItem, reason: str, inherit: MemoryItem | None = None) -> MemoryItem:
    """Bring a candidate or a provisional row into force. Returns the line that is served from now on.

    A candidate that is a clinical fact gets its record now, and the candidate retires in favour of the mirror.
    """
    if item.record_id is not None:
        await _set_status(desk, item, "active", reason)
        return item
    told = told_by_item(item, desk.scope)
    pet = desk.pets.get(item.subject or "")
    if pet is None or record_kind_of(told) is None:
        item.status = MemoryStatus.ACTIVE.value
        item.content = _as_a_denial(item, pet, inherit)
        if inherit is not None:
            take_over(item, inherit)
        return await revise_item(desk.session, item, desk.by, reason, desk.now, desk.real_now)
    if told.occurred_on is None and inherit is not None and inherit.valid_from is not None:
        told = replace(
            told,
            occurred_on=desk.scope.local(inherit.valid_from).date(),
            precision=Precision(inherit.valid_from_precision),
        )
    if inherit is not None:
        told = replace(told, content="")  # the record's own line: the words spoke of the change, not of how it is
    line = _copy_of(item)
    line.certainty = Certainty.PLAIN.value
    mirror = await establish(desk, line, told, reason, await _evidence_copies(desk, item), inherit)
    item.status, item.reason = MemoryStatus.SUPERSEDED.value, f"became {mirror.id}"
    await revise_item(desk.session, item, desk.by, reason, desk.now, desk.real_now)
    return mirror


async def close(desk: Desk, item: MemoryItem, status: MemoryStatus, reason: str, successor: Successor) -> None:
    """Take a row out of service; its history stays. A record ends, is refuted or superseded as the case may be."""
    ended_at = start_of_day(successor.became_true_on, desk.scope) if successor.became_true_on else None
    if item.record_kind is not None:
        told = _STATUS_OF_RECORD[status]
        if status is MemoryStatus.SUPERSEDED and successor.denies:
            told = _WHEN_DENIED.get(item.record_kind, told)
        await _set_status(desk, item, told, reason, successor.became_true_on)
        return
    item.status, item.valid_to, item.reason = status.value, ended_at or item.valid_to, reason
    await revise_item(desk.session, item, desk.by, reason, desk.now, desk.real_now)


async def add_details(desk: Desk, item: MemoryItem, told: Told, reason: str) -> bool:
    """Fill what the record of this line does not say yet (a dose, a stage, a reaction). Never changes what it says."""
    pet, kind = desk.pets.get(item.subject or ""), record_kind_of(told)
    if pet is None or kind is None or item.record_id is None or kind.name != item.record_kind or not kind.safety:
        return False
    record = await record_of(desk.session, desk.scope, pet.id, kind, item.record_id)
    known, fresh = kind.read(record).model_dump(), record_fields(kind, told).model_dump(exclude_defaults=True)
    missing: dict[str, Any] = {
        name: value for name, value in fresh.items() if known.get(name) is None and not name.endswith(_DAYS)
    }
    if missing:
        await update_record(desk.session, desk.change(reason), pet, kind, item.record_id, missing)
    return bool(missing)


_SAFETY_NAMES = tuple(kind.name for kind in SAFETY_KINDS)
_DENIAL = re.compile(r"不是|不过敏|没(?:有)?过敏|阴性|(?:听|记|搞|弄|说|看)(?:错|反|混|岔)")
_IN_SERVICE = {MemoryStatus.ACTIVE.value: "active", MemoryStatus.PROVISIONAL.value: "provisional"}
_NAMES = ("substance", "category", "name", "product", "ingredient")  # what fills a slot is named as it was
_DAYS = ("_on", "_precision")  # when a thing is said again it is not the day it began


async def _set_status(desk: Desk, item: MemoryItem, status: str, reason: str, ended_on: date | None = None) -> None:
    kind = kind_named(item.record_kind or "")
    pet = desk.pets[item.subject or ""]
    record = await record_of(desk.session, desk.scope, pet.id, kind, item.record_id or "")
    if status == "ended" and ended_on is not None and hasattr(record, "ended_on"):
        record.ended_on, record.ended_on_precision = ended_on, "day"
    valid_to = start_of_day(ended_on, desk.scope) if ended_on else None
    await set_record_status(desk.session, desk.change(reason), pet, kind, record, status, valid_to)


async def _with_details_of(
    desk: Desk, pet: Pet, kind: RecordKind, replaced: MemoryItem, fields: RecordFields, words: str
) -> RecordFields:
    """A new dose keeps the rhythm that nobody spoke of: what the change leaves open stays, and so does the name.

    A dose that is changed for one time of the day stays what it was at the others.
    """
    if not kind.safety or replaced.record_id is None:
        return fields
    known = kind.read(await record_of(desk.session, desk.scope, pet.id, kind, replaced.record_id))
    kept = {
        name: value
        for name, value in known.model_dump().items()
        if name in _NAMES or (getattr(fields, name) is None and not name.startswith("ended"))
    }
    old, new = str(getattr(known, "dose_text", None) or ""), str(getattr(fields, "dose_text", None) or "")
    dose = changed_in_part(old, words, new)
    return fields.model_copy(update={**kept, "dose_text": dose} if dose else kept)


async def _evidence_copies(desk: Desk, item: MemoryItem) -> list[EvidenceRow]:
    rows = await desk.session.exec(
        select(EvidenceRow)
        .where(
            col(EvidenceRow.household_id) == desk.scope.household_id,
            col(EvidenceRow.target_kind) == "memory",
            col(EvidenceRow.target_id) == item.id,
        )
        .order_by(col(EvidenceRow.id))
    )
    return [EvidenceRow(**row.model_dump(exclude={"id"})) for row in rows.all()]


def _as_told(desk: Desk, mirror: MemoryItem, line: MemoryItem) -> None:
    """What the words say beyond the record: how sure they were, of which archive, kept at the owner's wish."""
    mirror.certainty, mirror.topic, mirror.memory_type = line.certainty, line.topic, line.memory_type
    mirror.weight_level = line.weight_level
    mirror.protected = mirror.protected or line.protected
    mirror.last_evidence_at = line.last_evidence_at
    if line.status == MemoryStatus.ACTIVE.value and desk.source is not Source.OWNER:
        mirror.confidence = line.confidence


def _denies_something(told: Told) -> bool:
    """不是虾，是牛肉: words that also take something back are no line for the danger that they name."""
    return spec_of(told.attribute).guards and _DENIAL.search(told.content) is not None


def _as_a_denial(item: MemoryItem, pet: Pet | None, denied: MemoryItem | None) -> str:
    """How a denied danger reads once it is settled: 煤球对虾不过敏, whatever words it was first denied in."""
    spec = spec_of(item.attribute)
    if pet is None or denied is None or not (spec.guards and item.negated):
        return item.content
    return spec.render(pet.name, {**item.value, **denied.value}, True)


def _copy_of(item: MemoryItem) -> MemoryItem:
    copied = item.model_copy()
    return MemoryItem(**copied.model_dump(exclude={"id", "status", "version"}), status=MemoryStatus.ACTIVE.value)
