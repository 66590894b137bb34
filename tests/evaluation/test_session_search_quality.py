"""Search in a year of messages finds what was said: `session_search_own.jsonl` over the sample utterances.

Queries with a `message` are worded as somebody remembers it and must bring that message among the first ten. Of all
others every message that holds the words is wanted, judged by OpenCC and plain containment, not by our own folding.
"""

import json
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unicodedata import normalize

import opencc

from app.database import Database
from bench.session_search import store_messages
from memory.session_search import SearchQuery, search_messages
from tests.conftest import on_sqlite

FOLDER = Path(__file__).parent
YEAR_BEGINS = datetime(2025, 6, 1, 1, 0, tzinfo=UTC)
ENOUGH, MISSED_AT_MOST = 0.95, 10  # of what holds the words; a remembered message must stand among so many


def _rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


@on_sqlite
async def test_what_was_said_is_found(database: Database) -> None:
    utterances = {row["id"]: row["text"] for row in _rows("extraction_own.jsonl")}
    moments = [YEAR_BEGINS + timedelta(hours=4 * place) for place in range(len(utterances))]
    scope, ids = await store_messages(database, list(utterances.values()), moments)
    place_of = dict(zip(utterances, ids, strict=True))
    simplified = opencc.OpenCC("t2s")

    def plain(text: str) -> str:
        return str(simplified.convert(normalize("NFKC", text))).casefold()

    told = {message_id: plain(text) for message_id, text in zip(ids, utterances.values(), strict=True)}
    shares: dict[str, list[float]] = defaultdict(list)
    for row in _rows("session_search_own.jsonl"):
        async with database.quick_scan() as quick:
            hits = await search_messages(quick, scope, SearchQuery(row["query"]))
        found = [message.id for message in hits.messages]
        if "message" in row:
            shares[row["kind"]].append(float(place_of[row["message"]] in found[:MISSED_AT_MOST]))
            continue
        wanted = {one for one, text in told.items() if all(word in text for word in plain(row["query"]).split())}
        if wanted:
            shares[row["kind"]].append(len(wanted.intersection(found)) / len(wanted))
    means = {kind: sum(values) / len(values) for kind, values in shares.items()}
    print({kind: (round(mean, 3), len(shares[kind])) for kind, mean in means.items()})  # noqa: T201  # shown on failure
    assert sum(map(len, shares.values())) >= 200
    assert all(mean >= ENOUGH for mean in means.values()), means
