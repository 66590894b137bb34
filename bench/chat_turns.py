"""Chat turns a second on SQLite, 50 owners at a time, beside a bare SQLModel turn of the same run.

    python -m bench.chat_turns [--turns 600] [--rounds 3] [--embedder stub|auto] [--deadline-ms 300] [--again]

The bare turn reads the owner and its last 20 messages, inserts two messages and commits, through SQLModel and the stock
aiosqlite driver with its best pragmas and pool. Ours is the whole turn: accepted once, stored, triaged, recalled,
extracted, remembered, answered, reviewed, events and signals written. What is told is something else each time, because
what is told again teaches nothing; with --again it is the same eight sentences, as the bare turn stores the same two
messages. Rounds are interleaved; the best round of each counts, because other work on the
machine only ever slows one down. The ratio by CPU time (all threads of this process) hardly feels other work.

With a real embedder (T10) the vector job runs beside the turns, and a round lasts until all it taught can be found by
meaning: the texts embedded a second (questions and passages) stand beside what the embedder does alone. Each turn waits
for its vector there: 50 questions at once are more than two cores embed within the product's 300 ms, so its breaker
would leave the embedder alone and the bench would count turns without it (`--deadline-ms 300` shows just that).
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
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
ALONE = 200  # questions by which the embedder's own pace is known
DEADLINE_MS = 300  # of recall, as the service has it
PATIENT_MS = 5_000  # the longest deadline of recall that can be set
KINDS = (
    "豆豆今天吐了两次{food}",
    "豆豆体重{kg}公斤",
    "咪咪能吃{food}吗",
    "今天{food}真便宜",
    "豆豆上次吃{food}是什么时候",
    "咪咪喜欢趴在窗台上啃{food}",
    "晚安",
    "它最近怎么样，要注意什么",
)
MADE = ("水煮", "冻干", "蒸", "烤", "风干", "生", "半熟", "小块", "没盐的", "隔夜", "新鲜", "便宜")
FOOD = (
    *("鸡胸肉", "三文鱼", "南瓜", "牛肉", "鸭脖", "蛋黄", "红薯", "小鱼", "奶酪", "西兰花"),
    *("兔肉", "米饭", "苹果", "胡萝卜", "火腿", "鸡肝", "虾仁", "鳕鱼", "羊排", "豆腐"),
)


def said_by(number: int, *, same: bool = False) -> str:
    """What the turn with this number of a run says: the same kinds again and again, of something else each time."""
    again = 0 if same else number // len(KINDS)
    food = MADE[again // len(FOOD) % len(MADE)] + FOOD[again % len(FOOD)]
    return KINDS[number % len(KINDS)].format(food=food, kg=10 + again / 100)


class CountingEmbedder:
    """Counts the texts that go through."""

    def __init__(self, alone: Embedder | None) -> None:
        assert alone is not None
        self.alone, self.questions, self.passages = alone, 0, 0
        self.name, self.dimension, self.relevance_floor = alone.name, alone.dimension, alone.relevance_floor

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        vectors = await self.alone.embed_queries(texts)
        self.questions += len(texts)  # one that was given up before has no vector
        return vectors

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        vectors = await self.alone.embed_passages(texts)
        self.passages += len(texts)
        return vectors

    def start_over(self) -> None:
        """Count from nothing."""
        self.questions = self.passages = 0


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


async def our_turn(container: Container, scopes: list[Scope], number: int, *, same: bool = False) -> None:
    """One whole turn of ours. number: of the turn in the run; an owner's turns are a minute apart."""
    scope = scopes[number % OWNERS]
    now = datetime.now(UTC) + timedelta(minutes=number // OWNERS)
    request = TurnRequest(said_by(number, same=same), f"m-{number}", now)
    answer = await container.turns.wait(scope, await container.turns.start(scope, request))
    if answer["status"] != "done":
        raise RuntimeError(f"a turn ended as {answer['status']} {answer.get('code')}")


async def many(
    turn: Callable[[int], Awaitable[None]], total: int, settle: Callable[[], Awaitable[None]] | None = None
) -> dict[str, Any]:
    """Run `total` turns, `AT_A_TIME` at once; an owner never has two at once. settle: what belongs to the time too."""
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
    if settle is not None:
        await settle()
    spent, worked = time.perf_counter() - begun, time.process_time() - worked
    p50, p95 = (round(float(np.percentile(times, share)) * 1000, 1) for share in (50, 95))
    return {
        "turns": total,
        "turns_per_s": round(total / spent, 1),
        "seconds": round(spent, 2),
        "cpu_ms": round(worked / total * 1000, 2),
        "p50_ms": p50,
        "p95_ms": p95,
        "errors": len(errors),
        "first_error": errors[:1],
    }


async def measure(turns: int, rounds: int, embedder: str, deadline_ms: int, *, same: bool = False) -> None:
    """Interleave the rounds, print each, and the ratio of the best ones."""
    with tempfile.TemporaryDirectory() as folder:
        word = "none" if embedder == "stub" else "auto"
        settings = Settings(data_dir=Path(folder), embedder=word, recall_deadline_ms=deadline_ms)
        engine = await bare_engine(Path(folder))
        async with open_container(settings) as container:
            if embedder == "stub":
                container.embedder = StubEmbedder()
                container.vector_index = await _index(Path(folder), container)
            counted = container.embedder = CountingEmbedder(container.embedder)
            scopes = await households(container)
            leave_out_what_stays()  # as a serving process does; the bare turn runs in the same one
            rows: dict[str, list[dict[str, Any]]] = {"bare": [], "ours": []}
            for number in range(rounds):
                rows["bare"].append(await many(lambda i: bare_turn(engine, i), turns))
                ours = _ours_embedded if embedder != "stub" else partial(_ours, same=same)
                rows["ours"].append(await ours(container, scopes, range(number * turns, (number + 1) * turns), counted))
                for name, of_rounds in rows.items():
                    told = {"bench": "chat_turns", "what": name, "round": number, **of_rounds[-1]}
                    print(json.dumps(told, ensure_ascii=False), flush=True)
            _tell_ratios(rows, embedder)
            await container.turns.close()
        await engine.dispose()


def _tell_ratios(rows: dict[str, list[dict[str, Any]]], embedder: str) -> None:
    best = {name: max(row["turns_per_s"] for row in some) for name, some in rows.items()}
    least = {name: min(row["cpu_ms"] for row in some) for name, some in rows.items()}
    if embedder != "stub":
        print(json.dumps({"bench": "chat_turns", **_shares(rows["ours"]), "target": 0.6}))
    told = {"bench": "chat_turns", "embedder": embedder, "ratio_to_bare": round(best["ours"] / best["bare"], 2)}
    print(json.dumps({**told, "target": 0.5, "ratio_by_cpu": round(least["bare"] / least["ours"], 2)}))


def _shares(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Which share of what the embedder does alone is left to it beside the turns; medians of the rounds."""
    by_time = [row["embeddings_per_s"] / row["embedder_alone_per_s"] for row in rows]
    texts = [(row["questions"] + row["passages"]) / row["turns"] for row in rows]
    by_cpu = [row["embedder_alone_cpu_ms"] * many / row["cpu_ms"] for row, many in zip(rows, texts, strict=True)]
    return {
        "share_of_the_embedder": round(statistics.median(by_time), 2),
        "share_by_cpu": round(statistics.median(by_cpu), 2),
    }


async def _ours(
    container: Container, scopes: list[Scope], numbers: range, _counted: CountingEmbedder, *, same: bool
) -> dict[str, Any]:
    return await many(lambda i: our_turn(container, scopes, numbers[i], same=same), len(numbers))


async def _ours_embedded(
    container: Container, scopes: list[Scope], numbers: range, counted: CountingEmbedder
) -> dict[str, Any]:
    """The same beside the vector job, until all passages are stored, and what the embedder does with nothing beside."""
    ended = asyncio.Event()
    job = asyncio.create_task(_vector_job(container, ended))

    async def stored() -> None:
        ended.set()
        await job

    counted.start_over()
    row = await many(lambda i: our_turn(container, scopes, numbers[i]), len(numbers), stored)
    row |= {"questions": counted.questions, "passages": counted.passages}
    row["embeddings_per_s"] = round((counted.questions + counted.passages) / row["seconds"], 1)
    return row | await _alone(counted.alone, numbers)


async def _vector_job(container: Container, ended: asyncio.Event) -> None:
    """What the scheduler of a serving process does, and once more when all turns have ended."""
    last = False
    while not last:
        last = ended.is_set()
        await sync_vectors(container.vector_parts())
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), SYNC_VECTORS_SECONDS)


async def _alone(embedder: Embedder, numbers: range) -> dict[str, float]:
    """How many of the same questions the embedder takes a second with nothing else to do, and the CPU of each."""
    begun, worked = time.perf_counter(), time.process_time()
    await asyncio.gather(*(embedder.embed_queries([said_by(number)]) for number in numbers[:ALONE]))
    spent, worked, count = time.perf_counter() - begun, time.process_time() - worked, min(ALONE, len(numbers))
    return {"embedder_alone_per_s": round(count / spent, 1), "embedder_alone_cpu_ms": round(worked / count * 1000, 2)}


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
    parser.add_argument("--deadline-ms", type=int, help="of recall; the product's own for a stub, patience for T10")
    parser.add_argument("--again", action="store_true", help="the same eight sentences in every turn")
    given = parser.parse_args()
    configure_logging("ERROR")
    deadline_ms = given.deadline_ms or (DEADLINE_MS if given.embedder == "stub" else PATIENT_MS)
    asyncio.run(measure(given.turns, given.rounds, given.embedder, deadline_ms, same=given.again))


if __name__ == "__main__":
    main()
