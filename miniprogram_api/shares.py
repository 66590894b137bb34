"""Sharing a pet's record with a vet: the owner's side. Links, who opened them, codes for notes, and the notes."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from io import BytesIO
from typing import Annotated, Any, Literal

import segno
from fastapi import APIRouter, Depends, Header, Request
from pydantic import BaseModel, ConfigDict, Field

from domain.moderation import WordsNotCleared
from domain.owner_profiles import owner_of
from domain.share_secrets import hash_passcode, token_of
from domain.share_tries import new_code
from domain.shares import (
    SECTIONS,
    Section,
    ShareFields,
    ShareOpening,
    UnknownShare,
    VetShare,
    create_share,
    openings_of,
    revoke_share,
    share_of,
    shares_of,
)
from domain.vet_notes import Times, VetNote, confirm_author, notes_of, reject_note
from miniprogram_api.clock import RealNow
from miniprogram_api.deps import Acting, Call, Looking, SignedIn
from miniprogram_api.examples import AT, PET_ID, RECORD_ID
from miniprogram_api.idempotent import KEY_HEADER, OnceKey, OnlyOnce
from miniprogram_api.mini_codes import mini_code_url_of
from miniprogram_api.pagination import Page, Paging, page_of
from miniprogram_api.parts import Parts, parts_of
from miniprogram_api.url_links import UrlLinkOut

router = APIRouter(tags=["给医生看"])

SHARE_ID = "0197f0a7-4b5c-7d31-8e2f-6a7b8c9d0e1f"
NOTE_ID = "0197f0a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f"
_URL = "https://pet.example.com/vet/mB1nq7Xr0dT2kV9sYw4LpZcE"
_QR = '<svg xmlns="http://www.w3.org/2000/svg" width="196" height="196" class="segno">…</svg>'
_SHARE: dict[str, Any] = {
    "id": SHARE_ID,
    "pet_id": PET_ID,
    "sections": list(SECTIONS),
    "quotes": True,
    "recipient": "阳光动物医院",
    "has_passcode": True,
    "status": "live",
    "created_at": AT,
    "expires_at": "2026-03-02T07:30:00Z",
    "revoked_at": None,
    "url": _URL,
    "qr_svg": _QR,
    "mini_code_url": None,
    "opened_count": 1,
    "openings": [{"at": AT, "client": "手机 · 微信", "opened_as": "page", "sections": list(SECTIONS)}],
}


class NewShare(ShareFields):
    model_config = {
        "extra": "forbid",
        "json_schema_extra": {
            "examples": [{"expires_in_hours": 24, "passcode": "2580", "recipient": "阳光动物医院", "quotes": True}]
        },
    }


class OpeningOut(BaseModel):
    """One look. `client` is a coarse word (手机 · 微信); no address is kept."""

    at: datetime
    client: str
    opened_as: Literal["page", "json", "fhir"]
    sections: list[Section]


class ShareOut(BaseModel):
    """A share with its access log. `url` and `qr_svg` are there while it is live; the list leaves the code out."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SHARE]})

    id: str
    pet_id: str
    sections: list[Section]
    quotes: bool
    recipient: str | None = None
    has_passcode: bool
    status: Literal["live", "expired", "revoked"]
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    url: str | None = None
    qr_svg: str | None = None
    mini_code_url: str | None = None
    opened_count: int
    openings: list[OpeningOut]


class _Made(BaseModel):
    """What an idempotent creation keeps: never the link itself."""

    id: str


class NoteCodeOut(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"code": "482913", "expires_at": AT}]})

    code: str
    expires_at: datetime


class VetNoteOut(BaseModel):
    """A vet's note. unverified: 身份未核实, the owner has not said who wrote it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": NOTE_ID,
                    "pet_id": PET_ID,
                    "share_id": SHARE_ID,
                    "author": "王医生",
                    "clinic": "阳光动物医院",
                    "status": "unverified",
                    "fields": {"author": "王医生", "diagnosis": "肠胃炎", "treatment": "输液两天"},
                    "records": [{"kind": "visits", "id": RECORD_ID}],
                    "left_at": AT,
                    "answered_at": None,
                }
            ]
        }
    )

    id: str
    pet_id: str
    share_id: str
    author: str
    clinic: str | None = None
    status: Literal["unverified", "confirmed", "rejected"]
    fields: dict[str, Any]
    records: list[dict[str, str]]
    left_at: datetime
    answered_at: datetime | None = None


class AuthorKnown(BaseModel):
    """Who wrote it, when the owner knows it better than the note says."""

    model_config = {"extra": "forbid", "json_schema_extra": {"examples": [{"author": "王建国医生"}]}}

    author: str | None = Field(default=None, min_length=1, max_length=40)


async def hashed_passcode(fields: NewShare, _caller: SignedIn) -> str | None:
    """The passcode's slow hash, made off the event loop and before the transaction opens."""
    return await asyncio.to_thread(hash_passcode, fields.passcode) if fields.passcode else None


async def clear_recipient(fields: NewShare, caller: SignedIn, request: Request) -> None:
    """What a share says about its recipient may be read by others: without a clear verdict it is not shared.

    Raises WordsNotCleared, also while WeChat does not answer.
    """
    parts = parts_of(request)
    if parts.moderator is None or fields.recipient is None:
        return
    async with parts.transactions.read() as session:
        owner = await owner_of(session, caller.scope)
    if not await parts.moderator.may_be_shared(owner, fields.recipient):
        raise WordsNotCleared()


@router.post(
    "/pets/{pet_id}/shares",
    status_code=201,
    summary="把健康档案分享给医生",
    response_model=ShareOut,
    dependencies=[Depends(clear_recipient)],
)
async def create(
    pet_id: str,
    fields: NewShare,
    hashed: Annotated[str | None, Depends(hashed_passcode)],
    call: Acting,
    once: OnlyOnce,
    request: Request,
) -> Any:
    """A link and its QR code. The link works until it expires or is revoked; no account is needed to open it."""

    async def make() -> _Made:
        key = call.parts.keys.shares
        share = await create_share(call.session, call.scope, pet_id, fields, hashed, key, call.real_now)
        return _Made(id=share.id)

    made = await once(make)
    share = await share_of(call.session, call.scope, made["id"])
    return (await _shaped(call, request, [share], with_code=True))[0]


@router.get("/pets/{pet_id}/shares", summary="分享列表和打开记录")
async def list_shares(pet_id: str, call: Looking, paging: Paging, request: Request) -> Page[ShareOut]:
    """Newest first, dead ones too, each with its newest 50 openings."""
    rows = await shares_of(call.session, call.scope, pet_id, paging.one_more, paging.after)
    return page_of(await _shaped(call, request, rows), paging, lambda one: one)


@router.get("/shares/{share_id}", summary="一个分享，带二维码")
async def read_share(share_id: str, call: Looking, request: Request) -> ShareOut:
    """The link and the code again, while it is live."""
    share = await share_of(call.session, call.scope, share_id)
    return (await _shaped(call, request, [share], with_code=True))[0]


@router.get("/shares/{share_id}/url-link", summary="打开小程序的链接")
async def read_url_link(share_id: str, caller: SignedIn, real_now: RealNow, request: Request) -> UrlLinkOut:
    """An address that opens the live share in the mini-program, for a chat or a text message. Null without WeChat."""
    parts = parts_of(request)
    async with parts.transactions.read() as session:
        share = await share_of(session, caller.scope, share_id)
    if not share.is_live(real_now):
        raise UnknownShare()
    if parts.mini_links is None:
        return UrlLinkOut(url_link=None)
    query = f"scene={token_of(share.id, parts.keys.shares)}"  # the page reads it as it reads a code's
    return UrlLinkOut(url_link=await parts.mini_links.link(parts.options.vet_page, query))


@router.delete("/shares/{share_id}", status_code=204, summary="撤销分享")
async def revoke(share_id: str, call: Acting) -> None:
    """The link is dead at once."""
    await revoke_share(call.session, call.scope, share_id, call.real_now)


@router.post("/shares/{share_id}/note-code", summary="给医生一次性留言码")
async def note_code(
    share_id: str,
    caller: SignedIn,
    real_now: RealNow,
    request: Request,
    key: Annotated[OnceKey, Header(alias=KEY_HEADER, description="同一个键几秒内得到同一个码")] = None,
) -> NoteCodeOut:
    """Six digits that let a vet leave one note within ten minutes; the code before it dies.

    A tap that comes twice gets the same code: it is nowhere stored in plain, so only for seconds and by one process.
    """
    parts = parts_of(request)
    async with parts.transactions.read() as session:
        share = await share_of(session, caller.scope, share_id)

    async def make() -> NoteCodeOut:
        code, ends = await new_code(parts.transactions, share, real_now)
        return NoteCodeOut(code=code, expires_at=ends)

    return await parts.codes_in_use.once("note", f"{share.id} {key}", make) if key else await make()


@router.get("/pets/{pet_id}/vet-notes", summary="医生留言")
async def list_notes(pet_id: str, call: Looking, paging: Paging) -> Page[VetNoteOut]:
    """Newest first."""
    rows = await notes_of(call.session, call.scope, pet_id, paging.one_more, paging.after)
    return page_of(rows, paging, _note)


@router.post("/vet-notes/{note_id}/confirm", summary="确认是这位医生写的")
async def confirm(note_id: str, given: AuthorKnown, call: Acting) -> VetNoteOut:
    """From now on it counts as a verified vet's word; what it would change still asks the owner."""
    times = Times(call.now, call.real_now)
    secret = call.parts.keys.tombstones
    return _note(await confirm_author(call.session, call.scope, note_id, times, secret, given.author))


@router.post("/vet-notes/{note_id}/reject", summary="不是我认识的医生写的")
async def reject(note_id: str, call: Acting) -> VetNoteOut:
    """What the note added to the record is deleted."""
    times = Times(call.now, call.real_now)
    return _note(await reject_note(call.session, call.scope, note_id, times, call.parts.keys.tombstones))


def link_of(parts: Parts, request: Request, share: VetShare) -> str:
    """Where the record opens: at the public address, or as the owner reached us."""
    return f"{_base(parts, request)}/vet/{token_of(share.id, parts.keys.shares)}"


def _base(parts: Parts, request: Request) -> str:
    return parts.options.public_url or str(request.base_url).rstrip("/")


def qr_of(url: str) -> str:
    """The link as an SVG that scales, 15 % of it may be dirty (level M)."""
    drawn = BytesIO()
    segno.make_qr(url, error="m").save(drawn, kind="svg", scale=4, border=4, xmldecl=False, omitsize=False, nl=False)
    return drawn.getvalue().decode()


async def _shaped(
    call: Call, request: Request, shares: Sequence[VetShare], *, with_code: bool = False
) -> list[ShareOut]:
    openings = await openings_of(call.session, shares)
    return [_share(call, request, share, *openings[share.id], with_code=with_code) for share in shares]


def _share(
    call: Call, request: Request, share: VetShare, count: int, openings: Sequence[ShareOpening], *, with_code: bool
) -> ShareOut:
    live = share.is_live(call.real_now)
    url = link_of(call.parts, request, share) if live else None
    mini_code_url = mini_code_url_of(call.parts, _base(call.parts, request), share) if live else None
    return ShareOut(
        id=share.id,
        pet_id=share.pet_id,
        sections=share.sections,
        quotes=share.quotes,
        recipient=share.recipient,
        has_passcode=share.passcode_hash is not None,
        status="live" if live else ("revoked" if share.revoked_at else "expired"),
        created_at=share.created_at,
        expires_at=share.expires_at,
        revoked_at=share.revoked_at,
        url=url,
        qr_svg=qr_of(url) if url and with_code else None,
        mini_code_url=mini_code_url,
        opened_count=count,
        openings=[OpeningOut.model_validate(one, from_attributes=True) for one in openings],
    )


def _note(note: VetNote) -> VetNoteOut:
    return VetNoteOut.model_validate(note, from_attributes=True)
