"""Asking the owner: a confirmation is opened, or told of new evidence and pushed once more, and put into the inbox."""

from collections.abc import Sequence
from datetime import datetime

from domain.attributes import spec_of
from domain.cards import dated
from domain.inbox import notify
from domain.owners import Owner
from domain.statement_comparison import compare, said_of_item, slot_of
from domain.statement_rows import Desk
from domain.turn_context import AskedQuestion
from memory.claims import Claim
from memory.confirmation_texts import QuestionParts, Quoted, chat_question, question_text
from memory.confirmations import LAPSE_AFTER, Confirmation, open_question, void_questions
from memory.conflict_policy import Ask, Decision, Reason
from memory.items import EvidenceRow, MemoryItem
from memory.slot_book import SlotBook
from memory.slot_reads import open_book
from memory.slot_relations import relate_to_slot
from memory.vocabulary import AttributeClass, ConfirmationKind, Source, SpeechAct

_DATED = (AttributeClass.VACCINE, AttributeClass.DEWORMING)  # what a correction changes is the day
INBOX_KIND = "confirmation"
TITLE = "有一条档案想请你确认"


def asked(confirmation: Confirmation) -> AskedQuestion:
    """The question as the assistant may raise it."""
    return AskedQuestion(confirmation.id, confirmation.subject, confirmation.attribute, confirmation.question)


async def ask_as_decided(
    desk: Desk, book: SlotBook, claim: Claim, decision: Decision, item: MemoryItem
) -> Confirmation | None:
    """Void, open or push again, as the policy decided. Returns the open question this statement bears on."""
    voided = [book.question(question_id) for question_id in decision.voids]
    await void_questions(desk.session, voided, desk.now)
    if decision.ask is Ask.OPEN and decision.ask_kind is not None and item.subject is not None:
        return await _open(desk, book, claim.act, decision.ask_kind, item)
    if decision.question_id is None:
        return None
    question = book.question(decision.question_id)
    if decision.ask is Ask.PUSH_AGAIN:
        await _push_again(desk, book, question, item)
    heard_in_silence = decision.ask is Ask.ATTACH and decision.reason is Reason.DOUBTFUL
    return None if heard_in_silence else question


async def ask_about(desk: Desk, candidate: MemoryItem) -> Confirmation:
    """Ask now about a statement that was only watched so far. Its slot must have no open question."""
    scope, slot = desk.scope, (candidate.subject, candidate.attribute)
    book = await open_book(desk.session, scope, {slot}, desk.now, lambda item: said_of_item(item, scope))
    return await _open(desk, book, SpeechAct.STATEMENT, ConfirmationKind.CHANGE, candidate)


async def _open(desk: Desk, book: SlotBook, act: SpeechAct, kind: ConfirmationKind, item: MemoryItem) -> Confirmation:
    old = None if kind is ConfirmationKind.NEW_DANGER else _established(book, act, item)
    proposed = _proposed(desk, item, old)
    parts = _parts(desk, book, kind, proposed, old, item)
    question = Confirmation(
        household_id=desk.scope.household_id,
        owner_id=desk.scope.owner_id,
        subject=item.subject or "",
        attribute=item.attribute,
        kind=kind.value,
        old=shown(old) if old else None,
        new=shown(item) | {"content": proposed, "negated": item.negated},
        question=chat_question(parts),
        candidate_id=item.id,
        established_id=old.id if old else None,
        created_at=desk.now,
        lapses_at=desk.now + LAPSE_AFTER,
    )
    await open_question(desk.session, question)
    book.confirmations.append(question)
    await _notify(desk, question, question_text(parts), f"confirmation:{question.id}")
    return question


def _proposed(desk: Desk, item: MemoryItem, old: MemoryItem | None) -> str:
    """The line that would be served: a denial in plain words, whatever it was concluded from."""
    pet, spec = desk.pets.get(item.subject or ""), spec_of(item.attribute)
    if pet is None or old is None:
        return item.content
    if spec.guards and item.negated:
        return spec.render(pet.name, {**item.value, **old.value}, True)
    if spec.attribute_class in _DATED and not item.negated and item.valid_from is not None:
        line = spec.render(pet.name, dict(old.value), False)
        return dated(line, item.valid_from, item.valid_from_precision, desk.scope)
    return item.content


async def _push_again(desk: Desk, book: SlotBook, question: Confirmation, item: MemoryItem) -> None:
    """The evidence grew: the question is put before the owner once more, with all of it."""
    old = book.items.get(question.established_id or "")
    parts = _parts(desk, book, ConfirmationKind(question.kind), str(question.new["content"]), old, item)
    question.asked_again_at, question.question = desk.now, chat_question(parts)
    question.version += 1
    desk.session.add(question)
    await _notify(desk, question, question_text(parts), f"confirmation:{question.id}:{question.version}")


def _established(book: SlotBook, act: SpeechAct, item: MemoryItem) -> MemoryItem | None:
    """The line that is served meanwhile: the first that the new statement cannot be true beside."""
    facts = [fact for fact in book.state_of((item.subject, item.attribute)).facts if fact.id != item.id]
    concerned = relate_to_slot(book.read(item), act, slot_of(item.attribute), facts, compare).facts
    return book.items[concerned[0].id] if concerned else None


def _parts(
    desk: Desk, book: SlotBook, kind: ConfirmationKind, new: str, old: MemoryItem | None, item: MemoryItem
) -> QuestionParts:
    return QuestionParts(
        kind=kind,
        new=new,
        today=desk.scope.local(desk.now).date(),
        old=old.content if old else None,
        old_since=desk.scope.local(old.learned_at).date() if old else None,
        evidence=_quoted(desk, book.evidence[item.id]),
    )


def _quoted(desk: Desk, rows: Sequence[EvidenceRow]) -> tuple[Quoted, ...]:
    return tuple(
        Quoted(row.quote, desk.scope.local(row.said_at).date(), Source(row.source), row.verified, _vet_name(row))
        for row in rows
    )


def _vet_name(row: EvidenceRow) -> str | None:
    return row.by if row.source == Source.VET.value else None


def shown(item: MemoryItem) -> dict[str, object]:
    """What the owner is shown of a line, and what its record is."""
    shown: dict[str, object] = {"memory_id": item.id, "content": item.content, "value": item.value}
    if item.record_id is not None:
        shown |= {"record_kind": item.record_kind, "record_id": item.record_id}
    return shown


async def _notify(desk: Desk, question: Confirmation, body: str, dedupe_key: str) -> None:
    owner = await desk.session.get(Owner, desk.scope.owner_id)
    if owner is not None:
        link: dict[str, object] = {"confirmation_id": question.id, "pet_id": question.subject}
        await notify(desk.session, owner, INBOX_KIND, dedupe_key, TITLE, body, desk.now, link=link)


def asked_at(confirmation: Confirmation) -> datetime:
    """When the owner was last asked."""
    return confirmation.asked_again_at or confirmation.created_at
