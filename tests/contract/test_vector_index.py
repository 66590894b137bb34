"""What every vector engine behind our port must do; run on each adapter."""

import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest

from app.adapters.edge_vector_index import EdgeVectorIndex
from app.adapters.qdrant_vector_index import QdrantVectorIndex
from memory.errors import IndexLocked, IndexUnavailable
from memory.vector_index import VectorIndex, VectorPoint

DIMENSION = 8


def point_id(number: int) -> str:
    return str(UUID(int=number))


def point(number: int, household: str = "h1", subject: str | None = "cat", topic: str = "diet") -> VectorPoint:
    direction = np.zeros(DIMENSION)
    direction[number % DIMENSION] = 1.0
    direction[(number + 1) % DIMENSION] = 0.1
    vector = direction / np.linalg.norm(direction)
    return VectorPoint(point_id(number), vector.tolist(), household, subject, topic, "fact")


def towards(number: int) -> list[float]:
    return list(point(number).vector)


@pytest.fixture(params=["edge", "qdrant"])
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[VectorIndex]:
    made: VectorIndex
    if request.param == "edge":
        made = EdgeVectorIndex(tmp_path, "test", DIMENSION)
    else:
        made = QdrantVectorIndex(":memory:", "test", DIMENSION)
    await made.ensure()
    yield made
    await made.close()


async def test_the_nearest_memory_comes_first_with_its_raw_cosine(index: VectorIndex) -> None:
    await index.upsert([point(1), point(2), point(4)])
    hits = await index.search("h1", towards(2), limit=2)
    assert [hit.id for hit in hits] == [point_id(2), point_id(1)]
    assert hits[0].score == pytest.approx(1.0, abs=1e-5)
    assert hits[1].score == pytest.approx(float(np.dot(towards(1), towards(2))), abs=1e-5)


async def test_a_search_never_leaves_its_household(index: VectorIndex) -> None:
    await index.upsert([point(1, household="h1"), point(9, household="h2")])
    assert [hit.id for hit in await index.search("h1", towards(1), limit=10)] == [point_id(1)]
    assert await index.search("h3", towards(1), limit=10) == []


@pytest.mark.parametrize(
    ("subjects", "topics", "found"),
    [
        (None, None, {1, 2, 3, 4}),
        ({"cat"}, None, {1}),
        ({"dog", "owner"}, None, {2, 3}),
        ({None}, None, {4}),
        (None, {"health"}, {2}),
        ({"cat"}, {"health"}, set()),
        (set(), None, set()),
        (None, set(), set()),
    ],
)
async def test_a_search_can_be_narrowed_to_subjects_and_topics(
    index: VectorIndex, subjects: set[str | None] | None, topics: set[str] | None, found: set[int]
) -> None:
    await index.upsert(
        [
            point(1, subject="cat"),
            point(2, subject="dog", topic="health"),
            point(3, subject="owner"),
            point(4, subject=None),
        ]
    )
    hits = await index.search("h1", towards(1), 10, subjects, topics)
    assert {hit.id for hit in hits} == {point_id(number) for number in found}


async def test_writing_the_same_id_again_replaces_it(index: VectorIndex) -> None:
    await index.upsert([point(1)])
    moved = VectorPoint(point_id(1), towards(5), "h1", "dog", "health", "fact")
    await index.upsert([moved])
    assert await index.count() == 1
    assert (await index.search("h1", towards(5), 1, {"dog"}))[0].score == pytest.approx(1.0, abs=1e-5)
    assert await index.search("h1", towards(5), 1, {"cat"}) == []


async def test_deleted_points_are_gone_and_deleting_twice_is_no_error(index: VectorIndex) -> None:
    await index.upsert([point(1), point(2)])
    await index.delete([point_id(1), point_id(77)])
    await index.delete([point_id(1)])
    await index.delete([])
    assert await index.scroll_ids("h1") == [point_id(2)]


async def test_deleting_a_household_leaves_the_others(index: VectorIndex) -> None:
    await index.upsert([point(1, "h1"), point(2, "h1"), point(3, "h2")])
    await index.delete_household("h1")
    assert await index.scroll_ids("h1") == []
    assert await index.scroll_ids(None) == [point_id(3)]


async def test_all_ids_are_listed_also_beyond_one_page(index: VectorIndex) -> None:
    await index.upsert([point(number) for number in range(1, 1205)])
    assert sorted(await index.scroll_ids("h1")) == sorted(point_id(number) for number in range(1, 1205))
    assert await index.count() == 1204


async def test_ensure_and_flush_can_be_repeated(index: VectorIndex) -> None:
    await index.upsert([point(1)])
    await index.ensure()
    await index.flush()
    await index.flush()
    assert await index.count() == 1


async def test_edge_keeps_its_points_over_a_restart(tmp_path: Path) -> None:
    first = EdgeVectorIndex(tmp_path, "test", DIMENSION)
    await first.ensure()
    await first.upsert([point(1), point(2)])
    await first.close()
    second = EdgeVectorIndex(tmp_path, "test", DIMENSION)
    await second.ensure()
    assert await second.count() == 2
    await second.close()


async def test_a_second_process_is_refused_and_told_which_folder(tmp_path: Path) -> None:
    holder = EdgeVectorIndex(tmp_path, "test", DIMENSION)
    await holder.ensure()
    code = (
        "import asyncio, sys; from pathlib import Path\n"
        "from app.adapters.edge_vector_index import EdgeVectorIndex\n"
        "from memory.errors import IndexLocked\n"
        "try: asyncio.run(EdgeVectorIndex(Path(sys.argv[1]), 'test', 8).ensure())\n"
        "except IndexLocked as error: print(error)\n"
    )
    second = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)  # noqa: ASYNC221 - the test waits for it
    assert str(holder.path) in second.stdout
    assert "another process" in second.stdout
    await holder.close()


async def test_a_second_handle_in_the_same_process_is_refused_too(tmp_path: Path) -> None:
    holder = EdgeVectorIndex(tmp_path, "test", DIMENSION)
    await holder.ensure()
    second = EdgeVectorIndex(tmp_path, "test", DIMENSION)
    with pytest.raises(IndexLocked):
        await second.ensure()
    await second.close()
    await holder.close()


async def test_an_index_that_was_not_opened_says_so(tmp_path: Path) -> None:
    unopened = EdgeVectorIndex(tmp_path, "test", DIMENSION)
    with pytest.raises(IndexUnavailable, match="ensure"):
        await unopened.search("h1", towards(1), 1)
    await unopened.close()


async def test_a_server_that_does_not_answer_is_an_index_fault() -> None:
    absent = QdrantVectorIndex("http://127.0.0.1:9", "test", DIMENSION)
    with pytest.raises(IndexUnavailable):
        await absent.search("h1", towards(1), 1)
    await absent.close()


def _bytes_below(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


async def test_what_was_deleted_is_forgotten_and_the_rest_is_still_found(index: VectorIndex) -> None:
    await index.upsert([point(1, household="stays"), point(2, household="goes"), point(3, household="stays")])
    await index.delete_household("goes")
    await index.forget_deleted()
    await index.upsert([point(4, household="stays")])
    hits = await index.search("stays", towards(1), limit=10)
    assert {hit.id for hit in hits} == {point_id(1), point_id(3), point_id(4)}
    assert hits[0].id == point_id(1)
    assert await index.count() == 3


async def test_no_byte_of_a_deleted_household_stays_on_disk(tmp_path: Path) -> None:
    index = EdgeVectorIndex(tmp_path, "test", DIMENSION)
    await index.ensure()
    await index.upsert([point(1, household="stays-7f3a"), point(2, household="goes-9c4b")])
    assert b"goes-9c4b" in _bytes_below(tmp_path)
    await index.delete_household("goes-9c4b")
    await index.forget_deleted()
    await index.flush()
    held = _bytes_below(tmp_path)
    await index.close()
    assert b"goes-9c4b" not in held
    assert b"stays-7f3a" in held


@pytest.mark.parametrize(
    "died", ["before the old folder was moved", "between the two moves", "before the old one went"]
)
async def test_a_crash_while_forgetting_loses_no_vector(tmp_path: Path, died: str) -> None:
    index = EdgeVectorIndex(tmp_path, "test", DIMENSION)
    await index.ensure()
    await index.upsert([point(1), point(2)])
    await index.close()
    fresh, old = (index.path.with_name(f"{index.path.name}.{mark}") for mark in ("fresh", "old"))
    shutil.copytree(index.path, fresh)
    if died != "before the old folder was moved":
        index.path.rename(old)
    if died == "before the old one went":
        fresh.rename(index.path)
    again = EdgeVectorIndex(tmp_path, "test", DIMENSION)
    await again.ensure()
    assert await again.count() == 2
    await again.close()
    assert os.listdir(tmp_path) == [index.path.name]
