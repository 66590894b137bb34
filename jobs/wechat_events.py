"""Works off what WeChat has pushed: grants, sent messages, verdicts on photos, and people who withdraw.

Each event is one transaction and safe to repeat. An event about somebody we do not know changes nothing, and one that
is older than the account it names is about an account that is gone.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.account_erasure import erase_account
from domain.moderation import verdict_of
from domain.owners import Owner
from domain.photos import delete_photos_of_owner, judge_photo
from domain.pushes import is_sending, note_sent_event
from domain.subscriptions import GrantAnswer, GrantSource, record_answer
from domain.wechat_events import WeChatEvent, claim_events, finish_event, postpone_event
from domain.wechat_messages import CANCELLED, CHANGE, MEDIA, POPUP, REVOKED, SENT, PushedMessage, number_of, text_of
from memory.transactions import Transactions

log = structlog.get_logger(__name__)

BATCH = 50
CLOCKS_DIFFER = timedelta(minutes=2)  # between WeChat's and ours
PHONE, NAME_AND_PICTURE, PICTURES = frozenset("8"), frozenset(("6", "19", "20")), frozenset(("7", "14"))
"""WeChat's numbers of what is withdrawn: phone number; nickname and portrait; camera and chosen pictures."""


@dataclass(frozen=True, slots=True)
class EventParts:
    """What the job works with. seal_identity: how a stored openid is looked up."""

    transactions: Transactions
    appid: str
    seal_identity: Callable[[str], str]
    open: Callable[[str], str]
    real_now: Callable[[], datetime]


Handler = Callable[[AsyncSession, EventParts, PushedMessage, WeChatEvent], Awaitable[bool]]
"""Does what an event asks for; False when it has to come again later."""


async def work_off_events(parts: EventParts) -> int:
    """Work off all that is due. Returns how many events are done with. Safe to run anywhere, any time."""
    done = 0
    while True:
        async with parts.transactions.write() as session:
            claimed = await claim_events(session, BATCH, parts.real_now())
        for row in claimed:
            done += await _work_off(parts, row.id)
        if len(claimed) < BATCH:
            return done


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


async def _answered(session: AsyncSession, parts: EventParts, message: PushedMessage, row: WeChatEvent) -> bool:
    """A popup was answered, or a setting changed."""
    owner = await _owner(session, parts, message)
    for number, item in enumerate(message.items if owner else ()):
        said = text_of(item, "SubscribeStatusString").lower()
        template_id = text_of(item, "TemplateId")
        if owner is not None and template_id and said in (GrantAnswer.ACCEPT, GrantAnswer.REJECT):
            answer, key = GrantAnswer(said), f"{row.dedupe_key}-{number}"
            await record_answer(session, owner.id, template_id, answer, GrantSource.EVENT, parts.real_now(), key)
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
    if owner is not None and message.made_at is not None and message.made_at < owner.created_at - CLOCKS_DIFFER:
        return None
    return owner


HANDLERS: dict[str, Handler] = {
    POPUP: _answered,
    CHANGE: _answered,
    SENT: _sent,
    CANCELLED: _cancelled,
    REVOKED: _revoked,
    MEDIA: _photo_judged,
}
