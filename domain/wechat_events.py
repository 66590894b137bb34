"""The events that WeChat has pushed: stored as they come, worked off later, each once.

WeChat waits five seconds and sends again up to twice, so the callback only stores. What an event says is sealed (it
names people) and gone once it is worked off; its key stays for a while so that a late repetition changes nothing.
All times are real time.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Index, bindparam, delete, update
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.prepared import Quick, Statement, by_dialect, insert_of, row_of
from memory.sqltypes import UtcDateTime, new_id
from memory.transactions import Transactions

EVENT_LEASE = timedelta(seconds=60)  # a worker that died is replaced after it
RETRY_PAUSE = timedelta(seconds=20)  # doubled each time
CLAIMED = 50  # events of one claim
MOST_ATTEMPTS = 6  # over about twenty minutes; then the event is given up and told to the operator
KEPT_FOR = timedelta(days=7)  # WeChat repeats within minutes, its checks of media within half an hour


class WeChatEvent(SQLModel, table=True):
    """One event. `sealed` is what it says, None once it is worked off."""

    __tablename__ = "wechat_events"
    __table_args__ = (Index("ix_wechat_events_due", "done_at", "available_at"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    dedupe_key: str = Field(unique=True)
    kind: str
    sealed: str | None = None
    received_at: datetime = Field(sa_type=UtcDateTime)
    available_at: datetime = Field(sa_type=UtcDateTime)
    attempts: int = 0
    done_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    given_up: bool = False


_INSERT = insert_of(WeChatEvent, ignore_conflicts=True)
_THIS = col(WeChatEvent.id) == bindparam("event")
_DUE = Statement(
    select(col(WeChatEvent.id), col(WeChatEvent.kind), col(WeChatEvent.dedupe_key), col(WeChatEvent.sealed))
    .where(col(WeChatEvent.done_at).is_(None), col(WeChatEvent.available_at) <= bindparam("real_now"))
    .order_by(col(WeChatEvent.id))
    .limit(CLAIMED)
    .with_for_update(skip_locked=True)
)
_CLAIM = Statement(
    update(WeChatEvent).where(_THIS).values(available_at=bindparam("until"), attempts=col(WeChatEvent.attempts) + 1)
)
_FINISH = Statement(
    update(WeChatEvent).where(_THIS, col(WeChatEvent.done_at).is_(None)).values(sealed=None, done_at=bindparam("at"))
)


def event_row(dedupe_key: str, kind: str, sealed: str, real_now: datetime) -> dict[str, Any]:
    """An event as it is to be stored."""
    return row_of(
        WeChatEvent,
        dedupe_key=dedupe_key,
        kind=kind[:64],
        sealed=sealed,
        received_at=real_now,
        available_at=real_now,
    )


async def store_events(quick: Quick, rows: Sequence[dict[str, Any]]) -> None:
    """Keep events for the job; those that are known already change nothing."""
    await quick.run_many(by_dialect(_INSERT, quick), rows)


class EventBatches:
    """Stores events that come together in one transaction: in a storm each waits for one commit, not for all."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._waiting: list[tuple[dict[str, Any], asyncio.Future[None]]] = []
        self._storing: asyncio.Task[None] | None = None

    async def store(self, row: dict[str, Any]) -> None:
        """Return once the event is committed. Raises what the database raises."""
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((row, stored))
        if self._storing is None or self._storing.done():
            self._storing = asyncio.create_task(self._store_all())
        await stored

    async def _store_all(self) -> None:
        while self._waiting:
            batch: list[tuple[dict[str, Any], asyncio.Future[None]]] = []
            failure: Exception | None = None
            try:
                async with self._transactions.quick_write() as quick:
                    batch, self._waiting = self._waiting, []  # whoever came while we waited for the database too
                    await store_events(quick, [row for row, _ in batch])
            except Exception as error:  # told to each of those who wait
                failure = error
                if not batch:
                    batch, self._waiting = self._waiting, []
            for _, stored in batch:
                if not stored.done():
                    _tell(stored, failure)


def _tell(stored: "asyncio.Future[None]", failure: Exception | None) -> None:
    if failure is None:
        stored.set_result(None)
    else:
        stored.set_exception(failure)


class DueEvent(NamedTuple):
    """An event that somebody has claimed."""

    id: str
    kind: str
    dedupe_key: str
    sealed: str


async def claim_events(quick: Quick, real_now: datetime) -> list[DueEvent]:
    """Take up to `CLAIMED` that are due for `EVENT_LEASE`, in the order they came; two workers never take the same."""
    due = [DueEvent(*row) for row in await quick.rows(_DUE, {"real_now": real_now})]
    if due:
        await quick.run_many(_CLAIM, [{"event": event.id, "until": real_now + EVENT_LEASE} for event in due])
    return due


async def finish_events(quick: Quick, events: Sequence[DueEvent], real_now: datetime) -> None:
    """Forget what these say; they are not worked off again."""
    await quick.run_many(_FINISH, [{"event": event.id, "at": real_now} for event in events])


def finish_event(row: WeChatEvent, real_now: datetime, *, given_up: bool = False) -> None:
    """Forget what the event says; it is not worked off again."""
    row.sealed, row.done_at, row.given_up = None, real_now, given_up


def postpone_event(row: WeChatEvent, real_now: datetime) -> bool:
    """Let it come back later; False when it has come often enough and is given up."""
    if row.attempts >= MOST_ATTEMPTS:
        finish_event(row, real_now, given_up=True)
        return False
    row.available_at = real_now + RETRY_PAUSE * 2 ** (row.attempts - 1)
    return True


async def forget_old_events(session: AsyncSession, real_now: datetime) -> int:
    """Delete what no repetition can come of any more. Returns 0: all of them go at once."""
    old = col(WeChatEvent.done_at) < real_now - KEPT_FOR
    await session.exec(delete(WeChatEvent).where(old))
    return 0


async def waiting_events(session: AsyncSession) -> Sequence[str]:
    """The kinds of what is not worked off yet, oldest first."""
    query = select(WeChatEvent.kind).where(col(WeChatEvent.done_at).is_(None)).order_by(col(WeChatEvent.id))
    return (await session.exec(query)).all()
