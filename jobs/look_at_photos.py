"""Asks WeChat about photos that wait for a verdict, and deletes files whose rows are gone. The verdicts are pushed."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import structlog

from domain.files import FILE_TOPIC, FileStore
from domain.moderation import ContentChecker, WeChatNotSeenLately
from domain.owners import Owner
from domain.photos import (
    CHECK_AGAIN_AFTER,
    FIRST_PAUSE,
    MOST_CHECKS,
    Photo,
    approve_unasked,
    file_is_used,
    waiting_photos,
)
from domain.wechat import WeChatFault
from memory.outbox import claim_due, postpone, settle
from memory.transactions import Transactions

log = structlog.get_logger(__name__)

BATCH = 20


@dataclass(frozen=True, slots=True)
class PhotoParts:
    """What the job works with. checker None: nobody can be asked, so photos are shown (development only).

    address_of: where WeChat can fetch a photo for a while; None when no public address is set.
    """

    transactions: Transactions
    files: FileStore
    checker: ContentChecker | None
    appid: str
    open_identity: Callable[[str], str]
    address_of: Callable[[str, datetime], str] | None
    real_now: Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class _Asked:
    photo_id: str
    openid: str


async def look_at_photos(parts: PhotoParts) -> int:
    """Ask about what waits, and delete what may go. Returns how many photos WeChat was asked about."""
    await _delete_files(parts)
    if parts.checker is None:
        await _approve_all(parts)
        return 0
    asked = 0
    for one in await _to_ask(parts):
        asked += await _ask(parts, parts.checker, one)
    return asked


async def _approve_all(parts: PhotoParts) -> None:
    async with parts.transactions.write() as session:
        for photo in await waiting_photos(session, parts.real_now(), BATCH):
            await approve_unasked(session, photo, parts.real_now())


async def _to_ask(parts: PhotoParts) -> list[_Asked]:
    """Count an asking before it is made: a process that dies in between does not ask forever."""
    if parts.address_of is None:
        return []
    asked = []
    async with parts.transactions.write() as session:
        for photo in await waiting_photos(session, parts.real_now(), BATCH):
            owner = await session.get(Owner, photo.owner_id)
            photo.checks += 1
            photo.check_at = parts.real_now() + CHECK_AGAIN_AFTER
            if owner is not None and owner.appid == parts.appid:
                asked.append(_Asked(photo.id, parts.open_identity(owner.openid)))
            if photo.checks == MOST_CHECKS:
                log.warning("photo_needs_a_person", photo=photo.id)
            session.add(photo)
    return asked


async def _ask(parts: PhotoParts, checker: ContentChecker, one: _Asked) -> bool:
    assert parts.address_of is not None  # noqa: S101  # `_to_ask` gives nothing otherwise
    trace_id, fault = "", None
    try:
        trace_id = await checker.check_image(one.openid, parts.address_of(one.photo_id, parts.real_now()))
    except WeChatFault as error:
        fault = error
        log.warning("photo_not_asked_about", because=type(error).__name__)
    async with parts.transactions.write() as session:
        photo = await session.get(Photo, one.photo_id)
        if photo is None:  # deleted meanwhile
            return False
        if trace_id:
            photo.trace_id = trace_id
        else:
            photo.check_at = parts.real_now() + FIRST_PAUSE * 5 ** (photo.checks - 1)
            photo.checks -= isinstance(fault, WeChatNotSeenLately)  # it is not WeChat that fails: wait for the owner
        session.add(photo)
    return bool(trace_id)


async def _delete_files(parts: PhotoParts) -> None:
    async with parts.transactions.write() as session:
        rows = await claim_due(session, FILE_TOPIC, BATCH, parts.real_now())
    for row in rows:
        try:
            await _delete(parts, row.key)
        except OSError as error:
            log.warning("file_not_deleted", error=type(error).__name__)
            async with parts.transactions.write() as session:
                await postpone(session, [row], type(error).__name__, parts.real_now())
        else:
            async with parts.transactions.write() as session:
                await settle(session, [row])


async def _delete(parts: PhotoParts, key: str) -> None:
    if key.endswith("/"):
        await parts.files.delete_below(key)
        return
    async with parts.transactions.read() as session:
        used = await file_is_used(session, key)
    if not used:
        await parts.files.delete(key)
