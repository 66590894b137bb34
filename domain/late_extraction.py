"""What a model reads from messages after their replies: taken from the outbox, read, merged, told.

A row of the outbox names a message; it is written with the reply's end and settled with what the reading taught, so
nothing is lost and nothing is told twice. Rows of one owner that are due together are read in one call. A message
that is gone, whose owner has taken a consent back, or that nothing can be read from, costs no call.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.asked_before import asked_how_it_is, may_answer
from domain.household_view import HouseholdView, HouseholdViews
from domain.late_receipts import tell_late
from domain.model_claims import Fact, FactReader, ToRead, added_by_model, may_be_read
from domain.model_faults import ModelFault
from domain.offline.extractor import extract
from domain.owners import Owner, has_consent, scope_of
from domain.pet_profiles import KnownFact, SaidBefore, Utterance
from domain.remembering import LIMITS, Limits, remember
from domain.token_use import DAILY_TOKENS, DailyTokens, Tokens, note_tokens, tokens_of_day
from domain.turn_context import Written
from memory.claims import Claim, Refusal
from memory.intake import SaidMessage
from memory.messages import Message, recent_messages
from memory.outbox import OutboxRow, claim_due, postpone, settle
from memory.prepared import Quick, by_dialect, insert_of, quick_of, row_of
from memory.scope import Scope
from memory.transactions import Transactions

EXTRACT_TOPIC = "extract"
READ_TOGETHER = 4  # messages of one owner in one call
TAKEN = 16  # rows a round
BATCH_WAIT = timedelta(seconds=90)  # for more messages without health words, so that one call reads them all
CALL_SECONDS = 40.0  # of one call; shorter than the lease of a row
LOOKED_BACK = 4  # earlier messages whose words a correction may take up
NEEDED = ("long_term_memory", "model_provider")

log = structlog.get_logger(__name__)

_ADD_ROW = insert_of(OutboxRow)


@dataclass(frozen=True, slots=True)
class ExtractionParts:
    """What it works with. reader None: no model, rows wait. observe: counts what was not kept, by reason."""

    transactions: Transactions
    views: HouseholdViews
    reader: FactReader | None
    real_now: Callable[[], datetime]
    tombstone_key: bytes
    limits: Limits = LIMITS
    daily_tokens: DailyTokens = DAILY_TOKENS
    observe: Callable[[Counter[str]], None] = lambda _reasons: None


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A message as the turn saw it."""

    row: OutboxRow
    message: Message
    scope: Scope
    view: HouseholdView
    utterance: Utterance
    said: SaidMessage


async def queue_message(quick: Quick, scope: Scope, message_id: str, available_at: datetime, real_now: datetime) -> str:
    """Have a message read later, in the caller's transaction. Returns the row's id."""
    row = row_of(
        OutboxRow,
        household_id=scope.household_id,
        topic=EXTRACT_TOPIC,
        key=message_id,
        created_at=real_now,
        available_at=available_at,
    )
    await quick.run(by_dialect(_ADD_ROW, quick), row)
    return str(row["id"])


def count_refused(observe: Callable[[Counter[str]], None], refusals: Sequence[Refusal]) -> None:
    """Count what was not kept by reason; the words are nobody's business."""
    if refusals:
        reasons = Counter(refusal.reason for refusal in refusals)
        log.info("facts_not_kept", reasons=dict(reasons))
        observe(reasons)


async def read_late(parts: ExtractionParts) -> int:
    """Work off what is due. Returns how many messages were settled. Safe to run anywhere, any time."""
    if parts.reader is None:
        return 0
    async with parts.transactions.write() as session:
        rows = await claim_due(session, EXTRACT_TOPIC, TAKEN, parts.real_now())
    loaded = [one for row in rows if (one := await _load(parts, row)) is not None]
    settled = len(rows) - len(loaded)
    by_owner: dict[str, list[_Loaded]] = {}
    for one in loaded:
        by_owner.setdefault(one.message.owner_id, []).append(one)
    for messages in by_owner.values():
        for start in range(0, len(messages), READ_TOGETHER):
            settled += await _read_together(parts, messages[start : start + READ_TOGETHER])
    return settled


async def keep_late(parts: ExtractionParts, row_id: str, facts: Sequence[Fact], tokens: dict[str, Tokens]) -> None:
    """Write what a call that outlived its reply has read; its row is settled with it."""
    async with parts.transactions.read() as session:
        row = await session.get(OutboxRow, row_id)
    if row is not None and (one := await _load(parts, row)) is not None:
        await _keep(parts, one, facts, tokens)


async def note_failed(parts: ExtractionParts, row_id: str, spent: Mapping[str, Tokens]) -> None:
    """Count what a call cost that could not be used; its row comes due."""
    async with parts.transactions.write() as session:
        if spent and (row := await session.get(OutboxRow, row_id)) is not None:
            await _note_spent(session, row, spent)


async def _note_spent(session: AsyncSession, row: OutboxRow, spent: Mapping[str, Tokens]) -> None:
    """For the owner of the row's message, while both are there."""
    message = await session.get(Message, row.key)
    owner = await session.get(Owner, message.owner_id) if message is not None else None
    if message is not None and owner is not None:
        quick = await quick_of(session)
        await note_tokens(quick, scope_of(owner), "extract", spent, message.said_at, message.turn_id)


async def _read_together(parts: ExtractionParts, messages: Sequence[_Loaded]) -> int:
    """One call for these messages of one owner; each is kept in a transaction of its own."""
    assert parts.reader is not None  # noqa: S101  # looked at by the only caller
    try:
        if await _is_spent_out(parts, messages[0]):
            raise _Spent
        until = asyncio.get_running_loop().time() + CALL_SECONDS
        read = await parts.reader.read([ToRead(one.message.text, one.utterance.pets) for one in messages], until)
        for place, one in enumerate(messages):
            tokens = {read.model: read.tokens} if place == 0 else {}
            await _keep(parts, one, read.facts[place], tokens)
    except Exception as error:
        await _give_back(parts, [one.row for one in messages], error)
        return 0
    return len(messages)


class _Spent(Exception):
    """The owner's day has cost what it may; tomorrow is soon enough."""


async def _is_spent_out(parts: ExtractionParts, one: _Loaded) -> bool:
    async with parts.transactions.quick_read() as quick:
        used = await tokens_of_day(quick, one.scope, one.message.said_at)
    return used.total >= parts.daily_tokens.hard


async def _load(parts: ExtractionParts, row: OutboxRow) -> _Loaded | None:
    """The message and what stood around it; None, and the row is settled, when nothing may or can be read."""
    async with parts.transactions.read() as session:
        message = await session.get(Message, row.key)
        owner = await session.get(Owner, message.owner_id) if message is not None else None
        allowed = owner is not None and all([await has_consent(session, owner.id, one) for one in NEEDED])
    if message is not None and owner is not None and allowed:
        loaded = await _around(parts, row, message, scope_of(owner))
        if may_be_read(loaded.utterance):
            return loaded
    async with parts.transactions.write() as session:
        await settle(session, [row])
    return None


async def _around(parts: ExtractionParts, row: OutboxRow, message: Message, scope: Scope) -> _Loaded:
    view = await parts.views.view(parts.transactions, scope)
    async with parts.transactions.quick_read() as quick:
        earlier = await recent_messages(quick, scope, message.conversation_id)
    history = [
        SaidBefore("assistant" if one.role == "assistant" else "user", one.text, one.said_at, one.place)
        for one in earlier
        if one.id < message.id
    ]
    asked = None
    if message.pet_id is None and may_answer(message.text, view.profiles, history):
        asked = asked_how_it_is(message.text, view.follow_ups, view.pets, scope.local(message.said_at).date())
    utterance = Utterance(
        text=message.text,
        now=scope.local(message.said_at),
        pets=view.profiles,
        owner_name=view.owner.nickname,
        history=[asked, *history] if asked is not None else history,
        focus_pet_id=message.pet_id,
        known=[KnownFact(item.subject, item.attribute, item.content) for item in view.core],
    )
    last = history[-1] if history else None
    said = SaidMessage(
        message.id,
        message.conversation_id,
        message.text,
        message.said_at,
        scope,
        asked=last.text if last and last.role == "assistant" else "",
        before="\n".join(one.text for one in history[-LOOKED_BACK:] if one.role == "user"),
    )
    return _Loaded(row, message, scope, view, utterance, said)


async def _keep(parts: ExtractionParts, one: _Loaded, facts: Sequence[Fact], tokens: dict[str, Tokens]) -> None:
    """Merge by the same policy as every statement, tell it, settle the row: one transaction."""
    added = added_by_model(facts, one.utterance, extract(one.utterance).claims)
    now = one.message.said_at
    async with parts.transactions.write() as session:
        wanted = await session.get(OutboxRow, one.row.id) is not None  # not when the owner had it forgotten meanwhile
        if wanted and await session.get(Message, one.message.id) is not None:  # or deleted
            written = await _remember(session, parts, one, added.claims)
            await tell_late(session, one.message, written)
        await note_tokens(await quick_of(session), one.scope, "extract", tokens, now, one.message.turn_id)
        await settle(session, [one.row])
    count_refused(parts.observe, added.refusals)


async def _remember(
    session: AsyncSession, parts: ExtractionParts, one: _Loaded, claims: Sequence[Claim]
) -> tuple[Written, ...]:
    if not claims:
        return ()
    now = one.message.said_at
    remembered = await remember(
        session,
        one.view.pets,
        one.said,
        claims,
        now,
        parts.real_now(),
        secret_key=parts.tombstone_key,
        limits=parts.limits,
    )
    count_refused(parts.observe, remembered.refusals)
    return remembered.written


async def _give_back(parts: ExtractionParts, rows: Sequence[OutboxRow], error: Exception) -> None:
    reason = error.reason if isinstance(error, ModelFault) else type(error).__name__
    log.warning("extraction_postponed", rows=len(rows), error=reason)
    async with parts.transactions.write() as session:
        await postpone(session, rows, reason, parts.real_now())
        if isinstance(error, ModelFault) and error.spent:
            await _note_spent(session, rows[0], error.spent)
