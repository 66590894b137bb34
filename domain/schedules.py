"""Things planned: a title, a start, maybe a repetition (RFC 5545), and reminders before."""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import AwareDatetime, field_validator
from sqlalchemy import ForeignKey, func
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import Implausible, NotFound, StaleVersion, TooMany
from domain.pets import pet_of
from domain.record_columns import Words
from domain.reminders import next_reminder
from domain.repetition import LONGEST_WINDOW, MAX_RULE, occurrences, require_usable
from domain.word_verdicts import words_written
from memory.scope import Scope
from memory.sqltypes import Json, UtcDateTime, new_id

MAX_SCHEDULES = 200  # of a household: every window expands all of them
MAX_REMINDERS = 5
ACTIVE, CANCELLED = "active", "cancelled"  # what is cancelled in chat can be brought back for a while
MAX_REMIND_MINUTES = 30 * 24 * 60  # a month before
FIRST_YEAR, LAST_YEAR = 2000, 2100
EARLIEST = timedelta(days=366)  # before now; an old start makes every window long to expand
JUST_OVER = timedelta(hours=1)  # what begins right now, on a phone whose clock is slow
LATEST = timedelta(days=20 * 366)  # after now: the next booster of a puppy's life, not a typing error


class Schedule(SQLModel, table=True):
    """One plan of a household; `rrule` is expanded in `timezone`, so 15:00 stays 15:00."""

    __tablename__ = "schedules"

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str
    pet_id: str | None = Field(default=None, sa_column_args=[ForeignKey("pets.id", ondelete="CASCADE")])
    title: str
    starts_at: datetime = Field(sa_type=UtcDateTime)
    timezone: str
    all_day: bool = False  # then `starts_at` is midnight in `timezone`
    rrule: str | None = None
    remind_before_minutes: list[int] = Field(default_factory=list, sa_type=Json)
    source: str = "chat"
    status: str = ACTIVE
    remind_at: datetime | None = Field(default=None, index=True, sa_type=UtcDateTime)  # when it is next brought up
    created_at: datetime = Field(sa_type=UtcDateTime)
    version: int = 1


class UnknownSchedule(NotFound):
    code = "unknown_schedule"
    detail = "没有找到这个日程"


class ScheduleFields(SQLModel):
    """What an owner plans. `starts_at` carries its offset; `rrule` is an RFC 5545 rule without its DTSTART.

    all_day: a day without a clock time; of `starts_at` only the local day counts then.
    """

    model_config = {"extra": "forbid"}

    pet_id: str | None = Field(default=None, max_length=64)
    title: Words
    starts_at: AwareDatetime
    all_day: bool = False
    rrule: str | None = Field(default=None, max_length=MAX_RULE)
    remind_before_minutes: list[int] = Field(default_factory=list, max_length=MAX_REMINDERS)

    @field_validator("starts_at")
    @classmethod
    def _is_kept_in_utc(cls, value: datetime) -> datetime:
        if not FIRST_YEAR <= value.year < LAST_YEAR:
            raise ValueError("年份看起来不对")
        return value.astimezone(UTC)

    @field_validator("remind_before_minutes")
    @classmethod
    def _are_minutes_before(cls, value: list[int]) -> list[int]:
        if any(not 0 <= minutes <= MAX_REMIND_MINUTES for minutes in value):
            raise ValueError("提醒要在开始前 0 分钟到 30 天之间")
        return sorted(set(value), reverse=True)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One time at which a schedule falls; aware UTC."""

    schedule: Schedule
    at: datetime


async def add_schedule(
    session: AsyncSession, scope: Scope, fields: ScheduleFields, now: datetime, source: str
) -> Schedule:
    """A new plan. Raises UnknownPet, TooMany, BadRepetition, and Implausible for a start too far away."""
    count = await session.exec(
        select(func.count())
        .select_from(Schedule)
        .where(col(Schedule.household_id) == scope.household_id, col(Schedule.status) == ACTIVE)
    )
    if count.one() >= MAX_SCHEDULES:
        raise TooMany(f"最多可以有 {MAX_SCHEDULES} 个日程，请先删除不用的")
    schedule = Schedule(
        household_id=scope.household_id,
        owner_id=scope.owner_id,
        title=fields.title,
        starts_at=fields.starts_at,
        timezone=scope.timezone,
        source=source,
        created_at=now,
    )
    await _fill(session, scope, schedule, fields, now)
    session.add(schedule)
    words_written(session, scope.household_id, scope.owner_id)
    return schedule


async def change_schedule(
    session: AsyncSession,
    scope: Scope,
    schedule_id: str,
    given: Mapping[str, Any],
    version: int | None,
    now: datetime,
) -> Schedule:
    """Replace the given fields (absent = unchanged, None = cleared).

    Raises UnknownSchedule, StaleVersion, and what `add_schedule` raises.
    """
    schedule = await schedule_of(session, scope, schedule_id)
    if version is not None and version != schedule.version:
        raise StaleVersion(current_version=schedule.version)
    known = {name: getattr(schedule, name) for name in ScheduleFields.model_fields}
    await _fill(session, scope, schedule, ScheduleFields.model_validate({**known, **given}), now)
    schedule.version += 1
    session.add(schedule)
    if schedule.title != known["title"]:
        words_written(session, scope.household_id, scope.owner_id)
    return schedule


async def remove_schedule(session: AsyncSession, scope: Scope, schedule_id: str) -> Schedule:
    """Delete a plan and return what it was. Raises UnknownSchedule."""
    schedule = await schedule_of(session, scope, schedule_id)
    await session.delete(schedule)
    return schedule


async def schedule_of(session: AsyncSession, scope: Scope, schedule_id: str) -> Schedule:
    """One plan of this household. Raises UnknownSchedule."""
    schedule = (
        await session.exec(
            select(Schedule).where(
                col(Schedule.household_id) == scope.household_id,
                col(Schedule.id) == schedule_id,
                col(Schedule.status) == ACTIVE,
            )
        )
    ).one_or_none()
    if schedule is None:
        raise UnknownSchedule()
    return schedule


async def schedules_of(
    session: AsyncSession, scope: Scope, limit: int = MAX_SCHEDULES, before: str | None = None
) -> Sequence[Schedule]:
    """Plans of the household, newest first; `before` is the id to go on from."""
    query = select(Schedule).where(col(Schedule.household_id) == scope.household_id, col(Schedule.status) == ACTIVE)
    if before is not None:
        query = query.where(col(Schedule.id) < before)
    return (await session.exec(query.order_by(col(Schedule.id).desc()).limit(limit))).all()


async def occurrences_between(
    session: AsyncSession, scope: Scope, since: datetime, until: datetime, skip: int = 0, limit: int | None = None
) -> list[Occurrence]:
    """What falls in [since, until), soonest first: all, or `limit` of it after the first `skip`.

    Plans are unrolled side by side, and no further than is asked for. Raises Implausible for a window of over a year.
    """
    if not (FIRST_YEAR <= since.year < LAST_YEAR and since <= until <= since + LONGEST_WINDOW):
        raise Implausible("一次最多查看一年的日程")
    falling = [_falling(schedule, since, until) for schedule in await schedules_of(session, scope)]
    merged = heapq.merge(*falling, key=lambda one: (one.at, one.schedule.id))
    return list(islice(merged, skip, None if limit is None else skip + limit))


def _falling(schedule: Schedule, since: datetime, until: datetime) -> Iterator[Occurrence]:
    """The times of one plan, in order."""
    for at in occurrences(schedule.starts_at, schedule.rrule, schedule.timezone, since, until):
        yield Occurrence(schedule, at)


def note_next_reminder(schedule: Schedule, now: datetime) -> None:
    """Write down when the plan is brought up next; what is not active never is."""
    following = next_reminder(schedule, now) if schedule.status == ACTIVE else None
    schedule.remind_at = following.at if following else None


def next_of(schedule: Schedule, now: datetime) -> datetime | None:
    """When it falls next, aware UTC; what lasts the whole day counts until the day is over. None when it is over."""
    since = _midnight(now, schedule.timezone) if schedule.all_day else now
    until = max(now, schedule.starts_at) + LATEST
    return next(occurrences(schedule.starts_at, schedule.rrule, schedule.timezone, since, until), None)


def _midnight(at: datetime, timezone: str) -> datetime:
    return datetime.combine(at.astimezone(ZoneInfo(timezone)).date(), time.min, ZoneInfo(timezone)).astimezone(UTC)


async def _fill(session: AsyncSession, scope: Scope, schedule: Schedule, fields: ScheduleFields, now: datetime) -> None:
    if fields.pet_id is not None:
        await pet_of(session, scope, fields.pet_id)
    before = (schedule.starts_at, schedule.rrule)
    starts_at = _midnight(fields.starts_at, schedule.timezone) if fields.all_day else fields.starts_at
    rule = fields.rrule or None
    schedule.rrule = require_usable(rule, starts_at, schedule.timezone) if rule else None
    schedule.pet_id, schedule.title, schedule.starts_at = fields.pet_id, fields.title, starts_at
    schedule.all_day, schedule.remind_before_minutes = fields.all_day, fields.remind_before_minutes
    if before != (schedule.starts_at, schedule.rrule) or schedule.version == 1:
        _require_near(starts_at, now)
        _require_ahead(schedule, now)
    note_next_reminder(schedule, now)


def _require_ahead(schedule: Schedule, now: datetime) -> None:
    """A plan that never falls any more is a typing error. Raises Implausible."""
    if next_of(schedule, now - JUST_OVER) is None:
        raise Implausible("日程的时间已经过去了，请换一个以后的时间")


def _require_near(starts_at: datetime, now: datetime) -> None:
    if not now - EARLIEST <= starts_at <= now + LATEST:
        raise Implausible("日程的时间太早或太晚了，请核对年份")
