"""Answering an open question in plain words, in the middle of the talk: 对，改吧 / 先别改 / 再看看.

What the words mean is `confirmation_replies`; here it is found out which question they can be about at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from sqlalchemy import bindparam, func
from sqlmodel import col, select

from domain.asking import asked_at
from domain.confirmation_replies import AskedChange, understand_reply
from domain.confirming import answer_once
from domain.errors import Implausible
from domain.statement_comparison import slot_of
from domain.statement_rows import Desk
from domain.turn_context import Written
from memory.claims import Claim
from memory.confirmations import Confirmation, void_questions
from memory.errors import NotFound
from memory.intake import SaidMessage
from memory.item_writes import add_evidence
from memory.items import EvidenceRow, MemoryItem
from memory.messages import Message
from memory.personal_numbers import mask_numbers
from memory.prepared import Statement, quick_of
from memory.settlement import Answer
from memory.similarity import quantities
from memory.slot_book import SlotBook, SlotName
from memory.vocabulary import Outcome, Source

STILL_WARM = timedelta(minutes=10)  # how long after a question the very next message may be its answer

NOT_POSSIBLE = "answer_not_possible"
"""Why a yes changed nothing; what follows a colon is worded for the owner."""
_GONE = "这个问题说的那条记录已经不在了"

MAX_QUOTE = 200  # characters of an answer that are kept as evidence

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


async def answer_in_words(
    desk: Desk,
    book: SlotBook,
    message: SaidMessage,
    just_asked: str | None = None,
    put: Sequence[Claim] = (),
) -> Answered | None:
    """The open question that this message answers, answered; None when it answers none.

    just_asked: the confirmation that the reply before this message put; found out when None. put: the change that it
    asked for in words of its own.
    """
    pending = [one for one in book.pending if asked_at(one) < message.said_at or one.id == just_asked]
    if not pending or message.verified:
        return None
    warm = await _just_asked(desk, pending, message, just_asked)
    question = warm or (pending[0] if len(pending) == 1 else None)
    if question is None:
        return None
    given = understand_reply(
        message.text, _asked_change(desk, book, question, _words_put(desk, message, put)), just_asked=warm is not None
    )
    if given is None:
        return None
    return await _carried_out(desk, message, question, given)


def answer_to_put(desk: Desk, book: SlotBook, message: SaidMessage, put: Sequence[Claim]) -> Answer | None:
    """What the message answers to the change that the reply before it put in words of its own."""
    if message.verified:
        return None
    subjects = {claim.subject for claim in put}
    others = [pet for pet in desk.pets.values() if pet.id not in subjects]
    denies = any(claim.negated and slot_of(claim.attribute).guards for claim in put)
    held = [book.items[fact.id] for claim in put for fact in book.state_of((claim.subject, claim.attribute)).facts]
    change = AskedChange(
        new="，".join(claim.content for claim in put if not claim.negated) or put[0].content,
        old=held[0].content if held else None,
        denies=True if denies else None,
        quotes=_words_put(desk, message, put),
        others=tuple(name for pet in others for name in (pet.name, *pet.nicknames)),
    )
    return understand_reply(message.text, change)


def _words_put(desk: Desk, message: SaidMessage, put: Sequence[Claim]) -> str:
    """The assistant's own words; where they move an entry to another pet, an answer may say no more than its name."""
    meant = {claim.subject for claim in put if not claim.negated}
    moved = len({claim.subject for claim in put}) > 1
    names = [pet.name for pet in desk.pets.values() if moved and pet.id in meant]
    return "，".join((message.asked, *(f"改成{name}" for name in names)))


def says_more(put: Claim, question: Confirmation) -> bool:
    """Whether the assistant's own words hold what the open question lacks: a figure, a day, or the other side."""
    asked = question.new
    if put.negated != bool(asked.get("negated")):
        return True
    held = asked.get("value") or {}
    if put.value.get("number") is not None and put.value.get("number") != held.get("number") and not put.negated:
        return True
    fresh = {figure for figure, _ in quantities(put.content)} - {
        figure for figure, _ in quantities(str(asked["content"]))
    }
    return bool(fresh) and not put.negated


async def settle_put(
    desk: Desk, book: SlotBook, message: SaidMessage, confirmation_id: str, given: Answer
) -> Answered | None:
    """Take the owner's answer for a question that was opened for the change it answers."""
    question = book.question(confirmation_id)
    return await _carried_out(desk, message, question, given)


async def _carried_out(desk: Desk, message: SaidMessage, question: Confirmation, given: Answer) -> Answered | None:
    """The answer taken, with its words as evidence. What cannot be carried out changes nothing, and says so."""
    try:
        served = await answer_once(replace(desk, source=Source.OWNER), question, given)
    except Implausible as fault:
        return Answered(question, given, _not_possible(question, fault.detail))
    except NotFound:
        await void_questions(desk.session, [question], desk.now)
        return Answered(question, given, _not_possible(question, _GONE))
    if served is None and given is Answer.ACCEPT:
        return None
    receipt = _receipt(question, given, served)
    if served is not None:
        kind, row = served.record_kind or "memory", served.record_id or served.id
        add_evidence(desk.session, kind, row, _words(message, receipt))
    return Answered(question, given, receipt)


async def _just_asked(
    desk: Desk, pending: Sequence[Confirmation], message: SaidMessage, told: str | None
) -> Confirmation | None:
    """The question that was the last thing put to the owner before this message."""
    if told is not None:
        return next((one for one in pending if one.id == told), None)
    latest = max(pending, key=asked_at)
    if message.conversation_id is None or message.said_at - asked_at(latest) > STILL_WARM:
        return None
    (between,) = await (await quick_of(desk.session)).rows(
        _BETWEEN,
        {
            "household": desk.scope.household_id,
            "conversation": message.conversation_id,
            "message": message.id,
            "after": asked_at(latest),
            "until": message.said_at,
        },
    )
    alone = sum(asked_at(one) == asked_at(latest) for one in pending) == 1
    return latest if alone and between.messages == 0 else None


_BETWEEN = Statement(
    select(func.count().label("messages"))
    .select_from(Message)
    .where(
        col(Message.household_id) == bindparam("household"),
        col(Message.conversation_id) == bindparam("conversation"),
        col(Message.role) == "user",
        col(Message.id) != bindparam("message"),
        col(Message.said_at) > bindparam("after"),
        col(Message.said_at) <= bindparam("until"),
    )
)


def _words(message: SaidMessage, receipt: Written) -> EvidenceRow:
    """The owner's answer as evidence of what it settled; the same message read again finds it."""
    return EvidenceRow(
        household_id=message.scope.household_id,
        target_kind="memory",
        target_id="",
        message_id=message.id,
        conversation_id=message.conversation_id,
        quote=mask_numbers(message.text)[:MAX_QUOTE],
        said_at=message.said_at,
        source=Source.OWNER.value,
        by=message.speaker,
        outcome=receipt.outcome.value,
        reason=receipt.reason,
    )


def _asked_change(desk: Desk, book: SlotBook, confirmation: Confirmation, put: str) -> AskedChange:
    """The change as the owner saw it; put: the assistant's own words for it, which may differ from the stored ones."""
    guards = slot_of(confirmation.attribute).guards
    denied = bool(confirmation.new.get("negated"))
    old = confirmation.old
    quotes = [row.quote for row in book.evidence[confirmation.candidate_id]]
    others = [pet for pet in desk.pets.values() if pet.id != confirmation.subject]
    return AskedChange(
        new=str(confirmation.new["content"]),
        old=str(old["content"]) if old else None,
        denies=denied if guards and (denied or old is None) else None,
        quotes="，".join((confirmation.question, put, *quotes)),
        others=tuple(name for pet in others for name in (pet.name, *pet.nicknames)),
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


def _not_possible(confirmation: Confirmation, why: str) -> Written:
    """Nothing has changed; why, in words for the owner."""
    return Written(
        outcome=Outcome.REFUSED,
        subject=confirmation.subject,
        topic="",
        content=str(confirmation.new["content"]),
        attribute=confirmation.attribute,
        reason=f"{NOT_POSSIBLE}: {why}",
    )
