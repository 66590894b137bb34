"""Memories an owner writes or edits by hand: whom they are about, which archive they go to, and what is masked."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field, field_validator
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.attributes import CLASSES
from domain.errors import DomainFault, Implausible
from domain.owners import has_consent
from domain.pets import Pet, pet_of
from domain.record_kinds import SAFETY_KINDS
from memory.core_budget import Limits
from memory.core_card import enter_core
from memory.errors import ChangeStands
from memory.item_writes import revise_item
from memory.items import MemoryItem
from memory.last_change import TAKEN_BACK, as_before
from memory.memory_page import OwnWords, edit_item, item_of, keep_own_item, own_item
from memory.personal_numbers import mask_numbers
from memory.scope import Scope
from memory.topics import Topic
from memory.vocabulary import OWNER_SUBJECT, AttributeClass, Tier

LONG_TERM_MEMORY = "long_term_memory"  # the purpose of `domain.owners.POLICIES`
MAX_CONTENT = 300  # characters; a card of 1,500 still holds several

WRITABLE = tuple(item for item in AttributeClass if CLASSES[item].record_kind is None)
"""What is kept in memory alone; allergies, drugs and the like are entered as records."""


class ConsentNeeded(DomainFault):
    """Nothing new is kept without the owner's leave. Extra: `purpose`."""

    code = "consent_needed"
    detail = "你还没有同意保存长期记忆，请先在“我的授权”里打开"


def _plain_line(value: str | None) -> str | None:
    if value is None:
        return None
    line = mask_numbers(" ".join(value.split()))
    if not line:
        raise ValueError("不能是空的")
    return line


class OwnMemory(BaseModel):
    """A new memory. subject: "owner", a pet id, or null while it is unclear."""

    model_config = {"extra": "forbid"}

    subject: str | None = Field(default=None, max_length=64)
    content: str = Field(min_length=1, max_length=MAX_CONTENT)
    topic: Topic | None = None
    attribute_class: AttributeClass = AttributeClass.OTHER
    tier: Tier = Tier.LONG

    @field_validator("content")
    @classmethod
    def _is_one_line(cls, value: str) -> str | None:
        return _plain_line(value)

    @field_validator("attribute_class")
    @classmethod
    def _belongs_in_memory(cls, value: AttributeClass) -> AttributeClass:
        if value not in WRITABLE:
            raise ValueError("这类信息请记到对应的健康档案")
        return value

    @field_validator("tier")
    @classmethod
    def _is_kept(cls, value: Tier) -> Tier:
        if value is Tier.SHORT:
            raise ValueError("自己写的记忆不会进便签墙")
        return value


class MemoryEdit(BaseModel):
    """The fields of an edit; absent means unchanged."""

    model_config = {"extra": "forbid"}

    subject: str | None = Field(default=None, max_length=64)
    content: str | None = Field(default=None, min_length=1, max_length=MAX_CONTENT)
    topic: Topic | None = None

    @field_validator("content")
    @classmethod
    def _is_one_line(cls, value: str | None) -> str | None:
        return _plain_line(value)


@dataclass(frozen=True, slots=True)
class CardLimits:
    """The limits of a pet's card and of the owner's."""

    pet: Limits
    owner: Limits


async def write_memory(
    session: AsyncSession, scope: Scope, own: OwnMemory, limits: CardLimits, now: datetime, real_now: datetime
) -> tuple[MemoryItem, bool]:
    """Keep it, protected. The second value tells whether it was kept off a card that is full.

    Raises ConsentNeeded, UnknownPet, and Implausible when archive and subject do not belong together.
    """
    if not await has_consent(session, scope.owner_id, LONG_TERM_MEMORY):
        raise ConsentNeeded(purpose=LONG_TERM_MEMORY)
    spec = CLASSES[own.attribute_class]
    topic = own.topic or (Topic.OWNER if own.subject == OWNER_SUBJECT else _pet_topic(spec.topic))
    await _require_subject(session, scope, own.subject, topic)
    words = OwnWords(
        subject=own.subject,
        content=own.content,
        topic=topic,
        attribute_class=own.attribute_class,
        weight_level=spec.weight_level,
    )
    item, entered = own_item(scope, words, spec.risk, now), True
    if own.tier is Tier.CORE and own.subject is not None:
        card = limits.owner if own.subject == OWNER_SUBJECT else limits.pet
        safety = [kind.name for kind in SAFETY_KINDS]
        entered = await enter_core(session, scope, item, card, safety, now, real_now)
    return keep_own_item(session, scope, item, real_now), not entered


async def edit_memory(
    session: AsyncSession,
    scope: Scope,
    item_id: str,
    given: Mapping[str, Any],
    version: int | None,
    now: datetime,
    real_now: datetime,
) -> MemoryItem:
    """Apply the given fields of a MemoryEdit.

    Raises what `edit_item` raises, UnknownPet, and Implausible when archive and subject do not belong together.
    """
    fields = {name: value for name, value in given.items() if name == "subject" or value is not None}
    item = await edit_item(session, scope, item_id, fields, version, now, real_now)
    if fields.keys() & {"subject", "topic"}:
        await _require_subject(session, scope, item.subject, Topic(item.topic))
    return item


async def undo_change(
    session: AsyncSession, scope: Scope, item_id: str, limits: CardLimits, now: datetime, real_now: datetime
) -> MemoryItem:
    """Take the last change of a memory back, whoever made it, as a new version.

    Raises what `as_before` raises, and ChangeStands when it stood on a card that has no room for it any more or
    belonged to a pet that is gone.
    """
    was = (await item_of(session, scope, item_id)).tier
    item = await as_before(session, scope, item_id, now)
    if item.subject not in (None, OWNER_SUBJECT) and await session.get(Pet, item.subject) is None:
        raise ChangeStands()
    if item.tier == Tier.CORE.value and was != item.tier:
        card = limits.owner if item.subject == OWNER_SUBJECT else limits.pet
        safety = [kind.name for kind in SAFETY_KINDS]
        if not await enter_core(session, scope, item, card, safety, now, real_now):
            raise ChangeStands()
    return await revise_item(session, item, scope.owner_id, TAKEN_BACK, now, real_now)


async def _require_subject(session: AsyncSession, scope: Scope, subject: str | None, topic: Topic) -> None:
    if (subject == OWNER_SUBJECT) != (topic is Topic.OWNER) and subject is not None:
        raise Implausible("主人的记忆归在“主人”里，宠物的记忆归在八个主题里")
    if subject is not None and subject != OWNER_SUBJECT:
        await pet_of(session, scope, subject)


def _pet_topic(topic: Topic) -> Topic:
    return Topic.LIFESTYLE if topic is Topic.OWNER else topic
