"""Follow-ups: what the assistant will come back to, and waving one away."""

from datetime import date, datetime
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from domain.follow_ups import FollowUp, dismiss, open_follow_ups, still_asked
from domain.pets import pets_of
from miniprogram_api.deps import Acting, Looking
from miniprogram_api.examples import AT, FOLLOW_UP_ID, PET_ID
from miniprogram_api.pagination import Page

router = APIRouter(prefix="/follow-ups", tags=["护理"])


class FollowUpOut(BaseModel):
    """One follow-up. `about` is what the owner said; `due_on` the local day on which it is asked."""

    model_config = ConfigDict(
        from_attributes=True,
        json_schema_extra={
            "examples": [
                {
                    "id": FOLLOW_UP_ID,
                    "pet_id": PET_ID,
                    "about": "豆豆昨天吐了两次",
                    "question": "豆豆好点了吗？",
                    "status": "open",
                    "due_on": "2026-03-02",
                    "opened_at": AT,
                    "asked_at": None,
                    "closed_at": None,
                }
            ]
        },
    )

    id: str
    pet_id: str
    about: str
    question: str
    status: Literal["open", "answered", "dismissed", "lapsed"]
    due_on: date
    opened_at: datetime
    asked_at: datetime | None
    closed_at: datetime | None


@router.get("", summary="跟进列表")
async def list_follow_ups(call: Looking) -> Page[FollowUpOut]:
    """Those that are open, the next one first. There are never many: one a pet."""
    rows = await open_follow_ups(call.session, call.scope)
    pets = await pets_of(call.session, call.scope)
    return Page(items=[shape(row) for row in still_asked(rows, pets, call.scope.local(call.now).date())])


@router.post("/{follow_up_id}/dismiss", summary="不用再问")
async def dismiss_follow_up(follow_up_id: str, call: Acting) -> FollowUpOut:
    """Doing it twice answers the same."""
    return shape(await dismiss(call.session, call.scope, follow_up_id, call.now))


def shape(row: FollowUp) -> FollowUpOut:
    """The follow-up as clients see it."""
    return FollowUpOut.model_validate(row)
