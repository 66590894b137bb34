"""A small model of the truth against random lives: statements, answers, deletions, forms, nights and long silences.

The model knows only what the contract says: which dangers the owner has been told are in force, and that nothing but
the owner's own act takes one away. After every step the served lines, the records and the history must agree with it.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Coroutine
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sqlmodel import col, select

from app.database import open_database
from domain.confirming import lapse_due
from domain.health_records import Change, safety_records
from domain.owner_deletes import delete_memory
from memory.confirmations import Confirmation
from memory.errors import MemoryFault
from memory.items import MemoryItem, MemoryVersion
from memory.settlement import Answer
from memory.visibility import SERVED
from memory.vocabulary import Certainty, MemoryStatus, Source, SpeechAct
from tests.homes import MONDAY, SECRET, Home, claim, open_home
from tests.nights import agree, sleep

Result = TypeVar("Result")
ALLERGENS = ("shrimp", "beef")
NAMES = {"shrimp": "虾", "beef": "牛肉"}
GAPS = st.sampled_from([0, 20, 30, 24 * 8, 24 * 16, 24 * 40])  # hours: the same talk, another day, past a lapse
HOW_SURE = st.sampled_from([Certainty.PLAIN, Certainty.PLAIN, Certainty.HEDGED, Certainty.HEARSAY, Certainty.QUESTION])
SOURCES = st.sampled_from([Source.CHAT, Source.CHAT, Source.CHAT, Source.IMPORT, Source.SYSTEM])
TEMPLATE: list[Path] = []


class DangersOfOneHome(RuleBasedStateMachine):
    """Two allergens, each its own slot. `in_force` and `hinted` are the model: what must and what may be served."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = Path(tempfile.mkdtemp(prefix="paw-machine-"))
        shutil.copy(TEMPLATE[0], self.folder / "lives.db")
        self.database = open_database(f"sqlite+aiosqlite:///{self.folder / 'lives.db'}")
        self.at = MONDAY
        self.in_force: set[str] = set()  # must be served
        self.hinted: set[str] = set()  # may be served
        self.cautioned: set[str] = set()  # first heard in doubt: must be served, marked or not
        self.spoken: set[str] = set()  # was ever said of the pet at all

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self.loop.run_until_complete(work)

    @initialize()
    def move_in(self) -> None:
        self.home: Home = self.run(open_home(self.database))
        self.run(agree(self.home))
        self.say("shrimp", False, Certainty.PLAIN, SpeechAct.STATEMENT, Source.CHAT, 0)  # something to lose

    @rule(
        allergen=st.sampled_from((*ALLERGENS, "shrimp")),
        negated=st.sampled_from([True, True, False]),
        certainty=HOW_SURE,
        act=st.sampled_from(SpeechAct),
        source=SOURCES,
        gap=GAPS,
    )
    def say(self, allergen: str, negated: bool, certainty: Certainty, act: SpeechAct, source: Source, gap: int) -> None:
        """Whatever is said and however: it may raise a danger, and never takes one away."""
        self.at += timedelta(hours=gap)
        said = claim(
            self.home.dog,
            f"allergy:{allergen}",
            f"煤球对{NAMES[allergen]}{'不' if negated else ''}过敏",
            value={"substance": allergen, "substance_name": NAMES[allergen]},
            negated=negated,
            certainty=certainty,
            act=act,
            first_hand=certainty is not Certainty.HEARSAY,
        )
        self.run(self.home.say(said, at=self.at, source=source))
        unheard = allergen not in self.spoken
        self.spoken.add(allergen)
        if negated or certainty is Certainty.QUESTION or source is Source.SYSTEM:
            return
        self.hinted.add(allergen)
        if certainty is Certainty.PLAIN and source is Source.CHAT:
            self.in_force.add(allergen)
        elif unheard and source is Source.CHAT:
            self.cautioned.add(allergen)

    @precondition(lambda self: self.open_questions())
    @rule(given=st.sampled_from(Answer), which=st.integers(0, 3), gap=GAPS)
    def answer(self, given: Answer, which: int, gap: int) -> None:
        """Only 更新 of a denial, and 保持原样 to a mere caution, let a danger go."""
        self.at += timedelta(hours=gap)
        questions = self.open_questions()
        if not questions:
            return  # they lapsed meanwhile
        question = questions[which % len(questions)]
        allergen = question.attribute.partition(":")[2]
        try:
            self.run(self.home.answer(question.id, given, self.at))
        except MemoryFault:
            return
        denies = bool(question.new["negated"])
        if (denies and given is Answer.ACCEPT) or (not denies and given is Answer.KEEP):
            self.let_go(allergen)
        elif not denies and given is Answer.ACCEPT:
            self.in_force.add(allergen)
            self.hinted.add(allergen)

    @precondition(lambda self: self.served())
    @rule(which=st.integers(0, 3))
    def delete(self, which: int) -> None:
        """The owner takes a line off the page by hand: that act is the confirmation."""
        served = self.served()
        item = served[which % len(served)]
        self.run(self._delete(item.id))
        allergen = item.attribute.partition(":")[2]
        if not any(other.attribute == item.attribute and not other.negated for other in self.served()):
            self.let_go(allergen)

    def let_go(self, allergen: str) -> None:
        for held in (self.in_force, self.hinted, self.cautioned):
            held.discard(allergen)

    @rule(days=st.sampled_from([1, 3, 31]))
    def pass_a_night(self, days: int) -> None:
        """A night tidies up and ends questions whose time is over, and changes no danger."""
        self.at += timedelta(days=days)
        self.run(self._lapse())
        self.run(sleep(self.home, self.at))

    @invariant()
    def what_is_served_is_what_the_owner_was_told(self) -> None:
        if not hasattr(self, "home"):
            return
        served = {item.attribute.partition(":")[2] for item in self.served() if not item.negated}
        assert self.in_force <= served, f"{self.in_force - served} left service without its owner"
        assert self.cautioned <= served, f"{self.cautioned - served} was a caution, and nobody rejected it"
        assert served <= self.hinted, f"{served - self.hinted} came out of nothing"
        assert served == self.run(self._records()), "records and lines disagree"

    @invariant()
    def history_explains_every_line(self) -> None:
        if hasattr(self, "home"):
            self.run(self._check_history())

    def teardown(self) -> None:
        self.run(self.database.close())
        self.loop.close()
        shutil.rmtree(self.folder)

    def served(self) -> list[MemoryItem]:
        items = self.run(self.home.items()) if hasattr(self, "home") else []
        return [item for item in items if item.status in SERVED and item.attribute.startswith("allergy:")]

    def open_questions(self) -> list[Confirmation]:
        if not hasattr(self, "home"):
            return []
        asked = self.run(self.home.confirmations())
        return [one for one in asked if one.status == "pending" and self.at < one.lapses_at]

    async def _lapse(self) -> None:
        async with self.database.write() as session:
            await lapse_due(session, self.at)

    async def _delete(self, item_id: str) -> None:
        scope = self.home.scope
        change = Change(scope, scope.owner_id, "owner_deleted", Source.OWNER, self.at, self.at)
        async with self.database.write() as session:
            await delete_memory(session, change, item_id, SECRET)

    async def _records(self) -> set[str]:
        async with self.database.read() as session:
            return {record.attribute.partition(":")[2] for _, record in await safety_records(session, self.home.scope)}

    async def _check_history(self) -> None:
        """The last version of every line is how it stands; each says who, why and when, in the order of time."""
        async with self.database.read() as session:
            items = (await session.exec(select(MemoryItem))).all()
            versions = (
                await session.exec(
                    select(MemoryVersion).order_by(col(MemoryVersion.item_id), col(MemoryVersion.version))
                )
            ).all()
        for item in items:
            own = [version for version in versions if version.item_id == item.id]
            assert [version.version for version in own] == list(range(1, item.version + 1))
            assert own[-1].snapshot["status"] == item.status
            assert own[-1].snapshot["content"] == item.content
            assert all(version.changed_by and version.reason for version in own)
            assert all(one.at <= other.at for one, other in pairwise(own))
            assert item.retired_at is not None or item.status not in (MemoryStatus.SUPERSEDED, MemoryStatus.REJECTED)
        open_slots = [one.attribute for one in await self.home.confirmations() if one.status == "pending"]
        assert len(open_slots) == len(set(open_slots)), "a slot has two open questions"


@pytest.fixture(autouse=True)
def _template(sqlite_template: Path) -> None:
    TEMPLATE[:] = [sqlite_template]


class TestDangersOfOneHome(DangersOfOneHome.TestCase):  # type: ignore[misc]  # made by hypothesis
    settings = settings(max_examples=8, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck))
