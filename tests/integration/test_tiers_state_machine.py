"""Any order of saying, using, locking, deleting and nights: nothing is lost, budgets hold, what is locked stays, and
SQL, full text and vectors agree on what there is."""

import asyncio
import shutil
from datetime import timedelta
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from sqlmodel import col, select

from app.adapters.qdrant_vector_index import QdrantVectorIndex
from app.database import open_database
from domain.health_records import Change
from domain.owner_deletes import delete_memory
from domain.remembering import Limits as MemoryLimits
from jobs.sync_vectors import VectorParts, sync_vectors
from jobs.upgrade_memory import UpgradeParts, upgrade_due
from memory.archive_rows import Archive, archived_items, entry_of
from memory.core_budget import Limits, count_chars
from memory.item_writes import FINDABLE
from memory.items import MemoryVersion
from memory.memory_page import lock_item, view_item
from memory.prepared import quick_of
from memory.search_documents import MEMORY, SearchDocument
from memory.signals import count_cited
from memory.visibility import SERVED
from memory.vocabulary import MemoryStatus, Source, Tier
from tests.fakes.stub_embedder import StubEmbedder
from tests.homes import MONDAY, SECRET, Home, allergy, claim, open_home

CARD = Limits(items=4, chars=40)
MAX_SHORT, MAX_TOPIC = 6, 5
SLOTS = ("behavior", "activity", "grooming", "diet.staple_food", "other")
LIMITS = MemoryLimits(pet_card=CARD, owner_card=CARD)
DAY = timedelta(days=1)


class Tiers(RuleBasedStateMachine):
    """One household with a small card, so that everything is soon too full."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp())
        shutil.copy(self.template, self.folder / "pawsignal.db")
        self.runner = asyncio.Runner()
        self.now, self.turns = MONDAY, 0
        self.deleted: set[str] = set()
        self.locked: dict[str, str] = {}
        self.runner.run(self._open())

    async def _open(self) -> None:
        self.database = open_database(f"sqlite+aiosqlite:///{self.folder / 'pawsignal.db'}")
        embedder = StubEmbedder()
        self.index = QdrantVectorIndex(":memory:", embedder.name, embedder.dimension)
        await self.index.ensure()
        self.vectors = VectorParts(self.database, self.index, embedder, lambda: self.now + 400 * DAY)
        self.home: Home = await open_home(self.database)
        self.known: set[str] = set()

    def teardown(self) -> None:
        self.runner.run(self._close())
        self.runner.close()
        shutil.rmtree(self.folder)

    async def _close(self) -> None:
        await self.index.close()
        await self.database.close()

    @rule(slot=st.sampled_from(SLOTS), number=st.integers(0, 9), cat=st.booleans())
    def say(self, slot: str, number: int, cat: bool) -> None:
        pet = self.home.cat if cat else self.home.dog
        words = f"{pet.name}{'很' * (number % 4)}喜欢第{number}件东西"
        attribute = slot if "." in slot else f"{slot}:{number}"
        self._run(self.home.say(claim(pet, attribute, words, value={"text": words}), at=self.now, limits=LIMITS))

    @rule()
    def tell_an_allergy(self) -> None:
        self._run(self.home.say(allergy(self.home.dog), at=self.now))

    @rule(pick=st.integers(0, 100), times=st.integers(1, 3))
    @precondition(lambda self: self.known)
    def use(self, pick: int, times: int) -> None:
        async def cite() -> None:
            async with self.database.write() as session:
                for _ in range(times):
                    self.turns += 1
                    turn = f"turn-{self.turns}"
                    await count_cited(await quick_of(session), self.home.scope, [self._pick(pick)], turn, self.now)

        self._run(cite())

    @rule(pick=st.integers(0, 100))
    @precondition(lambda self: self.known - self.deleted)
    def open_or_lock(self, pick: int) -> None:
        item_id = sorted(self.known - self.deleted)[pick % len(self.known - self.deleted)]

        async def act() -> None:
            async with self.database.write() as session:
                scope = self.home.scope
                if pick % 3 == 0:
                    item = await lock_item(session, scope, item_id, item_id not in self.locked, self.now, self.now)
                    if item.locked:
                        self.locked[item_id] = item.tier
                    else:
                        self.locked.pop(item_id, None)
                else:
                    await view_item(session, scope, item_id, self.now)

        self._run(act())

    @rule(pick=st.integers(0, 100))
    @precondition(lambda self: len(self.known - self.deleted) > 3)
    def delete(self, pick: int) -> None:
        item_id = sorted(self.known - self.deleted)[pick % len(self.known - self.deleted)]

        async def go() -> None:
            async with self.database.write() as session:
                scope = self.home.scope
                change = Change(scope, scope.owner_id, "owner_deleted", Source.OWNER, self.now, self.now)
                await delete_memory(session, change, item_id, SECRET)

        self._run(go())
        self.deleted.add(item_id)
        self.locked.pop(item_id, None)

    @rule(days=st.sampled_from([1, 2, 7, 31, 62, 100, 400]))
    def nights_pass(self, days: int) -> None:
        self.now += days * DAY
        parts = UpgradeParts(self.database, lambda: self.now, CARD, CARD, max_short=MAX_SHORT, max_topic=MAX_TOPIC)
        self._run(upgrade_due(parts, self.now))
        self._run(self._budgets_hold())

    def _pick(self, number: int) -> str:
        return sorted(self.known)[number % len(self.known)]

    def _run(self, work: object) -> None:
        self.runner.run(work)  # type: ignore[arg-type]  # coroutines of several results

    @invariant()
    def nothing_is_lost_and_every_index_agrees(self) -> None:
        self._run(self._check())

    async def _check(self) -> None:
        await sync_vectors(self.vectors)
        items = await self.home.items()
        assert self.known <= {item.id for item in items}
        self.known = {item.id for item in items}
        for item in items:
            gone = item.status in (MemoryStatus.DELETED.value, MemoryStatus.SUPERSEDED.value)
            assert gone or item.status in (*SERVED, MemoryStatus.ARCHIVED.value, MemoryStatus.CANDIDATE.value)
            assert (item.status == MemoryStatus.DELETED.value) == (item.id in self.deleted)
            if item.id in self.locked and not gone:
                assert item.tier == self.locked[item.id]
        findable = {item.id for item in items if item.status in FINDABLE}
        async with self.database.read() as session:
            words = select(SearchDocument.doc_id).where(SearchDocument.kind == MEMORY)
            assert set((await session.exec(words)).all()) == findable
            versions = (await session.exec(select(MemoryVersion.item_id).distinct())).all()
            assert set(versions) == self.known
            for archive in (await session.exec(select(Archive).where(col(Archive.stale_at).is_(None)))).all():
                rows = await archived_items(session, self.home.scope, archive.subject, archive.topic)
                entries = {entry_of(row, self.home.scope).memory_id for row in rows}
                assert set(archive.made_from) <= entries
        assert set(await self.index.scroll_ids(None)) == findable

    async def _budgets_hold(self) -> None:
        items = [item for item in await self.home.items() if item.status in SERVED]
        for pet in self.home.pets:
            mine = [item for item in items if item.subject == pet.id]
            card = [item for item in mine if item.tier == Tier.CORE.value]
            movable = [item for item in card if not (item.locked or item.protected or item.record_kind == "allergies")]
            chars = sum(count_chars(item.content) for item in card)
            assert not movable or (len(card) <= CARD.items and chars <= CARD.chars)
            free = [item for item in mine if not item.locked and not item.protected]
            assert sum(item.tier == Tier.SHORT.value for item in free) <= MAX_SHORT


@pytest.mark.filterwarnings("ignore:Payload indexes have no effect:UserWarning")  # the client's local mode says so
def test_tiers_in_any_order_lose_nothing(sqlite_template: Path) -> None:
    machine = type("TiersHere", (Tiers,), {"template": sqlite_template})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=12,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
