"""The real parts of one process, chosen from the settings and opened together; nobody else chooses."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from app.adapters.wechat_dev import DevWeChat
from app.adapters.wechat_http import WeChatHttp
from app.adapters.wechat_wire import WeChatWire
from app.database import Database, open_database
from app.files import open_files
from app.metrics import Metrics
from app.options import kept_of, machine_clock, night_parts_of, options_of, upgrade_parts_of
from app.scheduler import scheduler_of
from app.secret_keys import SecretKeys, load_keys
from app.settings import Settings
from app.vector_stores import VectorStores
from app.wechat_templates import templates_of
from domain.account_erasure import forget_old_receipts
from domain.assistant import ModelAssistant
from domain.cancelled_plans import forget_cancelled_plans
from domain.chat_turn import ChatTurns
from domain.event_writer import EventWriter
from domain.files import FileStore
from domain.household_view import HouseholdViews
from domain.knowledge.checks import load_knowledge
from domain.late_extraction import ExtractionParts, read_late
from domain.mini_links import MiniLinks
from domain.model_chores import Writers
from domain.model_claims import FactReader
from domain.moderation import Moderator
from domain.offline.assistant import OfflineAssistant
from domain.offline.extractor import extract
from domain.offline.responder import respond
from domain.pet_profiles import PetProfile, Utterance
from domain.push_messages import Template
from domain.questions import read_question
from domain.remembering import Limits as MemoryLimits
from domain.running_turn import TurnParts
from domain.safety import facts_from_lines, review
from domain.shares import forget_old_shares
from domain.talk_settling import SettlingParts
from domain.token_use import DailyTokens
from domain.triage import prepare, triage
from domain.turn_context import PetCard, TurnContext
from domain.turn_recall import TurnRecall
from domain.wechat import SubscribeSender, WeChat
from domain.wechat_events import EventBatches, forget_old_events
from domain.word_verdicts import WordKeeper
from jobs.consolidate import ConsolidateParts, consolidate
from jobs.finish_erasures import ErasureParts, finish_erasures
from jobs.follow_up import FollowUpParts, follow_up
from jobs.judge_words import WordParts, judge_words
from jobs.look_at_photos import PhotoParts, look_at_photos
from jobs.move_vectors import MoveParts, move_vectors
from jobs.purge import PurgeParts, purge
from jobs.push_inbox import PushParts, push_inbox
from jobs.retention import RetentionParts, forget_old
from jobs.send_reminders import ReminderParts, send_reminders
from jobs.summarize_talks import summarize_talks
from jobs.sync_vectors import VectorParts, sync_vectors
from jobs.tap_events import EventParts
from jobs.upgrade_memory import UpgradeParts, upgrade_due
from jobs.wechat_events import work_off_events
from memory.embedder import Embedder
from memory.recall import RecallStores
from memory.recall_rows import SqlKeywordSource, SqlLiveItems
from memory.sqltypes import new_id
from memory.vector_index import VectorIndex
from miniprogram_api.codes_in_use import CodesInUse
from miniprogram_api.idempotency import forget_old_answers
from miniprogram_api.media_links import media_link
from miniprogram_api.parts import ApiOptions
from miniprogram_api.rate_limits import RateLimits

CHECKPOINT_SECONDS = 5.0  # SQLite's log is moved into its file this often, off the event loop
CONSOLIDATE_SECONDS = 300.0  # how late a night may begin after its twenty quiet minutes
PHONE_CODES_AN_HOUR = 10  # of one owner; WeChat bills each number it tells
WRONG_LINKS_A_MINUTE = 30  # of one address: a torn print is retyped a few times, a guesser would need ages
REMINDERS_SECONDS = 30.0  # how late a reminder may be
FOLLOW_UP_SECONDS = 300.0  # how late a sick pet is asked after
RETENTION_SECONDS = 6 * 3600.0  # how long what has had its time may outlive it: days are meant, not hours
PURGE_SECONDS = 300.0  # how long what was deleted may outlive the ten minutes in which it can come back
ERASURE_SECONDS = 30.0  # how long the engine may keep what an erased account left on its disk
FORGET_SECONDS = 6 * 3600.0  # how long the engine may keep a single deleted vector on its disk
PUSH_SECONDS = 30.0  # how long a prompt that is due may wait for its push
UPGRADE_SECONDS = 300.0  # how late an owner's night may begin
SUMMARIZE_TALKS_SECONDS = 60.0  # how long a conversation that has ended waits for its sentence
PHOTO_SECONDS = 5.0  # how soon WeChat is asked about a photo
WORDS_SECONDS = 5.0  # how soon WeChat judges what a push may carry later
EVENT_SECONDS = 2.0  # how soon what WeChat pushes has its effect
READ_LATE_SECONDS = 5.0  # how soon a message is read by the model once it is due
MOVE_VECTORS_SECONDS = 2.0  # a move to another embedder works about half of the time, and leaves the rest to owners
SYNC_VECTORS_SECONDS = 1.0  # how soon a new memory can be found by meaning; by words it can be at once


@dataclass(slots=True)
class Container:
    """What the process works with.

    `embedder` None means keywords only; `wechat` None means dev sign-in only, and pushes that stay in `dev_wechat`;
    `model` None means basic mode.
    """

    settings: Settings
    database: Database
    keys: SecretKeys
    options: ApiOptions
    rate_limits: RateLimits
    vectors: VectorStores
    phone_limits: RateLimits = field(default_factory=lambda: RateLimits(PHONE_CODES_AN_HOUR / 60, PHONE_CODES_AN_HOUR))
    vet_limits: RateLimits = field(default_factory=lambda: RateLimits(WRONG_LINKS_A_MINUTE))
    metrics: Metrics = field(default_factory=Metrics)
    embedder: Embedder | None = None
    vector_index: VectorIndex | None = None
    wechat: WeChat | None = None
    moderator: Moderator | None = None
    _files: FileStore | None = None
    _mini_links: MiniLinks | None = None
    _events: EventBatches | None = None
    dev_wechat: DevWeChat = field(default_factory=DevWeChat)
    templates: tuple[Template, ...] = ()
    codes_in_use: CodesInUse = field(default_factory=CodesInUse)
    model: ModelAssistant | None = None
    fact_reader: FactReader | None = None
    writers: Writers | None = None
    views: HouseholdViews = field(default_factory=HouseholdViews)
    real_now: Callable[[], datetime] = machine_clock
    worker: str = field(default_factory=new_id)
    _turns: ChatTurns | None = None
    _recall: TurnRecall | None = None

    @property
    def transactions(self) -> Database:
        """The database, as the floors below know it."""
        return self.database

    @property
    def events(self) -> EventBatches:
        """What stores the events that WeChat pushes; made once."""
        if self._events is None:
            self._events = EventBatches(self.database)
        return self._events

    @property
    def mini_links(self) -> MiniLinks | None:
        """Codes and links into the mini-program; made once, None without WeChat."""
        if self._mini_links is None and isinstance(self.wechat, WeChatHttp):
            self._mini_links = MiniLinks(self.wechat, self.files, self.real_now)
        return self._mini_links

    @property
    def files(self) -> FileStore:
        """Where photos and mini codes lie; made once."""
        if self._files is None:
            self._files = open_files(self.settings)
        return self._files

    @property
    def turns(self) -> ChatTurns:
        """All chat turns of this process; made once."""
        if self._turns is None:
            self._turns = ChatTurns(self._turn_parts())
        return self._turns

    @property
    def embeds_elsewhere(self) -> bool:
        """Whether consent decides about vectors."""
        return self.vectors.embeds_elsewhere

    def vector_parts(self) -> VectorParts:
        """What keeps the serving collection in line."""
        return VectorParts(
            self.database,
            self.vector_index,
            self.embedder,
            self.real_now,
            asks_consent=self.vectors.asks_consent,
            generation=self.vectors.generation,
        )

    def move_parts(self, **more: Any) -> MoveParts:
        """What moves memories to another embedder. Only one process can have the engine's folder open."""
        return MoveParts(
            self.database,
            self.follow_vectors,
            self.vector_parts,
            lambda: self.vectors.beside_parts(self.real_now),
            self.real_now,
            worker=self.worker,
            alone=not self.settings.qdrant_url,
            **more,
        )

    async def follow_vectors(self) -> None:
        """Have open what the stored row says; questions from now on are asked there."""
        before = self.vectors.serving
        await self.vectors.follow()
        if self.vectors.serving is not before:
            self.use_vectors()

    def use_vectors(self) -> None:
        """Questions from now on go to the serving collection; those on their way end where they began."""
        serving = self.vectors.serving
        self.embedder = None if serving is None else serving.embedder
        self.vector_index = None if serving is None else serving.index
        if self._recall is not None:
            self._recall.use(self.recall_stores(), asks_consent=self.vectors.asks_consent)

    def purge_parts(self) -> PurgeParts:
        """What deletes for good."""
        also = (forget_cancelled_plans, forget_old_answers, forget_old_events, forget_old_receipts, forget_old_shares)
        return PurgeParts(self.database, self.real_now, also=also)

    def push_parts(self) -> PushParts:
        """What carries prompts to WeChat."""
        sender: SubscribeSender = self.wechat or self.dev_wechat
        keeper = self._word_keeper() if self.moderator is not None else None
        return PushParts(self.database, sender, self.templates, self.keys.open_identity, self.real_now, keeper)

    def word_parts(self) -> WordParts:
        """What lets owners' words be judged before a push carries them."""
        return WordParts(self.database, self.moderator, self._word_keeper(), self.real_now)

    def upgrade_parts(self) -> UpgradeParts:
        """What the nightly upgrade works with."""
        return upgrade_parts_of(self.settings, self.database, self.real_now, self.writers)

    def settling_parts(self) -> SettlingParts:
        """What writes the sentence about a conversation that has ended."""
        return SettlingParts(self.database, self.real_now, self.writers.sentence if self.writers else None)

    def consolidate_parts(self) -> ConsolidateParts:
        """What lets memories sleep."""
        night = night_parts_of(self.settings, self.database, self.keys, self.real_now, self.writers)
        return ConsolidateParts(night, self.real_now)

    def photo_parts(self) -> PhotoParts:
        """What asks WeChat about photos."""
        keys, public_url = self.keys, self.settings.public_url
        return PhotoParts(
            self.database,
            self.files,
            self.wechat if isinstance(self.wechat, WeChatHttp) else None,
            self.settings.wechat_appid,
            keys.open_identity,
            (lambda photo_id, now: media_link(keys.media, public_url, photo_id, now)) if public_url else None,
            self.real_now,
        )

    def event_parts(self) -> EventParts:
        """What works off the events that WeChat has pushed."""
        keys = self.keys
        return EventParts(self.database, self.settings.wechat_appid, keys.seal_identity, keys.open, self.real_now)

    def reminder_parts(self) -> ReminderParts:
        """What reminds of plans, of what is due and of medicine that ends."""
        return ReminderParts(self.database, self.real_now)

    def erasure_parts(self) -> ErasureParts:
        """What ends the erasure of an account."""
        return ErasureParts(self.database, self.vectors.indexes, self.real_now)

    def extraction_parts(self) -> ExtractionParts:
        """What lets a model read owners' messages."""
        return ExtractionParts(
            transactions=self.database,
            views=self.views,
            reader=self.fact_reader,
            real_now=self.real_now,
            tombstone_key=self.keys.tombstones,
            limits=MemoryLimits(self.settings.max_memories_a_turn),
            daily_tokens=DailyTokens(self.settings.daily_tokens_soft, self.settings.daily_tokens_hard),
            observe=self.metrics.count_not_kept,
        )

    def scheduler(self) -> AsyncIOScheduler:
        """The background work of a process; start it inside the running loop."""
        return scheduler_of(
            {
                "sync_vectors": (self.sync_vectors, SYNC_VECTORS_SECONDS),
                "move_vectors": (lambda: move_vectors(self.move_parts()), MOVE_VECTORS_SECONDS),
                "read_late": (lambda: read_late(self.extraction_parts()), READ_LATE_SECONDS),
                "push_inbox": (lambda: push_inbox(self.push_parts(), self.real_now()), PUSH_SECONDS),
                "upgrade_memory": (lambda: upgrade_due(self.upgrade_parts(), self.real_now()), UPGRADE_SECONDS),
                "summarize_talks": (
                    lambda: summarize_talks(self.settling_parts(), self.real_now()),
                    SUMMARIZE_TALKS_SECONDS,
                ),
                "consolidate": (lambda: consolidate(self.consolidate_parts()), CONSOLIDATE_SECONDS),
                "look_at_photos": (lambda: look_at_photos(self.photo_parts()), PHOTO_SECONDS),
                "judge_words": (lambda: judge_words(self.word_parts()), WORDS_SECONDS),
                "wechat_events": (lambda: work_off_events(self.event_parts()), EVENT_SECONDS),
                "send_reminders": (
                    lambda: send_reminders(self.reminder_parts(), self.real_now()),
                    REMINDERS_SECONDS,
                ),
                "finish_erasures": (lambda: finish_erasures(self.erasure_parts()), ERASURE_SECONDS),
                "forget_deleted": (self._forget_deleted, FORGET_SECONDS),
                "follow_up": (lambda: follow_up(FollowUpParts(self.database, self.real_now)), FOLLOW_UP_SECONDS),
                "retention": (
                    lambda: forget_old(RetentionParts(self.database, self.real_now, kept_of(self.settings))),
                    RETENTION_SECONDS,
                ),
                "purge": (lambda: purge(self.purge_parts()), PURGE_SECONDS),
                "checkpoint": (self.database.checkpoint, CHECKPOINT_SECONDS),
            }
        )

    def _word_keeper(self) -> WordKeeper:
        return WordKeeper(self.keys.words, self.settings.wechat_appid)

    async def sync_vectors(self) -> None:
        """Bring both collections in line with what has changed."""
        await self.follow_vectors()
        await sync_vectors(self.vector_parts())
        if (beside := self.vectors.beside_parts(self.real_now)) is not None:
            await sync_vectors(beside)

    async def _forget_deleted(self) -> None:
        for index in self.vectors.indexes:
            await index.forget_deleted()

    def recall_stores(self) -> RecallStores:
        """Where a question looks that begins now."""
        return RecallStores(
            keywords=SqlKeywordSource(self.database),
            items=SqlLiveItems(self.database),
            embedder=self.embedder,
            vectors=self.vector_index,
        )

    def _turn_parts(self) -> TurnParts:
        if self._recall is None:
            deadline_s = self.settings.recall_deadline_ms / 1000
            self._recall = TurnRecall(
                self.recall_stores(),
                self.database,
                deadline_s,
                self.settings.max_injected,
                daily_tokens=DailyTokens(self.settings.daily_tokens_soft, self.settings.daily_tokens_hard),
            )
        self._recall.use(self.recall_stores(), asks_consent=self.vectors.asks_consent)
        return TurnParts(
            transactions=self.database,
            views=self.views,
            recall=self._recall,
            events=EventWriter(self.database),
            assistant=OfflineAssistant(),
            turn_key=self.keys.turns,
            tombstone_key=self.keys.tombstones,
            real_now=self.real_now,
            limits=MemoryLimits(self.settings.max_memories_a_turn),
            model=self.model,
            model_seconds=self.settings.model_deadline_seconds,
            ai_producer=self.settings.ai_producer,
            daily_tokens=DailyTokens(self.settings.daily_tokens_soft, self.settings.daily_tokens_hard),
            moderator=self.moderator,
            extraction=self.extraction_parts(),
        )


@asynccontextmanager
async def open_container(settings: Settings) -> AsyncIterator[Container]:
    """Open everything, and close it in the opposite order.

    SQLite is brought to the newest version at once; PostgreSQL waits for `pawsignal migrate`. Raises
    DatabaseUnavailable, IndexLocked.
    """
    async with AsyncExitStack() as stack:
        database = open_database(settings.sql_url)
        stack.push_async_callback(database.close)
        await (database.migrate() if database.dialect == "sqlite" else database.check())
        metrics = Metrics()
        container = Container(
            settings=settings,
            database=database,
            metrics=metrics,
            vectors=VectorStores(settings, metrics, database),
            keys=load_keys(settings),
            options=options_of(settings),
            rate_limits=RateLimits(settings.requests_a_minute),
            templates=templates_of(settings.wechat_templates, production=settings.env == "production"),
        )
        _open_wechat(container, stack)
        await _open_model(container, stack)
        stack.push_async_callback(container.vectors.close)
        await container.vectors.start(container.real_now())
        container.use_vectors()
        await asyncio.to_thread(_warm_up)
        yield container


def _warm_up() -> None:
    """Load every word list and table that a turn uses, so that the first owner does not wait for it."""
    load_knowledge()
    said, now = "豆豆对鸡肉过敏，昨天吐了两次，能吃三文鱼吗", datetime(2026, 1, 1, tzinfo=UTC)
    pets = (PetProfile("warm-up", "豆豆", "dog"),)
    prepare()
    triage(said, pets)
    extract(Utterance(said, now, pets))
    read_question(said, now)
    reply = respond(TurnContext(now, said, cards=(PetCard(pets[0]),)))
    review("".join(sentence.text for sentence in reply), facts_from_lines((), pets), said)


def _open_wechat(container: Container, stack: AsyncExitStack) -> None:
    """Sign-in, pushes and the check of contents, when an app is configured."""
    settings = container.settings
    secret = settings.wechat_secret.get_secret_value()
    if not settings.wechat_appid or not secret:
        return
    wire = WeChatWire(settings.wechat_api_base, observe=container.metrics.count_wechat)
    stack.push_async_callback(wire.close)
    wechat = WeChatHttp(
        settings.wechat_appid, secret, wire, container.database, container.keys, lambda: container.real_now()
    )
    wechat.env_version = settings.wechat_env_version
    container.wechat = wechat
    container.moderator = Moderator(wechat, settings.wechat_appid, container.keys.open_identity)


async def _open_model(container: Container, stack: AsyncExitStack) -> None:
    """The model that answers, and the small one that does the chores, when one is configured."""
    if not container.settings.has_model:
        return
    from app.models import (
        OpenAIAssistant,
        OpenAIFactReader,
        OpenAIWriters,
        open_model_client,
    )  # a second of import, here only

    replies, chores = (open_model_client(container.settings, container.metrics) for _ in range(2))  # breakers apart
    stack.push_async_callback(replies.close)
    stack.push_async_callback(chores.close)
    container.model = OpenAIAssistant(replies)
    container.fact_reader = OpenAIFactReader(chores)
    budget = DailyTokens(container.settings.daily_tokens_soft, container.settings.daily_tokens_hard)
    container.writers = OpenAIWriters(chores, container.database, budget)
