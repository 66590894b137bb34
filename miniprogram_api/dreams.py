"""The dream diary: what each night moved, merged, let fade and why, and the way back."""

from datetime import date, datetime
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from memory.dreams import Dream, dream_of, dreams_of, is_undoable, undo
from miniprogram_api.deps import Acting, Looking
from miniprogram_api.examples import AT, DREAM_ID, MEMORY_ID, PET_ID
from miniprogram_api.pagination import Page, Paging, page_of

router = APIRouter(prefix="/dreams", tags=["记忆"])

LINE: dict[str, Any] = {
    "what": "merged",
    "text": "「豆豆爱吃胡萝卜」记了两遍，合成了一条，来源都留着。",
    "memory_ids": [MEMORY_ID],
    "subject": PET_ID,
}


class DreamLine(BaseModel):
    """One thing that happened. `what` is a closed word; `text` can be shown as it is."""

    what: str
    text: str
    memory_ids: list[str]
    subject: str | None


class DreamOut(BaseModel):
    """One night. `undoable`: it changed something and has not been taken back."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": DREAM_ID,
                    "night_on": "2026-03-01",
                    "status": "done",
                    "started_at": AT,
                    "finished_at": AT,
                    "undone_at": None,
                    "lines": [LINE],
                    "undoable": True,
                }
            ]
        }
    )

    id: str
    night_on: date
    status: Literal["done", "cancelled", "stopped", "undone"]
    started_at: datetime
    finished_at: datetime | None
    undone_at: datetime | None
    lines: list[DreamLine]
    undoable: bool


@router.get("", summary="整理日记")
async def list_dreams(call: Looking, paging: Paging) -> Page[DreamOut]:
    """Newest first. A night in which nothing happened has no entry."""
    rows = await dreams_of(call.session, call.scope, paging.one_more, paging.after)
    return page_of(rows, paging, shape)


@router.get("/{dream_id}", summary="一晚的整理")
async def read_dream(dream_id: str, call: Looking) -> DreamOut:
    """One entry."""
    return shape(await dream_of(call.session, call.scope, dream_id))


@router.post("/{dream_id}/undo", summary="撤销一晚的整理")
async def undo_dream(dream_id: str, call: Acting) -> DreamOut:
    """Puts the memories back as they were. 409 `undo_unsafe` when one of them has changed since."""
    return shape(await undo(call.session, call.scope, dream_id, call.now, call.real_now))


def shape(dream: Dream) -> DreamOut:
    """The entry as clients see it; the states it keeps for undoing stay inside."""
    known = {name: getattr(dream, name) for name in DreamOut.model_fields if name not in ("lines", "undoable")}
    return DreamOut.model_validate({**known, "lines": dream.lines, "undoable": is_undoable(dream)})
