"""Carries due prompts from the inbox to WeChat: decide in one transaction, send with none open, note the outcome."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.inbox import InboxMessage
from domain.owners import Owner, in_quiet_hours
from domain.push_messages import NEUTRAL_SUBJECT, Template, Words, digest, fields_of
from domain.pushable_words import PromptWords, words_in
from domain.pushes import (
    SEND_LEASE,
    Push,
    PushState,
    dead_pushes,
    owners_with_due_prompts,
    prompts_of,
    retries_due,
    settle_push,
    take_push,
)
from domain.subscriptions import count_down, stop_template, use_up
from domain.wechat import PushOutcome, PushResult, SubscribeMessage, SubscribeSender
from domain.word_verdicts import WordKeeper
from memory.transactions import Transactions

log = structlog.get_logger(__name__)

BATCH = 16  # owners a round; so many calls to WeChat are open at once, one for each owner
MOST_ATTEMPTS = 3  # the first and two more; WeChat documents "retry later" for what is surely not sent
RETRY_PAUSES = (timedelta(seconds=30), timedelta(minutes=3))  # real time, after the first and the second attempt


@dataclass(frozen=True, slots=True)
class PushParts:
    """What the job works with. `open_identity` turns a stored openid into the plain one.

    keeper: knows which of an owner's words may be pushed; None where nobody judges.
    """

    transactions: Transactions
    sender: SubscribeSender
    templates: Collection[Template]
    open_identity: Callable[[str], str]
    real_now: Callable[[], datetime]
    keeper: WordKeeper | None = None


@dataclass(frozen=True, slots=True)
class _Parcel:
    push_id: str
    message: SubscribeMessage


async def push_inbox(parts: PushParts, now: datetime) -> int:
    """Push what is due at `now` (domain time), one message an owner. Returns how many WeChat took.

    Safe to run anywhere, any time.
    """
    await _bury_the_dead(parts)
    sent, after = await _send(parts, await _second_tries(parts, now)), ""
    while True:
        owners, parcels = await _next_parcels(parts, now, after)
        sent += await _send(parts, parcels)
        if len(owners) < BATCH:
            return sent
        after = owners[-1]


async def _send(parts: PushParts, parcels: Sequence[_Parcel]) -> int:
    results = await asyncio.gather(*(parts.sender.send_subscribe_message(each.message) for each in parcels))
    for parcel, result in zip(parcels, results, strict=True):
        await _note(parts, parcel.push_id, result)
    return sum(result.outcome is PushOutcome.SENT for result in results)


async def _bury_the_dead(parts: PushParts) -> None:
    async with parts.transactions.write() as session:
        for push in await dead_pushes(session, parts.real_now(), BATCH):
            await _apply(session, push, PushResult(PushOutcome.UNKNOWN), parts.real_now())


async def _next_parcels(parts: PushParts, now: datetime, after: str) -> tuple[list[str], list[_Parcel]]:
    """The owners looked at, by id, and what is to be sent to them."""
    parcels: list[_Parcel] = []
    async with parts.transactions.write() as session:
        owners = await owners_with_due_prompts(session, now, after, BATCH)
        for owner in owners:
            push = await take_push(session, owner, parts.templates, now, parts.real_now())
            if push is not None:
                await session.flush()
                parcels.extend(await _parcel(session, parts, push, owner))
        return [owner.id for owner in owners], parcels


async def _second_tries(parts: PushParts, now: datetime) -> list[_Parcel]:
    parcels: list[_Parcel] = []
    async with parts.transactions.write() as session:
        for push in await retries_due(session, parts.real_now(), BATCH):
            owner = await session.get(Owner, push.owner_id)
            if owner is None or in_quiet_hours(owner, now):
                await settle_push(session, push, PushState.FAILED)
                continue
            push.state, push.attempts = PushState.SENDING.value, push.attempts + 1
            push.leased_until = parts.real_now() + SEND_LEASE
            session.add(push)
            parcels.extend(await _parcel(session, parts, push, owner))
    return parcels


async def _parcel(session: AsyncSession, parts: PushParts, push: Push, owner: Owner) -> list[_Parcel]:
    """The message of a push; none when its prompts are gone or its template is not in use any more."""
    rows = await prompts_of(session, push)
    template = next((one for one in parts.templates if one.template_id == push.template_id), None)
    if not rows or template is None:
        await settle_push(session, push, PushState.FAILED)
        return []
    words = await _words(session, parts.keeper, push, template, rows, owner)
    page = f"{template.page}?message={rows[0].id}" if template.page else ""
    openid = parts.open_identity(owner.openid)
    return [_Parcel(push.id, SubscribeMessage(openid, template.template_id, page, fields_of(template, words)))]


async def _words(
    session: AsyncSession,
    keeper: WordKeeper | None,
    push: Push,
    template: Template,
    rows: Sequence[InboxMessage],
    owner: Owner,
) -> Words:
    """What the push says; words of the owner's that nobody has cleared are left out."""
    at = rows[-1].not_before
    if push.neutral:
        return Words(NEUTRAL_SUBJECT, template.title, at)
    told = await words_in(session, rows)
    if keeper is None:
        return digest([one.name for one in told], [row.title for row in rows], at)
    asked = {word for one in told for word in (one.name, *one.others) if word}
    cleared = await keeper.cleared(session, owner, asked)
    titles = [row.title if _is_cleared(one, cleared) else template.title for row, one in zip(rows, told, strict=True)]
    return digest([one.name if one.name in cleared else "" for one in told], titles, at)


def _is_cleared(words: PromptWords, cleared: Collection[str]) -> bool:
    """Whether a prompt's title may be shown: it may hold the pet's name as well."""
    return words.whole and all(word in cleared for word in (words.name, *words.others) if word)


async def _note(parts: PushParts, push_id: str, result: PushResult) -> None:
    async with parts.transactions.write() as session:
        push = await session.get(Push, push_id)
        if push is not None:  # the account may have been erased meanwhile
            await _apply(session, push, result, parts.real_now())


async def _apply(session: AsyncSession, push: Push, result: PushResult, real_now: datetime) -> None:
    """Note what WeChat said, and what follows for the ledger and the template."""
    push.errcode, push.msgid = result.errcode, result.msgid
    state = _state_after(push, result.outcome)
    if state is PushState.RETRY:
        push.neutral = push.neutral or result.outcome is PushOutcome.WORDING
        push.leased_until = real_now + RETRY_PAUSES[push.attempts - 1]
    await settle_push(session, push, state)
    if state in (PushState.PUSHED, PushState.UNKNOWN):
        await count_down(session, push.owner_id, push.template_id, real_now)
    elif result.outcome is PushOutcome.REFUSED:
        await use_up(session, push.owner_id, push.template_id, real_now)
    elif result.outcome is PushOutcome.BANNED:
        await stop_template(session, push.template_id, result.errcode or 0, real_now)
    _tell_operator(push, result)


def _state_after(push: Push, outcome: PushOutcome) -> PushState:
    if outcome is PushOutcome.WORDING:
        return PushState.FAILED if push.neutral or push.attempts >= MOST_ATTEMPTS else PushState.RETRY
    if outcome is PushOutcome.RETRY_LATER:
        return PushState.FAILED if push.attempts >= MOST_ATTEMPTS else PushState.RETRY
    return {
        PushOutcome.SENT: PushState.PUSHED,
        PushOutcome.REFUSED: PushState.REFUSED,
        PushOutcome.UNKNOWN: PushState.UNKNOWN,
    }.get(outcome, PushState.FAILED)


def _tell_operator(push: Push, result: PushResult) -> None:
    told = {"push": push.id, "kind": push.kind, "outcome": result.outcome.value, "errcode": result.errcode}
    if result.outcome in (PushOutcome.BANNED, PushOutcome.INVALID):
        log.error("push_not_possible", **told)
    elif result.outcome is not PushOutcome.SENT:
        log.warning("push_not_sent", **told)
