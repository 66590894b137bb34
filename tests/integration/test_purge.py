"""What was deleted can come back for ten minutes; then it is gone from every table, and so is what has had its time."""

from datetime import UTC, datetime, timedelta

from sqlmodel import SQLModel, col, select, update

from app.database import Database
from domain.owners import SignInSession
from jobs.purge import BATCH, PurgeParts, purge
from memory.item_writes import VECTOR_TOPIC
from memory.items import MemoryItem
from memory.outbox import OutboxRow
from miniprogram_api.idempotency import IdempotencyRecord, forget_old_answers
from tests.factories import Owner

SOON, LATE, NEXT_DAY = timedelta(minutes=9), timedelta(minutes=11), timedelta(hours=25)


async def _purged(database: Database, later: timedelta) -> int:
    return await purge(PurgeParts(database, lambda: datetime.now(UTC) + later, also=(forget_old_answers,)))


async def _rows(database: Database) -> list[str]:
    async with database.read() as session:
        connection = await session.connection()
        return [
            f"{table.name}: {row}"
            for table in SQLModel.metadata.sorted_tables
            if table.name not in ("messages", "turns", "turn_events", "outbox")
            for row in await connection.execute(table.select())
        ]


async def test_deleted_memories_and_records_go_after_ten_minutes(owner: Owner, database: Database) -> None:
    pet = await owner.pet("豆豆")
    await owner.post("/chat/turns", {"text": "豆豆对鸡肉过敏", "client_msg_id": "m"})
    written = await owner.post("/memories", {"subject": pet["id"], "content": "豆豆怕吹风机"})
    stays = await owner.post("/memories", {"subject": pet["id"], "content": "豆豆喜欢绳结"})
    (allergy,) = (await owner.get(f"/pets/{pet['id']}/allergies"))["items"]
    (mirror,) = (await owner.get("/memories", topic="medical"))["items"] or [None]
    await owner.delete(f"/memories/{written['id']}")
    await owner.delete(f"/pets/{pet['id']}/allergies/{allergy['id']}")

    assert await _purged(database, SOON) == 0
    await owner.post(f"/memories/{written['id']}/restore")
    await owner.delete(f"/memories/{written['id']}")
    assert await _purged(database, LATE) == 3
    assert await _purged(database, LATE) == 0

    rows = await _rows(database)
    gone = [allergy["id"], mirror["id"], written["id"], "鸡肉", "吹风机"]
    assert [row for row in rows if any(one in row for one in gone) and not row.startswith("search")] == []
    assert (await owner.get(f"/memories/{stays['id']}"))["content"] == "豆豆喜欢绳结"
    async with database.read() as session:
        vectors = (await session.exec(select(OutboxRow.key).where(col(OutboxRow.topic) == VECTOR_TOPIC))).all()
    assert {mirror["id"], written["id"]} <= set(vectors)


async def test_more_than_a_batch_goes_in_one_run(owner: Owner, database: Database) -> None:
    pet = await owner.pet()
    first = await owner.post("/memories", {"subject": pet["id"], "content": "豆豆喜欢绳结"})
    async with database.write() as session:
        row = (await session.exec(select(MemoryItem).where(col(MemoryItem.id) == first["id"]))).one()
        for number in range(BATCH + 1):
            told = row.model_dump(exclude={"id", "deleted_at", "status"})
            session.add(
                MemoryItem(**told | {"content": f"豆豆喜欢{number}"}, status="deleted", deleted_at=row.learned_at)
            )
    assert await _purged(database, LATE) == BATCH + 1


async def test_old_answers_and_ended_sessions_go(owner: Owner, database: Database) -> None:
    await owner.post("/pets", {"name": "豆豆", "species": "dog"}, headers={"Idempotency-Key": "k"})
    await _purged(database, LATE)
    async with database.write() as session:
        assert len((await session.exec(select(IdempotencyRecord))).all()) == 1
        await session.exec(update(SignInSession).values(revoked_at=datetime.now(UTC)))
    await _purged(database, NEXT_DAY)
    async with database.read() as session:
        assert (await session.exec(select(IdempotencyRecord))).all() == []
        assert (await session.exec(select(SignInSession))).all() == []


async def test_the_list_of_the_deleted_holds_what_can_come_back(owner: Owner, database: Database) -> None:
    pet = await owner.pet()
    made = [await owner.post("/memories", {"subject": pet["id"], "content": f"豆豆喜欢{toy}"}) for toy in "球绳"]
    for one in made:
        await owner.delete(f"/memories/{one['id']}")
    async with database.write() as session:
        long_ago = datetime.now(UTC) - LATE
        await session.exec(update(MemoryItem).where(col(MemoryItem.id) == made[0]["id"]).values(deleted_at=long_ago))
    assert [one["id"] for one in (await owner.get("/memories", status="deleted"))["items"]] == [made[1]["id"]]
