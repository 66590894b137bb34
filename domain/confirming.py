"""Answering a confirmation: by a tap or in plain words, exactly once, and everything that follows from the answer.

更新 writes the record and retires what it replaces, 保持原样 rejects the new statement, 再观察 goes on watching. The
first answer wins, whichever device it came from.
"""

from collections.abc import Sequence
from datetime import date, datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from domain.asking import asked
from domain.claim_records import told_by_item
from domain.merge_questions import settle_merge
from domain.pets import pets_of
from domain.profile_facts import bring_profile_in_line, worded_as_page
from domain.statement_comparison import compare, said_of_item, slot_of
from domain.statement_rows import Desk, Successor, close, promote, require_holdable
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
from memory.items import MemoryItem
from memory.revision import touch
from memory.scope import Scope
from memory.settlement import Answer, Asked, Settlement, has_lapsed, settle
from memory.slot_book import SlotBook
from memory.slot_locks import wait_for_turn
from memory.slot_reads import open_book
from memory.slot_relations import Relation, relate
from memory.vocabulary import ConfirmationKind, ConfirmationStatus, MemoryStatus, Source

__all__ = ["answer", "answer_once", "asked", "lapse_due", "open_confirmations"]

LAPSE_BATCH = 500  # questions ended in one transaction


async def answer(
    session: AsyncSession, scope: Scope, confirmation_id: str, given: Answer, now: datetime, real_now: datetime
) -> Confirmation:
    """Give the owner's answer. The same answer again answers the same.

    Raises NotFound, AlreadyAnswered for another answer, ConfirmationLapsed, NewerCandidate (with its question) when
    another question has taken this one's place, and Implausible for a yes to what no record may hold.
    """
    await wait_for_turn(session, scope.household_id)
    confirmation = await confirmation_of(session, scope, confirmation_id)
    if not is_open(confirmation):
        return await _as_answered(session, scope, confirmation, given)
    if has_lapsed(confirmation.lapses_at, now):
        raise ConfirmationLapsed()
    desk = await _desk(session, scope, now, real_now)
    await answer_once(desk, confirmation, given)
    return confirmation


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


async def answer_once(desk: Desk, confirmation: Confirmation, given: Answer) -> MemoryItem | None:
    """Take the answer if nobody was first, and write what follows. Returns the line that is served from now on.

    Raises Implausible for a yes to what no record may hold, and NotFound when the statement is gone: nothing is
    written then, and the question stays open.
    """
    scope = desk.scope
    if confirmation.kind == ConfirmationKind.MERGE.value:
        return await _answer_merge(desk, confirmation, given)
    slot = (confirmation.subject, confirmation.attribute)
    book = await open_book(desk.session, scope, {slot}, desk.now, lambda item: said_of_item(item, scope))
    about = book.items.get(confirmation.candidate_id)
    if about is None:
        raise NotFound()
    if given is Answer.ACCEPT and about.record_id is None:
        require_holdable(desk, about.subject, told_by_item(about, scope))
    if not await take_answer(desk.session, confirmation, given, desk.by, desk.now):
        await _as_answered(desk.session, scope, confirmation, given)
        return None
    touch(desk.session, scope.household_id)
    return await _settle(desk, book, confirmation, about, given)


async def _answer_merge(desk: Desk, confirmation: Confirmation, given: Answer) -> MemoryItem | None:
    served = await settle_merge(desk, confirmation, given)
    if served is None:
        await _as_answered(desk.session, desk.scope, confirmation, given)
    touch(desk.session, desk.scope.household_id)
    return served


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
        about.content = worded_as_page(desk, about)
        served = await promote(desk, about, reason, established[0] if settlement.closes and established else None)
        await bring_profile_in_line(desk, served)
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
