"""Schedules and the times at which they fall."""

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, ConfigDict

from domain.errors import Implausible
from domain.schedules import (
    Occurrence,
    Schedule,
    ScheduleFields,
    add_schedule,
    change_schedule,
    occurrences_between,
    remove_schedule,
    schedule_of,
    schedules_of,
)
from memory.vocabulary import Source
from miniprogram_api.deps import Acting, Looking
from miniprogram_api.examples import PET_ID, SCHEDULE_ID
from miniprogram_api.idempotent import OnlyOnce
from miniprogram_api.pagination import Cursor, Page, PageQuery, Paging, cursor_of, mark_of, page_of
from miniprogram_api.partial_input import all_optional, given_fields

router = APIRouter(prefix="/schedules", tags=["日程"])

MOST_AT_ONCE = 500  # occurrences in one answer: some 80 kB; a year of 200 daily plans would be 10 MB
DEFAULT_WINDOW = timedelta(days=31)  # what a calendar page shows

EXAMPLE: dict[str, Any] = {
    "pet_id": PET_ID,
    "title": "带豆豆打狂犬疫苗",
    "starts_at": "2026-03-04T15:00:00+08:00",
    "rrule": "FREQ=YEARLY",
    "remind_before_minutes": [1440, 60],
}
_SHOWN = {**EXAMPLE, "starts_at": "2026-03-04T07:00:00Z", "timezone": "Asia/Shanghai", "all_day": False}


class NewSchedule(ScheduleFields):
    model_config = {"extra": "forbid", "json_schema_extra": {"examples": [EXAMPLE]}}


ScheduleChange = all_optional(ScheduleFields, "ScheduleChange", {"title": "带豆豆打疫苗", "version": 1})


class ScheduleOut(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"id": SCHEDULE_ID, **_SHOWN, "source": "owner", "status": "active", "version": 1}]
        }
    )

    id: str
    pet_id: str | None
    title: str
    starts_at: datetime
    timezone: str
    all_day: bool
    rrule: str | None
    remind_before_minutes: list[int]
    source: Source
    status: Literal["active", "cancelled"]
    version: int


class OccurrenceOut(BaseModel):
    """One time at which a schedule falls."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "schedule_id": SCHEDULE_ID,
                    "pet_id": PET_ID,
                    "title": "带豆豆打狂犬疫苗",
                    "at": "2026-03-04T07:00:00Z",
                    "all_day": False,
                    "repeats": True,
                }
            ]
        }
    )

    schedule_id: str
    pet_id: str | None
    title: str
    at: datetime
    all_day: bool
    repeats: bool


def shape(schedule: Schedule) -> ScheduleOut:
    """The schedule as clients see it."""
    return ScheduleOut.model_validate(schedule, from_attributes=True)


@router.get("", summary="日程列表")
async def list_schedules(call: Looking, paging: Paging) -> Page[ScheduleOut]:
    """Newest first."""
    return page_of(await schedules_of(call.session, call.scope, paging.one_more, paging.after), paging, shape)


@router.post("", status_code=201, summary="新建日程", response_model=ScheduleOut)
async def create_schedule(fields: NewSchedule, call: Acting, once: OnlyOnce) -> Any:
    """`rrule` repeats by day, week, month or year; a rule that never falls or repeats too often is refused."""

    async def create() -> ScheduleOut:
        return shape(await add_schedule(call.session, call.scope, fields, call.now, Source.OWNER.value))

    return await once(create)


@router.get("/occurrences", summary="某段时间里的日程")
async def list_occurrences(
    call: Looking,
    since: Annotated[AwareDatetime | None, Query(alias="from", description="默认现在")] = None,
    until: Annotated[AwareDatetime | None, Query(alias="to", description="默认 31 天后，最多一年")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_AT_ONCE, description="每页条数")] = MOST_AT_ONCE,
    cursor: Cursor = None,
) -> Page[OccurrenceOut]:
    """Every repetition on its own, soonest first. A month of a usual household is one page."""
    begins, paging = since or call.now, PageQuery(limit, mark_of(cursor))
    begin = paging.position
    found = await occurrences_between(call.session, call.scope, begins, _end(begins, until), begin, paging.one_more)
    following = cursor_of(begin + limit) if len(found) > limit else None
    return Page(items=[_occurrence(one) for one in found[:limit]], next_cursor=following)


@router.get("/{schedule_id}", summary="一个日程")
async def read_schedule(schedule_id: str, call: Looking) -> ScheduleOut:
    """One schedule."""
    return shape(await schedule_of(call.session, call.scope, schedule_id))


@router.put("/{schedule_id}", summary="修改日程")
async def update_schedule(schedule_id: str, given: ScheduleChange, call: Acting) -> ScheduleOut:  # type: ignore[valid-type]  # made at import
    """Replaces the given fields only; a stale `version` is refused."""
    fields, version = given_fields(given)
    return shape(await change_schedule(call.session, call.scope, schedule_id, fields, version, call.now))


@router.delete("/{schedule_id}", status_code=204, summary="删除日程")
async def delete_schedule(schedule_id: str, call: Acting) -> None:
    """It falls no more, and reminds no more."""
    await remove_schedule(call.session, call.scope, schedule_id)


def _end(begins: datetime, until: datetime | None) -> datetime:
    try:
        return until or begins + DEFAULT_WINDOW
    except OverflowError:
        raise Implausible("时间超出了范围") from None


def _occurrence(one: Occurrence) -> OccurrenceOut:
    schedule = one.schedule
    return OccurrenceOut(
        schedule_id=schedule.id,
        pet_id=schedule.pet_id,
        title=schedule.title,
        at=one.at,
        all_day=schedule.all_day,
        repeats=schedule.rrule is not None,
    )
