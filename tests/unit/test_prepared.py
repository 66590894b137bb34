"""Prebuilt statements convert values as the object layer does, on both ways into SQLite."""

from datetime import UTC, date, datetime
from pathlib import Path

from sqlmodel import col

from app.database import open_database
from domain.owners import Household
from domain.pets import Pet
from memory.prepared import by_dialect, insert_of, padded, row_of, whole_rows

NOW = datetime(2026, 5, 20, 11, 0, 30, 123456, tzinfo=UTC)


async def test_dates_times_json_and_booleans_come_back_as_they_went_in(tmp_path: Path) -> None:
    database = open_database(f"sqlite+aiosqlite:///{tmp_path / 'x.db'}")
    await database.migrate()
    household = Household(created_at=NOW)
    pet = row_of(
        Pet,
        household_id=household.id,
        name="豆豆",
        nicknames=["豆子", "小豆"],
        species="dog",
        neutered=True,
        born_on=date(2021, 5, 2),
        created_at=NOW,
    )
    async with database.write() as session:
        session.add(household)
    async with database.quick_write() as quick:
        await quick.run(by_dialect(insert_of(Pet), quick), pet)
    read = whole_rows(Pet, col(Pet.household_id) == household.id)
    async with database.quick_read() as quick, database.quick_scan() as scan, database.read() as session:
        for row in (*await quick.rows(read, {}), *await scan.rows(read, {}), await session.get_one(Pet, pet["id"])):
            assert (row.born_on, row.created_at, row.nicknames, row.neutered, row.microchip) == (
                date(2021, 5, 2),
                NOW,
                ["豆子", "小豆"],
                True,
                None,
            )
    await database.close()


async def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    database = open_database(f"sqlite+aiosqlite:///{tmp_path / 'x.db'}")
    await database.migrate()
    household = row_of(Household, created_at=NOW)
    try:
        async with database.quick_write() as quick:
            await quick.run(by_dialect(insert_of(Household), quick), household)
            raise RuntimeError("stop")
    except RuntimeError:
        pass
    async with database.quick_read() as quick:
        assert await quick.rows(whole_rows(Household), {}) == []
    await database.close()


def test_in_lists_have_few_lengths() -> None:
    assert padded([]) == [""]
    assert padded(["a"]) == ["a"]
    assert padded(["a", "b", "c"]) == ["a", "b", "c", "c"]
