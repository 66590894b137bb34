"""Rows that wait for the end of a transaction: written as they are then, seen by whoever reads before."""

from datetime import UTC, datetime

import pytest
from sqlmodel import col, select

from app.database import Database
from domain.owners import Household, Owner
from memory.appends import append, append_object
from memory.item_writes import add_item, revise_item
from memory.items import MemoryItem, MemoryVersion
from memory.revision import touch

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


async def _owner(database: Database) -> Owner:
    household = Household(created_at=NOW)
    owner = Owner(household_id=household.id, appid="dev", openid="x", created_at=NOW)
    async with database.write() as session:
        session.add(household)
        await session.flush()
        session.add(owner)
    return owner


def _line(owner: Owner, content: str = "豆豆怕打雷") -> MemoryItem:
    return MemoryItem(
        household_id=owner.household_id,
        owner_id=owner.id,
        subject="owner",
        attribute="behavior:thunder",
        attribute_class="behavior",
        content=content,
        topic="behavior",
        risk="low",
        learned_at=NOW,
        last_evidence_at=NOW,
    )


@pytest.mark.parametrize("short", [False, True])
async def test_an_appended_object_is_written_as_it_is_at_the_end(database: Database, short: bool) -> None:
    owner = await _owner(database)
    async with database.write(short=short) as session:
        line = add_item(session, _line(owner), owner.id, "new", NOW)
        line.confidence = 0.5
    async with database.read() as session:
        stored = await session.get_one(MemoryItem, line.id)
        assert stored.confidence == 0.5


@pytest.mark.parametrize("short", [False, True])
async def test_a_read_in_the_same_transaction_sees_it_and_may_change_it(database: Database, short: bool) -> None:
    owner = await _owner(database)
    async with database.write(short=short) as session:
        line = add_item(session, _line(owner), owner.id, "new", NOW)
        found = (await session.exec(select(MemoryItem).where(col(MemoryItem.id) == line.id))).one()
        assert found is line
        found.content = "豆豆怕打雷，会躲床底"
        await revise_item(session, found, owner.id, "more", NOW, NOW)
    async with database.read() as session:
        stored = await session.get_one(MemoryItem, line.id)
        versions = (await session.exec(select(MemoryVersion).where(col(MemoryVersion.item_id) == line.id))).all()
    assert (stored.content, stored.version) == ("豆豆怕打雷，会躲床底", 2)
    assert sorted(version.version for version in versions) == [1, 2]


@pytest.mark.parametrize("short", [False, True])
async def test_an_object_that_is_also_added_to_the_session_goes_in_once(database: Database, short: bool) -> None:
    owner = await _owner(database)
    async with database.write(short=short) as session:
        line = _line(owner)
        append_object(session, line)
        session.add(line)
    async with database.read() as session:
        assert len((await session.exec(select(MemoryItem).where(col(MemoryItem.id) == line.id))).all()) == 1


@pytest.mark.parametrize("short", [False, True])
async def test_nothing_that_waits_survives_a_failure(database: Database, short: bool) -> None:
    owner = await _owner(database)
    with pytest.raises(RuntimeError):  # noqa: PT012  # the whole block is one failing transaction
        async with database.write(short=short) as session:
            append(session, Household, created_at=NOW)
            add_item(session, _line(owner), owner.id, "new", NOW)
            touch(session, owner.household_id)
            raise RuntimeError("stop")
    async with database.read() as session:
        assert (await session.exec(select(MemoryItem))).all() == []
        assert (await session.exec(select(Household.revision))).all() == [0]
