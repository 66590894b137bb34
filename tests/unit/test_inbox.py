"""What reaches an owner outside a reply: once, out of quiet hours, and no more pushes of a kind than a day takes."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

import pytest
from sqlmodel import select

from app.database import Database
from domain.errors import NotFound
from domain.inbox import DAILY_CAPS, InboxMessage, end_of_quiet_hours, inbox_of, mark_read, notify
from domain.owners import Owner, sign_in_owner

NOON = datetime(2026, 5, 20, 4, 0, tzinfo=UTC)  # 12:00 in Shanghai

BEFORE_SUMMER_TIME = datetime(2026, 3, 28, 23, 0, tzinfo=UTC)  # midnight in Berlin; the night is an hour short


@dataclass
class Door:
    database: Database
    owner: Owner

    async def put(self, key: str, kind: str = "confirmation", at: datetime = NOON) -> InboxMessage | None:
        async with self.database.write() as session:
            return await notify(session, self.owner, kind, key, "标题", "内容", at)

    async def keys(self, at: datetime = NOON, *, unread: bool = False) -> list[str]:
        async with self.database.read() as session:
            return [row.dedupe_key for row in await inbox_of(session, self.owner, at, 50, unread=unread)]


@pytest.fixture
async def door(database: Database) -> Door:
    async with database.write() as session:
        owner = await sign_in_owner(session, "dev", "lin", "小林", NOON)
    return Door(database, owner)


async def test_two_workers_at_once_tell_the_same_thing_once(door: Door) -> None:
    put = await asyncio.gather(*(door.put("the same") for _ in range(5)))
    assert sum(message is not None for message in put) == 1
    assert await door.keys() == ["the same"]


def owner_with(quiet_from: time = time(22), quiet_to: time = time(8), timezone: str = "Asia/Shanghai") -> Owner:
    return Owner(
        household_id="h",
        appid="dev",
        openid="o",
        timezone=timezone,
        quiet_from=quiet_from,
        quiet_to=quiet_to,
        created_at=NOON,
    )


def shanghai(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 5, day, hour, minute, tzinfo=UTC) - timedelta(hours=8)


@pytest.mark.parametrize(
    ("owner", "at", "due"),
    [
        (owner_with(), shanghai(20, 12), shanghai(20, 12)),
        (owner_with(), shanghai(20, 21, 59), shanghai(20, 21, 59)),
        (owner_with(), shanghai(20, 22), shanghai(21, 8)),
        (owner_with(), shanghai(21, 3), shanghai(21, 8)),
        (owner_with(), shanghai(21, 8), shanghai(21, 8)),
        (owner_with(time(12), time(14)), shanghai(20, 13), shanghai(20, 14)),
        (owner_with(time(12), time(14)), shanghai(20, 11), shanghai(20, 11)),
        (owner_with(time(8), time(8)), shanghai(20, 8), shanghai(20, 8)),
        (
            owner_with(timezone="Europe/Berlin"),
            datetime(2026, 3, 28, 23, tzinfo=UTC),
            datetime(2026, 3, 29, 6, tzinfo=UTC),
        ),
    ],
)
def test_nobody_is_disturbed_in_their_quiet_hours(owner: Owner, at: datetime, due: datetime) -> None:
    assert end_of_quiet_hours(owner, at) == due


async def test_a_prompt_with_the_same_key_comes_once(door: Door) -> None:
    assert await door.put("a") is not None
    assert await door.put("a", at=NOON + timedelta(days=30)) is None
    assert await door.keys(NOON + timedelta(days=31)) == ["a"]


async def test_pushes_of_a_kind_are_capped_and_the_prompt_is_there_all_the_same(door: Door) -> None:
    cap = DAILY_CAPS["confirmation"]
    told = [await door.put(str(number)) for number in range(cap + 2)]
    assert [row.delivery for row in told if row] == ["waiting"] * cap + ["capped"] * 2
    assert len(await door.keys()) == cap + 2
    tomorrow = await door.put("later", at=NOON + timedelta(days=1))
    other_kind = await door.put("due", kind="due_item")
    assert [row.delivery for row in (tomorrow, other_kind) if row] == ["waiting", "waiting"]


async def test_what_came_at_night_counts_for_the_morning_it_is_pushed(door: Door) -> None:
    cap = DAILY_CAPS["confirmation"]
    for number in range(cap):
        await door.put(f"night-{number}", at=shanghai(20, 23))
    evening_before = await door.put("evening", at=shanghai(20, 21))
    morning = await door.put("morning", at=shanghai(21, 9))
    assert evening_before is not None
    assert morning is not None
    assert (evening_before.delivery, morning.delivery) == ("waiting", "capped")


async def test_what_waits_for_the_morning_can_be_read_at_night(door: Door) -> None:
    row = await door.put("a", at=shanghai(20, 23))
    assert row is not None
    assert row.not_before == shanghai(21, 8)
    assert await door.keys(shanghai(20, 23, 30)) == ["a"]


async def test_a_prompt_is_read_once_by_its_owner_only(door: Door) -> None:
    row = await door.put("a")
    assert row is not None
    async with door.database.write() as session:
        first = await mark_read(session, door.owner.id, row.id, NOON)
        again = await mark_read(session, door.owner.id, row.id, NOON + timedelta(hours=1))
        assert first.read_at == again.read_at == NOON
    assert await door.keys(unread=True) == []
    async with door.database.write() as session:
        stranger = await sign_in_owner(session, "dev", "wang", "小王", NOON)
    async with door.database.write() as session:
        with pytest.raises(NotFound):
            await mark_read(session, stranger.id, row.id, NOON)
        assert (await session.exec(select(InboxMessage))).one().owner_id == door.owner.id
