"""Answering a confirmation: by a tap or in plain words, exactly once, and everything that follows from the answer.

更新 writes the record and retires what it replaces, 保持原样 rejects the new statement, 再观察 goes on watching. The
first answer wins, whichever device it came from.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from sqlalchemy import func, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.asking import asked, asked_at
from domain.confirmation_replies import AskedChange, understand_reply
from domain.pets import pets_of
from domain.profile_facts import bring_profile_in_line
from domain.statement_comparison import compare, said_of_item, slot_of
from domain.statement_rows import Desk, Successor, close, promote
from domain.turn_context import Written
from memory.confirmations import (
    Confirmation,
    confirmation_of,
    confirmations_of,
    is_open,
    lapse_questions,
    lapsing,
    take_answer,
)
from memory.errors import AlreadyAnswered, ConfirmationLapsed, NewerCandidate, NotFound
from memory.intake import SaidMessage
from memory.item_writes import revise_item
from memory.items import EvidenceRow, MemoryItem
from memory.messages import Message
from memory.revision import touch
from memory.scope import Scope
from memory.settlement import Answer, Asked, Settlement, has_lapsed, settle
from memory.slot_book import SlotBook, SlotName, open_book
from memory.slot_locks import wait_for_turn
from memory.slot_relations import Relation, relate
from memory.vocabulary import ConfirmationKind, ConfirmationStatus, MemoryStatus, Outcome, Source

__all__ = ["Answered", "answer", "answer_in_words", "asked", "lapse_due", "open_confirmations"]

STILL_WARM = timedelta(minutes=10)  # how long after a question the very next message may be its answer
LAPSE_BATCH = 500  # questions ended in one transaction

_OUTCOME = {
    Answer.ACCEPT: Outcome.SUPERSEDED,
    Answer.KEEP: Outcome.MERGED,
    Answer.WATCH: Outcome.CANDIDATE,
}


@dataclass(frozen=True, slots=True)
class Answered:
    """A question that a message answered in words."""

    confirmation: Confirmation
    answer: Answer
    written: Written

    @property
    def slot(self) -> SlotName:
        return self.confirmation.subject, self.confirmation.attribute


async def answer(
    session: AsyncSession, scope: Scope, confirmation_id: str, given: Answer, now: datetime, real_now: datetime
) -> Confirmation:
    """Give the owner's answer. The same answer again answers the same.

    Raises NotFound, AlreadyAnswered for another answer, ConfirmationLapsed, and NewerCandidate (with its question)
    when another question has taken this one's place.
    """
    await wait_for_turn(session, scope.household_id)
    confirmation = await confirmation_of(session, scope, confirmation_id)
    if not is_open(confirmation):
        return await _as_answered(session, scope, confirmation, given)
    if has_lapsed(confirmation.lapses_at, now):
        raise ConfirmationLapsed()
    desk = await _desk(session, scope, now, real_now)
    await _answer_once(desk, confirmation, given)
    return confirmation


async def answer_in_words(
    desk: Desk, book: SlotBook, message: SaidMessage, just_asked: str | None = None
) -> Answered | None:
    """The open question that this message answers, answered; None when it answers none.

    just_asked: the confirmation that the reply before this message put; found out when None.
    """
    pending = [one for one in book.pending if asked_at(one) < message.said_at or one.id == just_asked]
    if not pending or message.verified:
        return None
    warm = await _just_asked(desk, pending, message, just_asked)
    question = warm or (pending[0] if len(pending) == 1 else None)
    if question is None:
        return None
    given = understand_reply(message.text, _asked_change(question), just_asked=warm is not None)
    if given is None:
        return None
    served = await _answer_once(replace(desk, source=Source.OWNER), question, given)
    return Answered(question, given, _receipt(question, given, served))


async def lapse_due(session: AsyncSession, now: datetime) -> list[Confirmation]:
    """End questions of every household whose fourteen days are over; at most `LAPSE_BATCH` a call."""
    ended = await lapse_questions(session, await lapsing(session, now, LAPSE_BATCH), now)
    for confirmation in ended:
        touch(session, confirmation.household_id)
    return ended


async def open_confirmations(
    session: AsyncSession, scope: Scope, now: datetime, pet_id: str | None = None
) -> list[Confirmation]:
    """Questions that wait for an answer at `now`, newest first."""
    pending = (ConfirmationStatus.PENDING.value,)
    rows = await confirmations_of(session, scope, statuses=pending, subject=pet_id)
    return [row for row in rows if not has_lapsed(row.lapses_at, now)]


async def _as_answered(session: AsyncSession, scope: Scope, confirmation: Confirmation, given: Answer) -> Confirmation:
    """What a question that is no longer open says to this answer."""
    if confirmation.answer == given.value:
        return confirmation
    if confirmation.status == ConfirmationStatus.LAPSED.value:
        raise ConfirmationLapsed()
    if confirmation.status == ConfirmationStatus.VOID.value:
        pending = (ConfirmationStatus.PENDING.value,)
        rows = await confirmations_of(session, scope, statuses=pending, subject=confirmation.subject)
        newer = next((row for row in rows if row.attribute == confirmation.attribute), None)
        if newer is not None:
            raise NewerCandidate(question=newer.question, confirmation_id=newer.id)
    raise AlreadyAnswered(status=confirmation.status, answer=confirmation.answer)


async def _desk(session: AsyncSession, scope: Scope, now: datetime, real_now: datetime) -> Desk:
    pets = {pet.id: pet for pet in await pets_of(session, scope)}
    return Desk(session, scope, pets, now, real_now, by=scope.owner_id, source=Source.OWNER)


async def _answer_once(desk: Desk, confirmation: Confirmation, given: Answer) -> MemoryItem | None:
    """Take the answer if nobody was first, and write what follows. Returns the line that is served from now on."""
    scope = desk.scope
    slot = (confirmation.subject, confirmation.attribute)
    book = await open_book(desk.session, scope, {slot}, desk.now, lambda item: said_of_item(item, scope))
    about = book.items.get(confirmation.candidate_id)
    if about is None:
        raise NotFound()
    if not await take_answer(desk.session, confirmation, given, desk.by, desk.now):
        await _as_answered(desk.session, scope, confirmation, given)
        return None
    touch(desk.session, scope.household_id)
    return await _settle(desk, book, confirmation, about, given)


async def _settle(
    desk: Desk, book: SlotBook, confirmation: Confirmation, about: MemoryItem, given: Answer
) -> MemoryItem | None:
    established = _established(book, confirmation, about)
    asked_about = Asked(
        kind=ConfirmationKind(confirmation.kind),
        about=about.id,
        established=tuple(item.id for item in established),
        became_true_on=_became_true_on(desk, confirmation, about),
    )
    settlement = settle(asked_about, given)
    reason = f"confirmation_{settlement.status.value}"
    if settlement.merges_into is not None:
        await _fold(desk, about, book.items[settlement.merges_into])
    served = await _carry_out(desk, book, about, established, settlement, reason)
    if given is Answer.KEEP:
        _affirm(desk, established)
    if given is Answer.ACCEPT:
        await _reject_rivals(desk, book, about, reason)
    return served


async def _carry_out(
    desk: Desk,
    book: SlotBook,
    about: MemoryItem,
    established: Sequence[MemoryItem],
    settlement: Settlement,
    reason: str,
) -> MemoryItem | None:
    served = established[0] if established else about
    if settlement.promotes is not None:
        served = await promote(desk, about, reason, established[0] if settlement.closes and established else None)
        bring_profile_in_line(desk, served)
    for closing in settlement.closes:
        successor = Successor(closing.valid_to, denies=about.negated)
        await close(desk, book.items[closing.id], closing.status, reason, successor)
    return served


def _established(book: SlotBook, confirmation: Confirmation, about: MemoryItem) -> list[MemoryItem]:
    """The lines served now that the statement in question cannot be true beside, the asked-about one first."""
    slot, new = slot_of(about.attribute), book.read(about)
    facts = book.state_of((about.subject, about.attribute)).facts
    opposed = [
        fact.id
        for fact in facts
        if fact.id != about.id
        and (
            fact.id == confirmation.established_id
            or relate(new, fact.said, slot, compare=compare) in (Relation.CONTRADICTS, Relation.NARROWS)
        )
    ]
    opposed.sort(key=lambda item_id: item_id != confirmation.established_id)
    return [book.items[item_id] for item_id in opposed]


def _became_true_on(desk: Desk, confirmation: Confirmation, about: MemoryItem) -> date:
    return desk.scope.local(about.valid_from or confirmation.created_at).date()


def _affirm(desk: Desk, established: Sequence[MemoryItem]) -> None:
    """The owner stands by these lines: what was observed against them before is spent."""
    for item in established:
        item.last_evidence_at = max(item.last_evidence_at, desk.now)
        desk.session.add(item)


async def _reject_rivals(desk: Desk, book: SlotBook, about: MemoryItem, reason: str) -> None:
    """Other candidates of the slot that cannot be true beside what the owner has just accepted."""
    slot, accepted = slot_of(about.attribute), book.read(about)
    for candidate in book.state_of((about.subject, about.attribute)).candidates:
        relation = relate(accepted, candidate.said, slot, compare=compare)
        if candidate.id != about.id and relation not in (Relation.SAME, Relation.COMPATIBLE):
            await close(desk, book.items[candidate.id], MemoryStatus.REJECTED, reason, Successor())


async def _fold(desk: Desk, item: MemoryItem, into: MemoryItem) -> None:
    """Hand the evidence and the signals of a line on to the one it is the same as."""
    await desk.session.exec(
        update(EvidenceRow)
        .where(
            col(EvidenceRow.household_id) == desk.scope.household_id,
            col(EvidenceRow.target_kind) == "memory",
            col(EvidenceRow.target_id) == item.id,
        )
        .values(target_kind=into.record_kind or "memory", target_id=into.record_id or into.id)
    )
    into.cited, into.viewed, into.hit = into.cited + item.cited, into.viewed + item.viewed, into.hit + item.hit
    into.last_evidence_at = max(into.last_evidence_at, item.last_evidence_at)
    await revise_item(desk.session, into, desk.by, f"merged {item.id}", desk.now, desk.real_now)


async def _just_asked(
    desk: Desk, pending: Sequence[Confirmation], message: SaidMessage, told: str | None
) -> Confirmation | None:
    """The question that was the last thing put to the owner before this message."""
    if told is not None:
        return next((one for one in pending if one.id == told), None)
    latest = max(pending, key=asked_at)
    if message.conversation_id is None or message.said_at - asked_at(latest) > STILL_WARM:
        return None
    between = await desk.session.exec(
        select(func.count())
        .select_from(Message)
        .where(
            col(Message.household_id) == desk.scope.household_id,
            col(Message.conversation_id) == message.conversation_id,
            col(Message.role) == "user",
            col(Message.id) != message.id,
            col(Message.said_at) > asked_at(latest),
            col(Message.said_at) <= message.said_at,
        )
    )
    alone = sum(asked_at(one) == asked_at(latest) for one in pending) == 1
    return latest if alone and between.one() == 0 else None


def _asked_change(confirmation: Confirmation) -> AskedChange:
    guards = slot_of(confirmation.attribute).guards
    denied = bool(confirmation.new.get("negated"))
    old = confirmation.old
    return AskedChange(
        new=str(confirmation.new["content"]),
        old=str(old["content"]) if old else None,
        denies=denied if guards and (denied or old is None) else None,
    )


def _receipt(confirmation: Confirmation, given: Answer, served: MemoryItem | None) -> Written:
    old = str(confirmation.old["content"]) if confirmation.old else str(confirmation.new["content"])
    content = served.content if served is not None else old
    return Written(
        outcome=_OUTCOME[given],
        subject=confirmation.subject,
        topic=served.topic if served is not None else "",
        content=content,
        attribute=confirmation.attribute,
        memory_id=served.id if served is not None else None,
        record_kind=served.record_kind if served is not None else None,
        record_id=served.record_id if served is not None else None,
        reason=f"confirmation_{confirmation.status}",
    )
