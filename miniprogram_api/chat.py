"""Chat: start a turn (as JSON or as a stream), join it, resume it, stop it, and read the log."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, field_validator

from domain.ai_labels import ANSWER, AiLabel
from domain.message_deletes import delete_message
from domain.running_turn import TurnRequest
from domain.triage import triage
from domain.turn_answer import alert_data
from memory.messages import messages_before
from memory.scope import Scope
from miniprogram_api.clock import Now
from miniprogram_api.deps import Acting, Looking, SignedIn
from miniprogram_api.errors import STORAGE_ERRORS, request_id_of
from miniprogram_api.faults import StorageUnavailable
from miniprogram_api.message_shapes import MessageOut
from miniprogram_api.pagination import Page, Paging, page_of
from miniprogram_api.parts import parts_of
from miniprogram_api.streaming import stream

MAX_TEXT = 4000  # characters of one message; a longer story is sent in parts
EVENT_STREAM = "text/event-stream"
MESSAGE_DELETED = "message_deleted"
STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # proxies must not gather the stream

router = APIRouter(prefix="/chat", tags=["chat"])


class NewTurn(BaseModel):
    """One message of an owner."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"text": "豆豆今天吐了两次，没精神", "client_msg_id": "m-20260301-0001"}},
    )

    text: str
    client_msg_id: str = Field(min_length=1, max_length=64)
    pet_id: str | None = Field(default=None, max_length=64)
    temporary: bool = False

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("消息不能是空的")
        if len(text) > MAX_TEXT:
            raise ValueError(f"一条消息最多 {MAX_TEXT} 个字，这条有 {len(text)} 个字，请分开发送")
        return text


class TurnAnswerOut(BaseModel):
    """The answer of a turn; `status` is `running` while there is none, `failed` ones carry `code` and can be resent."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "example": {
                "turn_id": "0199f3c2-1f6a-7cc1-9d0e-5b1a2c3d4e5f",
                "message_id": "0199f3c2-1f6a-7cc1-9d0e-5b1a2c3d4e60",
                "status": "done",
                "text": "记下了：豆豆今天吐了两次。",
                "ai_generated": True,
                "ai_label": AiLabel(ANSWER, "0199f3c2-1f6a-7cc1-9d0e-5b1a2c3d4e5f").as_json(),
                "citations": [],
                "alerts": [],
                "memories": [],
                "records": [],
                "confirmations": [],
                "schedules": [],
                "mode": "basic",
                "usage": {"prompt_tokens": 0, "completion_tokens": 0},
                "moderation": "passed",
            }
        },
    )

    turn_id: str
    message_id: str
    status: Literal["done", "running", "failed"]
    text: str
    ai_generated: bool
    ai_label: dict[str, Any]
    citations: list[dict[str, Any]]
    alerts: list[dict[str, Any]]
    memories: list[dict[str, Any]]
    records: list[dict[str, Any]]
    confirmations: list[dict[str, Any]]
    schedules: list[dict[str, Any]]
    mode: Literal["model", "basic"]
    usage: dict[str, int]
    moderation: Literal["off", "passed", "review", "unchecked", "replaced"] = "off"


STREAM_RESPONSE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "JSON, or with `Accept: text/event-stream` the events `turn alert delta replace memory confirm "
        "schedule continue done error`; data is ASCII-only JSON, `id:` is the seq",
        "content": {
            EVENT_STREAM: {
                "schema": {"type": "string"},
                "example": 'id: 1\nevent: turn\ndata: {"turn_id":"0199f3c2-1f6a-7cc1-9d0e-5b1a2c3d4e5f",'
                '"ai_generated":true}\n\nid: 2\nevent: delta\ndata: {"seq":2,"text":"\\u8bb0\\u4e0b\\u4e86"}\n\n',
            }
        },
    }
}


@router.post("/turns", response_model=TurnAnswerOut, responses=STREAM_RESPONSE)
async def start_turn(
    body: NewTurn, request: Request, caller: SignedIn, now: Now, accept: Annotated[str, Header()] = "*/*"
) -> Any:
    """Say something. The same client_msg_id never makes a second turn: it joins or answers the first.

    An emergency is told even when nothing can be stored: the problem carries `alerts`.
    """
    turns = parts_of(request).turns
    try:
        turn_id = await turns.start(caller.scope, TurnRequest(now=now, **body.model_dump()))
    except STORAGE_ERRORS as error:
        request.state.failure = error
        raise StorageUnavailable(alerts=_alerts(body.text)) from error
    if EVENT_STREAM in accept:
        return _streamed(request, caller.scope, turn_id, 0)
    answer = await turns.wait(caller.scope, turn_id)
    if answer["status"] == "failed" and not answer["alerts"]:
        answer["alerts"] = _alerts(body.text)
    return answer


@router.get("/turns/{turn_id}", response_model=TurnAnswerOut)
async def read_turn(turn_id: str, request: Request, caller: SignedIn) -> Any:
    """The stored answer, also after a cut connection."""
    return await parts_of(request).turns.answer(caller.scope, turn_id)


@router.get("/turns/{turn_id}/events", response_class=Response, responses=STREAM_RESPONSE)
async def follow_turn(
    turn_id: str,
    request: Request,
    caller: SignedIn,
    after: Annotated[int, Query(ge=0, le=2**31)] = 0,
    last_event_id: Annotated[int, Header(ge=0, le=2**31)] = 0,
) -> Response:
    """Go on with a stream after the seq seen last: `?after=`, or `Last-Event-ID` as event sources send it."""
    await parts_of(request).turns.answer(caller.scope, turn_id)
    return _streamed(request, caller.scope, turn_id, max(after, last_event_id))


@router.post("/turns/{turn_id}/cancel", response_model=TurnAnswerOut)
async def cancel_turn(turn_id: str, request: Request, caller: SignedIn) -> Any:
    """Stop a running turn; what was said so far is kept."""
    return await parts_of(request).turns.cancel(caller.scope, turn_id)


@router.get("/messages", response_model=Page[MessageOut])
async def read_messages(
    call: Looking, paging: Paging, before: Annotated[str | None, Query(max_length=64)] = None
) -> Page[MessageOut]:
    """The log, newest first; `before` is the message id to go on from (a cursor says the same)."""
    rows = await messages_before(call.session, call.scope, paging.after or before, paging.one_more)
    return page_of(rows, paging, lambda row: MessageOut.model_validate(row, from_attributes=True))


@router.delete("/messages/{message_id}", status_code=204)
async def remove_message(
    message_id: str,
    call: Acting,
    forget_memories: Annotated[bool, Query(description="同时忘掉只从这条消息里学到的内容")] = False,
) -> None:
    """The words are gone for good, a question with its answer; what was learned goes if asked (ten minutes to undo)."""
    change, secret = call.change(MESSAGE_DELETED), call.parts.keys.tombstones
    await delete_message(call.session, change, message_id, forget_memories=forget_memories, secret=secret)


def _alerts(text: str) -> list[dict[str, Any]]:
    """What the words alone call for: whom they are about is in the database, and that is away."""
    return [alert_data(alert) for alert in triage(text)]


def _streamed(request: Request, scope: Scope, turn_id: str, after: int) -> StreamingResponse:
    events = parts_of(request).turns.follow(scope, turn_id, after)
    frames: AsyncIterator[bytes] = stream(events, turn_id, after=after, request_id=request_id_of(request))
    return StreamingResponse(frames, media_type=EVENT_STREAM, headers=STREAM_HEADERS)
