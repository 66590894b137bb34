"""What an owner may change about themselves, and what they used today."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BaseModel, Field, field_validator
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import NotFound
from domain.owners import Owner
from domain.token_use import tokens_of_day
from domain.turns import Turn
from memory.prepared import quick_of
from memory.revision import touch
from memory.scope import Scope

LOCAL_MINUTE = r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$"
MAX_NICKNAME = 30  # characters
MAX_PREFERENCES = 4000  # characters as JSON: switches of the mini-program, not a diary
_ZONES = frozenset(available_timezones())


class QuietHours(BaseModel):
    """Local times (HH:MM) between which nothing is pushed; the same time twice means never quiet."""

    model_config = {"extra": "forbid", "populate_by_name": True}

    begin: str = Field(alias="from", pattern=LOCAL_MINUTE)
    end: str = Field(alias="to", pattern=LOCAL_MINUTE)

    @field_validator("begin", "end")
    @classmethod
    def _is_a_minute(cls, value: str) -> str:
        return value[:5]

    @classmethod
    def between(cls, begin: time, end: time) -> "QuietHours":
        """From stored times."""
        return cls(begin=f"{begin:%H:%M}", end=f"{end:%H:%M}")


class OwnerChange(BaseModel):
    """The fields of `PUT /me`; absent means unchanged. `preferences` replaces the whole object."""

    model_config = {"extra": "forbid"}

    nickname: str | None = Field(default=None, max_length=MAX_NICKNAME)
    timezone: str | None = None
    quiet_hours: QuietHours | None = None
    preferences: dict[str, Any] | None = None

    @field_validator("timezone")
    @classmethod
    def _is_a_zone(cls, value: str | None) -> str | None:
        if value is not None and value not in _ZONES:
            raise ValueError("不认识这个时区，例如 Asia/Shanghai")
        return value

    @field_validator("preferences")
    @classmethod
    def _is_small(cls, value: dict[str, Any] | None) -> dict[str, Any] | None:
        if value is not None and len(json.dumps(value, ensure_ascii=False)) > MAX_PREFERENCES:
            raise ValueError("偏好设置太大了")
        return value


@dataclass(frozen=True, slots=True)
class Usage:
    """Turns and model tokens of one owner's local day."""

    turns: int
    prompt_tokens: int
    completion_tokens: int


async def owner_of(session: AsyncSession, scope: Scope) -> Owner:
    """The owner who acts. Raises NotFound when they were erased meanwhile."""
    owner = (
        await session.exec(
            select(Owner).where(col(Owner.household_id) == scope.household_id, col(Owner.id) == scope.owner_id)
        )
    ).one_or_none()
    if owner is None:
        raise NotFound()
    return owner


async def change_owner(session: AsyncSession, scope: Scope, given: Mapping[str, Any]) -> Owner:
    """Apply the given fields of an OwnerChange (already validated); null clears a nickname."""
    owner = await owner_of(session, scope)
    if "nickname" in given:
        owner.nickname = (given["nickname"] or "").strip() or None
    if given.get("timezone"):
        owner.timezone = given["timezone"]
    if given.get("quiet_hours"):
        hours: QuietHours = given["quiet_hours"]
        owner.quiet_from, owner.quiet_to = time.fromisoformat(hours.begin), time.fromisoformat(hours.end)
    if "preferences" in given:
        owner.preferences = given["preferences"] or {}
    session.add(owner)
    touch(session, scope.household_id)
    return owner


def masked_phone(number: str) -> str:
    """+8613800138000 → 138****8000; other countries keep their last four digits."""
    digits = re.sub(r"\D", "", number)
    if len(digits) == 13 and digits.startswith("86"):  # 86 and eleven digits: mainland China
        digits = digits[2:]
    return f"{digits[:3]}****{digits[-4:]}"


async def usage_today(session: AsyncSession, scope: Scope, now: datetime) -> Usage:
    """What the owner used on the local day of `now`."""
    midnight = scope.local(now).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=ZoneInfo(scope.timezone))
    turns = await session.exec(
        select(func.count())
        .select_from(Turn)
        .where(
            col(Turn.household_id) == scope.household_id,
            col(Turn.owner_id) == scope.owner_id,
            col(Turn.started_at) >= midnight,
            col(Turn.started_at) < midnight + timedelta(days=1),
        )
    )
    used = await tokens_of_day(await quick_of(session), scope, now)
    return Usage(turns.one(), used.prompt_tokens, used.completion_tokens)
