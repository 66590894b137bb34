"""The weekly review: what the assistant only suspects, with its counts, for the owner to keep or to wave away."""

from datetime import datetime
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from domain.hunches import dismiss_hunch, keep_hunch
from memory.hunches import Hunch, waiting_hunches
from miniprogram_api.deps import Acting, Looking
from miniprogram_api.examples import AT, HUNCH_ID, MEMORY_ID, PET_ID
from miniprogram_api.pagination import Page

router = APIRouter(prefix="/reviews", tags=["记忆"])


class ReviewOut(BaseModel):
    """One hunch. `stale`: what it was counted from was taken back. `memory_id`: the guess that was made of it."""

    model_config = ConfigDict(
        from_attributes=True,
        json_schema_extra={
            "examples": [
                {
                    "id": HUNCH_ID,
                    "subject": PET_ID,
                    "kind": "follows",
                    "text": "豆豆换粮后三天内软便 ×3",
                    "count": 3,
                    "sources": [MEMORY_ID],
                    "status": "waiting",
                    "memory_id": None,
                    "found_at": AT,
                    "changed_at": AT,
                }
            ]
        },
    )

    id: str
    subject: str
    kind: Literal["follows", "repeats"]
    text: str
    count: int
    sources: list[str]
    status: Literal["waiting", "taken_up", "kept", "dismissed", "stale"]
    memory_id: str | None
    found_at: datetime
    changed_at: datetime


@router.get("", summary="本周回顾")
async def list_reviews(call: Looking) -> Page[ReviewOut]:
    """What waits, the most often seen first. None of it enters an answer before it is kept."""
    return Page(items=[shape(row) for row in await waiting_hunches(call.session, call.scope)])


@router.post("/{review_id}/keep", summary="有关系，留着")
async def keep_review(review_id: str, call: Acting) -> ReviewOut:
    """From then on it is told as a guess. Doing it twice answers the same."""
    return shape(await keep_hunch(call.session, call.scope, review_id, call.now, call.real_now))


@router.post("/{review_id}/dismiss", summary="没有关系，划掉")
async def dismiss_review(review_id: str, call: Acting) -> ReviewOut:
    """It is not brought up again, and a guess made of it goes."""
    return shape(await dismiss_hunch(call.session, call.scope, review_id, call.now, call.real_now))


def shape(row: Hunch) -> ReviewOut:
    """The hunch as clients see it."""
    return ReviewOut.model_validate(row)
