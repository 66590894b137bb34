"""Chat turns a second on SQLite, 50 owners at a time, beside a bare SQLModel turn of the same run.

    python -m bench.chat_turns [--turns 600] [--rounds 3] [--embedder stub|auto]

The bare turn reads the owner and its last 20 messages, inserts two messages and commits, through SQLModel and the stock
aiosqlite driver with its best pragmas and pool. Ours is the whole turn: accepted once, stored, triaged, recalled,
extracted, remembered, answered, reviewed, events and signals written. With a real embedder the vector job runs beside
it, and the texts embedded a second (queries and passages) stand beside what the embedder does alone (T10). Rounds are
interleaved; the best round of each counts, because other work on the machine only ever slows one down. The ratio by CPU
time (all threads of this process) hardly feels other work.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.container import SYNC_VECTORS_SECONDS, Container, open_container
from app.garbage import leave_out_what_stays
from app.logging import configure_logging
from app.settings import Settings
from domain.owners import POLICIES, scope_of, set_consent, sign_in_owner
from domain.pets import Pet
from domain.running_turn import TurnRequest
from jobs.sync_vectors import sync_vectors
from memory.embedder import Embedder, Vectors
from memory.scope import Scope
from tests.fakes.stub_embedder import StubEmbedder

OWNERS = 50
AT_A_TIME = 50
ALONE = 200  # queries by which the embedder's own pace is known
SAID = (
    "豆豆今天吐了两次",
    "豆豆体重12.3公斤",
    "咪咪能吃鸡胸肉冻干吗",
    "今天天气真好",
    "豆豆上次驱虫是什么时候",
    "咪咪喜欢趴在窗台上晒太阳",
    "晚安",
    "它最近怎么样，要注意什么",
)


class CountingEmbedder:
    """Counts the texts that go through; queries and passages alike."""

    def __init__(self, alone: Embedder | None) -> None:
        assert alone is not None
        self.alone, self.texts = alone, 0
        self.name, self.dimension, self.relevance_floor = alone.name, alone.dimension, alone.relevance_floor

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.texts += len(texts)
        return await self.alone.embed_queries(texts)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.texts += len(texts)
        return await self.alone.embed_passages(texts)


class BareOwner(SQLModel, table=True):
    __tablename__ = "bare_owner"

    id: str = Field(primary_key=True)
    name: str = ""


class BareMessage(SQLModel, table=True):
    __tablename__ = "bare_message"

    id: int | None = Field(default=None, primary_key=True)
    owner_id: str = Field(index=True)
    role: str = ""
    text: str = ""


async def bare_turn(engine: AsyncEngine, number: int) -> None:
    """What a chat backend does at the very least."""
    owner = f"o{number % OWNERS}"
    async with AsyncSession(engine, expire_on_commit=False) as session:
        await session.get(BareOwner, owner)
        query = select(BareMessage).where(col(BareMessage.owner_id) == owner).order_by(col(BareMessage.id).desc())
        (await session.exec(query.limit(20))).all()
        session.add(BareMessage(owner_id=owner, role="user", text="豆豆今天吐了两次" * 3))
        session.add(BareMessage(owner_id=owner, role="assistant", text="建议观察" * 20))
        await session.commit()


async def bare_engine(folder: Path) -> AsyncEngine:
    """SQLModel over the stock driver: WAL, NORMAL, a pool of five."""
    engine = create_async_engine(f"sqlite+aiosqlite:///{folder / 'bare.db'}", pool_size=5, max_overflow=0)

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    tables = [BareOwner.__table__, BareMessage.__table__]  # type: ignore[attr-defined]  # SQLModel's stub hides it
    async with engine.begin() as connection:
        await connection.run_sync(lambda sync: SQLModel.metadata.create_all(sync, tables=tables))
    async with AsyncSession(engine) as session:
        for owner in range(OWNERS):
            session.add(BareOwner(id=f"o{owner}"))
            session.add_all(BareMessage(owner_id=f"o{owner}", role="user", text="x" * 40) for _ in range(30))
        await session.commit()
    return engine


async def households(container: Container) -> list[Scope]:
    """Owners with a dog and a cat each, who agreed to be remembered."""
    now, scopes = datetime.now(UTC), []
    for number in range(OWNERS):
        async with container.transactions.write() as session:
            owner = await sign_in_owner(session, "dev", f"bench-{number}", None, now)
            set_consent(session, owner.id, "long_term_memory", True, POLICIES["long_term_memory"].version, now)
            for name, species in (("豆豆", "dog"), ("咪咪", "cat")):
                session.add(Pet(household_id=owner.household_id, name=name, species=species, created_at=now))
            scopes.append(scope_of(owner))
    return scopes


async def our_turn(container: Container, scopes: list[Scope], number: int, said: int) -> None:
    """One whole turn of ours."""
    scope = scopes[number % OWNERS]
    now = datetime.now(UTC) + timedelta(minutes=said)
    request = TurnRequest(SAID[(number + said) % len(SAID)], f"m-{said}-{number}", now)
    answer = await container.turns.wait(scope, await container.turns.start(scope, request))
    if answer["status"] != "done":
        raise RuntimeError(f"a turn ended as {answer['status']} {answer.get('code')}")


async def many(turn: Callable[[int], Awaitable[None]], total: int) -> dict[str, Any]:
    """Run `total` turns, `AT_A_TIME` at once; an owner never has two at once."""
    times: list[float] = []
    errors: list[str] = []

    async def lane(first: int) -> None:
        for number in range(first, total, AT_A_TIME):
            begun = time.perf_counter()
            try:
                await turn(number)
            except Exception as error:  # every error is a result here
                errors.append(f"{type(error).__name__}: {error}"[:120])
            times.append(time.perf_counter() - begun)

    begun, worked = time.perf_counter(), time.process_time()
    await asyncio.gather(*(lane(first) for first in range(AT_A_TIME)))
    spent, worked = time.perf_counter() - begun, time.process_time() - worked
    p50, p95 = (round(float(np.percentile(times, share)) * 1000, 1) for share in (50, 95))
    return {
        "turns_per_s": round(total / spent, 1),
        "seconds": round(spent, 2),
        "cpu_ms": round(worked / total * 1000, 2),
        "p50_ms": p50,
        "p95_ms": p95,
        "errors": len(errors),
        "first_error": errors[:1],
    }


async def measure(turns: int, rounds: int, embedder: str) -> None:
    """Interleave the rounds, print each, and the ratio of the best ones."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), embedder="none" if embedder == "stub" else "auto")
        engine = await bare_engine(Path(folder))
        async with open_container(settings) as container:
            if embedder == "stub":
                container.embedder = StubEmbedder()
                container.vector_index = await _index(Path(folder), container)
            counted = container.embedder = CountingEmbedder(container.embedder)
            scopes = await households(container)
            leave_out_what_stays()  # as a serving process does; the bare turn runs in the same one
            best, least, shares = {"bare": 0.0, "ours": 0.0}, {"bare": 1e9, "ours": 1e9}, list[float]()
            for number in range(rounds):
                bare = await many(lambda i: bare_turn(engine, i), turns)
                counted.texts = 0
                job = asyncio.create_task(_vector_job(container)) if embedder != "stub" else None
                ours = await many(
                    lambda i, said=number: our_turn(container, scopes, i, said * 100 + i // OWNERS), turns
                )
                if job is not None:
                    job.cancel()
                    await _beside_the_embedder(counted, ours)
                for name, row in (("bare", bare), ("ours", ours)):
                    best[name] = max(best[name], row["turns_per_s"])
                    least[name] = min(least[name], row["cpu_ms"])
                    print(json.dumps({"bench": "chat_turns", "what": name, "round": number, **row}, ensure_ascii=False))
                    if name == "ours" and embedder != "stub":
                        shares.append(row["embeddings_per_s"] / row["embedder_alone_per_s"])
            if shares:
                share = round(statistics.median(shares), 2)
                print(json.dumps({"bench": "chat_turns", "share_of_the_embedder": share, "target": 0.6}))
            ratio = round(best["ours"] / best["bare"], 2)
            told = {"bench": "chat_turns", "embedder": embedder, "ratio_to_bare": ratio, "target": 0.5}
            print(json.dumps({**told, "ratio_by_cpu": round(least["bare"] / least["ours"], 2)}))
            await container.turns.close()
        await engine.dispose()


async def _vector_job(container: Container) -> None:
    """What the scheduler of a serving process does."""
    while True:
        await asyncio.sleep(SYNC_VECTORS_SECONDS)
        await sync_vectors(container.vector_parts())


async def _beside_the_embedder(counted: "CountingEmbedder", ours: dict[str, Any]) -> None:
    """How many texts the turns had embedded a second, and how many the embedder takes with nothing else to do."""
    ours["embeddings_per_s"] = round(counted.texts / ours["seconds"], 1)
    lanes = [counted.alone.embed_queries([said]) for said in SAID * (ALONE // len(SAID))]
    begun = time.perf_counter()
    await asyncio.gather(*lanes)
    ours["embedder_alone_per_s"] = round(len(lanes) / (time.perf_counter() - begun), 1)


async def _index(folder: Path, container: Container) -> Any:
    from app.adapters.edge_vector_index import EdgeVectorIndex  # only the stub run makes its own index

    assert container.embedder is not None
    index = EdgeVectorIndex(folder / "stub-vectors", container.embedder.name, container.embedder.dimension)
    await index.ensure()
    return index


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--embedder", choices=["stub", "auto"], default="stub")
    given = parser.parse_args()
    configure_logging("ERROR")
    asyncio.run(measure(given.turns, given.rounds, given.embedder))


if __name__ == "__main__":
    main()
