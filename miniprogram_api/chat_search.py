"""Search in everything that was said: by the owner and to the owner."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Query
from pydantic import AwareDatetime, BaseModel, ConfigDict

from domain.errors import Implausible
from memory.messages import Message, messages_around, messages_with_ids
from memory.scope import Scope
from memory.session_search import MAX_QUERY, SearchQuery, search_messages, snippet_of
from miniprogram_api.clock import EARLIEST, LATEST
from miniprogram_api.deps import Call, Looking, SignedIn
from miniprogram_api.message_shapes import MESSAGE_EXAMPLE, MessageOut
from miniprogram_api.pagination import Page, Paging, cursor_of

MAX_AROUND = 5  # messages before and after a hit: what fits a phone's screen

router = APIRouter(prefix="/chat", tags=["chat"])


class SnippetPart(BaseModel):
    """A piece of the snippet; `hit` pieces are to be marked."""

    text: str
    hit: bool


class FoundMessage(MessageOut):
    """A message that matches, the place that does, and what was said around it."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                **MESSAGE_EXAMPLE,
                "snippet": [{"text": "豆豆今天", "hit": False}, {"text": "吐", "hit": True}],
                "before": [],
                "after": [],
            }
        }
    )

    snippet: list[SnippetPart]
    before: list[MessageOut]
    after: list[MessageOut]


async def search_query(
    caller: SignedIn,
    q: Annotated[str, Query(min_length=1, max_length=MAX_QUERY, description="搜索词", examples=["疫苗"])],
    since: Annotated[AwareDatetime | date | None, Query(alias="from", description="从这一天或这一刻起（含）")] = None,
    until: Annotated[AwareDatetime | date | None, Query(alias="to", description="到这一天（含）或这一刻为止")] = None,
    role: Annotated[Literal["user", "assistant"] | None, Query(description="只看谁说的")] = None,
) -> SearchQuery:
    """What is looked for; days are the owner's. Raises Implausible when the period ends before it begins."""
    begins, ends = _moment(since, caller.scope, 0), _moment(until, caller.scope, 1)
    if begins and ends and ends <= begins:
        raise Implausible("结束的时间早于开始的时间")
    return SearchQuery(q, begins, ends, role)


@router.get("/search", summary="搜索聊天记录")
async def search_chat(
    query: Annotated[SearchQuery, Depends(search_query)],
    call: Looking,
    paging: Paging,
    context: Annotated[int, Query(ge=0, le=MAX_AROUND, description="前后各带几条消息")] = 0,
) -> Page[FoundMessage]:
    """Best first: all words in a row, then all words, then most of them; the newer of two alike first."""
    async with call.parts.transactions.quick_scan() as quick:
        hits = await search_messages(quick, call.scope, query)
    begin = paging.position
    ids = [found.id for found in hits.messages[begin : begin + paging.limit]]
    rows = await messages_with_ids(call.session, call.scope, ids)
    more = len(hits.messages) > begin + paging.limit
    return Page(
        items=[await _found(call, row, hits.words, context) for row in rows],
        next_cursor=cursor_of(begin + paging.limit) if more else None,
    )


async def _found(call: Call, row: Message, words: Sequence[str], context: int) -> FoundMessage:
    before, after = await messages_around(call.session, call.scope, row, context) if context else ((), ())
    return FoundMessage(
        **_shown(row).model_dump(),
        snippet=[SnippetPart(text=part.text, hit=part.hit) for part in snippet_of(row.text, words)],
        before=[_shown(one) for one in before],
        after=[_shown(one) for one in after],
    )


def _shown(row: Message) -> MessageOut:
    return MessageOut.model_validate(row, from_attributes=True)


def _moment(given: datetime | date | None, scope: Scope, days_after: int) -> datetime | None:
    """The instant meant, kept within what is stored at all; of a day its first moment, or that of a day after it."""
    if given is None:
        return None
    if not isinstance(given, datetime):
        day = min(max(given, EARLIEST.date()), LATEST.date()) + timedelta(days=days_after)
        return datetime.combine(day, time(), ZoneInfo(scope.timezone))
    return min(max(given, EARLIEST), LATEST)
