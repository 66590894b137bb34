"""The two vector engines behind our port, at several sizes: search, write, load, and the event loop meanwhile.

    python -m bench.vector_engines [--points 1000 10000 50000] [--local-up-to 20000]

Prints a JSON line a size. Ratios compare with qdrant-client's local mode in the same run (targets T3, T4, T12, T14 of
docs/recall.md). Clustered random vectors, 500 memories a household, searches filtered to one household.
"""

import argparse
import asyncio
import json
import tempfile
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import numpy as np

from app.adapters.edge_vector_index import EdgeVectorIndex
from app.adapters.qdrant_vector_index import QdrantVectorIndex
from memory.embedder import Vectors
from memory.vector_index import VectorIndex, VectorPoint

DIMENSION = 384
PER_HOUSEHOLD = 500
QUERIES = 100
LIMIT = 50


def clustered_vectors(count: int, seed: int = 7) -> Vectors:
    """Unit vectors around 200 centres, as memories of like topics lie."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(200, DIMENSION))
    vectors = centres[random.integers(0, 200, count)] + 0.8 * random.normal(size=(count, DIMENSION))
    unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


def points_of(vectors: Vectors) -> list[VectorPoint]:
    """One point a vector, 500 a household, three subjects in turn."""
    return [
        VectorPoint(
            str(UUID(int=number)), vector.tolist(), f"h{number // PER_HOUSEHOLD}", f"p{number % 3}", "diet", "fact"
        )
        for number, vector in enumerate(vectors)
    ]


async def search_times(index: VectorIndex, vectors: Vectors, queries: int = QUERIES) -> list[float]:
    """Milliseconds of each search."""
    times = []
    for number in np.random.default_rng(1).integers(0, len(vectors), queries):
        started = time.perf_counter()
        await index.search(f"h{number // PER_HOUSEHOLD}", vectors[number].tolist(), LIMIT)
        times.append((time.perf_counter() - started) * 1000)
    return times


async def longest_hold(index: VectorIndex, vectors: Vectors) -> float:
    """How long, at worst, a 1 ms ticker waited for the event loop while searches ran (ms)."""
    worst, running = 0.0, True

    async def tick() -> None:
        nonlocal worst
        while running:
            started = time.perf_counter()
            await asyncio.sleep(0.001)
            worst = max(worst, (time.perf_counter() - started) * 1000 - 1)

    ticker = asyncio.ensure_future(tick())
    await asyncio.sleep(0.02)
    await search_times(index, vectors, 20)
    running = False
    await ticker
    return worst


async def measure(index: VectorIndex, points: Sequence[VectorPoint], vectors: Vectors) -> dict[str, float]:
    """Write all points, then search."""
    await index.ensure()
    started = time.perf_counter()
    await index.upsert(points)
    written = time.perf_counter() - started
    await search_times(index, vectors, 5)
    times = await search_times(index, vectors)
    return {
        "points_written_a_second": round(len(points) / written),
        "search_ms_p50": round(float(np.percentile(times, 50)), 3),
        "search_ms_p95": round(float(np.percentile(times, 95)), 3),
        "loop_held_ms": round(await longest_hold(index, vectors), 1),
    }


async def run(sizes: Sequence[int], local_up_to: int) -> None:
    for size in sizes:
        vectors = clustered_vectors(size)
        points = points_of(vectors)
        with tempfile.TemporaryDirectory() as folder:
            edge = EdgeVectorIndex(Path(folder), "bench", DIMENSION)
            line: dict[str, object] = {"points": size, "edge": await measure(edge, points, vectors)}
            await edge.close()
            started = time.perf_counter()
            again = EdgeVectorIndex(Path(folder), "bench", DIMENSION)
            await again.ensure()
            await again.search("h0", vectors[0].tolist(), LIMIT)
            line["edge_load_to_first_search_s"] = round(time.perf_counter() - started, 3)
            await again.close()
        if size <= local_up_to:
            local = QdrantVectorIndex(":memory:", "bench", DIMENSION)
            line["qdrant_local"] = await measure(local, points, vectors)
            await local.close()
        print(json.dumps(line), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, nargs="+", default=[1_000, 10_000, 50_000])
    parser.add_argument("--local-up-to", type=int, default=10_000)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", message="Local mode is not recommended")
    asyncio.run(run(arguments.points, arguments.local_up_to))


if __name__ == "__main__":
    main()
