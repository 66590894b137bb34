"""What a pet's own page says (sex, neutering, birthday, chip) is known as well; a statement of the talk must meet it.

The page is the truth. A line of memory is made of it when a statement about the same slot comes, so that the one
conflict policy decides, and the page follows when the line that stands in the slot changes.
"""

import calendar
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from domain.attributes import spec_of
from domain.pets import Pet, pet_of
from domain.statement_rows import Desk
from memory.claims import Claim
from memory.intake import start_of_day
from memory.item_writes import add_item
from memory.items import MemoryItem
from memory.revision import touch
from memory.vocabulary import MemoryStatus, Precision, Source, Tier

PROFILE_SLOTS = frozenset({"sex", "neutered", "birth_date", "microchip", "breed"})
FROM_PROFILE = "from_profile"

_SAYS_THE_YEAR = re.compile(
    r"\d年|[今去前当]年|\d{4}|[零〇一二三四五六七八九]{2,4}年|个月大|月龄|出生|生的|生下|刚[生满]|今天|昨天|前天|上个?[月周]"
)
_SEXES = {"male": "公", "female": "母"}


def birthdays_in_their_year(claims: Sequence[Claim], pets: Mapping[str, Pet], today: date) -> list[Claim]:
    """A birthday that was told without a year (生日是3月5号) falls into the year on the pet's page; without one it has
    no day that can be stored. Nobody is born on a day to come."""
    return [_in_its_year(claim, pets, today) if claim.attribute == "birth_date" else claim for claim in claims]


def _in_its_year(claim: Claim, pets: Mapping[str, Pet], today: date) -> Claim:
    told, pet = claim.occurred_on, pets.get(claim.subject or "")
    if told is None or (_SAYS_THE_YEAR.search(claim.evidence.quote) and told <= today):
        return claim
    born = pet.born_on if pet is not None else None
    if born is None or _SAYS_THE_YEAR.search(claim.evidence.quote):
        return replace(claim, occurred_on=None, occurred_on_precision=Precision.UNKNOWN)
    last = calendar.monthrange(born.year, told.month)[1]
    day = date(born.year, told.month, min(told.day, last))
    return replace(claim, occurred_on=day if day <= today else None)


def line_from_profile(desk: Desk, pet: Pet, attribute: str) -> MemoryItem | None:
    """A new line, stored, of what the page says in this slot; None when the page leaves it open."""
    told = _told(pet, attribute)
    if told is None:
        return None
    content, value, negated, day = told
    spec = spec_of(attribute)
    line = MemoryItem(
        household_id=pet.household_id,
        owner_id=desk.scope.owner_id,
        subject=pet.id,
        attribute=attribute,
        attribute_class=spec.attribute_class.value,
        value=value,
        negated=negated,
        content=content,
        topic=spec.topic.value,
        kind=spec.kind.value,
        memory_type=spec.memory_type.value,
        risk=spec.risk.value,
        weight_level=spec.weight_level,
        confidence=1.0,
        tier=Tier.LONG.value,
        status=MemoryStatus.ACTIVE.value,
        source=Source.OWNER.value,
        valid_from=start_of_day(day, desk.scope) if day else None,
        valid_from_precision=pet.born_on_precision if day else Precision.UNKNOWN.value,
        learned_at=pet.created_at,
        last_evidence_at=pet.created_at,
    )
    return add_item(desk.session, line, desk.by, FROM_PROFILE, desk.real_now)


async def bring_profile_in_line(desk: Desk, item: MemoryItem) -> bool:
    """Let the pet's page say what the line in service says. True when the page changed."""
    if item.subject is None or item.subject not in desk.pets or item.attribute not in PROFILE_SLOTS:
        return False
    pet = await pet_of(desk.session, desk.scope, item.subject)  # the desk's pets may be read-only rows
    before = _page(pet)
    if item.attribute == "sex" and item.value.get("sex") in _SEXES:
        pet.sex = str(item.value["sex"])
    if item.attribute == "neutered":
        pet.neutered = not item.negated
    if item.attribute == "birth_date" and item.valid_from is not None:
        pet.born_on = desk.scope.local(item.valid_from).date()
        pet.born_on_precision = item.valid_from_precision
    if item.attribute == "microchip" and item.value.get("chip"):
        pet.microchip = str(item.value["chip"])
    if item.attribute == "breed" and item.value.get("breed"):
        pet.breed = str(item.value["breed"])
    if before == _page(pet):
        return False
    pet.version += 1
    desk.session.add(pet)
    touch(desk.session, pet.household_id)
    return True


def _page(pet: Pet) -> tuple[object, ...]:
    return pet.sex, pet.neutered, pet.born_on, pet.microchip, pet.breed


async def leave_open(desk: Desk, item: MemoryItem) -> None:
    """What the page took from a line that was taken back is open again, as it was before: the page said nothing then,
    or a line of the page's own would stand in the slot."""
    if item.subject is None or item.subject not in desk.pets:
        return
    pet = await pet_of(desk.session, desk.scope, item.subject)
    if item.attribute == "sex":
        pet.sex = "unknown"
    if item.attribute == "neutered":
        pet.neutered = None
    if item.attribute == "birth_date":
        pet.born_on, pet.born_on_precision = None, Precision.UNKNOWN.value
    if item.attribute == "microchip":
        pet.microchip = None
    if item.attribute == "breed":
        pet.breed = None
    pet.version += 1
    desk.session.add(pet)
    touch(desk.session, pet.household_id)


def worded_as_page(desk: Desk, item: MemoryItem) -> str:
    """How the pet's page says what was accepted (居然是个妹妹 → 元元是母的); the line's own words where it has none."""
    pet = desk.pets.get(item.subject or "")
    if pet is None:
        return item.content
    if item.attribute == "sex" and item.value.get("sex") in _SEXES:
        return f"{pet.name}是{_SEXES[item.value['sex']]}的"
    if item.attribute == "neutered":
        return f"{pet.name}{'还没' if item.negated else '已'}绝育"
    return item.content


def _told(pet: Pet, attribute: str) -> tuple[str, dict[str, Any], bool, date | None] | None:
    """Line, value, denial and day of one slot of the page."""
    if attribute == "sex" and pet.sex in _SEXES:
        return f"{pet.name}是{_SEXES[pet.sex]}的", {"sex": pet.sex}, False, None
    if attribute == "neutered" and pet.neutered is not None:
        negated = not pet.neutered
        return f"{pet.name}{'还没' if negated else '已'}绝育", {"neutered": pet.neutered}, negated, None
    if attribute == "microchip" and pet.microchip:
        return f"{pet.name}的芯片号是{pet.microchip}", {"chip": pet.microchip}, False, None
    if attribute == "breed" and pet.breed:
        return f"{pet.name}是{pet.breed}", {"breed": pet.breed}, False, None
    if attribute == "birth_date" and pet.born_on is not None:
        born = pet.born_on
        return f"{pet.name}生日{born.year}年{born.month}月{born.day}日", {}, False, born
    return None
