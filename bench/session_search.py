"""Search in what one owner said: the full-text index against a scan of every message in the same run.

    python -m bench.session_search [--messages 100000] [--database sqlite|postgresql|both]

The messages are the sample utterances of the evaluation files, told again with other numbers. Queries are words of two
and more characters that stand in at most 1 % of the messages; common words have figures of their own (of those the
newest come first). Prints one JSON line a database: milliseconds p50 and p95 of both, and the ratio of the medians.
"""

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles

from sqlalchemy import bindparam, text

from app.database import Database, open_database
from domain.owners import scope_of, sign_in_owner
from memory.fulltext import tokenize
from memory.messages import Message, open_conversation
from memory.prepared import Statement, by_dialect, insert_of, quick_of, row_of
from memory.scope import Scope
from memory.search_documents import MESSAGE, add_documents, document_of
from memory.session_search import SearchQuery, search_messages
from tests.postgres_server import postgres_server, postgres_there

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
UTTERANCES = Path(__file__).parent.parent / "tests" / "evaluation" / "extraction_own.jsonl"
RARE = (0.0005, 0.01)  # share of the messages a measured word stands in
QUERIES, REPEATS, CHUNK = 100, 3, 5000
COMMON = ("豆豆", "今天", "吃")
SCAN = Statement(
    text("SELECT id FROM messages WHERE owner_id = :owner AND text LIKE :like ORDER BY id DESC").bindparams(
        bindparam("owner"), bindparam("like")
    )
)


def spoken(count: int, random_numbers: random.Random) -> list[str]:
    """`count` messages."""
    told = [json.loads(line)["text"] for line in UTTERANCES.read_text(encoding="utf-8").splitlines()]
    return [f"{random_numbers.choice(told)} {random_numbers.randrange(10_000)}" for _ in range(count)]


def rare_words(messages: Sequence[str]) -> list[str]:
    """Words of two or more characters of the right frequency, the longer ones made of neighbouring pairs."""
    sample = messages[:20_000]
    counts = Counter(token for message in sample for token in set(tokenize(message)) if len(token) > 1)
    low, high = RARE[0] * len(sample), RARE[1] * len(sample)
    pairs = sorted(token for token, count in counts.items() if low <= count <= high and not token.isdigit())
    return random.Random(5).sample(pairs, QUERIES)


async def store_messages(
    database: Database, messages: Sequence[str], moments: Sequence[datetime]
) -> tuple[Scope, list[str]]:
    """One owner who said all this, each at its moment; and the ids of the messages."""
    async with database.write() as session:
        owner = await sign_in_owner(session, "sample", "sample", None, moments[0])
        scope = scope_of(owner)
        conversation, _ = await open_conversation(await quick_of(session), scope, moments[0])
    ids: list[str] = []
    for start in range(0, len(messages), CHUNK):
        part = zip(messages[start : start + CHUNK], moments[start : start + CHUNK], strict=True)
        rows = [
            row_of(
                Message,
                household_id=scope.household_id,
                owner_id=scope.owner_id,
                conversation_id=conversation,
                role="user",
                text=said,
                said_at=at,
            )
            for said, at in part
        ]
        documents = [document_of(MESSAGE, row["id"], scope.household_id, row["text"]) for row in rows]
        async with database.quick_write() as quick:
            await quick.run_many(by_dialect(insert_of(Message), quick), rows)
            await add_documents(quick, documents)
        ids += [row["id"] for row in rows]
    return scope, ids


async def timed_search(database: Database, scope: Scope, words: Sequence[str]) -> tuple[list[float], int]:
    """Milliseconds of each search, and how many messages were found."""
    times, found = [], 0
    for word in words:
        begun = time.perf_counter()
        async with database.quick_scan() as quick:
            found += len((await search_messages(quick, scope, SearchQuery(word))).messages)
        times.append((time.perf_counter() - begun) * 1000)
    return times, found


async def timed_scan(database: Database, scope: Scope, words: Sequence[str]) -> tuple[list[float], int]:
    """The same by reading every message."""
    times, found = [], 0
    for word in words:
        begun = time.perf_counter()
        async with database.quick_scan() as quick:
            found += len(await quick.rows(SCAN, {"owner": scope.owner_id, "like": f"%{word}%"}))
        times.append((time.perf_counter() - begun) * 1000)
    return times, found


async def measure(database: Database, messages: Sequence[str]) -> None:
    await database.migrate()
    moments = [NOW - timedelta(minutes=15 * (len(messages) - place)) for place in range(len(messages))]
    scope, _ = await store_messages(database, messages, moments)
    if database.dialect == "postgresql":
        async with database.write() as session:
            await (await session.connection()).execute(text("ANALYZE"))
    words = rare_words(messages)
    await timed_search(database, scope, words[:5])
    searched, found = await timed_search(database, scope, words * REPEATS)
    scanned, seen = await timed_scan(database, scope, words)
    common, _ = await timed_search(database, scope, COMMON * REPEATS)
    figures = {
        "database": database.dialect,
        "messages": len(messages),
        "hits_a_query": round(found / REPEATS / len(words)),
        "hits_of_the_scan": round(seen / len(words)),
        "search_ms": _spread(searched),
        "scan_ms": _spread(scanned),
        "ratio": round(median(searched) / median(scanned), 3),
        "common_words_ms": _spread(common),
    }
    print(json.dumps(figures))


def _spread(times: Sequence[float]) -> dict[str, float]:
    return {"p50": round(median(times), 1), "p95": round(quantiles(times, n=20)[-1], 1)}


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    database = open_database(url)
    try:
        yield database
    finally:
        await database.close()


async def run(kind: str, messages: Sequence[str]) -> None:
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            async with opened(f"sqlite+aiosqlite:///{folder}/bench.db") as database:
                await measure(database, messages)
        return
    with postgres_server() as url:
        async with opened(url) as database:
            await measure(database, messages)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--database", choices=["sqlite", "postgresql", "both"], default="both")
    arguments = parser.parse_args()
    messages = spoken(arguments.messages, random.Random(7))
    kinds = ["sqlite", "postgresql"] if arguments.database == "both" else [arguments.database]
    for kind in kinds:
        if kind == "postgresql" and not postgres_there():
            print("no PostgreSQL here")
            continue
        asyncio.run(run(kind, messages))


if __name__ == "__main__":
    main()
