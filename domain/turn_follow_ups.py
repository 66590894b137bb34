"""What one message means for follow-ups: it opens one, answers one, or puts one off. Inside the turn's transaction."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlmodel.ext.asyncio.session import AsyncSession

from domain.follow_up_rules import says_it_goes_on, says_it_is_over, says_stool_is_well, symptoms_told
from domain.follow_ups import FollowUp, answer_follow_ups, follow_up_on, still_asked
from domain.household_view import HouseholdView
from domain.pet_resolution import pets_named
from memory.claims import Claim
from memory.intake import SaidMessage
from memory.vocabulary import AttributeClass


@dataclass(frozen=True, slots=True)
class Told:
    """One message as follow-ups see it. meant: the pets it is about, none while that is unclear."""

    message: SaidMessage
    claims: Sequence[Claim]
    meant: Collection[str]


def bears_on_follow_ups(view: HouseholdView, text: str) -> bool:
    """Whether a message without any statement may still answer an open follow-up."""
    return bool(view.follow_ups) and (says_it_is_over(text) or says_it_goes_on(text))


async def follow(session: AsyncSession, view: HouseholdView, told: Told) -> tuple[str, ...]:
    """Open, answer or put off; returns what is to be said about it, one sentence each."""
    scope, now, text = told.message.scope, told.message.said_at, told.message.text
    names = {pet.id: pet.name for pet in view.pets}
    there = [pet.id for pet in view.pets if pet.status == "active"]
    unwell = symptoms_told(told.claims, there, told.message.day)
    better = _better(view, told) - {one.pet_id for one in unwell}
    if better:
        await answer_follow_ups(session, scope, better, now, over=True)
    if unwell:
        opened = await follow_up_on(session, scope, unwell, view.pets, told.message.id, now)
        return tuple(_asking_again(names[row.pet_id], row, told) for row in opened)
    if not better and says_it_goes_on(text) and (ill := _asked_about(view, told)):
        await answer_follow_ups(session, scope, ill, now, over=False)
        return tuple(f"那我明天再问问{names[pet_id]}的情况。" for pet_id in sorted(ill))
    return tuple(f"{names[pet_id]}好了就好，这件事我不再追问了。" for pet_id in sorted(better))


def _better(view: HouseholdView, told: Told) -> set[str]:
    """Pets that the owner says have got better, of those that were to be asked about."""
    asked = _asked_about(view, told)
    stools = {row.pet_id for row in view.follow_ups if says_stool_is_well(told.message.text, row.attributes)}
    if says_it_is_over(told.message.text):
        return asked - _whose_other_reading(view, told)
    return asked & {
        *stools,
        *(
            claim.subject
            for claim in told.claims
            if claim.negated and claim.attribute_class is AttributeClass.SYMPTOM and claim.subject is not None
        ),
    }


def _whose_other_reading(view: HouseholdView, told: Told) -> set[str]:
    """Pets of whom the message only tells a reading that nobody was to ask about: 肌酐正常了 ends no fever."""
    if not told.claims or not all(claim.attribute.startswith("lab:") for claim in told.claims):
        return set()
    read = {(claim.subject, claim.attribute) for claim in told.claims}
    rows = [row for row in view.follow_ups if any(subject == row.pet_id for subject, _ in read)]
    meant = {row.pet_id for row in rows if any((row.pet_id, slot) in read for slot in row.attributes)}
    return {row.pet_id for row in rows} - meant


def _asked_about(view: HouseholdView, told: Told) -> set[str]:
    """The pets meant that have an open follow-up; the only one there is when no pet is named."""
    rows = still_asked(view.follow_ups, view.pets, told.message.day)
    waiting = {row.pet_id for row in rows}
    if pets_named(told.message.text, view.profiles):
        return waiting & set(told.meant)
    return waiting & set(told.meant) if len(waiting) > 1 else waiting


def _asking_again(name: str, row: FollowUp, told: Told) -> str:
    days = (row.due_on - told.message.day).days
    return f"{'明天' if days == 1 else f'{days}天后'}我再来问问{name}好点没有。"
