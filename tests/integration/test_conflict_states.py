"""Random lives of one slot: whatever is said and in whatever order, only the owner's answer changes a danger."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from app.database import open_database
from domain.health_records import safety_records
from memory.confirmations import Confirmation
from memory.errors import MemoryFault
from memory.items import MemoryItem, MemoryVersion
from memory.settlement import Answer
from memory.vocabulary import Certainty, MemoryStatus, SpeechAct
from tests.homes import MONDAY, Home, allergy, open_home


@dataclass(frozen=True)
class Say:
    """One statement about shrimp, `hours` after the step before."""

    negated: bool
    certainty: Certainty
    act: SpeechAct
    hours: int


@dataclass(frozen=True)
class Reply:
    """An answer to the newest open question, if there is one."""

    answer: Answer
    hours: int


HOURS = st.sampled_from([0, 1, 20, 30, 24 * 8, 24 * 16, 24 * 40])
SAYING = st.builds(
    Say,
    negated=st.booleans(),
    certainty=st.sampled_from(Certainty),
    act=st.sampled_from(SpeechAct),
    hours=HOURS,
)
STEPS = st.lists(st.one_of(SAYING, SAYING, st.builds(Reply, st.sampled_from(Answer), HOURS)), min_size=1, max_size=9)


@pytest.fixture
def database_file(sqlite_template: Path, tmp_path: Path) -> str:
    copied = tmp_path / "lives.db"
    copied.write_bytes(sqlite_template.read_bytes())
    return f"sqlite+aiosqlite:///{copied}"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_no_danger_ever_leaves_service_without_the_owners_answer(
    database_file: str, steps: Sequence[Say | Reply]
) -> None:
    asyncio.run(_live(database_file, steps))


async def _live(url: str, steps: Sequence[Say | Reply]) -> None:
    database = open_database(url)
    try:
        home = await open_home(database)
        at, before, said_positive = MONDAY, await _served_dangers(home), False
        for step in steps:
            at += timedelta(hours=step.hours)
            accepted = await _take(home, step, at)
            after = await _served_dangers(home)
            if not accepted:
                assert before <= after, f"{step} took a danger out of service"
            said_positive |= isinstance(step, Say) and not step.negated and step.certainty is not Certainty.QUESTION
            assert said_positive or not after, f"{step} made a danger out of nothing"
            await _check_rows(home)
            before = after
    finally:
        await database.close()


async def _take(home: Home, step: Say | Reply, at: datetime) -> bool:
    """Live through one step. True when the owner's answer allowed a danger to leave."""
    if isinstance(step, Say):
        said = allergy(
            home.dog,
            negated=step.negated,
            certainty=step.certainty,
            act=step.act,
            first_hand=step.certainty is not Certainty.HEARSAY,
        )
        await home.say(said, at=at)
        return False
    pending = [one for one in await home.confirmations() if one.status == "pending" and at < one.lapses_at]
    if not pending:
        return False
    question = pending[-1]
    try:
        await home.answer(question.id, step.answer, at)
    except MemoryFault:
        return False
    lets_go = Answer.ACCEPT if question.new["negated"] else Answer.KEEP
    return step.answer is lets_go


async def _served_dangers(home: Home) -> set[str]:
    """Subjects with an allergy that safety checks count, read from the records."""
    async with home.database.read() as session:
        return {record.pet_id for _, record in await safety_records(session, home.scope)}


async def _check_rows(home: Home) -> None:
    """Mirrors agree with records, a slot has one open question, and history explains what is served."""
    async with home.database.read() as session:
        scope = home.scope
        items = (await session.exec(select(MemoryItem).where(col(MemoryItem.household_id) == scope.household_id))).all()
        records = {record.id: record for _, record in await safety_records(session, scope)}
        questions = (
            await session.exec(select(Confirmation).where(col(Confirmation.household_id) == scope.household_id))
        ).all()
        versions = (
            await session.exec(select(MemoryVersion).where(col(MemoryVersion.household_id) == scope.household_id))
        ).all()
    mirrored = {item.record_id for item in items if item.record_id and item.status in ("active", "provisional")}
    assert mirrored == set(records)
    assert sum(question.status == "pending" for question in questions) <= 1
    latest = {version.item_id: version for version in sorted(versions, key=lambda one: one.version)}
    for item in items:
        assert latest[item.id].version == item.version
        assert latest[item.id].snapshot["status"] == item.status
        assert (
            item.status in ("active", "provisional", "candidate")
            or item.retired_at
            or item.status == MemoryStatus.ARCHIVED
        )
