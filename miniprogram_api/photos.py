"""Photos of pets: sent as a file, seen after they have been judged."""

import hmac
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Literal

import puremagic
from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, ConfigDict
from starlette.datastructures import UploadFile

from domain.errors import DomainFault
from domain.files import FileMissing, let_files_go
from domain.pets import pet_of
from domain.photo_metadata import without_metadata
from domain.photos import (
    KINDS,
    MAX_PHOTO_BYTES,
    NoPhoto,
    Photo,
    PhotoNotReady,
    PhotoStatus,
    PhotoTooLarge,
    UnknownPhoto,
    add_photo,
    delete_photo,
    file_key_of,
    photo_of,
    photos_of,
)
from miniprogram_api.clock import RealNow
from miniprogram_api.deps import Acting, Call, Looking, SignedIn
from miniprogram_api.examples import AT, PET_ID, PHOTO_ID
from miniprogram_api.idempotent import OnlyOnce
from miniprogram_api.media_links import may_fetch
from miniprogram_api.pagination import Page, Paging, page_of
from miniprogram_api.parts import Parts, parts_of

router = APIRouter(prefix="/photos", tags=["照片"])
media = APIRouter(prefix="/media", include_in_schema=False)

SNIFFED_BYTES = 4096
MAX_ID = 64
MULTIPART = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary", "description": "JPG、PNG 或 GIF，最大 10 MB"},
                        "pet_id": {"type": "string", "maxLength": MAX_ID},
                    },
                },
                "example": {"file": "(binary)", "pet_id": PET_ID},
            }
        },
    }
}


class PhotoOut(BaseModel):
    """One photo. It can be fetched once it is `approved`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": PHOTO_ID,
                    "pet_id": PET_ID,
                    "status": "pending",
                    "media_type": "image/jpeg",
                    "size_bytes": 248_311,
                    "created_at": AT,
                }
            ]
        }
    )

    id: str
    pet_id: str | None
    status: Literal["pending", "approved", "rejected"]
    media_type: str
    size_bytes: int
    created_at: datetime


class Sent:
    """A photo that came in and is stored as a file."""

    def __init__(self, content: bytes, media_type: str, pet_id: str | None, file_key: str) -> None:
        self.content_hash = sha256(content).hexdigest()
        self.media_type = media_type
        self.size_bytes = len(content)
        self.pet_id = pet_id
        self.file_key = file_key


async def sent_photo(request: Request, caller: SignedIn, real_now: RealNow) -> AsyncIterator[Sent]:
    """Read and store the file before the transaction begins. Raises NoPhoto, PhotoTooLarge, UnknownPet.

    A photo that is refused after all leaves no file: it goes unless another photo lies in it.
    """
    parts = parts_of(request)
    await request.body()  # kept: the form is read from it, and the idempotency key covers it
    async with request.form(max_files=1, max_fields=4) as form:
        file, pet_id = form.get("file"), form.get("pet_id")
        content = await file.read() if isinstance(file, UploadFile) else b""
    media_type = media_type_of(content)
    content = without_metadata(content, media_type)
    chosen = pet_id[:MAX_ID] if isinstance(pet_id, str) and pet_id else None
    if chosen is not None:
        async with parts.transactions.read() as session:
            await pet_of(session, caller.scope, chosen)
    key = file_key_of(caller.scope.household_id, content, media_type)
    await parts.files.put(key, content)
    try:
        yield Sent(content, media_type, chosen, key)
    except DomainFault:
        async with parts.transactions.write() as session:
            await let_files_go(session, caller.scope.household_id, [key], real_now)
        raise


SentPhoto = Annotated[Sent, Depends(sent_photo, scope="function")]


def media_type_of(content: bytes) -> str:
    """What the bytes are, whatever the phone calls them. Raises NoPhoto, PhotoTooLarge."""
    if len(content) > MAX_PHOTO_BYTES:
        raise PhotoTooLarge()
    try:
        found = puremagic.from_string(content[:SNIFFED_BYTES], mime=True)
    except (puremagic.PureError, ValueError):
        raise NoPhoto() from None
    if found not in KINDS:
        raise NoPhoto()
    return found


@router.post("", status_code=201, summary="上传照片", openapi_extra=MULTIPART)
async def send_photo(sent: SentPhoto, once: OnlyOnce) -> PhotoOut:
    """`multipart/form-data` with `file`, and `pet_id` where it shows one pet. Pending until it has been judged."""
    told = f"{sent.content_hash} {sent.pet_id}".encode()  # a phone draws a new boundary each time
    body_hash = hmac.new(once.call.parts.keys.idempotency, told, sha256).hexdigest()
    answer = await replace(once, body_hash=body_hash)(lambda: _add(once.call, sent))
    return PhotoOut.model_validate(answer)


@router.get("", summary="照片列表")
async def list_photos(
    call: Looking, paging: Paging, pet_id: Annotated[str | None, Query(max_length=MAX_ID)] = None
) -> Page[PhotoOut]:
    """Newest first."""
    rows = await photos_of(call.session, call.scope, paging.one_more, paging.after, pet_id)
    return page_of(rows, paging, shape)


@router.get("/{photo_id}", summary="一张照片")
async def read_photo(photo_id: str, call: Looking) -> PhotoOut:
    """What is known of it; the picture itself is at `/file`."""
    return shape(await photo_of(call.session, call.scope, photo_id))


@router.get(
    "/{photo_id}/file",
    summary="照片文件",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {"example": "(binary)"}}}},
)
async def read_file(photo_id: str, caller: SignedIn, request: Request) -> Response:
    """The picture, once it is approved; else 409 `photo_not_ready`."""
    parts = parts_of(request)
    async with parts.transactions.read() as session:
        photo = await photo_of(session, caller.scope, photo_id)
    if photo.status != PhotoStatus.APPROVED:
        raise PhotoNotReady(status=photo.status)
    return await _picture(parts, photo)


@router.delete("/{photo_id}", status_code=204, summary="删除照片")
async def remove_photo(photo_id: str, call: Acting) -> None:
    """Its file goes with it."""
    await delete_photo(call.session, call.scope, photo_id, call.real_now)


@media.get("/{photo_id}")
async def fetch_for_check(
    photo_id: str,
    request: Request,
    real_now: RealNow,
    until: Annotated[int, Query()] = 0,
    sig: Annotated[str, Query(max_length=MAX_ID)] = "",
) -> Response:
    """The picture for whoever has to judge it: without sign-in, by a signed address that ends."""
    parts = parts_of(request)
    if not may_fetch(parts.keys.media, photo_id, until, sig, real_now):
        raise UnknownPhoto()
    async with parts.transactions.read() as session:
        photo = await session.get(Photo, photo_id)
    if photo is None:
        raise UnknownPhoto()
    return await _picture(parts, photo)


async def _add(call: Call, sent: Sent) -> PhotoOut:
    photo = Photo(
        household_id=call.scope.household_id,
        owner_id=call.scope.owner_id,
        pet_id=sent.pet_id,
        file_key=sent.file_key,
        media_type=sent.media_type,
        size_bytes=sent.size_bytes,
        created_at=call.now,
    )
    return shape(await add_photo(call.session, photo, call.scope, call.real_now))


def shape(photo: Photo) -> PhotoOut:
    """The photo as clients see it."""
    return PhotoOut.model_validate(photo, from_attributes=True)


async def _picture(parts: Parts, photo: Photo) -> Response:
    try:
        content = await parts.files.get(photo.file_key)
    except FileMissing:
        raise UnknownPhoto() from None
    return Response(content, media_type=photo.media_type, headers={"Content-Disposition": "inline"})
