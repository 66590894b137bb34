"""Questions only the owner can settle: what is known, what was said, and three answers."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from domain.confirming import answer
from memory.confirmation_pages import confirmations_page
from memory.confirmations import Confirmation, confirmation_of
from memory.evidence import MEMORY, evidence_of
from memory.settlement import Answer, has_lapsed
from memory.vocabulary import ConfirmationKind, ConfirmationStatus
from miniprogram_api.clock import Now
from miniprogram_api.deps import Acting, Call, Looking, SignedIn
from miniprogram_api.evidence import EvidenceOut, evidence_out
from miniprogram_api.examples import AT, CONFIRMATION_ID, EVIDENCE, MEMORY_ID, PET_ID, RECORD_ID
from miniprogram_api.pagination import Page, Paging, page_of
from miniprogram_api.parts import parts_of
from miniprogram_api.url_links import UrlLinkOut

router = APIRouter(prefix="/confirmations", tags=["待确认"])


class ConfirmationOut(BaseModel):
    """One question. `old` is null when nothing stood there; `answer` is null until it is answered."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": CONFIRMATION_ID,
                    "kind": "change",
                    "status": "pending",
                    "subject": PET_ID,
                    "attribute": "allergy:chicken",
                    "old": {
                        "memory_id": MEMORY_ID,
                        "content": "豆豆对鸡肉过敏",
                        "record_kind": "allergies",
                        "record_id": RECORD_ID,
                    },
                    "new": {"content": "豆豆对鸡肉不过敏", "negated": True},
                    "question": "档案里记的是豆豆对鸡肉过敏，要改成不过敏吗？",
                    "evidence": [EVIDENCE],
                    "created_at": AT,
                    "lapses_at": "2026-03-15T07:30:00Z",
                    "answer": None,
                    "answered_at": None,
                }
            ]
        }
    )

    id: str
    kind: ConfirmationKind
    status: ConfirmationStatus
    subject: str
    attribute: str
    old: dict[str, Any] | None
    new: dict[str, Any]
    question: str
    evidence: list[EvidenceOut]
    created_at: datetime
    lapses_at: datetime
    answer: Answer | None
    answered_at: datetime | None


class AnswerIn(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"answer": "accept"}]})

    answer: Answer = Field(description="accept 更新 · keep 保持原样 · watch 再观察")


@router.get("", summary="待确认列表")
async def list_confirmations(
    call: Looking,
    paging: Paging,
    status: Annotated[ConfirmationStatus | None, Query()] = None,
    pet_id: Annotated[str | None, Query(max_length=64)] = None,
) -> Page[ConfirmationOut]:
    """Newest first; without `status` all of them. A question whose time is over counts as lapsed."""
    rows = await confirmations_page(
        call.session, call.scope, call.now, paging.one_more, paging.after, status=status, subject=pet_id
    )
    evidence = await evidence_of(call.session, call.scope, MEMORY, [row.candidate_id for row in rows])
    return page_of(rows, paging, lambda row: shape(row, evidence_out(evidence.get(row.candidate_id, [])), call.now))


@router.get("/{confirmation_id}", summary="一个待确认")
async def read_confirmation(confirmation_id: str, call: Looking) -> ConfirmationOut:
    """The whole question, with its evidence."""
    return await _whole(call, await confirmation_of(call.session, call.scope, confirmation_id))


@router.get("/{confirmation_id}/url-link", summary="打开这个问题的链接")
async def read_url_link(confirmation_id: str, caller: SignedIn, now: Now, request: Request) -> UrlLinkOut:
    """An address that opens an open question in the mini-program. Null once it is settled, and without WeChat."""
    parts = parts_of(request)
    async with parts.transactions.read() as session:
        row = await confirmation_of(session, caller.scope, confirmation_id)
    is_open = row.status == ConfirmationStatus.PENDING.value and not has_lapsed(row.lapses_at, now)
    if parts.mini_links is None or not is_open:
        return UrlLinkOut(url_link=None)
    return UrlLinkOut(url_link=await parts.mini_links.confirmation_link(row.id))


@router.post("/{confirmation_id}/answer", summary="回答")
async def answer_confirmation(confirmation_id: str, given: AnswerIn, call: Acting) -> ConfirmationOut:
    """The first answer wins: the same again is 200, another one 409 `already_answered`."""
    row = await answer(call.session, call.scope, confirmation_id, given.answer, call.now, call.real_now)
    return await _whole(call, row)


def shape(row: Confirmation, evidence: list[EvidenceOut], now: datetime) -> ConfirmationOut:
    """The question as clients see it at `now`."""
    lapsed = row.status == ConfirmationStatus.PENDING.value and has_lapsed(row.lapses_at, now)
    known = {name: getattr(row, name) for name in ConfirmationOut.model_fields if name not in ("evidence", "status")}
    status = ConfirmationStatus.LAPSED if lapsed else row.status
    return ConfirmationOut.model_validate({**known, "status": status, "evidence": evidence})


async def _whole(call: Call, row: Confirmation) -> ConfirmationOut:
    evidence = await evidence_of(call.session, call.scope, MEMORY, [row.candidate_id])
    return shape(row, evidence_out(evidence.get(row.candidate_id, [])), call.now)
