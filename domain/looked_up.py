"""What is read for one message only: what is due, what is planned, what the records show together.

Each is read only when the message asks for it, so that most turns read none of them.
"""

from dataclasses import dataclass

from domain.active_recall import Recalled
from domain.due_dates import due_of_pets
from domain.due_lines import due_asked, due_lines
from domain.insight_rows import insights_of, mirrors_of
from domain.insights_asked import insight_lines, insights_asked
from domain.owner_questions import OwnerFact, asked_of_owner
from domain.past_records import asks_of_the_records, lines_of_the_state, moment_asked_about, past_lines
from domain.plans_asked import asks_of_all, plan_lines, plans_asked, window
from domain.resting_questions import resting_questions
from domain.running_turn import Run, TurnParts
from domain.schedules import occurrences_between
from domain.temporary_lines import line_of
from domain.turn_context import InsightLine, RecalledLine
from memory.as_of import lines_as_of
from memory.memory_page import owner_items
from memory.visibility import is_live


@dataclass(frozen=True, slots=True)
class LookedUp:
    """Lines for the assistant, in the order of the prompt."""

    due: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()
    insights: tuple[InsightLine, ...] = ()
    past: tuple[str, ...] | None = None  # None: the message does not ask for an earlier time
    of_owner: tuple[RecalledLine, ...] = ()  # the owner's own lines that the message asks for
    resting: frozenset[str] = frozenset()  # open confirmations that are not to be raised in this turn


async def look_up(run: Run, parts: TurnParts, recalled: Recalled) -> LookedUp:
    """Everything that the message asks for; a temporary chat reads nothing."""
    if run.request.temporary:
        return LookedUp()
    return LookedUp(
        await _due(run, parts, recalled),
        await _plans(run, parts, recalled),
        await _insights(run, parts, recalled),
        await _past(run, parts, recalled),
        await _of_owner(run, parts),
        await resting_questions(run, parts),
    )


async def _of_owner(run: Run, parts: TurnParts) -> tuple[RecalledLine, ...]:
    """The newest lines of the owner's in the slot that 我叫什么 asks for."""
    asked = asked_of_owner(run.request.text) if run.remembers else None
    if asked is None:
        return ()
    slots = {asked.value, OwnerFact.NAME.value} if asked is OwnerFact.ADDRESS else {asked.value}
    async with parts.transactions.read() as session:
        items = await owner_items(session, run.scope, slots)
    return tuple(line_of(item, "the owner asks for it") for item in items if is_live(item, run.request.now))


async def _past(run: Run, parts: TurnParts, recalled: Recalled) -> tuple[str, ...] | None:
    """What was on record of the pets meant, of all when none is named, at the time asked about."""
    moment = moment_asked_about(run.whole_text, run.scope.local(run.request.now))
    if moment is None:
        return None
    meant = recalled.pet_ids or {pet.id for pet in run.view.pets}
    async with parts.transactions.read() as session:
        lines = await lines_as_of(session, run.scope, moment, meant)
    if asks_of_the_records(run.whole_text):
        return past_lines(run.whole_text, lines)
    return lines_of_the_state(run.whole_text, lines) or None


async def _due(run: Run, parts: TurnParts, recalled: Recalled) -> tuple[str, ...]:
    """What is due for the pets meant."""
    said = bool(run.answer.written)
    asked = due_asked(run.whole_text, run.view.profiles, told_something=said)
    if asked is None:
        return ()
    meant = [pet for pet in run.view.pets if pet.id in recalled.pet_ids]
    async with parts.transactions.quick_scan() as quick:
        due = await due_of_pets(quick, run.scope, meant, run.request.now)
    names = {pet.id: pet.name for pet in meant}
    return tuple(due_lines(asked, names, due, run.scope.local(run.request.now).date()))


async def _plans(run: Run, parts: TurnParts, recalled: Recalled) -> tuple[str, ...]:
    """The lines of the calendar; of all pets when none is named."""
    now = run.scope.local(run.request.now)
    asked = None if run.arranged else plans_asked(run.whole_text, now)
    if asked is None:
        return ()
    everybody = asks_of_all(run.whole_text, run.view.profiles)
    meant = {pet.id for pet in run.view.pets if everybody or pet.id in recalled.pet_ids}
    async with parts.transactions.read() as session:
        found = await occurrences_between(session, run.scope, *window(asked, now))
    return tuple(plan_lines(asked, found, {pet.id: pet.name for pet in run.view.pets}, meant, now))


async def _insights(run: Run, parts: TurnParts, recalled: Recalled) -> tuple[InsightLine, ...]:
    """Findings over the records of the pets meant."""
    if run.arranged or not insights_asked(run.whole_text, run.view.profiles):
        return ()
    meant = [pet for pet in run.view.pets if pet.id in recalled.pet_ids]
    async with parts.transactions.quick_scan() as quick:
        found = {pet.id: await insights_of(quick, run.scope, pet, run.request.now) for pet in meant}
        rows = [row.id for some in found.values() for one in some for row in one.rows]
        mirrors = await mirrors_of(quick, run.scope, rows)
    return insight_lines(found, mirrors)
