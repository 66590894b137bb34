"""What a running turn writes of the owner's words: one transaction each, told only after its commit."""

from collections.abc import Sequence
from typing import Any

from domain.arranging import Arranged, arrange
from domain.forget_requests import ForgetRequest
from domain.forgetting import Asking, forget
from domain.remembering import SaidMessage, remember
from domain.running_turn import Run, TurnParts
from domain.schedule_requests import ScheduleRequest
from domain.turn_answer import confirmation_data, written_data
from domain.turn_context import Written
from domain.turn_follow_ups import Told, follow
from domain.undo_requests import UndoRequest
from domain.undoing import Undone, undo
from memory.claims import Claim
from memory.vocabulary import Outcome

LOOKED_BACK = 4  # earlier messages of the talk, both sides', whose words a correction may take up


async def write_claims(
    run: Run,
    parts: TurnParts,
    claims: Sequence[Claim],
    meant: frozenset[str] | None = None,
    put: Sequence[Claim] = (),
) -> tuple[Written, ...]:
    """Remember claims of this turn's message, whoever read them from it; what became of each, in their order.

    meant: the pets the message is about, where its follow-ups are to be settled too. put: the change that the reply
    before asked for in words of its own.
    """
    last = run.history[-1] if run.history else None
    said = SaidMessage(
        run.message_id,
        run.conversation_id,
        run.request.text,
        run.request.now,
        run.scope,
        asked=last.text if last and last.role == "assistant" else "",
        before="\n".join(said.text for said in run.history[-LOOKED_BACK:] if said.role == "user"),
    )
    async with parts.transactions.write(short=True) as session:
        remembered = await remember(
            session,
            run.view.pets,
            said,
            claims,
            run.request.now,
            parts.real_now(),
            secret_key=parts.tombstone_key,
            limits=parts.limits,
            put=put,
        )
        if meant is not None:
            run.followed = await follow(session, run.view, Told(said, _believed(claims, remembered.written), meant))
    return remembered.written


def _believed(claims: Sequence[Claim], written: Sequence[Written]) -> tuple[Claim, ...]:
    """What is worth asking about tomorrow: 体温80度, which was not recorded, is not."""
    refused = {(one.subject, one.content) for one in written if one.outcome is Outcome.REFUSED}
    return tuple(claim for claim in claims if (claim.subject, claim.content) not in refused)


def tell_written(run: Run, written: Sequence[Written]) -> None:
    """Add to the answer what was written, and tell it to whoever listens."""
    run.answer.written = (*run.answer.written, *written)
    for one in written:
        run.tell("memory", written_data(one))
        if one.confirmation is not None:
            run.tell("confirm", confirmation_data(one.confirmation))


async def write_forgetting(run: Run, parts: TurnParts, wish: ForgetRequest) -> str:
    """Carry out a wish to forget; what is told of it, "" when the message meant something else."""
    async with parts.transactions.write(short=True) as session:
        return await forget(session, wish, _asking(run, parts, run.request.text[slice(*wish.span)]))


async def write_undo(run: Run, parts: TurnParts, wish: UndoRequest) -> Undone:
    """Carry out a wish to take the last change back, and tell the plans."""
    async with parts.transactions.write(short=True) as session:
        done = await undo(session, wish, _asking(run, parts, run.request.text))
    _tell_plans(run, done.events)
    return done


def _asking(run: Run, parts: TurnParts, words: str) -> Asking:
    return Asking(
        run.scope,
        run.message_id,
        words,
        run.conversation_id,
        {pet.id: pet.name for pet in run.view.profiles},
        run.request.now,
        parts.real_now(),
        parts.tombstone_key,
    )


async def write_plans(run: Run, parts: TurnParts, requests: Sequence[ScheduleRequest], message_id: str) -> Arranged:
    """Carry out requests about plans and tell the plans. message_id: by which the same ones are known again."""
    async with parts.transactions.write(short=True) as session:
        done = await arrange(session, run.scope, run.view.pets, requests, message_id, run.request.now)
    _tell_plans(run, done.events)
    return done


def _tell_plans(run: Run, events: Sequence[dict[str, Any]]) -> None:
    run.answer.schedules = (*run.answer.schedules, *events)
    for event in events:
        run.tell("schedule", event)
