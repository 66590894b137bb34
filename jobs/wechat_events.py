"""Works off what WeChat has pushed: grants, sent messages, verdicts on photos, and people who withdraw.

Each event is safe to repeat. Taps come in storms and are noted many in one transaction (`tap_events`); any other event
is one transaction. An event about somebody we do not know changes nothing, and one that is older than the account it
names is about an account that is gone.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence

import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.account_erasure import erase_account
from domain.moderation import verdict_of
from domain.owners import Owner
from domain.photos import delete_photos_of_owner, judge_photo
from domain.pushes import is_sending, note_sent_event
from domain.wechat_events import (
    CLAIMED,
    DueEvent,
    WeChatEvent,
    claim_events,
    finish_event,
    finish_events,
    postpone_event,
)
from domain.wechat_messages import CANCELLED, MEDIA, REVOKED, SENT, PushedMessage, number_of, text_of
from jobs.tap_events import TAPS, EventParts, is_about, note_taps
from memory.prepared import quick_of

log = structlog.get_logger(__name__)

AT_ONCE = 25  # taps in one transaction, some milliseconds: whoever is answered just then waits no longer
PHONE, NAME_AND_PICTURE, PICTURES = frozenset("8"), frozenset(("6", "19", "20")), frozenset(("7", "14"))
"""WeChat's numbers of what is withdrawn: phone number; nickname and portrait; camera and chosen pictures."""


Handler = Callable[[AsyncSession, EventParts, PushedMessage, WeChatEvent], Awaitable[bool]]
"""Does what an event asks for; False when it has to come again later."""


async def work_off_events(parts: EventParts) -> int:
    """Work off all that is due. Returns how many events are done with. Safe to run anywhere, any time."""
    done = 0
    while True:
        async with parts.transactions.quick_write() as quick:
            claimed = await claim_events(quick, parts.real_now())
        noted = await _note_taps(parts, [event for event in claimed if event.kind in TAPS])
        done += len(noted)
        for event in claimed:
            if event.id not in noted:
                done += await _work_off(parts, event.id)
        if len(claimed) < CLAIMED:
            return done


async def _note_taps(parts: EventParts, events: Sequence[DueEvent]) -> set[str]:
    """The ids of those that are done with; one that cannot be noted leaves all of its batch to be done singly."""
    noted: set[str] = set()
    for start in range(0, len(events), AT_ONCE):
        batch = events[start : start + AT_ONCE]
        try:
            async with parts.transactions.quick_write() as quick:
                await note_taps(quick, parts, batch)
                await finish_events(quick, batch, parts.real_now())
            noted.update(event.id for event in batch)
        except Exception as error:  # the job loop: they are worked off one by one, and the one at fault is told there
            log.warning("wechat_taps_failed", error=type(error).__name__)
        await asyncio.sleep(0)  # requests have their turn between two batches
    return noted


async def _work_off(parts: EventParts, event_id: str) -> bool:
    try:
        async with parts.transactions.write() as session:
            row = await session.get(WeChatEvent, event_id)
            if row is None or row.sealed is None:
                return False
            message = PushedMessage(json.loads(parts.open(row.sealed)))
            handler = HANDLERS.get(message.kind, _pass_over)
            finished = await handler(session, parts, message, row)
            if finished:
                finish_event(row, parts.real_now())
            elif not postpone_event(row, parts.real_now()):
                log.warning("wechat_event_given_up", kind=row.kind)
            session.add(row)
        return finished
    except Exception as error:  # the job loop: one event that cannot be worked off must not stop the others
        log.exception("wechat_event_failed", event_id=event_id, error=type(error).__name__)
        async with parts.transactions.write() as session:
            row = await session.get(WeChatEvent, event_id)
            if row is not None and row.done_at is None:
                postpone_event(row, parts.real_now())
                session.add(row)
        return False


async def _answered(session: AsyncSession, parts: EventParts, _message: PushedMessage, row: WeChatEvent) -> bool:
    """A popup was answered, or a setting changed."""
    if row.sealed is not None:
        await note_taps(await quick_of(session), parts, [DueEvent(row.id, row.kind, row.dedupe_key, row.sealed)])
    return True


async def _sent(session: AsyncSession, parts: EventParts, message: PushedMessage, _row: WeChatEvent) -> bool:
    """A message has arrived, or has not. It may be told before the send itself has answered: then it comes again."""
    owner = await _owner(session, parts, message)
    fits = True
    for item in message.items if owner else ():
        if owner is not None:
            fits = await _one_sent(session, owner, item) and fits
    return fits


async def _one_sent(session: AsyncSession, owner: Owner, item: Mapping[str, object]) -> bool:
    template_id, msgid = text_of(item, "TemplateId"), text_of(item, "MsgID")
    errcode = number_of(item, "ErrorCode") or 0
    if errcode:
        log.warning("push_did_not_arrive", errcode=errcode)
    if await note_sent_event(session, owner.id, template_id, msgid, errcode) is not None:
        return True
    return not await is_sending(session, owner.id, template_id)


async def _photo_judged(session: AsyncSession, parts: EventParts, message: PushedMessage, _row: WeChatEvent) -> bool:
    """A verdict on a photo. It may be told before the asking itself has answered: then it comes again."""
    errcode = number_of(message.fields, "errcode") or 0
    if errcode:
        log.warning("photo_not_judged", errcode=errcode)
    verdict = None if errcode else verdict_of(message.fields)
    trace_id = text_of(message.fields, "trace_id")
    return not trace_id or await judge_photo(session, trace_id, verdict, parts.real_now())


async def _cancelled(session: AsyncSession, parts: EventParts, message: PushedMessage, _row: WeChatEvent) -> bool:
    """The person has left: the same as deleting the account here."""
    owner = await _owner(session, parts, message)
    if owner is not None:
        await erase_account(session, owner, parts.real_now())
        log.info("account_erased", because="cancelled at WeChat")
    return True


async def _revoked(session: AsyncSession, parts: EventParts, message: PushedMessage, _row: WeChatEvent) -> bool:
    """The person has withdrawn some of what they gave."""
    owner = await _owner(session, parts, message)
    withdrawn = frozenset(text_of(message.fields, "RevokeInfo").replace("，", ",").replace(" ", ",").split(","))
    if owner is None:
        return True
    if withdrawn & PHONE:
        owner.phone_encrypted = owner.phone_masked = None
    if withdrawn & NAME_AND_PICTURE:
        owner.nickname = None
    if withdrawn & PICTURES:
        await delete_photos_of_owner(session, owner, parts.real_now())
    session.add(owner)
    return True


async def _pass_over(_session: AsyncSession, _parts: EventParts, message: PushedMessage, _row: WeChatEvent) -> bool:
    """Nothing follows from it; an unknown kind is told once."""
    log.info("wechat_event_passed_over", kind=message.kind)
    return True


async def _owner(session: AsyncSession, parts: EventParts, message: PushedMessage) -> Owner | None:
    """Whom it is about; None for a stranger, and for somebody whose account is younger than the event."""
    if not message.openid:
        return None
    mine = (col(Owner.appid) == parts.appid) & (col(Owner.openid) == parts.seal_identity(message.openid))
    owner = (await session.exec(select(Owner).where(mine))).one_or_none()
    return owner if owner is not None and is_about(message, owner.created_at) else None


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(TAPS, _answered),
    SENT: _sent,
    CANCELLED: _cancelled,
    REVOKED: _revoked,
    MEDIA: _photo_judged,
}
