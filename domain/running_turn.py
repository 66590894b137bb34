"""One running turn as plain state: what was asked, what it works with, what it has produced so far."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from domain.active_recall import ActiveRecall
from domain.ai_labels import PRODUCER
from domain.assistant import Assistant, ModelAssistant
from domain.carried_questions import carried
from domain.household_view import HouseholdView, HouseholdViews
from domain.late_extraction import ExtractionParts
from domain.moderation import Moderator
from domain.pet_profiles import SaidBefore
from domain.remembering import LIMITS, Limits
from domain.token_use import DAILY_TOKENS, DailyTokens, Tokens
from domain.turn_answer import TurnAnswer
from domain.turn_context import TurnContext
from domain.turn_feed import Feed
from domain.turn_hands import TurnHands
from domain.turn_store import Event
from memory.prepared import Quick
from memory.recall import Embedding
from memory.scope import Scope
from memory.transactions import Transactions

LONG_TERM_MEMORY = "long_term_memory"
MODEL_SECONDS = 45.0  # for the whole of a model's answer; half of the turn's lease


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One message from a phone. `now` is domain time, aware UTC."""

    text: str
    client_msg_id: str
    now: datetime
    pet_id: str | None = None
    temporary: bool = False


class StoresEvents(Protocol):
    """`domain.event_writer.EventWriter`."""

    async def store(self, run: "Run") -> None:
        """Store the run's waiting events, then publish them. Raises UnknownTurn when the run has lost its turn."""
        ...


@dataclass(frozen=True, slots=True)
class TurnParts:
    """What a turn works with; the container chooses the real ones."""

    transactions: Transactions
    views: HouseholdViews
    recall: ActiveRecall
    events: StoresEvents
    assistant: Assistant
    turn_key: bytes  # for the hash by which a repeated message is known
    tombstone_key: bytes  # for the hashes of what was deleted
    real_now: Callable[[], datetime]
    limits: Limits = LIMITS
    model: ModelAssistant | None = None  # None: basic mode
    model_seconds: float = MODEL_SECONDS
    ai_producer: str = PRODUCER  # who answers for generated words
    daily_tokens: DailyTokens = DAILY_TOKENS
    moderator: Moderator | None = None  # None: nobody judges what is said
    extraction: ExtractionParts | None = None  # None: rules alone read what owners write
    still_reading: set["asyncio.Task[None]"] = field(default_factory=set)  # calls that outlived their replies


def remembers(request: TurnRequest, view: HouseholdView) -> bool:
    """Whether such a turn may read and write long-term memory."""
    return not request.temporary and LONG_TERM_MEMORY in view.consents


@dataclass(slots=True, eq=False)
class Run:
    """One running turn: what was accepted, and the events it has produced so far."""

    scope: Scope
    request: TurnRequest
    turn_id: str
    message_id: str
    feed: Feed
    view: HouseholdView
    lease_until: datetime
    embedded: Embedding | None = None  # of the message's text, begun before it was stored
    conversation_id: str | None = None
    history: Sequence[SaidBefore] = ()
    asked: tuple[SaidBefore, ...] = ()  # what stood in the inbox before the talk, where the message answers it
    since_last: timedelta | None = None
    answer: TurnAnswer = field(default_factory=TurnAnswer)
    arranged: tuple[str, ...] = ()  # what became of a request about plans, or to forget, in sentences
    forgets: bool = False  # it was a request to forget
    followed: tuple[str, ...] = ()  # what is said about follow-ups
    context: TurnContext | None = None
    hands: TurnHands | None = None
    read_tokens: dict[str, Tokens] = field(default_factory=dict)  # of the model that read the message, by model
    embed_tokens: dict[str, Tokens] = field(default_factory=dict)  # of an endpoint's embedder, by model
    on_end: list[Callable[[Quick], Awaitable[None]]] = field(default_factory=list)  # written with the answer
    stored: dict[str, Any] | None = None  # the answer as it was stored; for a temporary turn the only copy
    waiting: list[Event] = field(default_factory=list)  # produced, not stored yet
    seq: int = 0
    over: bool = False  # the end is stored and told
    _whole: str | None = None

    @property
    def remembers(self) -> bool:
        """Whether this turn may read and write long-term memory."""
        return remembers(self.request, self.view)

    @property
    def whole_text(self) -> str:
        """The message as a whole question: 咪咪呢 asks again what was asked of another pet."""
        if self._whole is None:  # the talk before it does not change while the turn runs
            self._whole = carried(
                self.request.text, self.history, self.view.profiles, self.scope.local(self.request.now)
            )
        return self._whole

    def tell(self, event: str, data: dict[str, Any]) -> None:
        """Produce the next event; it is published once it has been stored."""
        self.seq += 1
        self.waiting.append((self.seq, event, {"seq": self.seq, **data} if event == "delta" else data))

    def let_go(self) -> None:
        """Drop what knows the run in its turn, or each turn would stay in memory until cycles are collected."""
        self.on_end.clear()
        self.hands = None

    def publish(self) -> None:
        """Show the followers what has been stored; `done` carries the whole answer."""
        events, self.waiting = self.waiting, []
        self.feed.publish([(seq, name, self.stored or data if name == "done" else data) for seq, name, data in events])
