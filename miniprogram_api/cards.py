"""The core cards: what every reply about a pet, or to this owner, knows."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from domain.pets import pet_of
from memory.core_budget import Limits, count_chars
from memory.core_card import card_of
from memory.items import MemoryItem
from memory.topics import Topic
from memory.vocabulary import OWNER_SUBJECT
from miniprogram_api.deps import Call, Looking
from miniprogram_api.examples import MEMORY_ID, RECORD_ID

router = APIRouter(tags=["身份卡"])

EXAMPLE: dict[str, Any] = {
    "items": [
        {
            "memory_id": MEMORY_ID,
            "content": "豆豆对鸡肉过敏（抓耳朵、起红疹）",
            "topic": "medical",
            "attribute": "allergy:chicken",
            "locked": False,
            "provisional": False,
            "record_kind": "allergies",
            "record_id": RECORD_ID,
        }
    ],
    "used_items": 1,
    "limit_items": 20,
    "used_chars": 16,
    "limit_chars": 1500,
}


class CardItemOut(BaseModel):
    """One line; `provisional` is 待确认."""

    memory_id: str
    content: str
    topic: Topic
    attribute: str
    locked: bool
    provisional: bool
    record_kind: str | None
    record_id: str | None


class CardOut(BaseModel):
    """A card and its limits. Characters are code points after NFC, counted by the function that enforces them."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    items: list[CardItemOut]
    used_items: int
    limit_items: int
    used_chars: int
    limit_chars: int


@router.get("/pets/{pet_id}/card", summary="宠物的身份卡")
async def read_pet_card(pet_id: str, call: Looking) -> CardOut:
    """At most 20 lines and 1,500 characters, unless configured otherwise."""
    pet = await pet_of(call.session, call.scope, pet_id)
    return await _card(call, pet.id, call.parts.options.pet_card)


@router.get("/me/card", summary="主人的卡")
async def read_owner_card(call: Looking) -> CardOut:
    """The owner's own card."""
    return await _card(call, OWNER_SUBJECT, call.parts.options.owner_card)


async def _card(call: Call, subject: str, limits: Limits) -> CardOut:
    items = await card_of(call.session, call.scope, subject, call.now)
    return CardOut(
        items=[_line(item) for item in items],
        used_items=len(items),
        limit_items=limits.items,
        used_chars=sum(count_chars(item.content) for item in items),
        limit_chars=limits.chars,
    )


def _line(item: MemoryItem) -> CardItemOut:
    return CardItemOut(
        memory_id=item.id,
        content=item.content,
        topic=Topic(item.topic),
        attribute=item.attribute,
        locked=item.locked,
        provisional=item.status == "provisional",
        record_kind=item.record_kind,
        record_id=item.record_id,
    )
