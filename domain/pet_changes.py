"""Adding and changing a pet by its owner's hand."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import DomainFault, StaleVersion, TooMany
from domain.health_records import Change, mirror_of, records_of
from domain.page_lines import follow_page
from domain.pets import MAX_PETS, Pet, PetFields, names_of, pet_of, pets_of
from domain.record_kinds import KINDS
from domain.statement_rows import Desk
from domain.word_verdicts import words_written
from memory.item_writes import revise_item
from memory.revision import touch
from memory.scope import Scope
from memory.slot_locks import wait_for_turn

RENAMED = "renamed"
MAX_RENDERED = 1000  # records of a kind whose lines are written anew when a pet is renamed


class AllergiesOnRecord(DomainFault):
    """ "No known allergies" was said of a pet that has some on record."""

    code = "allergies_on_record"
    detail = "档案里还有过敏记录，请先处理它们，再标为“没有已知过敏”"


class NameTaken(DomainFault):
    """Another pet of the household is called so. Extra: `pet_id` and `name` of that one."""

    code = "pet_name_taken"


async def add_pet(session: AsyncSession, scope: Scope, fields: PetFields, now: datetime) -> Pet:
    """A new pet of the household. Raises TooMany, NameTaken."""
    await wait_for_turn(session, scope.household_id)  # of two at once, the second sees the first
    pets = await pets_of(session, scope)
    if len(pets) >= MAX_PETS:
        raise TooMany(f"最多可以添加 {MAX_PETS} 只宠物")
    _require_own_names(names_of(fields), pets)
    pet = Pet(household_id=scope.household_id, created_at=now, **fields.model_dump(mode="python"))
    pet.born_on_precision = fields.born_on_precision.value
    session.add(pet)
    touch(session, scope.household_id)
    words_written(session, scope.household_id, scope.owner_id)
    return pet


async def change_pet(
    session: AsyncSession, change: Change, pet_id: str, given: Mapping[str, Any], version: int | None
) -> Pet:
    """Replace the given fields (absent = unchanged, None = cleared).

    Raises UnknownPet, StaleVersion, AllergiesOnRecord, NameTaken, and pydantic's ValidationError for impossible values.
    """
    if given.keys() & {"name", "nicknames"}:
        await wait_for_turn(session, change.scope.household_id)
    pet = await pet_of(session, change.scope, pet_id)
    if version is not None and version != pet.version:
        raise StaleVersion(current_version=pet.version)
    known = {name: getattr(pet, name) for name in PetFields.model_fields}
    fields = PetFields.model_validate({**known, **given})
    if new := names_of(fields) - names_of(pet):
        _require_own_names(new, [one for one in await pets_of(session, change.scope) if one.id != pet_id])
    if fields.no_known_allergies and not pet.no_known_allergies:
        await _require_no_allergies(session, change.scope, pet_id)
    for name, value in fields.model_dump(mode="json").items():
        setattr(pet, name, value)
    pet.born_on = fields.born_on
    pet.version += 1
    session.add(pet)
    touch(session, pet.household_id)
    await _let_memory_follow(session, change, pet, known)
    return pet


def _require_own_names(names: Collection[str], others: Sequence[Pet]) -> None:
    """Raises NameTaken. Pets that are gone keep their names, too: their records are still asked for."""
    for other in others:
        for name in sorted(names_of(other) & set(names)):
            told = f"家里已经有一只叫“{name}”的了，同名容易把它们的过敏和用药弄混。起个能区分的名字吧，比如“小{name}”"
            instead = "" if other.status == "active" else f"；或者先给原来那只改个名字，比如“老{name}”"
            raise NameTaken(told + instead, pet_id=other.id, name=other.name)


async def _let_memory_follow(session: AsyncSession, change: Change, pet: Pet, before: Mapping[str, Any]) -> None:
    changed = {name for name, value in before.items() if getattr(pet, name) != value}
    desk = Desk(session, change.scope, {pet.id: pet}, change.now, change.real_now, change.by, change.source)
    await follow_page(desk, pet, changed)
    if "name" in changed:
        words_written(session, change.scope.household_id, change.scope.owner_id)
        await _render_anew(session, change, pet, before["name"])


async def _require_no_allergies(session: AsyncSession, scope: Scope, pet_id: str) -> None:
    if await records_of(session, scope, pet_id, KINDS["allergies"], current_only=True, limit=1):
        raise AllergiesOnRecord()


async def _render_anew(session: AsyncSession, change: Change, pet: Pet, old_name: str) -> None:
    """Mirrored lines carry the pet's name; those that read as their record does are written with the new one."""
    for kind in KINDS.values():
        for record in await records_of(session, change.scope, pet.id, kind, limit=MAX_RENDERED):
            mirror = await mirror_of(session, change.scope, kind, record.id)
            fields = kind.read(record)
            if mirror is not None and mirror.content == kind.line(old_name, fields):
                mirror.content = kind.line(pet.name, fields)
                await revise_item(session, mirror, change.by, RENAMED, change.now, change.real_now)
