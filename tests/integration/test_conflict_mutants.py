"""The machine of random lives is worth its time only if its model of the truth is broken by a wrong policy.

Each wrong policy here lives the shortest life that it ruins; the right one lives it, too, and breaks nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, update
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.confirmations import Confirmation, lapse_questions
from memory.conflict_policy import Ask, Closing, Decision, decide
from memory.items import MemoryItem
from memory.slot_relations import Comparer, Relation, Slot
from memory.slot_state import SlotState, Statement
from memory.vocabulary import Certainty, MemoryStatus, Outcome, Source, SpeechAct
from tests.integration.test_conflict_machine import TEMPLATE, DangersOfOneHome

Policy = Callable[[Statement, Slot, SlotState, datetime, Comparer], Decision]


@pytest.fixture(autouse=True)
def _template(sqlite_template: Path) -> None:
    TEMPLATE[:] = [sqlite_template]


def overwriting(when: Callable[[Statement], bool]) -> Policy:
    """A policy that lets a statement of that kind take the place of what it contradicts."""

    def policy(new: Statement, slot: Slot, state: SlotState, now: datetime, compare: Comparer) -> Decision:
        right = decide(new, slot, state, now, compare)
        if right.relation is not Relation.CONTRADICTS or not when(new):
            return right
        closes = tuple(Closing(fact.id, MemoryStatus.SUPERSEDED, new.sighting.day) for fact in state.facts)
        status = None if right.target else MemoryStatus.ACTIVE
        return replace(
            right, outcome=Outcome.SUPERSEDED, status=status, promotes=right.target, closes=closes, ask=Ask.NONE
        )

    return policy


def a_question_states(new: Statement, slot: Slot, state: SlotState, now: datetime, compare: Comparer) -> Decision:
    asked = new.certainty is Certainty.QUESTION
    return decide(replace(new, certainty=Certainty.PLAIN) if asked else new, slot, state, now, compare)


WRONG = {
    "the newest wins": overwriting(lambda new: new.certainty is Certainty.PLAIN),
    "a doubt overwrites": overwriting(lambda new: new.certainty is Certainty.HEDGED),
    "hearsay ends a danger": overwriting(lambda new: new.certainty is Certainty.HEARSAY),
    "a question is a statement": a_question_states,
}


PLAIN, HEDGED, HEARD, ASKED = Certainty.PLAIN, Certainty.HEDGED, Certainty.HEARSAY, Certainty.QUESTION
STATED, CHAT = SpeechAct.STATEMENT, Source.CHAT
NEXT_DAY, PAST_THE_LAPSE = 24, 31  # hours, days
LIVES: dict[str, Callable[[DangersOfOneHome], None]] = {
    "the newest wins": lambda home: home.say("shrimp", True, PLAIN, STATED, CHAT, NEXT_DAY),
    "a doubt overwrites": lambda home: home.say("shrimp", True, HEDGED, STATED, CHAT, NEXT_DAY),
    "hearsay ends a danger": lambda home: home.say("shrimp", True, HEARD, STATED, CHAT, NEXT_DAY),
    "a question is a statement": lambda home: home.say("beef", False, ASKED, STATED, CHAT, NEXT_DAY),
}
"""For each the shortest life that it ruins: the allergy to shrimp is known from the start."""


def live(life: Callable[[DangersOfOneHome], None]) -> None:
    """One life by the rules of the machine; raises AssertionError where its model of the truth is broken."""
    home = DangersOfOneHome()
    try:
        home.move_in()
        life(home)
        home.what_is_served_is_what_the_owner_was_told()
        home.history_explains_every_line()
    finally:
        home.teardown()


@pytest.mark.parametrize("name", WRONG)
def test_the_machine_finds_a_policy_that_is_wrong(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    live(LIVES[name])
    monkeypatch.setattr("domain.remembering.decide", WRONG[name])
    with pytest.raises(AssertionError, match=r"left service|out of nothing"):
        live(LIVES[name])


def test_the_machine_finds_a_caution_that_lapses_with_its_question(monkeypatch: pytest.MonkeyPatch) -> None:
    def heard_and_left(home: DangersOfOneHome) -> None:
        home.say("beef", False, HEDGED, STATED, CHAT, NEXT_DAY)
        home.pass_a_night(PAST_THE_LAPSE)

    async def forgetful(session: AsyncSession, due: Sequence[Confirmation], now: datetime) -> Any:
        ended = await lapse_questions(session, due, now)
        provisional = col(MemoryItem.status) == MemoryStatus.PROVISIONAL.value
        concerned = col(MemoryItem.id).in_([one.candidate_id for one in ended])
        await session.exec(update(MemoryItem).where(concerned, provisional).values(status="rejected"))
        return ended

    live(heard_and_left)
    monkeypatch.setattr("domain.confirming.lapse_questions", forgetful)
    with pytest.raises(AssertionError, match="was a caution"):
        live(heard_and_left)
