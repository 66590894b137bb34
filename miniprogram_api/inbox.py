"""In-app prompts: all that could not be pushed, and what was."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from domain.inbox import Delivery, InboxMessage, inbox_of, mark_read
from domain.owner_profiles import owner_of
from miniprogram_api.deps import Acting, Looking
from miniprogram_api.examples import AT, CONFIRMATION_ID, INBOX_ID
from miniprogram_api.pagination import Page, Paging, page_of

router = APIRouter(prefix="/inbox", tags=["消息"])


class InboxMessageOut(BaseModel):
    """One prompt. `link` names what it is about; `delivery` tells what became of its push."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": INBOX_ID,
                    "kind": "confirmation",
                    "title": "有一条档案想请你确认",
                    "body": "你说「豆豆最近吃鸡肉没问题」，档案里记的是豆豆对鸡肉过敏。要更新吗？",
                    "link": {"confirmation_id": CONFIRMATION_ID},
                    "created_at": AT,
                    "read_at": None,
                    "delivery": "waiting",
                }
            ]
        }
    )

    id: str
    kind: str
    title: str
    body: str
    link: dict[str, Any]
    created_at: datetime
    read_at: datetime | None
    delivery: Delivery


def shape(message: InboxMessage) -> InboxMessageOut:
    """The prompt as clients see it."""
    return InboxMessageOut.model_validate(message, from_attributes=True)


@router.get("", summary="消息列表")
async def list_messages(
    call: Looking, paging: Paging, unread: Annotated[bool, Query(description="只看未读")] = False
) -> Page[InboxMessageOut]:
    """Newest first."""
    owner = await owner_of(call.session, call.scope)
    rows = await inbox_of(call.session, owner, call.now, paging.one_more, paging.after, unread=unread)
    return page_of(rows, paging, shape)


@router.post("/{message_id}/read", summary="标为已读")
async def read_message(message_id: str, call: Acting) -> InboxMessageOut:
    """Reading twice keeps the first time."""
    return shape(await mark_read(call.session, call.scope.owner_id, message_id, call.now))
