"""From a question to the few memories worth telling: arms that search at once, a hard deadline, one ranking.

`find` runs the arms inside one household and ranks what they bring; `ranking.choose` then takes the few about the
subjects meant. Who is meant may depend on what was found, so the two are separate; `recall` does both where the
subjects are known. Uses no model but the embedder, which takes longer than all the rest together: it is asked first,
and what the other arms find is read while it works. What is not back within the deadline is cancelled and left out.
"""

import asyncio
from collections.abc import Awaitable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from types import MappingProxyType
from typing import Protocol

from memory.embedder import Embedder, RelevanceFloor, Vectors
from memory.errors import MemoryFault
from memory.fulltext import DocTokens, bm25_scores, corpus_stats
from memory.late_breaker import LateBreaker
from memory.question_kinds import reading_of
from memory.ranking import MAX_INJECTED, RecallItem, Scored, Signals, Wanted, choose, score
from memory.vector_index import VectorHit, VectorIndex

DENSE = "dense"  # the arm by meaning
DEADLINE_S = 0.3  # for the whole of recall (product contract): a partial memory beats a late answer
ARMS_SHARE = 0.8  # of the deadline; the rest is for loading the rows that were found
DENSE_LIMIT = 40  # nearest memories: the question is about one of several pets, and five are told
WORTH_LOOKING_UP = 0.4  # weight of a token; single characters count less
KEYWORD_LIMIT = 150  # candidate lines of a household, newest first; BM25 is computed over them
KEYWORD_BEST = 30  # of them are read as rows
NEWEST_LIMIT = 24  # rows: the newest of a series for each pet, and those it is compared with
DATED_LIMIT = 20  # happenings of the period that is asked about
LOAD_LIMIT = 100  # rows to read and rank: reading a row costs more than anything else here


@dataclass(frozen=True, slots=True)
class Embedding:
    """A text on its way to its vector. by: whose it is; those of another embedder cannot be compared with it."""

    text: str
    by: Embedder
    vectors: "asyncio.Future[Vectors]"


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """What to look for. `now`: aware, in the owner's zone. words: search tokens with weights.

    keep_newest: classes whose newest rows always come along. subjects: whose memories are near enough to look at by
    meaning, where that is known beforehand; None looks at everybody's. by_meaning False: the text must not reach the
    embedder, so the other arms answer alone. embedded: what `begin_embedding` gave; for another text it is left alone.
    """

    household_id: str
    text: str
    now: datetime
    words: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    wanted: Wanted = field(default_factory=Wanted)
    keep_newest: frozenset[str] = frozenset()
    subjects: frozenset[str | None] | None = None
    by_meaning: bool = True
    embedded: "Embedding | None" = None


@dataclass(frozen=True, slots=True)
class KeywordCandidates:
    """Lines that hold at least one asked token; `document_count` is the number of all lines of the household."""

    docs: Sequence[DocTokens]
    document_count: int


class KeywordSource(Protocol):
    """The full-text index of one household's memories."""

    async def candidates(self, household_id: str, tokens: Collection[str], limit: int) -> KeywordCandidates: ...


class LiveItems(Protocol):
    """Memory rows of one household that may be served at `now`; every method checks both in SQL.

    What has faded into its archive comes along where it is asked for by id or by its day, marked as archived.

    `now` is aware, in the owner's zone: days are the owner's days.
    """

    async def load(self, household_id: str, ids: Collection[str], now: datetime) -> list[RecallItem]:
        """Those among these ids that are live or archived, in no particular order."""
        ...

    async def newest_ids(
        self, household_id: str, attribute_classes: Collection[str], now: datetime, limit: int
    ) -> list[str]:
        """Newest rows of these classes."""
        ...

    async def dated_ids(self, household_id: str, first: date, last: date, now: datetime, limit: int) -> list[str]:
        """Rows about happenings from `first` to `last`, both included."""
        ...

    async def ids_falling_on(self, household_id: str, now: datetime) -> list[str]:
        """Rows whose recurrence falls on the day of `now` (每周三不吃碳水)."""
        ...


@dataclass(frozen=True, slots=True)
class RecallStores:
    """Where recall looks. embedder and vectors None: keywords only. Make one per process: it holds the breaker."""

    keywords: KeywordSource
    items: LiveItems
    embedder: Embedder | None = None
    vectors: VectorIndex | None = None
    breaker: LateBreaker = field(default_factory=LateBreaker)


@dataclass(frozen=True, slots=True)
class ArmReport:
    """What became of one arm: "done", "late", "unavailable" or "resting" (the breaker is open)."""

    name: str
    state: str
    found: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """All that passed the gate, best first. partial: an arm or the loading did not make it in time.

    wanted: what was asked for, by the question's meaning too. floor: of the embedder that answered, if one did.
    """

    scored: Sequence[Scored]
    items: Sequence[RecallItem]
    arms: Sequence[ArmReport]
    partial: bool
    wanted: Wanted = field(default_factory=Wanted)
    floor: RelevanceFloor | None = None


@dataclass(frozen=True, slots=True)
class RecallResult:
    """The memories to tell, best first, and why each is there."""

    items: Sequence[Scored]
    trace: Sequence[str]
    partial: bool


async def recall(
    request: RecallRequest, stores: RecallStores, subjects: Collection[str | None], limit: int = MAX_INJECTED
) -> RecallResult:
    """Memories about known subjects ("owner", pet ids, None for unassigned)."""
    found = await find(request, stores)
    chosen = choose(found.scored, subjects, found.wanted, found.floor, limit)
    return RecallResult(chosen, [explain(one) for one in chosen], found.partial)


async def begin_embedding(text: str, stores: RecallStores) -> Embedding | None:
    """Begin the slowest part of recall while the rest of the request is still being put together.

    None where the embedder is not to be asked now. The caller may drop the vector; a fault is raised by `find` alone.
    """
    if stores.embedder is None or stores.vectors is None or stores.breaker.resting:
        return None
    embedded = asyncio.ensure_future(stores.embedder.embed_queries([text]))
    embedded.add_done_callback(lambda done: done.cancelled() or done.exception())
    await asyncio.sleep(0)  # until its thread works
    return Embedding(text, stores.embedder, embedded)


async def find(request: RecallRequest, stores: RecallStores, deadline_s: float = DEADLINE_S) -> Found:
    """Everything of the household that may be about the question. Never later than the deadline, never raises for a
    slow or broken embedder or vector engine: then it is partial."""
    started = asyncio.get_running_loop().time()
    rows = _Rows(request, stores.items, started + deadline_s)
    arms = await _run_arms(request, stores, rows, started + deadline_s * ARMS_SHARE)
    items = await rows.behind(arms.ids())
    floor = stores.embedder.relevance_floor if stores.embedder is not None and arms.dense is not None else None
    wanted = replace(request.wanted, meant=arms.meant)
    scored = score(items, arms.signals(request, items), wanted, floor, request.now.date())
    partial = not rows.in_time or any(report.state != "done" for report in arms.reports)
    return Found(scored, items, arms.reports, partial, wanted, floor)


def explain(scored: Scored) -> str:
    """Arms and scores that put a memory on the list, for the trace."""
    seen = scored.signals
    parts = [f"relevance {scored.relevance:.2f}"]
    if seen.dense is not None:
        parts.append(f"dense {seen.dense:.3f}")
    if seen.keyword:
        parts.append(f"keyword {seen.keyword:.1f}")
    parts += [name for name, on in (("in period", seen.in_period), ("falls today", seen.falls_today)) if on]
    return ", ".join(parts)


@dataclass(slots=True)
class _Arms:
    """What the arms brought. dense None: that arm did not answer. keyword: BM25 by id. meant: see `Wanted`."""

    dense: list[VectorHit] | None = None
    meant: Mapping[str, float] | None = None
    keyword: dict[str, float] = field(default_factory=dict)
    newest: list[str] = field(default_factory=list)
    dated: list[str] = field(default_factory=list)
    today: list[str] = field(default_factory=list)
    reports: list[ArmReport] = field(default_factory=list)

    def ids(self) -> list[str]:
        """Ids to load, most promising arm first, no repeats."""
        keyword = sorted(self.keyword, key=lambda one: (-self.keyword[one], one))[:KEYWORD_BEST]
        nearest = [hit.id for hit in self.dense or ()]
        return list(dict.fromkeys([*self.today, *nearest, *keyword, *self.newest, *self.dated]))[:LOAD_LIMIT]

    def signals(self, request: RecallRequest, items: Sequence[RecallItem]) -> dict[str, Signals]:
        dense = {hit.id: hit.score for hit in self.dense or ()}
        today = set(self.today)
        return {
            item.id: Signals(
                dense=dense.get(item.id),
                keyword=self.keyword.get(item.id, 0.0),
                in_period=_is_in(request.wanted.period, item.happened_on),
                falls_today=item.id in today,
            )
            for item in items
        }


@dataclass(slots=True)
class _Rows:
    """The rows behind ids, each read once and not after `until`, the event loop's time. in_time: all that were asked
    for came before it."""

    request: RecallRequest
    items: LiveItems
    until: float
    in_time: bool = True
    _read: dict[str, RecallItem | None] = field(default_factory=dict)

    async def read(self, ids: Collection[str]) -> None:
        """Read those that have not been read yet."""
        unread = [one for one in ids if one not in self._read]
        if not unread or not self.in_time:
            return
        try:
            async with asyncio.timeout_at(self.until):
                found = await self.items.load(self.request.household_id, unread, self.request.now)
        except TimeoutError:
            self.in_time = False
            return
        self._read |= dict.fromkeys(unread) | {item.id: item for item in found}

    async def behind(self, ids: Collection[str]) -> list[RecallItem]:
        """The rows that there are, by id; none when some did not come in time."""
        await self.read(ids)
        return [row for one in sorted(ids) if (row := self._read[one]) is not None] if self.in_time else []


async def _run_arms(request: RecallRequest, stores: RecallStores, rows: _Rows, until: float) -> _Arms:
    arms = _Arms()
    tasks = {name: asyncio.ensure_future(work) for name, work in _arms_of(request, stores, arms).items()}
    try:
        await _wait_for(tasks, arms, rows, until)
    finally:
        for task in tasks.values():
            task.cancel()
    faults = [error for name, task in tasks.items() if (error := _note_outcome(name, task, arms, stores.breaker))]
    if faults:
        raise faults[0]
    if request.by_meaning and DENSE not in tasks and stores.vectors is not None and stores.embedder is not None:
        arms.reports.append(ArmReport(DENSE, "resting"))
    return arms


async def _wait_for(tasks: Mapping[str, asyncio.Future[int]], arms: _Arms, rows: _Rows, until: float) -> None:
    """Wait for all arms, at most until then; what the quick ones found is read while the slow one searches."""
    clock, slow = asyncio.get_running_loop().time, tasks.get(DENSE)
    await asyncio.wait([task for task in tasks.values() if task is not slow], timeout=until - clock())
    if slow is None or slow.done():
        return
    await rows.read(arms.ids())
    await asyncio.wait([slow], timeout=max(0.0, until - clock()))


def _arms_of(request: RecallRequest, stores: RecallStores, arms: _Arms) -> dict[str, Awaitable[int]]:
    """The arms that this question needs, each of which fills its part of `arms` and answers how much it found."""
    classes = {*request.wanted.classes, *request.keep_newest}
    work: dict[str, Awaitable[int]] = {}
    if request.by_meaning and stores.embedder is not None and stores.vectors is not None and stores.breaker.allows():
        work[DENSE] = _dense_arm(request, stores.embedder, stores.vectors, arms)  # first: its threads work meanwhile
    work["today"] = _today_arm(request, stores, arms)
    if request.words:
        work["keyword"] = _keyword_arm(request, stores, arms)
    if classes:
        work["newest"] = _newest_arm(request, stores, arms, classes)
    if request.wanted.period:
        work["dated"] = _dated_arm(request, stores, arms, request.wanted.period)
    return work


async def _dense_arm(request: RecallRequest, embedder: Embedder, vectors: VectorIndex, arms: _Arms) -> int:
    begun = request.embedded
    if begun is not None and begun.by is embedder and begun.text == request.text:
        embedded = await asyncio.shield(begun.vectors)
    else:
        embedded = await embedder.embed_queries([request.text])
    reading = reading_of(embedder.name)
    arms.meant = reading.read(embedded[0]) if reading is not None else None
    arms.dense = await vectors.search(request.household_id, embedded[0].tolist(), DENSE_LIMIT, request.subjects)
    return len(arms.dense)


async def _keyword_arm(request: RecallRequest, stores: RecallStores, arms: _Arms) -> int:
    found = await stores.keywords.candidates(request.household_id, _rare(request.words), KEYWORD_LIMIT)
    arms.keyword = bm25_scores(request.words, found.docs, corpus_stats(found.docs, found.document_count))
    return len(arms.keyword)


def _rare(words: Mapping[str, float]) -> list[str]:
    """Tokens worth looking up: those that count less than half stand in many lines and only score what others find."""
    return [word for word, weight in words.items() if weight >= WORTH_LOOKING_UP] or list(words)


async def _newest_arm(request: RecallRequest, stores: RecallStores, arms: _Arms, classes: Collection[str]) -> int:
    arms.newest = await stores.items.newest_ids(request.household_id, sorted(classes), request.now, NEWEST_LIMIT)
    return len(arms.newest)


async def _dated_arm(request: RecallRequest, stores: RecallStores, arms: _Arms, period: tuple[date, date]) -> int:
    arms.dated = await stores.items.dated_ids(request.household_id, *period, request.now, DATED_LIMIT)
    return len(arms.dated)


async def _today_arm(request: RecallRequest, stores: RecallStores, arms: _Arms) -> int:
    arms.today = await stores.items.ids_falling_on(request.household_id, request.now)
    return len(arms.today)


def _note_outcome(name: str, task: asyncio.Future[int], arms: _Arms, breaker: LateBreaker) -> BaseException | None:
    """Report what became of an arm; the error to raise when it is no fault of a search engine."""
    error = task.exception() if task.done() else None
    state = "late" if not task.done() else "done" if error is None else "unavailable"
    arms.reports.append(ArmReport(name, state, task.result() if state == "done" else 0))
    if name == DENSE:
        breaker.note(in_time=state == "done")
    return None if isinstance(error, MemoryFault) else error


def _is_in(period: tuple[date, date] | None, day: date | None) -> bool:
    return period is not None and day is not None and period[0] <= day <= period[1]
