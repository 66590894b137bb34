"""Core cards as they are served: safety lines straight from the records, then what else memory carries in core."""

from collections.abc import Sequence
from datetime import datetime

from domain.dates import local_date_text
from domain.household_view import HouseholdView
from domain.pets import Pet
from domain.record_columns import RecordColumns
from domain.record_kinds import RecordKind
from domain.turn_context import CardLine, PetCard
from memory.items import MemoryItem
from memory.scope import Scope
from memory.visibility import is_live
from memory.vocabulary import OWNER_SUBJECT, MemoryStatus, Precision

PENDING_MARK = "（待确认）"


def pet_card(view: HouseholdView, scope: Scope, pet: Pet, now: datetime) -> PetCard:
    """The card of one pet: allergies, conditions, current drugs first, then the rest of its core items."""
    profile = next(profile for profile in view.profiles if profile.id == pet.id)
    mirrors = {**view.off_card, **{item.record_id: item.id for item in view.core if item.record_id}}
    safety = [
        _safety_line(pet, kind, record, mirrors, scope)
        for kind, record in view.safety
        if record.pet_id == pet.id and _in_force(record, now)
    ]
    mirrored = {record.id for _, record in view.safety}
    rest = [
        _item_line(item, scope)
        for item in view.core
        if item.subject == pet.id and item.record_id not in mirrored and is_live(item, now)
    ]
    return PetCard(profile, (*safety, *rest), pet.no_known_allergies)


def owner_card(view: HouseholdView, scope: Scope, now: datetime) -> tuple[CardLine, ...]:
    """This owner's own card; another owner of the household has another one."""
    return tuple(
        _item_line(item, scope)
        for item in view.core
        if item.subject == OWNER_SUBJECT and item.owner_id == scope.owner_id and is_live(item, now)
    )


def dated(text: str, at: datetime | None, precision: str, scope: Scope) -> str:
    """The line with its date behind it, where one is known: 豆豆打了狂犬疫苗（2026年3月1日）"""
    if at is None or precision == Precision.UNKNOWN.value:
        return text
    return f"{text}（{local_date_text(scope.local(at).date(), Precision(precision))}）"


def _safety_line(pet: Pet, kind: RecordKind, record: RecordColumns, mirrors: dict[str, str], scope: Scope) -> CardLine:
    fields = kind.read(record)
    _, precision = kind.happened(fields)
    provisional = record.status == MemoryStatus.PROVISIONAL.value
    text = dated(kind.line(pet.name, fields), record.valid_from, precision.value, scope)
    return CardLine(
        memory_id=mirrors.get(record.id, record.id),
        text=text + (PENDING_MARK if provisional else ""),
        topic="medical",
        attribute=record.attribute,
        safety=True,
        provisional=provisional,
        record_kind=kind.name,
        record_id=record.id,
        told_at=record.recorded_at,
    )


def _item_line(item: MemoryItem, scope: Scope) -> CardLine:
    provisional = item.status == MemoryStatus.PROVISIONAL.value
    text = dated(item.content, item.valid_from, item.valid_from_precision, scope)
    return CardLine(
        memory_id=item.id,
        text=text + (PENDING_MARK if provisional else ""),
        topic=item.topic,
        attribute=item.attribute,
        provisional=provisional,
        record_kind=item.record_kind,
        record_id=item.record_id,
        told_at=item.learned_at,
    )


def _in_force(record: RecordColumns, now: datetime) -> bool:
    return record.valid_to is None or record.valid_to > now


def lines_of(cards: Sequence[PetCard]) -> tuple[CardLine, ...]:
    """All lines of several cards."""
    return tuple(line for card in cards for line in card.lines)
