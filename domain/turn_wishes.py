"""What a message wants done, rather than remembered: the last change taken back, a memory forgotten, a plan made."""

from collections.abc import Collection
from dataclasses import dataclass

from domain.attributes import spec_of
from domain.forget_requests import Forget, ForgetRequest, read_forget
from domain.newcomers import newcomer_told
from domain.offline.extractor import Extraction
from domain.running_turn import Run, TurnParts
from domain.schedule_requests import Said, asks_for_a_reminder, changes_a_plan, tells_what_happened
from domain.several_plans import read_requests
from domain.turn_writing import write_forgetting, write_plans, write_undo
from domain.undo_requests import Undo, read_undo
from domain.whole_writes import whole
from memory.claims import Claim
from memory.vocabulary import AttributeClass, Risk

QUESTION_OPENING = 12  # characters by which a confirmation is recognised in what we said


@dataclass(frozen=True, slots=True)
class TakesAway:
    """The message took something back, or had it forgotten. beside: what it says besides."""

    beside: Extraction


async def take_away(run: Run, parts: TurnParts, said: Extraction) -> TakesAway | None:
    """Carry out what the message wants taken back or forgotten; None when it wants nothing of the kind."""
    if run.request.temporary:
        return None
    if await _undo(run, parts) or _newcomer(run):
        return TakesAway(Extraction())
    wish = await _forget(run, parts)
    return TakesAway(_beside(wish, said)) if wish is not None else None


async def _undo(run: Run, parts: TurnParts) -> bool:
    wish = read_undo(run.request.text)
    if wish is None or (wish.what is Undo.CHANGED and _was_just_asked(run)):
        return False  # 还是按原来的 answers the question whether to change it
    done = await whole(write_undo(run, parts, wish))
    run.arranged, run.forgets = done.told, bool(done.told)
    return bool(done.told)


def _newcomer(run: Run) -> bool:
    """A new animal is added in a form first; nothing that is said of it now is kept of another."""
    told = newcomer_told(run.request.text, run.view.profiles) if run.view.profiles else ""
    run.arranged, run.forgets = ((told,), True) if told else ((), False)
    return bool(told)


def _was_just_asked(run: Run) -> bool:
    """Whether our last words put an open question."""
    last = run.history[-1] if run.history else None
    if last is None or last.role != "assistant":
        return False
    return any(" ".join(row.question.split())[:QUESTION_OPENING] in last.text for row in run.view.questions)


async def _forget(run: Run, parts: TurnParts) -> ForgetRequest | None:
    wish = read_forget(run.request.text, run.history)
    if wish is None:
        return None
    told = await whole(write_forgetting(run, parts, wish))
    run.arranged, run.forgets = ((told,), True) if told else ((), False)
    return wish if told else None


def _beside(wish: ForgetRequest, said: Extraction) -> Extraction:
    """What a message says beside its wish to forget; nothing when the message itself is not to be kept."""
    start, end = wish.span
    kept = [claim for claim in said.claims if claim.evidence.end <= start or claim.evidence.start >= end]
    return Extraction(claims=() if wish.what is Forget.THIS else tuple(kept))


async def arrange_plans(run: Run, parts: TurnParts, meant: Collection[str], said: Extraction) -> None:
    """Carry out what the message wants done with the household's plans. meant: the pets it was resolved to."""
    if run.request.temporary:
        return
    requests = read_requests(
        Said(
            text=run.request.text,
            now=run.scope.local(run.request.now),
            pets=run.view.profiles,
            claims=said.claims,
            refused=bool(said.refusals),
            meant=tuple(meant),
            focus=run.request.pet_id,
            history=run.history,
        )
    )
    if requests:
        run.arranged = (await whole(write_plans(run, parts, requests, run.message_id))).told


def without_plans(run: Run, claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """What is no plan: neither an appointment, nor what is to be done on a day to come, or later today.

    What is to be observed beside an appointment (术前8小时禁食) has no day of its own, and is kept.
    """
    appointed = [claim for claim in claims if claim.attribute_class is AttributeClass.SCHEDULE and claim.occurred_on]
    today, done = run.scope.local(run.request.now).date(), tells_what_happened(run.request.text)
    changed = any(event["outcome"] in ("moved", "cancelled") for event in run.answer.schedules)
    return tuple(
        claim
        for claim in claims
        if not (changed and changes_a_plan(claim.evidence.quote))
        and not (_is_of_daily_life(claim) and asks_for_a_reminder(claim.evidence.quote))
        and (claim.attribute_class is not AttributeClass.SCHEDULE or (appointed and not claim.occurred_on))
        and not (claim.occurred_on is not None and claim.occurred_on > today)
        and not (claim.attribute_class in _DONE_AT_APPOINTMENTS and claim.occurred_on == today and not done)
    )


def _is_of_daily_life(claim: Claim) -> bool:
    return spec_of(claim.attribute).risk is Risk.LOW and claim.attribute_class is not AttributeClass.SYMPTOM


_DONE_AT_APPOINTMENTS = (
    AttributeClass.VACCINE,
    AttributeClass.DEWORMING,
    AttributeClass.VISIT,
    AttributeClass.GROOMING,
)
