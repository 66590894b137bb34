"""What recall reads from SQL, on both databases: only live rows, only of this household."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from app.database import Database
from domain.pet_profiles import PetProfile
from domain.turn_recall import Situation, recall_for
from memory.fulltext import tokenize
from memory.item_writes import add_item
from memory.items import MemoryItem
from memory.recall import RecallStores
from memory.recall_rows import SqlKeywordSource, SqlLiveItems
from memory.vocabulary import MemoryStatus
from tests.homes import Home, open_home

NOW = datetime(2026, 6, 3, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))  # a Wednesday


async def keep(home: Home, content: str, **more: object) -> str:
    """A memory of this household; its id."""
    learned = datetime(2026, 5, 1, 4, 0, tzinfo=UTC)
    known: dict[str, object] = {
        "household_id": home.scope.household_id,
        "owner_id": home.scope.owner_id,
        "subject": home.dog.id,
        "attribute": "habit",
        "attribute_class": "behavior",
        "content": content,
        "topic": "behavior",
        "risk": "low",
        "valid_from": learned,
        "learned_at": learned,
        "last_evidence_at": learned,
    }
    item = MemoryItem(**{**known, **more})
    async with home.database.write() as session:
        add_item(session, item, home.scope.owner_id, "test", learned)
    return item.id


@pytest.fixture
async def home(database: Database) -> Home:
    return await open_home(database)


async def found_by_words(home: Home, text: str) -> set[str]:
    candidates = await SqlKeywordSource(home.database).candidates(home.scope.household_id, tokenize(text), 50)
    return {doc.id for doc in candidates.docs}


async def test_words_find_memories_of_this_household_only(home: Home) -> None:
    mine = await keep(home, "煤球怕打雷")
    neighbour = await open_home(home.database)
    theirs = await keep(neighbour, "别家的狗怕打雷")
    assert await found_by_words(home, "打雷") == {mine}
    assert await found_by_words(neighbour, "打雷") == {theirs}


async def test_words_of_two_characters_and_numbers_are_found(home: Home) -> None:
    line = await keep(home, "煤球尿闭，体重4.2公斤，吃S100益生菌")
    for word in ("尿闭", "4.2公斤", "s100", "益生", "尿閉"):
        assert await found_by_words(home, word) == {line}, word


async def test_the_number_of_all_lines_comes_with_the_candidates(home: Home) -> None:
    for content in ("煤球怕打雷", "煤球爱玩水", "芋圆爱睡纸箱"):
        await keep(home, content)
    candidates = await SqlKeywordSource(home.database).candidates(home.scope.household_id, ["打雷"], 50)
    assert candidates.document_count == 3
    assert candidates.docs[0].counts["打雷"] == 1


@pytest.mark.parametrize(
    "hidden",
    [
        {"status": MemoryStatus.CANDIDATE.value},
        {"status": MemoryStatus.SUPERSEDED.value},
        {"status": MemoryStatus.DELETED.value},
        {"status": MemoryStatus.ARCHIVED.value},
        {"expires_at": datetime(2026, 6, 1, tzinfo=UTC)},
        {"snoozed_until": datetime(2026, 7, 1, tzinfo=UTC)},
    ],
    ids=["candidate", "superseded", "deleted", "archived", "expired", "snoozed"],
)
async def test_what_is_not_live_is_never_loaded(home: Home, hidden: dict[str, object]) -> None:
    gone = await keep(home, "煤球以前怕打雷", **hidden)
    live = await keep(home, "煤球怕吸尘器")
    items = SqlLiveItems(home.database)
    loaded = await items.load(home.scope.household_id, [gone, live], NOW)
    assert [item.id for item in loaded] == [live]
    assert await items.newest_ids(home.scope.household_id, ["behavior"], NOW, 10) == [live]


async def test_another_households_id_loads_nothing(home: Home) -> None:
    theirs = await keep(await open_home(home.database), "别家的狗")
    assert await SqlLiveItems(home.database).load(home.scope.household_id, [theirs], NOW) == []


async def test_a_row_comes_with_the_owners_day_and_its_decayed_weight(home: Home) -> None:
    late_evening = datetime(2026, 5, 1, 17, 0, tzinfo=UTC)  # already the 2nd of May in Shanghai
    key = await keep(home, "煤球夜里咳了一声", valid_from=late_evening, weight_level=3, confidence=0.8)
    (item,) = await SqlLiveItems(home.database).load(home.scope.household_id, [key], NOW)
    assert item.happened_on == date(2026, 5, 2)
    assert item.confidence == 0.8
    assert 0.7 < item.weight_now < 0.8  # 33 idle days of a fact at full weight


@pytest.mark.parametrize("attribute_class", ["allergy", "chronic_condition", "medication"])
async def test_safety_facts_do_not_fade(home: Home, attribute_class: str) -> None:
    key = await keep(home, "煤球的一条安全信息", attribute_class=attribute_class, weight_level=3)
    (item,) = await SqlLiveItems(home.database).load(home.scope.household_id, [key], NOW + timedelta(days=900))
    assert item.weight_now == 1.0


async def test_the_newest_of_a_class_come_first(home: Home) -> None:
    days = [datetime(2026, month, 1, tzinfo=UTC) for month in (1, 4, 2)]
    keys = [
        await keep(home, f"煤球体重第{n}次", attribute_class="weight", valid_from=day) for n, day in enumerate(days)
    ]
    newest = await SqlLiveItems(home.database).newest_ids(home.scope.household_id, ["weight", "vaccine"], NOW, 2)
    assert newest == [keys[1], keys[2]]


async def test_a_period_holds_both_of_its_days_by_the_owners_clock(home: Home) -> None:
    first = await keep(home, "煤球头一天吐了", valid_from=datetime(2026, 5, 9, 16, 0, tzinfo=UTC))  # 10 May, 00:00
    last = await keep(home, "煤球末一天吐了", valid_from=datetime(2026, 5, 12, 15, 59, tzinfo=UTC))  # 12 May, 23:59
    await keep(home, "煤球后来吐了", valid_from=datetime(2026, 5, 12, 16, 0, tzinfo=UTC))
    dated = await SqlLiveItems(home.database).dated_ids(
        home.scope.household_id, date(2026, 5, 10), date(2026, 5, 12), NOW, 10
    )
    assert dated == [last, first]


async def test_only_what_repeats_on_this_weekday_falls_today(home: Home) -> None:
    weekly = {"recurrence": {"every": 1, "unit": "week", "weekdays": [3]}}
    wednesday = await keep(home, "主人每周三不吃碳水", value=weekly)
    await keep(home, "煤球每周四洗澡", value={"recurrence": {"every": 1, "unit": "week", "weekdays": [4]}})
    await keep(home, "煤球怕打雷")
    items = SqlLiveItems(home.database)
    assert await items.ids_falling_on(home.scope.household_id, NOW) == [wednesday]
    assert await items.ids_falling_on(home.scope.household_id, NOW + timedelta(days=2)) == []


async def test_a_question_in_words_only_is_answered_from_sql(home: Home) -> None:
    dog = await keep(home, "煤球打雷时躲到浴室")
    await keep(home, "芋圆喜欢听雨", subject=home.cat.id)
    pets = [PetProfile(home.dog.id, "煤球", "dog"), PetProfile(home.cat.id, "芋圆", "cat")]
    stores = RecallStores(SqlKeywordSource(home.database), SqlLiveItems(home.database))
    answered = await recall_for(Situation(home.scope.household_id, "打雷时狗躲哪", NOW, pets), stores, 5.0)
    assert answered.resolution.pets == {home.dog.id}
    assert [scored.item.id for scored in answered.chosen] == [dog]
    assert not answered.found.partial
