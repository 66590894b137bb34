"""The vector index follows SQL: what may be found is in it, what may not is not, and no failure loses a row."""

import shutil
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from app.adapters.qdrant_vector_index import QdrantVectorIndex
from app.database import Database, open_database
from domain.owners import sign_in_owner
from jobs.sync_vectors import BATCH, VectorParts, rebuild, sync_vectors
from memory.embedder import Vectors
from memory.errors import IndexUnavailable
from memory.item_writes import VECTOR_TOPIC, add_item, revise_item
from memory.items import MemoryItem
from memory.outbox import OutboxRow, claim_due
from memory.vector_index import VectorIndex, VectorPoint
from memory.vocabulary import MemoryStatus
from tests.fakes.slow_assistant import SetClock
from tests.fakes.stub_embedder import StubEmbedder


@dataclass
class Shelf:
    """A household's items, and the index that follows them."""

    database: Database
    household: str
    owner: str
    index: VectorIndex
    clock: SetClock = field(default_factory=SetClock)

    @property
    def parts(self) -> VectorParts:
        return VectorParts(self.database, self.index, StubEmbedder(), self.clock)

    async def put(self, *lines: str) -> list[str]:
        items = [
            MemoryItem(
                household_id=self.household,
                owner_id=self.owner,
                subject="owner",
                attribute="preference",
                attribute_class="preference",
                content=line,
                topic="owner",
                kind="fact",
                memory_type="semantic",
                risk="low",
                weight_level=1,
                confidence=1.0,
                tier="short",
                status="active",
                source="chat",
                learned_at=self.clock.now,
                last_evidence_at=self.clock.now,
            )
            for line in lines
        ]
        async with self.database.write() as session:
            for item in items:
                add_item(session, item, self.owner, "said", self.clock.now)
        return [item.id for item in items]

    async def change(self, item_id: str, **values: object) -> None:
        async with self.database.write() as session:
            item = (await session.exec(select(MemoryItem).where(MemoryItem.id == item_id))).one()
            for name, value in values.items():
                setattr(item, name, value)
            session.add(item)
            await revise_item(session, item, self.owner, "changed", self.clock.now, self.clock.now)

    async def ids(self) -> set[str]:
        return set(await self.index.scroll_ids(None))

    async def waiting(self) -> int:
        async with self.database.read() as session:
            return len((await session.exec(select(OutboxRow.id))).all())


@pytest.fixture
async def shelf(sqlite_database: Database) -> AsyncIterator[Shelf]:
    clock = SetClock()
    async with sqlite_database.write() as session:
        owner = await sign_in_owner(session, "dev", "lin", "小林", datetime(2026, 5, 20, tzinfo=UTC))
    index = QdrantVectorIndex(":memory:", "stub", StubEmbedder.dimension)
    await index.ensure()
    yield Shelf(sqlite_database, owner.household_id, owner.id, index, clock)
    await index.close()


@pytest.fixture
async def sqlite_database(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Database]:
    shutil.copy(sqlite_template, tmp_path / "vectors.db")
    database = open_database(f"sqlite+aiosqlite:///{tmp_path}/vectors.db")
    yield database
    await database.close()


async def test_what_was_remembered_comes_into_the_index_once(shelf: Shelf) -> None:
    ids = await shelf.put("喜欢简短的回答", "周末才有空")
    assert await sync_vectors(shelf.parts) == 2
    assert await shelf.ids() == set(ids)
    assert await sync_vectors(shelf.parts) == 0
    assert await shelf.waiting() == 0


async def test_more_than_one_batch_is_worked_off_in_one_go(shelf: Shelf) -> None:
    ids = await shelf.put(*(f"第{number}条" for number in range(BATCH + 5)))
    assert await sync_vectors(shelf.parts) == BATCH + 5
    assert await shelf.ids() == set(ids)


@pytest.mark.parametrize("status", [MemoryStatus.DELETED, MemoryStatus.SUPERSEDED, MemoryStatus.REJECTED])
async def test_what_may_not_be_found_leaves_the_index(shelf: Shelf, status: MemoryStatus) -> None:
    gone, stays = await shelf.put("喜欢简短的回答", "周末才有空")
    await sync_vectors(shelf.parts)
    await shelf.change(gone, status=status.value)
    await sync_vectors(shelf.parts)
    assert await shelf.ids() == {stays}


async def test_a_row_whose_item_is_gone_is_settled(shelf: Shelf) -> None:
    (item_id,) = await shelf.put("喜欢简短的回答")
    await sync_vectors(shelf.parts)
    await shelf.change(item_id, content="喜欢长一点的回答")
    async with shelf.database.write() as session:
        await session.delete((await session.exec(select(MemoryItem).where(MemoryItem.id == item_id))).one())
    await sync_vectors(shelf.parts)
    assert (await shelf.ids(), await shelf.waiting()) == (set(), 0)


@dataclass
class _Broken:
    """An index that is away until it is mended."""

    real: VectorIndex
    away: bool = True

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        if self.away:
            raise IndexUnavailable("away")
        await self.real.upsert(points)

    async def delete(self, ids: Collection[str]) -> None:
        await self.real.delete(ids)


async def test_an_index_that_is_away_loses_nothing(shelf: Shelf) -> None:
    ids = await shelf.put("喜欢简短的回答", "周末才有空")
    broken = _Broken(shelf.index)
    parts = VectorParts(shelf.database, broken, StubEmbedder(), shelf.clock)  # type: ignore[arg-type]  # what the job calls
    assert await sync_vectors(parts) == 0
    assert await shelf.waiting() == 2
    broken.away = False
    assert await sync_vectors(parts) == 0, "a failed row pauses"
    shelf.clock.pass_by(seconds=6)
    assert await sync_vectors(parts) == 2
    assert await shelf.ids() == set(ids)


@dataclass
class _Picky(_Broken):
    """An index that takes every point but one."""

    refused: str = ""

    async def upsert(self, points: Sequence[VectorPoint]) -> None:
        if any(point.id == self.refused for point in points):
            raise ValueError("no id of a point")
        await self.real.upsert(points)


async def test_a_row_that_always_fails_holds_no_other_back(shelf: Shelf) -> None:
    ids = await shelf.put("喜欢简短的回答", "周末才有空", "早上六点遛狗")
    picky = _Picky(shelf.index, refused=ids[1])
    parts = VectorParts(shelf.database, picky, StubEmbedder(), shelf.clock)  # type: ignore[arg-type]  # what the job calls
    assert await sync_vectors(parts) == 0
    shelf.clock.pass_by(seconds=6)
    assert await sync_vectors(parts) == 2
    assert (await shelf.ids(), await shelf.waiting()) == ({ids[0], ids[2]}, 1)


async def test_a_worker_that_died_in_between_is_replaced(shelf: Shelf) -> None:
    ids = await shelf.put("喜欢简短的回答")
    async with shelf.database.write() as session:
        await claim_due(session, VECTOR_TOPIC, BATCH, shelf.clock.now)
    assert await sync_vectors(shelf.parts) == 0
    shelf.clock.now += timedelta(minutes=2)
    assert await sync_vectors(shelf.parts) == 1
    assert await shelf.ids() == set(ids)


@dataclass
class OvertakenEmbedder(StubEmbedder):
    """Before its first vectors are there, an item is deleted and the deletion is worked off."""

    shelf: Shelf
    item: str

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        await self.shelf.change(self.item, status=MemoryStatus.DELETED.value)
        await sync_vectors(self.shelf.parts)
        return await super().embed_passages(texts)


async def test_what_is_deleted_while_it_is_embedded_does_not_come_back(shelf: Shelf) -> None:
    gone, stays = await shelf.put("喜欢简短的回答", "周末才有空")
    await sync_vectors(replace(shelf.parts, embedder=OvertakenEmbedder(shelf, gone)))
    assert await shelf.ids() == {stays}


async def test_a_rebuild_makes_the_index_what_sql_says(shelf: Shelf) -> None:
    kept, deleted = await shelf.put("喜欢简短的回答", "周末才有空")
    await sync_vectors(shelf.parts)
    await shelf.change(deleted, status=MemoryStatus.DELETED.value)
    await shelf.index.delete([kept])
    assert await rebuild(shelf.parts) == 1
    assert await shelf.ids() == {kept}


async def test_without_an_embedder_rows_are_settled_and_nothing_is_indexed(shelf: Shelf) -> None:
    await shelf.put("喜欢简短的回答")
    parts = VectorParts(shelf.database, None, None, shelf.clock)
    assert await sync_vectors(parts) == 1
    assert await rebuild(parts) == 0
    assert await shelf.waiting() == 0
