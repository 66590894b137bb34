"""A night that is killed, doubled, disturbed, or misled by a model loses nothing and does nothing twice."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.database import Database
from domain.owners import Owner
from jobs.consolidate import consolidate_owner
from memory.consolidation.runs import LEASE, PHASES
from memory.scope import Scope
from memory.vocabulary import Certainty, MemoryStatus
from tests.homes import MONDAY, Home, claim, open_home
from tests.nights import agree, dreams, keep, live_set, night_parts, sleep, sleep_if_due, told

DAY = timedelta(days=1)
NIGHT = MONDAY + timedelta(hours=15)  # 01:00 in Shanghai
A = MemoryStatus.ACTIVE


class Killed(BaseException):
    """The worker's process ends."""


def kill_before(wanted: str) -> Callable[[str], Awaitable[None]]:
    async def die(phase: str) -> None:
        if phase == wanted:
            raise Killed

    return die


@pytest.fixture
async def home(database: Database) -> Home:
    made = await open_home(database)
    await agree(made)
    return made


async def a_full_day(home: Home) -> None:
    """Something for every phase: a repeated line, a guess told often, and something that has faded."""
    await keep(home, "煤球怕吹风机")
    await keep(home, "煤球怕吹风机", "behavior:b")
    await keep(home, "煤球追了一只蝴蝶", "behavior:c", kind="event", weight_level=1, last_evidence_at=MONDAY - 40 * DAY)
    for day in range(3):
        doubtful = claim(home.dog, "behavior:fear:thunder", "煤球好像怕打雷", certainty=Certainty.HEDGED)
        await home.say(doubtful, at=MONDAY + day * DAY)


@pytest.mark.parametrize("phase", PHASES[1:])
async def test_a_night_killed_before_any_phase_comes_to_the_same_end(home: Home, phase: str) -> None:
    await a_full_day(home)
    now = NIGHT + 3 * DAY
    with pytest.raises(Killed):
        await sleep(home, now, before_phase=kill_before(phase))
    assert await sleep(home, now) is None, "the dead worker's lease still holds"
    assert await sleep(home, now, real_now=now + 2 * LEASE) == "done"
    assert sorted(await told(home)) == ["archived", "became_fact", "merged"]
    assert len(await dreams(home)) == 1
    before = await live_set(home)
    await sleep(home, now, real_now=now + 4 * LEASE)
    assert await live_set(home) == before


async def test_two_workers_at_once_give_one_night(home: Home) -> None:
    await a_full_day(home)
    ended = await asyncio.gather(*(sleep(home, NIGHT + 3 * DAY) for _ in range(4)))
    assert [one for one in ended if one is not None].count("done") >= 1
    assert sorted(await told(home)) == ["archived", "became_fact", "merged"]
    assert len(await dreams(home)) == 1


async def test_the_owner_coming_back_ends_the_night_and_the_next_one_goes_on(home: Home) -> None:
    await a_full_day(home)

    async def come_back(phase: str) -> None:
        if phase == "decay":
            await home.say(claim(home.cat, "behavior:x", "芋圆爱晒太阳"), at=NIGHT + 3 * DAY)

    assert await sleep(home, NIGHT + 3 * DAY, before_phase=come_back) == "cancelled"
    assert sorted(await told(home)) == ["became_fact", "merged"]
    assert await sleep(home, NIGHT + 4 * DAY) == "done"
    assert sorted(await told(home)) == ["archived", "became_fact", "merged"]


async def test_a_judge_that_fails_or_talks_nonsense_changes_nothing_and_the_diary_says_so(home: Home) -> None:
    await keep(home, "煤球洗澡怕吹风机")
    await keep(home, "煤球洗完澡很怕吹风机", "behavior:b")

    async def silent(pairs: object) -> dict[tuple[str, str], bool]:
        raise TimeoutError

    async def nonsense(pairs: object) -> dict[tuple[str, str], bool]:
        return {("no", "such"): True}

    before = await live_set(home)
    for night, judge in enumerate((silent, nonsense)):
        assert await sleep(home, NIGHT + night * DAY, judge=judge) == "done"
        assert await live_set(home) == before
        await home.say(claim(home.cat, f"behavior:x{night}", f"芋圆爱晒太阳{night}"), at=MONDAY + (night + 1) * DAY)
        before = await live_set(home)
    assert await told(home) == ["trouble", "trouble"]


async def test_a_judge_may_merge_what_words_alone_cannot_but_never_past_the_guard(home: Home) -> None:
    await keep(home, "煤球洗澡怕吹风机")
    await keep(home, "煤球洗完澡很怕吹风机", "behavior:b")
    await keep(home, "煤球洗澡要用4号梳子", "behavior:c")
    await keep(home, "煤球洗澡要用5号梳子", "behavior:d")

    async def yes(pairs: object) -> dict[tuple[str, str], bool]:
        return {(one.id, other.id): True for one, other in pairs}  # type: ignore[attr-defined]

    await sleep(home, NIGHT, judge=yes)
    assert len(await home.served()) == 3
    assert {"煤球洗澡要用4号梳子", "煤球洗澡要用5号梳子"} <= set(await home.served())


async def test_a_night_that_would_take_a_quarter_of_a_layer_stops(home: Home) -> None:
    for number in range(6):
        for copy in range(2):
            await keep(home, f"煤球的{'甲乙丙丁戊己'[number]}号玩具放在柜子里", f"behavior:{number}{copy}")
    before = await live_set(home)
    assert await sleep(home, NIGHT) == "stopped"
    assert await live_set(home) == before
    assert await told(home) == ["stopped"]


async def test_an_owner_who_was_away_for_a_year_loses_nothing(home: Home) -> None:
    for number in range(20):
        await keep(home, f"煤球做了第{number}件事", f"behavior:{number}", kind="event", weight_level=1)
    for night in range(6):
        await home.say(claim(home.cat, f"behavior:x{night}", f"芋圆爱晒太阳{night}"), at=MONDAY + (365 + night) * DAY)
        await sleep(home, NIGHT + (365 + night) * DAY)
    archived = await home.items(MemoryStatus.ARCHIVED)
    assert len(archived) == 20
    assert len(await home.items()) == 26


@pytest.mark.parametrize(
    ("zone", "hour", "sleeps"), [("Asia/Shanghai", 15, 1), ("Europe/Berlin", 15, 0), ("Europe/Berlin", 22, 1)]
)
async def test_the_night_is_that_of_the_owners_clock(home: Home, zone: str, hour: int, sleeps: int) -> None:
    async with home.database.write() as session:
        owner = await session.get(Owner, home.scope.owner_id)
        assert owner is not None
        owner.timezone = zone
        session.add(owner)
    await home.say(claim(home.dog, "behavior:a", "煤球怕吹风机"))
    assert await sleep_if_due(home, MONDAY.replace(hour=hour)) == sleeps


async def test_without_consent_nobody_sleeps(database: Database) -> None:
    home = await open_home(database)
    await home.say(claim(home.dog, "behavior:a", "煤球怕吹风机"))
    assert await sleep(home, NIGHT) is None
    assert night_parts(home, NIGHT).night.writers is None


async def test_an_archive_that_no_model_could_write_is_kept_and_the_diary_says_so(home: Home) -> None:
    await keep(home, "煤球怕吹风机")
    parts = night_parts(home, NIGHT)

    async def fails(scope: Scope, now: datetime) -> bool:
        return False

    parts = replace(parts, night=replace(parts.night, archives=fails))
    assert await consolidate_owner(parts, home.scope.owner_id) == "done"
    assert await told(home) == ["trouble"]
