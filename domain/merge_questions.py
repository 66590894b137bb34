"""Asking the owner whether two lines of their own are one thing, and carrying the answer out."""

from collections.abc import Sequence
from datetime import timedelta

from sqlmodel import col, or_, select

from domain.asking import INBOX_KIND, TITLE, shown
from domain.inbox import notify
from domain.owners import Owner
from domain.statement_rows import Desk
from memory.confirmation_texts import QuestionParts, chat_question, question_text
from memory.confirmations import LAPSE_AFTER, Confirmation, open_question, take_answer
from memory.consolidation.applying import hand_over
from memory.consolidation.classify import Merge
from memory.item_writes import revise_item
from memory.items import MemoryItem
from memory.memory_page import item_of
from memory.settlement import Answer
from memory.vocabulary import ConfirmationKind, ConfirmationStatus, MemoryStatus

ASKED_AGAIN_AFTER = timedelta(days=30)  # when a question lapsed or the owner wanted to watch on
_WHOLE = (MemoryStatus.ACTIVE.value, MemoryStatus.PROVISIONAL.value)


async def ask_to_merge(desk: Desk, merges: Sequence[Merge]) -> list[Confirmation]:
    """Open a question for each pair whose slot has none open. Nothing is merged before the owner agrees."""
    opened = []
    for merge in merges:
        rows = {one.id: await desk.session.get(MemoryItem, one.id) for one in (merge.gone, merge.into)}
        gone, into = rows[merge.gone.id], rows[merge.into.id]
        if gone is None or into is None or gone.subject is None or await _is_asked(desk, gone):
            continue
        question = await _open(desk, gone, into)
        opened.append(question)
    return opened


async def kept_apart(desk: Desk) -> tuple[set[frozenset[str]], set[str]]:
    """Pairs the owner answered for (or let lapse lately), and lines about which any question is open."""
    home = col(Confirmation.household_id) == desk.scope.household_id
    rows = await desk.session.exec(
        select(Confirmation).where(
            home,
            or_(
                col(Confirmation.status) == ConfirmationStatus.PENDING.value,
                col(Confirmation.kind) == ConfirmationKind.MERGE.value,
            ),
        )
    )
    pairs: set[frozenset[str]] = set()
    open_about: set[str] = set()
    for row in rows.all():
        ids = {one for one in (row.candidate_id, row.established_id) if one}
        if row.status == ConfirmationStatus.PENDING.value:
            open_about |= ids
        elif row.status == ConfirmationStatus.KEPT.value or row.created_at > desk.now - ASKED_AGAIN_AFTER:
            pairs.add(frozenset(ids))
    return pairs, open_about


async def settle_merge(desk: Desk, confirmation: Confirmation, given: Answer) -> MemoryItem | None:
    """Carry out the owner's answer. None when somebody else's answer was first, or one of the lines is gone."""
    gone = await item_of(desk.session, desk.scope, confirmation.candidate_id)
    into = await item_of(desk.session, desk.scope, confirmation.established_id or "")
    if not await take_answer(desk.session, confirmation, given, desk.by, desk.now):
        return None
    if given is Answer.ACCEPT and gone.status in _WHOLE and into.status in _WHOLE:
        await hand_over(desk.session, desk.scope, gone, into)
        for item, reason in ((gone, gone.reason or ""), (into, f"merged {gone.id}")):
            await revise_item(desk.session, item, desk.by, reason, desk.now, desk.real_now)
    return into


async def _is_asked(desk: Desk, item: MemoryItem) -> bool:
    """Whether the slot has an open question: it can hold one at a time."""
    rows = await desk.session.exec(
        select(Confirmation.id).where(
            col(Confirmation.household_id) == desk.scope.household_id,
            col(Confirmation.subject) == item.subject,
            col(Confirmation.attribute) == item.attribute,
            col(Confirmation.status) == ConfirmationStatus.PENDING.value,
        )
    )
    return rows.first() is not None


async def _open(desk: Desk, gone: MemoryItem, into: MemoryItem) -> Confirmation:
    local = desk.scope.local
    parts = QuestionParts(
        kind=ConfirmationKind.MERGE,
        new=gone.content,
        today=local(desk.now).date(),
        old=into.content,
        old_since=local(into.learned_at).date(),
    )
    question = Confirmation(
        household_id=desk.scope.household_id,
        owner_id=desk.scope.owner_id,
        subject=gone.subject or "",
        attribute=gone.attribute,
        kind=ConfirmationKind.MERGE.value,
        old=shown(into),
        new=shown(gone) | {"negated": gone.negated},
        question=chat_question(parts),
        candidate_id=gone.id,
        established_id=into.id,
        created_at=desk.now,
        lapses_at=desk.now + LAPSE_AFTER,
    )
    await open_question(desk.session, question)
    owner = await desk.session.get(Owner, desk.scope.owner_id)
    if owner is not None:
        link: dict[str, object] = {"confirmation_id": question.id, "pet_id": question.subject}
        key, body = f"confirmation:{question.id}", question_text(parts)
        await notify(desk.session, owner, INBOX_KIND, key, TITLE, body, desk.now, link=link)
    return question
