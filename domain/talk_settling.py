"""Ended conversations get their summary: claim, read, write the sentence, store it unless more was said meanwhile.

Read, think, write: a model may take its time, so no transaction is open while the sentence is written. A conversation
that goes on, or loses a message or a memory, in between is left for the next run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlalchemy import BindParameter, bindparam, or_, select
from sqlmodel import col

from domain.model_chores import NotAsked
from domain.offline.responder.wording import plain
from domain.owners import Consent, Owner, in_force, scope_of
from domain.pets import Pet, profile_of
from domain.talk_summaries import (
    Noted,
    SummaryWriter,
    Talk,
    Uttered,
    about_one,
    accept_written,
    compose,
    subjects_of,
)
from memory.items import EvidenceRow, MemoryItem
from memory.messages import EndedTalk, claim_ended, said_in, settle_ended
from memory.prepared import Quick, Statement, padded, whole_rows
from memory.scope import Scope
from memory.summaries import ConversationSummary, TalkPart, replace_summary, withheld_messages
from memory.transactions import Transactions
from memory.visibility import SERVED
from memory.vocabulary import Precision

log = structlog.get_logger(__name__)

BATCH = 20  # conversations a round
WRITTEN_BATCH = 4  # the same when a model writes: each may take 20 s of the lease of two minutes
LONG_TERM_MEMORY = "long_term_memory"
USER = "user"

_HOUSEHOLD: BindParameter[str] = bindparam("household")
_OWNER = whole_rows(Owner, col(Owner.id) == bindparam("owner"))
_CONSENT = Statement(
    select(col(Consent.granted), col(Consent.version))
    .where(col(Consent.owner_id) == bindparam("owner"), col(Consent.purpose) == LONG_TERM_MEMORY)
    .order_by(col(Consent.id).desc())
    .limit(1)
)
_EVIDENCE = Statement(
    select(col(EvidenceRow.target_id), col(EvidenceRow.message_id))
    .where(col(EvidenceRow.household_id) == _HOUSEHOLD, col(EvidenceRow.conversation_id) == bindparam("conversation"))
    .order_by(col(EvidenceRow.id))
)
_TARGETS: BindParameter[str] = bindparam("targets", expanding=True)
_ITEMS = whole_rows(
    MemoryItem,
    col(MemoryItem.household_id) == _HOUSEHOLD,
    or_(col(MemoryItem.id).in_(_TARGETS), col(MemoryItem.record_id).in_(_TARGETS)),
    order=col(MemoryItem.id),
)
_PETS = whole_rows(Pet, col(Pet.household_id) == _HOUSEHOLD, order=col(Pet.id))


@dataclass(frozen=True, slots=True)
class SettlingParts:
    """What it works with. writer: a model's hand, None for rules alone."""

    transactions: Transactions
    real_now: Callable[[], datetime]
    writer: SummaryWriter | None = None


async def settle_talks(parts: SettlingParts, now: datetime, owner_id: str | None = None, limit: int = BATCH) -> int:
    """Summarise conversations that have ended by `now` (domain time): the latest of one owner, or the oldest of all.

    Returns how many were taken. Safe to run anywhere, any time, and to be killed: what was taken and not settled is
    taken again when its lease has run out.
    """
    async with parts.transactions.quick_write() as quick:
        ended = await claim_ended(quick, now, parts.real_now(), limit, owner_id)
    for conversation in ended:
        try:
            await _settle(parts, conversation, now)
        except Exception as error:  # one conversation that cannot be read must not keep the others waiting
            log.exception("talk_not_summarised", conversation_id=conversation.id, error=type(error).__name__)
    return len(ended)


async def _settle(parts: SettlingParts, conversation: EndedTalk, now: datetime) -> None:
    async with parts.transactions.quick_read() as quick:
        talk = await _read_talk(quick, conversation)
    written = await _sentence(parts, talk) if talk is not None else None
    async with parts.transactions.quick_write() as quick:
        if await settle_ended(quick, conversation, now) and talk is not None and written is not None and written[0]:
            await _store(quick, conversation, talk, *written)


async def _sentence(parts: SettlingParts, talk: Talk) -> tuple[tuple[TalkPart, ...], str]:
    """The parts, and who made them: a model's sentence when it is grounded, else the rules' own."""
    own = compose(talk)
    if parts.writer is None or not own or not about_one(talk):
        return own, "rules"
    try:
        written = accept_written(await parts.writer(talk), talk)
    except NotAsked:
        written = ()
    except Exception as error:
        log.warning("summary_not_written", error=type(error).__name__)
        written = ()
    return (written, "model") if written else (own, "rules")


async def _store(quick: Quick, conversation: EndedTalk, talk: Talk, parts: tuple[TalkPart, ...], made_by: str) -> None:
    summary = ConversationSummary(
        conversation_id=conversation.id,
        household_id=conversation.household_id,
        owner_id=conversation.owner_id,
        ended_at=conversation.last_at,
        parts=[{"subjects": sorted(part.subjects), "text": part.text} for part in parts],
        made_by=made_by,
    )
    await replace_summary(
        quick,
        summary,
        {
            "memory": {one.memory_id for one in talk.noted},
            "message": {one.id for one in talk.said},
            "subject": subjects_of(parts),
        },
    )


async def _read_talk(quick: Quick, conversation: EndedTalk) -> Talk | None:
    """The conversation as it may be told; None when its owner lets nothing be kept."""
    of_owner, home = {"owner": conversation.owner_id}, {"household": conversation.household_id}
    owners: Sequence[Owner] = await quick.rows(_OWNER, of_owner)
    consent = await quick.rows(_CONSENT, of_owner)
    if not owners or not (consent and in_force(LONG_TERM_MEMORY, consent[0].granted, consent[0].version)):
        return None
    scope = scope_of(owners[0])
    messages = [one for one in await said_in(quick, conversation.id) if one.role == USER]
    evidence = await quick.rows(_EVIDENCE, {**home, "conversation": conversation.id})
    targets = padded(sorted({row.target_id for row in evidence}))
    items: Sequence[MemoryItem] = await quick.rows(_ITEMS, {**home, "targets": targets}) if evidence else ()
    kept = {one for item in items for one in (item.id, item.record_id) if one and item.status in SERVED}
    doubtful = {row.message_id for row in evidence if row.target_id not in kept}
    withheld = await withheld_messages(quick, conversation.id) | doubtful
    return Talk(
        ended_at=scope.local(conversation.last_at),
        said=[Uttered(one.id, one.text, one.id not in withheld) for one in messages],
        noted=[_noted(item, scope) for item in items if item.status in SERVED],
        pets=[profile_of(pet) for pet in await quick.rows(_PETS, home)],
        scope=scope,
    )


def _noted(item: MemoryItem, scope: Scope) -> Noted:
    happened = scope.local(item.valid_from).date() if item.valid_from else None
    return Noted(
        item.id, item.subject, plain(item.content), item.weight_level, happened, Precision(item.valid_from_precision)
    )
