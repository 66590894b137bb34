"""Rows made and read the short way are the rows that SQLModel and its session would give."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import bindparam, delete, inspect
from sqlalchemy.orm.exc import StaleDataError
from sqlmodel import SQLModel, col, select

from app.database import Database
from domain.follow_ups import FollowUp
from domain.owners import Household
from domain.pets import Pet
from memory.appends import append_object
from memory.items import EvidenceRow, MemoryItem
from memory.prepared import whole_rows
from memory.table_rows import Read, TableRow, read

NOW = datetime(2026, 5, 20, 11, 0, 30, tzinfo=UTC)
GIVEN = {
    "household_id": "h",
    "owner_id": "o",
    "subject": "p",
    "content": "豆豆爱吃南瓜",
    "value": {"food": "南瓜"},
    "quote": "爱吃南瓜",
    "attribute": "diet",
    "learned_at": NOW,
    "said_at": NOW,
    "by": "o",
}
ITEM: dict[str, Any] = {
    **dict.fromkeys(("owner_id", "attribute", "attribute_class", "content", "topic", "risk"), "x"),
    "learned_at": NOW,
    "last_evidence_at": NOW,
}
OF_HOUSEHOLD = Read(MemoryItem, whole_rows(MemoryItem, col(MemoryItem.household_id) == bindparam("household")))


def tables(root: type[SQLModel] = TableRow) -> Iterator[type[SQLModel]]:
    for model in root.__subclasses__():
        if hasattr(model, "__table__"):
            yield model
        yield from tables(model)


@pytest.mark.parametrize("model", list(tables()), ids=lambda model: model.__name__)
def test_an_object_is_made_as_sqlmodel_makes_it(model: type[SQLModel]) -> None:
    """All columns with their defaults; a name that is no field is passed over."""
    short, stock = model(**GIVEN), inspect(model).class_manager.new_instance()
    SQLModel.__init__(stock, **GIVEN)
    kept, expected = ({**row.__dict__, "_sa_instance_state": None} for row in (short, stock))
    assert kept.pop("id") != expected.pop("id")
    assert kept == expected
    assert short.model_fields_set == stock.model_fields_set


@pytest.mark.parametrize("model", list(tables(SQLModel)), ids=lambda model: model.__name__)
def test_no_default_of_a_table_can_be_changed_by_its_rows(model: type[SQLModel]) -> None:
    assert not [name for name, field in model.model_fields.items() if isinstance(field.default, list | dict | set)]


def test_rows_share_no_default() -> None:
    first, second = FollowUp(), FollowUp()
    assert first.attributes is not second.attributes


@pytest.fixture
async def home(database: Database) -> Database:
    """One household with a pet."""
    async with database.write() as session:
        session.add(Household(id="h", created_at=NOW))
        session.add(Pet(id="p", household_id="h", name="豆豆", species="dog", created_at=NOW))
    return database


@pytest.mark.parametrize("short", [False, True])
async def test_what_was_changed_is_written_and_read_as_the_same_object(home: Database, short: bool) -> None:
    """New, appended and changed rows of the session are in the answer of a prebuilt read, as the objects they are."""
    async with home.write(short=short) as session:
        session.add(MemoryItem(id="1", household_id="h", **ITEM))
    async with home.write(short=short) as session:
        (known,) = await read(session, OF_HOUSEHOLD, {"household": "h"})
        known.tier = "core"
        session.add(added := MemoryItem(id="2", household_id="h", **ITEM))
        append_object(session, appended := MemoryItem(id="3", household_id="h", **ITEM))
        again = await read(session, OF_HOUSEHOLD, {"household": "h"})
        assert {id(row) for row in again} == {id(row) for row in (known, added, appended)}
        assert (await session.exec(select(MemoryItem).where(MemoryItem.id == "1"))).one() is known
        again[0].content, appended.status = "anders", "archived"
    async with home.read() as session:
        rows = {row.id: row for row in await read(session, OF_HOUSEHOLD, {"household": "h"})}
    assert (rows["1"].tier, rows["1"].content, rows["2"].tier, rows["3"].status) == (
        "core",
        "anders",
        "short",
        "archived",
    )


@pytest.mark.parametrize("short", [False, True])
async def test_a_change_is_written_once_and_a_later_one_again(home: Database, short: bool) -> None:
    """A flush of changes alone updates the changed columns; the same object goes on as the session's own."""
    async with home.write(short=short) as session:
        session.add(MemoryItem(id="1", household_id="h", **ITEM))
    async with home.write(short=short) as session:
        (row,) = await read(session, OF_HOUSEHOLD, {"household": "h"})
        row.value, row.expires_at, row.negated = {"food": "南瓜"}, NOW, True
        await session.flush()
        assert not session.dirty
        assert row in session
        assert (await session.exec(select(MemoryItem.expires_at))).one() == NOW
        row.content, row.expires_at = "anders", None
    async with home.read() as session:
        row = (await session.exec(select(MemoryItem))).one()
    assert (row.value, row.expires_at, row.negated, row.content) == ({"food": "南瓜"}, None, True, "anders")


async def test_a_row_that_is_gone_is_not_changed_in_silence(home: Database) -> None:
    async with home.write() as session:
        session.add(MemoryItem(id="1", household_id="h", **ITEM))
    async with home.write() as session:
        (row,) = await read(session, OF_HOUSEHOLD, {"household": "h"})
        await session.exec(delete(MemoryItem).execution_options(synchronize_session=False))
        row.content = "anders"
        with pytest.raises(StaleDataError):
            await session.flush()
        session.expunge(row)


async def test_what_the_session_has_let_go_of_is_read_again(home: Database) -> None:
    async with home.write() as session:
        session.add(MemoryItem(id="1", household_id="h", **ITEM))
    async with home.write() as session:
        (row,) = await read(session, OF_HOUSEHOLD, {"household": "h"})
        session.expire(row, ["content"])
        await read(session, OF_HOUSEHOLD, {"household": "h"})
        assert row.content == "x"


async def test_a_short_write_that_fails_leaves_nothing_behind(home: Database) -> None:
    async def fail() -> None:
        async with home.write(short=True) as session:
            append_object(session, EvidenceRow(**GIVEN, target_kind="memory", target_id="1"))
            await read(session, OF_HOUSEHOLD, {"household": "h"})
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    async with home.read() as session:
        assert not (await session.exec(select(EvidenceRow))).all()
