"""The one rule of which memories exist for a reader; every read path uses it."""

from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, and_, or_
from sqlmodel import col

from memory.items import MemoryItem
from memory.vocabulary import AttributeClass, MemoryStatus

SERVED = (MemoryStatus.ACTIVE.value, MemoryStatus.PROVISIONAL.value)
"""Statuses that may enter a prompt or a card; provisional ones are marked 待确认."""

VISIBLE = (*SERVED, MemoryStatus.CANDIDATE.value, MemoryStatus.FADING.value, MemoryStatus.ARCHIVED.value)
"""Statuses the owner sees as living memory; the rest is history."""

SAFETY_CLASSES = frozenset(
    {AttributeClass.ALLERGY.value, AttributeClass.CHRONIC_CONDITION.value, AttributeClass.MEDICATION.value}
)
"""Their memories neither move nor decay (product contract)."""


STILL_FOUND = ("faded", "folded")
"""Reasons of archived rows that a question about the past still finds; the others were ended or never confirmed."""


def live(household_id: str | BindParameter[Any], now: datetime | BindParameter[Any]) -> ColumnElement[bool]:
    """Rows of this household that may be served at `now`: in force, not expired, not snoozed, not deleted."""
    return and_(
        col(MemoryItem.household_id) == household_id,
        or_(*(col(MemoryItem.status) == word for word in SERVED)),
        or_(col(MemoryItem.expires_at).is_(None), col(MemoryItem.expires_at) > now),
        or_(col(MemoryItem.snoozed_until).is_(None), col(MemoryItem.snoozed_until) <= now),
    )


def remembered(household_id: str | BindParameter[Any], now: datetime | BindParameter[Any]) -> ColumnElement[bool]:
    """Rows that recall may look at: the live ones, and what only left everyday recall (faded, or folded away)."""
    faded = and_(
        col(MemoryItem.household_id) == household_id,
        col(MemoryItem.status) == MemoryStatus.ARCHIVED.value,
        or_(*(col(MemoryItem.reason) == word for word in STILL_FOUND)),
        or_(col(MemoryItem.snoozed_until).is_(None), col(MemoryItem.snoozed_until) <= now),
    )
    return or_(live(household_id, now), faded)


def is_live(item: MemoryItem, now: datetime) -> bool:
    """The same rule for a row already in hand."""
    return (
        item.status in SERVED
        and (item.expires_at is None or item.expires_at > now)
        and (item.snoozed_until is None or item.snoozed_until <= now)
    )
