"""The nightly upgrade when workers die, race each other, or an owner was away: every night is done once, and whole."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.database import Database, open_database
from domain.inbox import InboxMessage
from jobs.job_runs import LEASE
from jobs.upgrade_memory import UpgradeParts, upgrade_due
from memory.archive_rows import archives_of
from memory.core_budget import Limits
from memory.items import MemoryItem, MemoryVersion
from memory.prepared import quick_of
from memory.signals import count_cited
from tests.conftest import on_sqlite
from tests.homes import MONDAY, Home, claim, open_home
from tests.nights import Hands

DAY = timedelta(days=1)
NIGHT = datetime.fromisoformat("2026-06-01T19:30:00+00:00")  # 03:30 in Shanghai, the night after MONDAY
CARD = Limits(items=3, chars=60)


class Killed(Exception):
    """The worker is gone."""


class DyingTransactions:
    """A database whose process dies at its n-th write: before it, or right after its commit."""

    def __init__(self, database: Database, dies_at: float, *, committed: bool) -> None:
        self._database, self._dies_at, self._committed = database, dies_at, committed
        self.writes = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    @asynccontextmanager
    async def write(self, *, short: bool = False) -> AsyncIterator[AsyncSession]:
        self.writes += 1
        if self.writes == self._dies_at and not self._committed:
            raise Killed
        async with self._database.write(short=short) as session:
            yield session
        if self.writes == self._dies_at:
            raise Killed


@pytest.fixture
async def sqlite_copy(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Callable[[], Database]]:
    """Opens one more empty database at each call."""
    opened: list[Database] = []

    def another() -> Database:
        file = tmp_path / f"other-{len(opened)}.db"
        shutil.copy(sqlite_template, file)
        opened.append(open_database(f"sqlite+aiosqlite:///{file}"))
        return opened[-1]

    yield another
    for database in opened:
        await database.close()


async def full_of_life(database: Database) -> Home:
    """A dog with more used lines than its card holds, and a cat with unused ones."""
    home = await open_home(database)
    for number in range(6):
        await home.say(claim(home.dog, f"behavior:{number}", f"煤球喜欢第{number}件东西"))
        await home.say(claim(home.cat, f"behavior:{number}", f"芋圆不理第{number}件东西"))
    dogs = [item for item in await home.items() if item.subject == home.dog.id]
    async with database.write() as session:
        quick = await quick_of(session)
        for place, item in enumerate(dogs):
            for turn in range(3 + place):
                await count_cited(quick, home.scope, [item.id], f"turn-{turn}", MONDAY)
    return home


def parts_of(transactions: Any, real_now: datetime = NIGHT) -> UpgradeParts:
    return UpgradeParts(transactions, lambda: real_now, CARD, CARD)


def as_it_stands(items: list[MemoryItem]) -> list[tuple[object, ...]]:
    return [
        (item.content, item.tier, item.status, item.upgrade, item.score, item.version, item.review_at) for item in items
    ]


@on_sqlite
async def test_a_worker_killed_anywhere_leaves_a_night_that_the_next_one_finishes(
    database: Database, sqlite_copy: Callable[[], Database]
) -> None:
    home = await full_of_life(database)
    whole = await upgrade_due(parts_of(database), NIGHT)
    assert (whole.owners, whole.upgraded.moves) == (1, {"promoted": 3, "card_full": 3})
    expected = as_it_stands(await home.items())
    for dies_at in range(1, 20):
        for committed in (False, True):
            other = sqlite_copy()
            home = await full_of_life(other)
            dying = DyingTransactions(other, dies_at, committed=committed)
            with suppress(Killed):
                await upgrade_due(parts_of(dying), NIGHT)
            later = NIGHT + LEASE + timedelta(seconds=1)
            await upgrade_due(parts_of(other, later), NIGHT)
            assert as_it_stands(await home.items()) == expected, (dies_at, committed)
            async with other.read() as session:
                archives = await archives_of(session, home.scope, home.dog.id)
            assert all(archive.stale_at is None for archive in archives.values()), (dies_at, committed)
            if dying.writes < dies_at:
                return
    pytest.fail("the night never came to its end")


async def test_many_workers_do_a_night_once(database: Database) -> None:
    home = await full_of_life(database)
    reports = await asyncio.gather(*(upgrade_due(parts_of(database), NIGHT) for _ in range(4)))
    assert sorted(report.owners for report in reports) == [0, 0, 0, 1]
    promoted = [item for item in await home.items() if item.tier == "core"]
    assert len(promoted) == 3
    assert all(item.version == 2 for item in promoted)


async def test_a_second_run_of_the_same_night_changes_nothing(database: Database) -> None:
    home = await full_of_life(database)
    await upgrade_due(parts_of(database), NIGHT)
    before = as_it_stands(await home.items())
    assert (await upgrade_due(parts_of(database), NIGHT + timedelta(hours=3))).owners == 0
    assert as_it_stands(await home.items()) == before


async def test_lines_of_a_full_card_do_not_change_places_night_after_night(database: Database) -> None:
    home = await full_of_life(database)
    await upgrade_due(parts_of(database), NIGHT)
    first = {item.content for item in await home.items() if item.tier == "core"}
    assert first == {f"煤球喜欢第{number}件东西" for number in (3, 4, 5)}  # those that were used most
    for night in range(1, 12):
        report = await upgrade_due(parts_of(database), NIGHT + night * DAY)
        assert report.upgraded.moves == {}
    assert {item.content for item in await home.items() if item.tier == "core"} == first


async def test_an_owner_who_was_away_for_a_year_comes_back_to_a_tidy_memory(database: Database) -> None:
    home = await full_of_life(database)
    report = await upgrade_due(parts_of(database), NIGHT + 365 * DAY)
    items = await home.items()
    assert report.owners == 1
    assert {item.tier for item in items} == {"long"}
    assert {item.status for item in items} == {"archived"}
    assert len(items) == 12
    assert (await upgrade_due(parts_of(database), NIGHT + 366 * DAY)).owners == 0


async def test_the_night_follows_a_clock_that_is_moved_over_a_day_boundary(database: Database) -> None:
    await full_of_life(database)
    assert (await upgrade_due(parts_of(database), NIGHT - timedelta(minutes=1))).owners == 0
    assert (await upgrade_due(parts_of(database), NIGHT)).owners == 1
    assert (await upgrade_due(parts_of(database), NIGHT - DAY)).owners == 0  # the clock was set back


async def test_the_card_that_is_full_is_told_once_a_month(database: Database) -> None:
    home = await full_of_life(database)
    async with database.write() as session:
        for item in await home.items():
            if item.content.endswith(("第3件东西", "第4件东西", "第5件东西")) and item.subject == home.dog.id:
                item.tier, item.locked = "core", True
                session.add(item)
    for night in range(3):
        report = await upgrade_due(parts_of(database), NIGHT + night * DAY)
        assert len(report.upgraded.turned_away[home.dog.id]) == (0 if night else 3)
    async with database.read() as session:
        told = (await session.exec(select(InboxMessage))).all()
    assert [one.title for one in told] == ["身份卡满了"]
    assert "煤球的身份卡已经放满" in told[0].body
    assert {item.tier for item in await home.items() if "第0件" in item.content and item.subject == home.dog.id} == {
        "long"
    }


class Shortener:
    """A condenser that leaves out one word."""

    def __init__(self) -> None:
        self.asked = 0

    async def condense(self, lines: Mapping[str, str]) -> Mapping[str, str]:
        self.asked += 1
        return {item_id: text.replace("向来都很", "") for item_id, text in lines.items()}


async def test_a_full_card_is_condensed_before_anything_leaves_it(database: Database) -> None:
    home = await open_home(database)
    for number in range(3):
        await home.say(claim(home.dog, f"behavior:{number}", f"煤球向来都很喜欢第{number}件东西"))
    items = await home.items()
    async with database.write() as session:
        quick = await quick_of(session)
        for place, item in enumerate(items):
            for turn in range(4 + place):
                await count_cited(quick, home.scope, [item.id], f"turn-{turn}", MONDAY)
    shortener = Shortener()
    card = Limits(items=9, chars=34)  # two lines as they are, three when they are shorter
    report = await upgrade_due(replace(parts_of(database), pet_card=card, writers=Hands(condensing=shortener)), NIGHT)
    assert (report.upgraded.moves, shortener.asked) == ({"promoted": 3}, 1)
    lines = {item.content for item in await home.items()}
    assert "煤球喜欢第0件东西" in lines
    async with database.read() as session:
        kept = (await session.exec(select(MemoryVersion).where(MemoryVersion.version == 1))).all()
    assert {version.snapshot["content"] for version in kept} == {
        f"煤球向来都很喜欢第{number}件东西" for number in range(3)
    }


async def test_one_owners_failing_night_does_not_cost_the_others_theirs(database: Database) -> None:
    bad, good = await full_of_life(database), await full_of_life(database)
    async with database.write() as session:
        for item in await bad.items():
            if item.household_id == bad.scope.household_id:
                item.weight_level = 9  # no level there is
                session.add(item)
    report = await upgrade_due(parts_of(database), NIGHT)
    assert (report.owners, report.failed) == (1, 1)
    assert len([one for one in await good.items() if one.household_id == good.scope.household_id and one.score]) == 12
