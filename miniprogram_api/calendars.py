"""Calendar subscriptions: their tokens, and the feed that calendar apps read without signing in."""

from datetime import datetime
from typing import Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict

from domain.ai_labels import CALENDAR, MAY_BE, AiLabel
from domain.calendar_feed import feed
from domain.calendar_tokens import (
    CalendarToken,
    add_calendar_token,
    calendar_behind,
    calendar_tokens_of,
    remove_calendar_token,
    token_of,
)
from domain.due_dates import due_of_pets
from domain.owners import Owner, scope_of
from domain.pets import pets_of
from domain.schedules import schedules_of
from memory.prepared import quick_of
from miniprogram_api.clock import Now
from miniprogram_api.deps import Acting, Looking
from miniprogram_api.errors import PROBLEM_RESPONSES
from miniprogram_api.examples import AT, CALENDAR_ID
from miniprogram_api.idempotent import OnlyOnce
from miniprogram_api.pagination import Page
from miniprogram_api.parts import parts_of

router = APIRouter(prefix="/calendar-tokens", tags=["日程"])
feed_router = APIRouter(tags=["日程"])

FEED_PATH = "/calendar.ics"
_SAMPLE = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//PawSignal//Care calendar//ZH\r\nEND:VCALENDAR\r\n"


class CalendarOut(BaseModel):
    """One subscription, without its token."""

    model_config = ConfigDict(
        from_attributes=True, json_schema_extra={"examples": [{"id": CALENDAR_ID, "created_at": AT}]}
    )

    id: str
    created_at: datetime


class NewCalendarOut(CalendarOut):
    """A new subscription with the address to give to a calendar app. It is shown this once."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": CALENDAR_ID,
                    "created_at": AT,
                    "token": "b3J-kQm0",
                    "url": "https://example.com/calendar.ics?token=b3J-kQm0",
                }
            ]
        }
    )

    token: str
    url: str


@router.get("", summary="日历订阅列表")
async def list_calendars(call: Looking) -> Page[CalendarOut]:
    """Newest first; the addresses themselves are not kept."""
    return Page(items=[_shape(one) for one in await calendar_tokens_of(call.session, call.scope)])


@router.post("", status_code=201, summary="订阅日历", response_model=NewCalendarOut)
async def create_calendar(request: Request, call: Acting, once: OnlyOnce) -> Any:
    """An address that any calendar app can subscribe to; whoever has it can read the plans, until it is taken back."""
    key = call.parts.keys.calendars

    async def create() -> CalendarOut:
        return _shape(await add_calendar_token(call.session, call.scope, key, call.now))

    made = await once(create)
    token = token_of(key, made["id"])
    base = call.parts.options.public_url or str(request.base_url).rstrip("/")
    return made | {"token": token, "url": f"{base}{FEED_PATH}?token={token}"}


@router.delete("/{calendar_id}", status_code=204, summary="取消日历订阅")
async def delete_calendar(calendar_id: str, call: Acting) -> None:
    """The address is dead at once."""
    await remove_calendar_token(call.session, call.scope, calendar_id)


@feed_router.get(
    FEED_PATH,
    summary="日历订阅内容（iCalendar）",
    response_class=Response,
    responses={**PROBLEM_RESPONSES, 200: {"content": {"text/calendar": {"example": _SAMPLE}}}},
)
async def read_feed(request: Request, now: Now, token: str = Query(default="", max_length=200)) -> Response:
    """Plans with their repetition and reminders, and what is due by the rules."""
    async with parts_of(request).transactions.read() as session:
        subscription = await calendar_behind(session, token)
        owner = await session.get_one(Owner, subscription.owner_id)
        scope = scope_of(owner)
        pets = [pet for pet in await pets_of(session, scope) if pet.status == "active"]
        names = {pet.id: pet.name for pet in pets}
        plans = [one for one in await schedules_of(session, scope) if one.pet_id is None or one.pet_id in names]
        due = await due_of_pets(await quick_of(session), scope, pets, now)
    label = AiLabel(CALENDAR, subscription.id, parts_of(request).options.ai_producer, MAY_BE)
    text = feed(plans, due, names, scope.local(now).date(), now, label)
    return Response(text, media_type="text/calendar; charset=utf-8", headers={"Cache-Control": "private, no-store"})


def _shape(token: CalendarToken) -> CalendarOut:
    return CalendarOut.model_validate(token)
