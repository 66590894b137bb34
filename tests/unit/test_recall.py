"""The arms of recall, their deadline and their failures, over stores in memory."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime

import numpy as np
import pytest

from memory.embedder import EmbedderUnavailable, RelevanceFloor, Vectors
from memory.errors import IndexUnavailable, MemoryFault
from memory.fulltext import doc_tokens, query_tokens, tokenize
from memory.late_breaker import LateBreaker
from memory.ranking import RecallItem, Wanted
from memory.recall import (
    KeywordCandidates,
    RecallRequest,
    RecallStores,
    begin_embedding,
    explain,
    find,
    recall,
)
from memory.vector_index import VectorHit, VectorPoint

NOW = datetime(2026, 6, 3, 12, 0, tzinfo=UTC)
HOME = "household"


@dataclass
class Rows:
    """Keyword source and live items of one household; `slow` methods take longer than any deadline."""

    items: dict[str, RecallItem]
    today: list[str] = field(default_factory=list)
    slow: frozenset[str] = frozenset()
    asked: list[str] = field(default_factory=list)

    async def _answer(self, name: str) -> None:
        self.asked.append(name)
        if name in self.slow:
            await asyncio.sleep(30)

    async def candidates(self, household_id: str, tokens: Collection[str], limit: int) -> KeywordCandidates:
        await self._answer("keyword")
        docs = [doc_tokens(item.id, tokenize(item.content)) for item in self.items.values()]
        return KeywordCandidates([doc for doc in docs if set(tokens) & doc.counts.keys()], len(docs))

    async def load(self, household_id: str, ids: Collection[str], now: datetime) -> list[RecallItem]:
        await self._answer("load")
        return [self.items[one] for one in ids if one in self.items and household_id == HOME]

    async def newest_ids(
        self, household_id: str, attribute_classes: Collection[str], now: datetime, limit: int
    ) -> list[str]:
        await self._answer("newest")
        return [item.id for item in self.items.values() if item.attribute_class in attribute_classes]

    async def dated_ids(self, household_id: str, first: date, last: date, now: datetime, limit: int) -> list[str]:
        await self._answer("dated")
        return [item.id for item in self.items.values() if item.happened_on and first <= item.happened_on <= last]

    async def ids_falling_on(self, household_id: str, now: datetime) -> list[str]:
        await self._answer("today")
        return self.today


@dataclass
class Embedder:
    """Every text means the same, unless it fails or sleeps."""

    fault: MemoryFault | None = None
    seconds: float = 0.0
    name: str = "fake"
    dimension: int = 2
    relevance_floor: RelevanceFloor = field(default_factory=lambda: RelevanceFloor(0.5, 0.8, 0.3))

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        await asyncio.sleep(self.seconds)
        if self.fault:
            raise self.fault
        return np.ones((len(texts), 2), dtype=np.float32)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return await self.embed_queries(texts)


@dataclass
class Counting(Embedder):
    """Remembers what it was asked for."""

    asked: list[str] = field(default_factory=list)

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.asked.extend(texts)
        return await super().embed_queries(texts)


@dataclass
class Index:
    """Answers the same hits to every search."""

    hits: list[VectorHit]
    fault: MemoryFault | None = None
    households: list[str] = field(default_factory=list)
    subjects: list[Collection[str | None] | None] = field(default_factory=list)

    async def search(
        self,
        household_id: str,
        vector: Sequence[float],
        limit: int,
        subjects: Collection[str | None] | None = None,
        topics: Collection[str] | None = None,
    ) -> list[VectorHit]:
        self.households.append(household_id)
        self.subjects.append(subjects)
        if self.fault:
            raise self.fault
        return self.hits[:limit]

    async def ensure(self) -> None: ...

    async def upsert(self, points: Sequence[VectorPoint]) -> None: ...

    async def delete(self, ids: Collection[str]) -> None: ...

    async def delete_household(self, household_id: str) -> None: ...

    async def scroll_ids(self, household_id: str | None) -> list[str]:
        return []

    async def count(self) -> int:
        return len(self.hits)

    async def flush(self) -> None: ...

    async def close(self) -> None: ...


def line(item_id: str, content: str, subject: str = "cat", attribute_class: str = "behavior") -> RecallItem:
    return RecallItem(item_id, subject, "behavior", "x", attribute_class, "fact", content, happened_on=date(2026, 6, 1))


ROWS = {
    "ear": line("ear", "米粒耳朵进过水"),
    "nap": line("nap", "米粒爱在窗台打盹"),
    "dog": line("dog", "阿宝耳朵发炎", subject="dog"),
}
HITS = [VectorHit("ear", 0.95), VectorHit("dog", 0.93), VectorHit("nap", 0.7)]


def request(text: str = "耳朵进水", wanted: Wanted | None = None) -> RecallRequest:
    return RecallRequest(HOME, text, NOW, query_tokens(text), wanted or Wanted())


def stores(rows: Rows, embedder: Embedder | None = None, index: Index | None = None) -> RecallStores:
    return RecallStores(rows, rows, embedder, index, LateBreaker())


async def test_recall_tells_the_memories_of_the_subject_that_fit_the_question() -> None:
    index = Index(HITS)
    result = await recall(request(), stores(Rows(ROWS), Embedder(), index), {"cat"})
    assert [one.item.id for one in result.items] == ["ear"]
    assert not result.partial
    assert index.households == [HOME]
    assert "dense 0.950" in result.trace[0]
    assert "keyword" in explain(result.items[0])


async def test_an_id_that_sql_does_not_give_back_is_never_told() -> None:
    hits = [VectorHit("deleted", 0.99), *HITS]
    found = await find(request(), stores(Rows(ROWS), Embedder(), Index(hits)))
    assert "deleted" not in {one.item.id for one in found.scored}


async def test_without_an_embedder_words_find_it_and_the_answer_is_whole() -> None:
    found = await find(request(), stores(Rows(ROWS)))
    assert found.scored[0].item.id == "ear"
    assert not found.partial


@pytest.mark.parametrize(
    ("embedder", "index"),
    [
        (Embedder(fault=EmbedderUnavailable()), Index(HITS)),
        (Embedder(), Index(HITS, fault=IndexUnavailable())),
        (Embedder(seconds=30), Index(HITS)),
    ],
    ids=["embedder away", "index away", "embedder slow"],
)
async def test_words_answer_while_the_dense_arm_does_not(embedder: Embedder, index: Index) -> None:
    found = await find(request(), stores(Rows(ROWS), embedder, index), deadline_s=0.05)
    assert found.scored[0].item.id == "ear"
    assert found.partial


async def test_meaning_answers_while_the_keyword_arm_is_slow() -> None:
    rows = Rows(ROWS, slow=frozenset({"keyword"}))
    found = await find(request(), stores(rows, Embedder(), Index(HITS)), deadline_s=0.05)
    assert found.scored[0].item.id == "ear"
    assert [arm.state for arm in found.arms if arm.name == "keyword"] == ["late"]
    assert found.partial


@pytest.mark.parametrize("slow", [{"keyword", "today", "newest", "dated"}, {"load"}], ids=["all arms", "loading"])
async def test_recall_never_takes_longer_than_its_deadline(slow: set[str]) -> None:
    wanted = Wanted(classes={"weight": 1.0}, period=(date(2026, 5, 1), date(2026, 5, 31)))
    started = asyncio.get_running_loop().time()
    rows = Rows(ROWS, slow=frozenset(slow))
    found = await find(request(wanted=wanted), stores(rows, Embedder(seconds=30), Index(HITS)), deadline_s=0.1)
    assert asyncio.get_running_loop().time() - started < 0.2
    assert found.partial
    assert found.scored == []


async def test_a_dense_arm_that_keeps_coming_late_is_left_alone() -> None:
    kept = stores(Rows(ROWS), Embedder(seconds=30), Index(HITS))
    for _ in range(3):
        await find(request(), kept, deadline_s=0.02)
    found = await find(request(), kept, deadline_s=0.02)
    assert [arm.state for arm in found.arms if arm.name == "dense"] == ["resting"]
    assert found.partial


async def test_a_fault_that_is_no_search_engines_is_not_hidden() -> None:
    class Broken(Rows):
        async def candidates(self, household_id: str, tokens: Collection[str], limit: int) -> KeywordCandidates:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await find(request(), stores(Broken(ROWS)))


async def test_only_the_arms_that_a_question_needs_are_asked() -> None:
    rows = Rows(ROWS)
    await find(request(), stores(rows))
    assert set(rows.asked) == {"keyword", "today", "load"}
    rows.asked.clear()
    wanted = Wanted(classes={"weight": 1.0}, period=(date(2026, 5, 1), date(2026, 6, 30)))
    await find(request(wanted=wanted), stores(rows))
    assert set(rows.asked) == {"keyword", "today", "newest", "dated", "load"}


async def test_a_habit_that_falls_today_is_told_unasked() -> None:
    found = await find(request("随便聊聊"), stores(Rows(ROWS, today=["nap"])))
    assert [one.item.id for one in found.scored] == ["nap"]
    assert "falls today" in explain(found.scored[0])


async def test_a_question_without_a_word_finds_nothing_and_does_not_fail() -> None:
    found = await find(RecallRequest(HOME, "？？", NOW), stores(Rows(ROWS)))
    assert found.scored == []
    assert not found.partial


async def test_meaning_is_searched_among_the_known_subjects_only_where_they_are_known() -> None:
    index = Index(HITS)
    await find(request(), stores(Rows(ROWS), Embedder(), index))
    known = RecallRequest(HOME, "耳朵进水", NOW, query_tokens("耳朵进水"), subjects=frozenset({"cat", None}))
    await find(known, stores(Rows(ROWS), Embedder(), index))
    assert index.subjects == [None, {"cat", None}]


async def test_a_question_that_is_being_embedded_already_is_not_embedded_again() -> None:
    embedder = Counting(seconds=0.01)
    kept = stores(Rows(ROWS), embedder, Index(HITS))
    found = await find(replace(request(), embedded=await begin_embedding("耳朵进水", kept)), kept)
    assert embedder.asked == ["耳朵进水"]
    assert {one.item.id for one in found.scored} == set(ROWS)


async def test_an_embedding_that_was_begun_may_fail_or_be_dropped() -> None:
    kept = stores(Rows(ROWS), Embedder(fault=EmbedderUnavailable()), Index(HITS))
    begun = await begin_embedding("耳朵进水", kept)
    found = await find(replace(request(), embedded=begun), kept)
    assert found.scored[0].item.id == "ear"
    assert found.partial
    assert await begin_embedding("没有人再问", kept) is not None
    assert await begin_embedding("耳朵进水", stores(Rows(ROWS))) is None


async def test_a_vector_of_another_embedder_is_left_alone() -> None:
    """Another embedder may have taken over between the two."""
    begun = await begin_embedding("耳朵进水", stores(Rows(ROWS), Embedder(seconds=30), Index(HITS)))
    found = await find(replace(request(), embedded=begun), stores(Rows(ROWS), Embedder(), Index(HITS)))
    assert not found.partial


async def test_a_vector_of_another_text_is_left_alone() -> None:
    """米粒呢 asks the question before again, and that is known only once the message has been stored."""
    embedder = Counting()
    kept = stores(Rows(ROWS), embedder, Index(HITS))
    await find(replace(request("米粒耳朵进水"), embedded=await begin_embedding("米粒呢", kept)), kept)
    assert embedder.asked == ["米粒呢", "米粒耳朵进水"]


async def test_what_words_find_is_read_while_the_embedder_works() -> None:
    read = asyncio.Event()

    class Telling(Rows):
        async def load(self, household_id: str, ids: Collection[str], now: datetime) -> list[RecallItem]:
            read.set()
            return await super().load(household_id, ids, now)

    class Waiting(Embedder):
        async def embed_queries(self, texts: Sequence[str]) -> Vectors:
            await read.wait()
            return await super().embed_queries(texts)

    rows = Telling(ROWS)
    found = await find(request(), stores(rows, Waiting(), Index(HITS)))
    assert rows.asked.count("load") == 2, "the rest once it is known what is near"
    assert {one.item.id for one in found.scored} == set(ROWS)
    assert not found.partial
