"""Full-text search over an owner's messages: what was said, ranked, with the places that match.

The database finds messages that hold all tokens of a phrase (`memory.search_documents`); what it finds is read again
here, so a hit always holds the words, and both databases rank alike. A message with every phrase of the query comes
before one with some of them. Of a very common word only the newest `MAX_FOUND` messages are looked at, newest first.
"""

import math
import re
from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import compress
from typing import NamedTuple

from sqlalchemy import Table, bindparam, text

from memory.fulltext import BM25_B, BM25_K1, DECIMAL_POINT, EMPTY_CHARACTERS, tokenize, word_runs
from memory.messages import Message
from memory.prepared import Quick, Statement
from memory.scope import Scope
from memory.search_documents import MESSAGE, match_query, scope_token
from memory.text_folding import fold_text

MAX_FOUND = 5000  # messages that are ranked; above it the newest are shown as they come
MAX_QUERY = 100  # characters of a query
LOOSE_SHARE = 0.35  # of the weight of all known words a message must hold when none holds them all
SNIPPET_LEAD, SNIPPET_LENGTH = 20, 100  # characters before the first match, and in all: three lines on a phone
FEW = 10  # full matches; with fewer, messages that hold most of what was asked follow

_STORED_POINT = re.compile(f"(?<=[0-9]){DECIMAL_POINT}(?=[0-9])")


class Found(NamedTuple):
    """A message that matches: where it stands in the log, and its words."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Hits:
    """What a search found, best first, and the words that stand in it: `spans_of` says where."""

    messages: Sequence[Found]
    words: Sequence[str]


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is looked for. since, until: [since, until) in domain time. role: whose words; None means both."""

    words: str
    since: datetime | None = None
    until: datetime | None = None
    role: str | None = None


_EVER = (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC))
_FIELDS = ", ".join(f"m.{name}" for name in Found._fields)
_WANTED = "m.owner_id = :owner AND m.said_at >= :since AND m.said_at < :until AND m.role IN (:role, :other)"
_FIND = {
    "sqlite": f"SELECT {_FIELDS} FROM search_fts f JOIN search_documents d ON d.rowid = f.rowid "  # noqa: S608  # constants
    f"JOIN messages m ON m.id = d.doc_id WHERE search_fts MATCH :query AND {_WANTED} "
    "ORDER BY f.rowid DESC LIMIT :most",
    "postgresql": "WITH found AS MATERIALIZED (SELECT rowid, doc_id FROM search_documents "  # noqa: S608  # constants
    "WHERE array_to_tsvector(string_to_array(tokens, ' ')) @@ CAST(:query AS tsquery)) "
    f"SELECT {_FIELDS} FROM found d JOIN messages m ON m.id = d.doc_id WHERE {_WANTED} "
    "ORDER BY d.rowid DESC LIMIT :most",
}
_TABLE: Table = Message.__table__  # type: ignore[attr-defined]  # SQLModel's stub hides it
_MOMENTS = [bindparam(name, type_=_TABLE.c.said_at.type) for name in ("since", "until")]
_STATEMENTS = {
    dialect: Statement(text(sql).bindparams(*_MOMENTS).columns(*(_TABLE.c[name] for name in Found._fields)))
    for dialect, sql in _FIND.items()
}


async def search_messages(quick: Quick, scope: Scope, query: SearchQuery) -> Hits:
    """The owner's messages that match; nothing for a query without a letter or digit.

    Ranking goes through thousands of messages at worst, so it runs off the event loop.
    """
    phrases = phrases_of(query.words)
    every = [token for phrase in phrases for token in tokenize(phrase)]
    found = await _find(quick, scope, query, every, all_of_them=True)
    full = await to_thread(_full_matches, found, phrases)
    if len(full) >= FEW or not phrases:
        return Hits(full, phrases)
    tokens = _parts(query.words)
    some = await _find(quick, scope, query, tokens, all_of_them=False)
    parts = [_STORED_POINT.sub(".", token) for token in tokens]
    known = {message.id for message in full}
    loose = await to_thread(_loose_matches, [message for message in some if message.id not in known], parts)
    return Hits([*full, *loose], [*phrases, *parts])


def phrases_of(words: str) -> list[str]:
    """The runs of letters and digits of a query, folded, each once, in order."""
    return list(dict.fromkeys(word_runs(fold_text(words))))


class Part(NamedTuple):
    """A piece of a snippet, and whether it is one of the words looked for."""

    text: str
    hit: bool


def snippet_of(message: str, words: Sequence[str]) -> list[Part]:
    """The part of a message around the first match, cut into what matches and what does not; "…" where it is cut."""
    spans = spans_of(message, words)
    first = spans[0][0] if spans else 0
    begin = max(0, first - SNIPPET_LEAD)
    end = min(len(message), begin + SNIPPET_LENGTH)
    parts = [Part("…", False)] if begin else []
    place = begin
    for start, stop in (span for span in spans if span[0] < end):
        parts += [Part(message[place:start], False), Part(message[start : min(stop, end)], True)]
        place = min(stop, end)
    parts += [Part(message[place:end], False), Part("…" if end < len(message) else "", False)]
    return [part for part in parts if part.text]


def spans_of(message: str, phrases: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Where the phrases stand in a message, in code points; spans that touch or overlap are one."""
    folded = fold_text(message)
    found = sorted(
        (match.start(), match.end()) for phrase in phrases for match in re.finditer(re.escape(phrase), folded)
    )
    merged: list[tuple[int, int]] = []
    for start, end in found:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _full_matches(found: Sequence[Found], phrases: Sequence[str]) -> list[Found]:
    """Messages with every phrase: phrases in a row first, then by BM25; of two that are alike the newer one first.

    found: newest first. More than `MAX_FOUND` stay in that order.
    """
    matches = [(message, fold_text(message.text)) for message in found]
    matches = [match for match in matches if all(phrase in match[1] for phrase in phrases)]
    if len(found) > MAX_FOUND:
        return [message for message, _ in matches]
    average = sum(len(folded) for _, folded in matches) / len(matches) if matches else 1.0
    together = "".join(phrases)

    def order(match: tuple[Found, str]) -> tuple[bool, float]:
        norm = BM25_K1 * (1 - BM25_B + BM25_B * len(match[1]) / average)
        counts = [match[1].count(phrase) for phrase in phrases]
        score = sum(count * (BM25_K1 + 1) / (count + norm) for count in counts)
        apart = len(phrases) > 1 and together not in "".join(word_runs(match[1]))
        return apart, -round(score, 1)

    return [message for message, _ in sorted(matches, key=order)]


def _loose_matches(found: Sequence[Found], parts: Sequence[str]) -> list[Found]:
    """Messages that hold most of what was asked, weighed by how rare each word is, best first."""
    held = [(message, [part in folded for part in parts]) for message in found for folded in [fold_text(message.text)]]
    frequency = [sum(there[place] for _, there in held) for place in range(len(parts))]
    weights = [math.log(1 + (len(found) - times + 0.5) / (times + 0.5)) if times else 0.0 for times in frequency]
    weighed = [(message, sum(compress(weights, there))) for message, there in held]
    enough = LOOSE_SHARE * sum(weights)
    return [message for message, weight in sorted(weighed, key=lambda one: -one[1]) if weight >= enough > 0]


def _parts(words: str) -> list[str]:
    """The words and pairs of characters of a query; a single character only where it is all there is of a run."""
    parts: list[str] = []
    for phrase in phrases_of(words):
        tokens = [token for token in tokenize(phrase) if not EMPTY_CHARACTERS.issuperset(token)]
        parts += [token for token in tokens if len(token) > 1] or tokens
    return list(dict.fromkeys(parts))


async def _find(
    quick: Quick, scope: Scope, query: SearchQuery, tokens: Sequence[str], *, all_of_them: bool
) -> list[Found]:
    """Messages with all or any of the tokens, newest first, at most `MAX_FOUND` and one more."""
    if not tokens:
        return []
    rows = await quick.rows(
        _STATEMENTS[quick.dialect_name],
        {
            "query": match_query(quick.dialect_name, scope_token(MESSAGE, scope.household_id), tokens, all_of_them),
            "owner": scope.owner_id,
            "since": query.since or _EVER[0],
            "until": query.until or _EVER[1],
            "role": query.role or "user",
            "other": query.role or "assistant",
            "most": MAX_FOUND + 1,
        },
    )
    return [Found(*row) for row in rows]
