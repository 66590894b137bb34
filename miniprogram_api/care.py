"""What needs doing: vaccines and dewormings that are due by the rules, and what is worth saying first today."""

from datetime import date, timedelta
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from domain.confirming import asked, open_confirmations
from domain.due_dates import DueKind, DueStatus, RestsOn, due_of, due_of_pets
from domain.due_rules import Stage
from domain.follow_ups import open_follow_ups, still_asked
from domain.follow_ups import pieces as follow_up_pieces
from domain.opening import DuePiece, OpeningKind, opening
from domain.pets import pet_of, pets_of, profile_of
from domain.plans_asked import PlansAsked, opening_plans, window
from domain.schedules import occurrences_between
from memory.prepared import quick_of
from miniprogram_api.deps import Looking
from miniprogram_api.examples import PET_ID
from miniprogram_api.pagination import Page

router = APIRouter(tags=["护理"])

A_DAY = timedelta(days=1)
DEFAULT_WITHIN, MAX_WITHIN = 60, 730  # days: two months to plan in; no rule reaches further than two years


class DueOut(BaseModel):
    """One thing due. Overdue ones are always among them.

    `rests_on` is `dose` (the one before it), `age` (of a young pet), or `nothing` on record: then ask before reminding.
    `lapsed`: so long over that a vet has to say how to go on.
    """

    model_config = ConfigDict(
        from_attributes=True,
        json_schema_extra={
            "examples": [
                {
                    "kind": "vaccine",
                    "what": "狂犬疫苗",
                    "stage": "repeat",
                    "earliest_on": "2027-03-01",
                    "due_on": "2027-03-01",
                    "due_on_precision": "day",
                    "status": "upcoming",
                    "rests_on": "dose",
                    "lapsed": False,
                    "rule": "cn_rabies_dog",
                    "rule_text": "每年一次",
                    "source": "中华人民共和国动物防疫法(2021修订)第三十条; 农业农村主管部门《狂犬病防治技术规范》",
                }
            ]
        },
    )

    kind: DueKind
    what: str
    stage: Stage
    earliest_on: date
    due_on: date
    due_on_precision: Literal["day", "month"]
    status: DueStatus
    rests_on: RestsOn
    lapsed: bool
    rule: str
    rule_text: str
    source: str


class OpeningOut(BaseModel):
    """One thing to say first; `subject` is the pet, `id` that of a confirmation."""

    model_config = ConfigDict(
        from_attributes=True,
        json_schema_extra={
            "examples": [{"kind": "due", "text": "豆豆的狂犬疫苗还有5天到期。", "subject": PET_ID, "id": None}]
        },
    )

    kind: OpeningKind
    text: str
    subject: str | None
    id: str | None


@router.get("/pets/{pet_id}/due", summary="到期的疫苗和驱虫")
async def list_due(
    pet_id: str,
    call: Looking,
    within_days: Annotated[int, Query(ge=0, le=MAX_WITHIN, description="往后看多少天")] = DEFAULT_WITHIN,
) -> Page[DueOut]:
    """By the rules, each with rule and source, soonest first. The vet's own plan goes before them."""
    pet = await pet_of(call.session, call.scope, pet_id)
    last = call.scope.local(call.now).date() + timedelta(days=within_days)
    due = await due_of(call.session, call.scope, pet, call.now)
    return Page(items=[DueOut.model_validate(one) for one in due if one.due_on <= last])


@router.get("/chat/opening", summary="今天先说什么")
async def read_opening(call: Looking) -> Page[OpeningOut]:
    """At most three: how a sick pet is, what is planned for today or tomorrow, overdue or due within two weeks, and an
    open confirmation."""
    pets = await pets_of(call.session, call.scope)
    due = await due_of_pets(await quick_of(call.session), call.scope, pets, call.now)
    pieces = [DuePiece(one.what, one.due_on, pet_id) for pet_id, dates in due.items() for one in dates if one.has_a_day]
    questions = [asked(row) for row in reversed(await open_confirmations(call.session, call.scope, call.now))]
    today = call.scope.local(call.now).date()
    follow_ups = follow_up_pieces(still_asked(await open_follow_ups(call.session, call.scope), pets, today))
    now = call.scope.local(call.now)
    soon = await occurrences_between(call.session, call.scope, *window(PlansAsked(today, today + A_DAY), now))
    said = opening(
        today,
        [profile_of(pet) for pet in pets],
        due=pieces,
        follow_ups=follow_ups,
        questions=questions,
        plans=opening_plans(soon, {pet.id: pet.name for pet in pets}, now),
    )
    return Page(items=[OpeningOut.model_validate(one) for one in said])
