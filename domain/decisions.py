"""Carrying out one decision of the conflict policy about one claim: rows come, change, gain evidence, or leave."""

from dataclasses import dataclass, field

from domain.claim_records import Told
from domain.statement_comparison import slot_of
from domain.statement_rows import Desk, Successor, add_details, close, establish, promote
from memory.claims import Claim
from memory.conflict_policy import Decision
from memory.intake import SaidMessage, affirm, evidence_of, line_of, reword
from memory.item_writes import add_evidence, revise_item
from memory.items import EvidenceRow, MemoryItem
from memory.slot_book import SlotBook
from memory.vocabulary import Certainty, MemoryStatus, Outcome, Source


@dataclass(slots=True)
class Work:
    """One message being remembered."""

    desk: Desk
    message: SaidMessage
    source: Source
    secret: bytes
    book: SlotBook
    room: int  # new memories that still fit
    replayed: set[str] = field(default_factory=set)  # evidence ids already answered with


async def write_rows(work: Work, claim: Claim, told: Told, decision: Decision) -> MemoryItem:
    """The rows of a decision. Returns the line that holds the statement afterwards.

    The statement was found fit for its record before (`require_holdable`).
    """
    replaced = [work.book.items[closing.id] for closing in decision.closes]
    heir_of = next(
        (
            row
            for row, closing in zip(replaced, decision.closes, strict=True)
            if closing.status is MemoryStatus.SUPERSEDED
        ),
        None,
    )
    item = await _new_or_known_row(work, claim, told, decision, heir_of)
    for row, closing in zip(replaced, decision.closes, strict=True):
        successor = Successor(closing.valid_to, denies=claim.negated)
        await close(work.desk, row, closing.status, decision.reason, successor)
    return item


async def _new_or_known_row(
    work: Work, claim: Claim, told: Told, decision: Decision, heir_of: MemoryItem | None
) -> MemoryItem:
    words = evidence_of(claim, work.message, work.source, decision.outcome, decision.reason, counts=decision.counts)
    if decision.target is None:
        line = line_of(
            claim,
            work.message,
            work.source,
            slot_of(claim.attribute).risk,
            decision.status or MemoryStatus.ACTIVE,
            work.desk.now,
            guess=decision.tentative,
        )
        line.reason = decision.reason if line.status != MemoryStatus.ACTIVE.value else None
        item = await establish(work.desk, line, told, decision.reason, [words], heir_of)
        work.room -= item.record_id is None
        work.book.items[item.id] = item
        work.book.evidence[item.id].append(words)
        return item
    return await _attach(work, claim, told, decision, words, heir_of)


async def _attach(
    work: Work, claim: Claim, told: Told, decision: Decision, words: EvidenceRow, heir_of: MemoryItem | None
) -> MemoryItem:
    """Put the words onto the row that is decided on, and bring it into force if that is what they do."""
    desk, reason = work.desk, decision.reason
    item = work.book.items[decision.target or ""]
    add_evidence(desk.session, item.record_kind or "memory", item.record_id or item.id, words)
    work.book.evidence[item.id].append(words)
    if not decision.counts:
        return item
    plain = claim.certainty is Certainty.PLAIN and claim.first_hand
    changed = affirm(item, claim, work.message.said_at, work.message.scope)
    desk.session.add(item)
    if decision.promotes == item.id:
        if plain and item.record_id is None:
            reword(item, claim, work.message.scope)
        item = await promote(desk, item, reason, heir_of)
        work.book.items[item.id] = item
    elif plain and item.status == MemoryStatus.CANDIDATE.value and item.certainty != Certainty.PLAIN.value:
        reword(item, claim, work.message.scope)
        await revise_item(desk.session, item, desk.by, reason, desk.now, desk.real_now)
    elif changed and item.record_id is None:
        item = await promote(desk, item, reason)
        work.book.items[item.id] = item
    if plain and decision.outcome is Outcome.MERGED:
        await add_details(desk, item, told, reason)
    return item
