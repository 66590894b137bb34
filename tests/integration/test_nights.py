"""A night merges what was told twice, weighs guesses, lets time take what is due, and can be taken back."""

from datetime import timedelta

import pytest

from app.database import Database
from memory.dreams import undo
from memory.errors import UndoUnsafe
from memory.item_writes import revise_item
from memory.items import MemoryItem
from memory.memory_page import edit_item
from memory.upgrade import Move
from memory.vocabulary import Certainty, Kind, MemoryStatus, Tier
from tests.homes import MONDAY, Home, claim, open_home
from tests.nights import agree, dreams, keep, live_set, sleep, sleep_if_due, told

DAY = timedelta(days=1)
NIGHT = MONDAY + timedelta(hours=15)  # 01:00 in Shanghai
A, SUPERSEDED = MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED


@pytest.fixture
async def home(database: Database) -> Home:
    made = await open_home(database)
    await agree(made)
    return made


async def test_two_lines_of_the_same_words_become_one_and_lose_nothing(home: Home) -> None:
    await home.say(claim(home.dog, "behavior:a", "煤球喜欢又软又香的新窝"))
    await home.say(claim(home.dog, "behavior:b", "煤球喜欢又香又软的新窝"), at=MONDAY + DAY)
    ended = await sleep(home, NIGHT + DAY)
    served = await home.items(A)
    (gone,) = await home.items(SUPERSEDED)
    assert ended == "done"
    assert len(served) == 1
    assert gone.reason == f"merged into {served[0].id}"
    assert await told(home) == ["merged"]


async def test_a_second_night_changes_nothing_and_has_no_entry(home: Home) -> None:
    await home.say(claim(home.dog, "behavior:a", "煤球喜欢又软又香的新窝"))
    await home.say(claim(home.dog, "behavior:b", "煤球喜欢又香又软的新窝"), at=MONDAY + DAY)
    await sleep(home, NIGHT + DAY)
    before = await live_set(home)
    assert await sleep(home, NIGHT + DAY) == "done"
    assert await live_set(home) == before
    assert len(await dreams(home)) == 1


async def test_signals_tier_and_evidence_are_handed_on(home: Home, database: Database) -> None:
    one = await keep(home, "煤球怕吹风机", cited=2, tier=Tier.LONG.value)
    other = await keep(home, "煤球怕吹风机", "behavior:b", cited=3, viewed=1, tier=Tier.SHORT.value)
    await sleep(home, NIGHT)
    (stays,) = await home.items(A)
    assert stays.id == one.id
    assert (stays.cited, stays.viewed, stays.tier) == (5, 1, "long")
    assert other.id in (item.id for item in await home.items(SUPERSEDED))


async def test_undo_brings_back_the_state_before(home: Home, database: Database) -> None:
    await home.say(claim(home.dog, "behavior:a", "煤球喜欢又软又香的新窝"))
    await home.say(claim(home.dog, "behavior:b", "煤球喜欢又香又软的新窝"), at=MONDAY + DAY)
    before = await live_set(home)
    await sleep(home, NIGHT + DAY)
    assert await live_set(home) != before
    (dream,) = await dreams(home)
    async with database.write() as session:
        await undo(session, home.scope, dream.id, NIGHT + DAY, NIGHT + DAY)
    assert await live_set(home) == before
    await sleep(home, NIGHT + 2 * DAY)
    assert await live_set(home) == before, "what the owner took back is not done again"


async def test_undo_is_refused_after_a_later_change(home: Home, database: Database) -> None:
    await keep(home, "煤球怕吹风机")
    await keep(home, "煤球怕吹风机", "behavior:b")
    await sleep(home, NIGHT)
    (dream,) = await dreams(home)
    (stays,) = await home.items(A)
    async with database.write() as session:
        await edit_item(session, home.scope, stays.id, {"content": "煤球怕吹风机和吸尘器"}, None, NIGHT, NIGHT)
    async with database.write() as session:
        with pytest.raises(UndoUnsafe):
            await undo(session, home.scope, dream.id, NIGHT, NIGHT)


async def test_a_guess_that_is_told_again_and_again_becomes_a_fact(home: Home) -> None:
    line = claim(home.dog, "behavior:fear:thunder", "煤球好像怕打雷", certainty=Certainty.HEDGED)
    for day in range(3):
        await home.say(line, at=MONDAY + day * DAY)
    (guess,) = await home.items(A)
    assert guess.kind == Kind.BELIEF.value
    await sleep(home, NIGHT + 3 * DAY)
    (fact,) = await home.items(A)
    assert fact.kind == Kind.FACT.value
    assert await told(home) == ["became_fact"]


async def test_what_lost_its_weight_goes_to_the_archive_with_its_history(home: Home) -> None:
    item = await keep(home, "煤球今天追了一只蝴蝶", kind=Kind.EVENT.value, weight_level=1)
    await sleep(home, NIGHT + 5 * DAY)
    assert len(await home.items(A)) == 1
    await sleep(home, NIGHT + 40 * DAY)
    (archived,) = await home.items(MemoryStatus.ARCHIVED)
    assert archived.id == item.id
    assert await told(home) == ["archived"]


async def test_a_night_begins_only_when_the_owner_is_quiet_and_away(home: Home) -> None:
    await home.say(claim(home.dog, "behavior:a", "煤球怕吹风机"), at=NIGHT)
    await keep(home, "煤球怕吹风机", "behavior:b")
    assert await sleep_if_due(home, NIGHT + timedelta(minutes=19)) == 0
    assert await sleep_if_due(home, NIGHT + timedelta(hours=12)) == 0
    assert await sleep_if_due(home, NIGHT + timedelta(minutes=21)) == 1
    assert await sleep_if_due(home, NIGHT + timedelta(minutes=30)) == 0, "nothing new since"


async def test_the_diary_tells_what_the_nightly_upgrade_has_moved(home: Home) -> None:
    item = await keep(home, "煤球爱玩绳结")
    await keep(home, "煤球怕打雷", "behavior:b")
    async with home.database.write() as session:
        row = await session.get(MemoryItem, item.id)
        assert row is not None
        row.tier = Tier.CORE.value
        await revise_item(session, row, "system", Move.PROMOTED.value, NIGHT, NIGHT)
    await sleep(home, NIGHT + DAY)
    (dream,) = await dreams(home)
    assert [(line["what"], line["text"]) for line in dream.lines] == [
        ("risen", "「煤球爱玩绳结」常常用到，升到了身份证上。")
    ]
    await sleep(home, NIGHT + 2 * DAY)
    assert len(await dreams(home)) == 1


async def test_a_guess_that_lost_its_premises_fades_for_a_week_and_is_removed(home: Home) -> None:
    gone_premise = await keep(home, "煤球今天吃了冻干", "diet:freeze", status=MemoryStatus.REJECTED.value)
    guess = {"kind": Kind.BELIEF.value, "confidence": 0.67, "premises": [gone_premise.id], "source": "system"}
    await keep(home, "煤球好像怕水", "habit:diet:freeze", **guess)
    await sleep(home, NIGHT + 6 * DAY)
    (fading,) = await home.items(MemoryStatus.FADING)
    assert fading.content == "煤球好像怕水"
    assert await sleep_if_due(home, NIGHT + 12 * DAY) == 0, "nothing is new and nothing is due"
    assert await sleep_if_due(home, NIGHT + 14 * DAY) == 1
    assert await home.items(MemoryStatus.FADING) == []
    (gone,) = await home.items(MemoryStatus.DELETED)
    assert gone.id == fading.id
    assert "怕水" not in str([dream.lines for dream in await dreams(home)])
    assert "怕水" not in str([dream.changes for dream in await dreams(home)])
