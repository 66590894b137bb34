"""The eight archives of a pet: summaries made from entries, entries that point to what was said, and forgetting."""

from datetime import UTC, datetime, timedelta

from fastapi import FastAPI
from sqlmodel import select

from app.container import Container
from app.database import Database
from domain.owners import Owner as OwnerRow
from jobs.rebuild_archives import ArchiveWriter
from jobs.upgrade_memory import UpgradeReport, upgrade_due, upgrade_now
from memory.archive_rows import Archive
from memory.archives import Entry
from memory.topics import PET_TOPICS
from tests.conftest import on_sqlite
from tests.factories import Json, Owner, problem
from tests.integration.test_memory_life import DAY, MORNING, say
from tests.nights import Hands

BATHS = (datetime(2026, 3, 2, 2, tzinfo=UTC), datetime(2026, 4, 2, 2, tzinfo=UTC), datetime(2026, 5, 3, 2, tzinfo=UTC))


class Clerk:
    """A writer of archives that says what it is told to."""

    def __init__(self, text: str | Exception) -> None:
        self.text, self.shown = text, list[Entry]()

    async def write(self, name: str, label: str, entries: list[Entry]) -> str:
        self.shown = list(entries)
        if isinstance(self.text, Exception):
            raise self.text
        return self.text


async def archive(owner: Owner, pet: Json, topic: str) -> Json:
    found: Json = await owner.get(f"/pets/{pet['id']}/archives/{topic}")
    return found


async def tonight(app: FastAPI, at: datetime, writer: ArchiveWriter | None = None) -> UpgradeReport:
    container: Container = app.state.container
    parts = container.upgrade_parts()
    return await upgrade_now(
        type(parts)(**{**_fields(parts), "writers": Hands(writing=writer) if writer else None}), at
    )


def _fields(parts: object) -> dict[str, object]:
    return {name: getattr(parts, name) for name in parts.__slots__}  # type: ignore[attr-defined]  # a slotted dataclass


async def lived(owner: Owner) -> Json:
    """A dog that was bathed three times and was sick once, as its owner told it."""
    pet = await owner.pet()
    for at in BATHS:
        await say(owner, "豆豆今天洗澡了", at)
    await say(owner, "豆豆今天吐了两次", BATHS[2] + timedelta(hours=1))
    return pet


async def test_a_pet_has_eight_archives_from_the_beginning(owner: Owner) -> None:
    pet = await owner.pet()
    items = (await owner.get(f"/pets/{pet['id']}/archives"))["items"]
    assert [one["topic"] for one in items] == [topic.value for topic in PET_TOPICS]
    assert all(one["summary"] == "" and one["entries_count"] == 0 for one in items)
    assert problem(await owner.ask("GET", f"/pets/{pet['id']}/archives/owner")) == (404, "not_found")


async def test_a_topic_is_summed_up_and_every_entry_points_to_what_was_said(app: FastAPI, owner: Owner) -> None:
    pet = await lived(owner)
    await tonight(app, BATHS[2] + 60 * DAY)
    found = await archive(owner, pet, "lifestyle")
    assert found["summary"] == "豆豆今天洗澡了（2026年5月3日，同类共3次，最早在2026年3月2日）。"
    assert [entry["on"] for entry in found["entries"]] == ["2026-05-03", "2026-04-02", "2026-03-02"]
    assert {entry["memory_id"] for entry in found["entries"]} == set(found["sources"])
    said = {message["id"]: message["text"] for message in (await owner.get("/chat/messages"))["items"]}
    for entry in found["entries"]:
        assert [said[one["message_id"]] for one in entry["evidence"]] == ["豆豆今天洗澡了"]
    assert (await archive(owner, pet, "health"))["summary"] == "豆豆今天吐了两次（2026年5月3日）。"


async def test_old_episodes_are_found_with_their_dates(app: FastAPI, owner: Owner) -> None:
    await lived(owner)
    later = BATHS[2] + 92 * DAY
    for day in range(1, 92):
        await upgrade_due(app.state.container.upgrade_parts(), BATHS[2] + day * DAY)
    assert {one["status"] for one in (await owner.get("/memories", topic="lifestyle"))["items"]} == {"archived"}
    told = (await say(owner, "豆豆上次洗澡是什么时候？", later))["text"]
    assert "2026年5月3日（大约3个月前）" in told, told
    told = (await say(owner, "豆豆上次呕吐是什么时候？", later + timedelta(minutes=1)))["text"]
    assert "2026年5月3日（大约3个月前）" in told, told


async def test_what_faded_is_not_told_beside_what_is_known_today(app: FastAPI, owner: Owner) -> None:
    await owner.pet()
    await say(owner, "豆豆今天洗澡了", MORNING)
    await upgrade_now(app.state.container.upgrade_parts(), MORNING + 60 * DAY)
    await say(owner, "豆豆今天洗澡了，还剪了指甲", MORNING + 61 * DAY)
    turn = await say(owner, "豆豆洗过澡吗", MORNING + 62 * DAY)
    assert "2026年3月2日" not in turn["text"], turn["text"]


async def test_deleting_a_memory_takes_it_out_of_the_summary_at_once(
    app: FastAPI, owner: Owner, database: Database
) -> None:
    pet = await lived(owner)
    await tonight(app, BATHS[2] + 60 * DAY)
    newest = (await archive(owner, pet, "lifestyle"))["entries"][0]
    await owner.delete(f"/memories/{newest['memory_id']}")
    async with database.read() as session:
        stored = (await session.exec(select(Archive).where(Archive.topic == "lifestyle"))).one()
    assert (stored.summary, stored.made_from) == ("", [])
    left = await archive(owner, pet, "lifestyle")
    assert left["summary"] == "豆豆今天洗澡了（2026年4月2日，同类共2次，最早在2026年3月2日）。"
    assert (await tonight(app, BATHS[2] + 61 * DAY)).archives.made == 1
    assert (await archive(owner, pet, "lifestyle"))["summary"] == left["summary"]
    await owner.post(f"/memories/{newest['memory_id']}/restore")
    assert "2026年5月3日" in (await archive(owner, pet, "lifestyle"))["summary"]


async def test_erasing_a_pet_leaves_no_archive(app: FastAPI, owner: Owner, database: Database) -> None:
    pet = await lived(owner)
    await tonight(app, BATHS[2] + 60 * DAY)
    await owner.delete(f"/pets/{pet['id']}")
    async with database.read() as session:
        assert (await session.exec(select(Archive))).all() == []


async def test_a_faithful_summary_of_a_model_is_kept_and_rebuilt_from_entries_alone(app: FastAPI, owner: Owner) -> None:
    pet = await lived(owner)
    clerk = Clerk("豆豆2026年3月2日、4月2日、5月3日都洗澡了")
    await tonight(app, BATHS[2] + 60 * DAY, clerk)
    found = await archive(owner, pet, "lifestyle")
    assert (found["summary"], found["made_by"]) == (clerk.text, "model")
    await say(owner, "豆豆今天洗澡了", BATHS[2] + 61 * DAY)
    await tonight(app, BATHS[2] + 120 * DAY, clerk)
    assert all(str(clerk.text) not in entry.text for entry in clerk.shown)


@on_sqlite
async def test_a_model_that_fails_or_invents_changes_nothing_and_is_asked_again(app: FastAPI, owner: Owner) -> None:
    pet = await lived(owner)
    good = "豆豆2026年3月2日、4月2日、5月3日都洗澡了"
    await tonight(app, BATHS[2] + 60 * DAY, Clerk(good))
    await say(owner, "豆豆今天洗澡了", BATHS[2] + 61 * DAY)
    at = BATHS[2] + 120 * DAY
    for bad in (TimeoutError(), RuntimeError("no"), "", "豆豆洗了17次澡", "豆豆很健康，胃口很好，每天散步"):
        at += DAY
        assert (await tonight(app, at, Clerk(bad))).archives.kept >= 1
        assert (await archive(owner, pet, "lifestyle"))["summary"] == good
    better = "豆豆2026年3月2日、4月2日、5月3日和7月3日都洗澡了"
    await tonight(app, at + DAY, Clerk(better))
    assert (await archive(owner, pet, "lifestyle"))["summary"] == better


async def test_the_oldest_entries_of_an_overfull_topic_are_folded_and_keep_their_sources(
    app: FastAPI, owner: Owner
) -> None:
    pet = await owner.pet()
    for day in range(14):
        at = MORNING + day * DAY
        await owner.at(at).record(pet, "weights", value=10 + day / 10, unit="kg", measured_at=at.isoformat())
    container: Container = app.state.container
    parts = container.upgrade_parts()
    small = type(parts)(**{**_fields(parts), "max_topic": 10})
    report = await upgrade_now(small, MORNING + 20 * DAY)
    assert report.upgraded.moves == {"folded": 3}  # of fourteen the newest stands on the card
    found = await archive(owner, pet, "growth")
    assert found["entries_count"] == 10
    assert [one["count"] for one in found["folded"]] == [3]
    assert len(found["folded"][0]["memory_ids"]) == 3
    assert len((await owner.get(f"/pets/{pet['id']}/weights"))["items"]) == 14
    oldest = await owner.get(f"/memories/{found['folded'][0]['memory_ids'][0]}")
    assert (oldest["content"], oldest["status"]) == ("豆豆体重10kg", "archived")


async def test_an_owner_with_nothing_but_a_stale_archive_is_found(
    app: FastAPI, owner: Owner, database: Database
) -> None:
    await lived(owner)
    await tonight(app, BATHS[2] + 60 * DAY)
    async with database.write() as session:
        stored = (await session.exec(select(Archive).where(Archive.topic == "health"))).one()
        stored.stale_at = BATHS[2] + 61 * DAY
        session.add(stored)
        assert len((await session.exec(select(OwnerRow))).all()) == 1
    report = await upgrade_due(app.state.container.upgrade_parts(), BATHS[2] + 63 * DAY)
    assert (report.owners, report.upgraded.reviewed, report.archives.made) == (1, 0, 1)
