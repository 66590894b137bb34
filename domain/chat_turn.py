"""One chat turn: take the message exactly once, warn, recall, remember, answer, and survive whatever happens.

Read, think, write: the message is stored in one short transaction; recall, extraction and the assistant run with none
open (`turn_run`); what was learned is written in another; the answer in the last. A turn is a task of its own, so it
finishes and is stored when the phone goes away, and anybody may follow its events, from here or from the table.
"""

import asyncio
import hashlib
import hmac
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Literal

from domain import turn_store
from domain.errors import UnknownPet
from domain.pet_profiles import SaidBefore
from domain.running_turn import Run, TurnParts, TurnRequest, remembers
from domain.turn_alerts import alerts_of, retold
from domain.turn_answer import alert_data, answer_data
from domain.turn_feed import TERMINAL, Feed, Feeds
from domain.turn_run import message_of, run_turn
from domain.turn_store import Event, NewTurn, TurnRow
from domain.turns import TURN_LEASE
from memory.messages import add_message, open_conversation, recent_messages
from memory.prepared import Quick
from memory.scope import Scope

POLL_SECONDS = 0.25  # between looks into the table when a turn runs on another replica
WATCH_SECONDS = 1.0  # between looks for turns that another replica was asked to stop
FEW_TURNS = 2  # under way, while a processor is free for a head start; beyond that it only takes turns with the others
MAX_TEMPORARY = 200  # temporary turns whose answers are kept in this process's memory, and nowhere else


TEMPORARY_GONE: dict[str, Any] = {
    "code": "temporary_answer_gone",
    "detail": "临时聊天的回答不会保存，请重新说一次",
    "retryable": False,
}
"""Why a temporary turn has no answer any more: it was kept by the process that gave it, and nowhere else."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A finished temporary turn: its events and its answer live here only."""

    events: list[Event]
    answer: dict[str, Any]


class ChatTurns:
    """All turns of this process."""

    def __init__(self, parts: TurnParts) -> None:
        self._parts = parts
        self._feeds = Feeds()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._watcher: asyncio.Task[None] | None = None
        self._temporary: OrderedDict[str, _Kept] = OrderedDict()

    async def start(self, scope: Scope, request: TurnRequest) -> str:
        """Take the message and begin its turn, or find the turn it already has. Returns the turn's id.

        Raises UnknownPet, TurnTextChanged, TurnInProgress.
        """
        view = await self._parts.views.view(self._parts.transactions, scope)
        has_room = len(self._tasks) < FEW_TURNS and remembers(request, view)
        embedded = await self._parts.recall.begin(request.text) if has_room else None
        async with self._parts.transactions.quick_write() as quick:
            accepted = await turn_store.accept(quick, scope, self._new_turn(request))
            if not accepted.fresh:
                return accepted.turn_id
            if request.pet_id is not None and view.pet(request.pet_id) is None:
                raise UnknownPet()
            ids, feed = (accepted.turn_id, accepted.message_id), Feed(scope.owner_id)
            run = Run(scope, request, *ids, feed, view, accepted.lease_until, embedded)
            await _open(quick, run, again=accepted.again)
        self._begin(run)
        return run.turn_id

    async def answer(self, scope: Scope, turn_id: str) -> dict[str, Any]:
        """The stored answer of a turn; `status` is `running` while there is none. Raises UnknownTurn."""
        async with self._parts.transactions.quick_read() as quick:
            turn = await turn_store.turn_of(quick, scope, turn_id)
        return self._answer_of(turn)

    async def follow(self, scope: Scope, turn_id: str, after: int = 0) -> AsyncIterator[Event]:
        """Events with a higher seq, as they come, up to the terminal one. Raises UnknownTurn.

        Works on any replica: what does not run here is read from the table until it ends, or its lease does.
        """
        seq, feed = after, self._feeds.get(turn_id, scope.owner_id)
        while feed is not None:
            ended = feed.ended  # before its events are read: it may end while one of them is handed out
            for event in feed.after(seq):
                seq = event[0]
                yield event
                if event[1] in TERMINAL:
                    return
            if ended:
                break
            await feed.changed(POLL_SECONDS)
        async for event in self._follow_table(scope, turn_id, seq):
            yield event

    async def wait(self, scope: Scope, turn_id: str) -> dict[str, Any]:
        """Wait until a turn has ended and answer it. Raises UnknownTurn."""
        async for _, name, data in self.follow(scope, turn_id):
            if name == "done":
                return data
        return await self.answer(scope, turn_id)

    async def cancel(self, scope: Scope, turn_id: str) -> dict[str, Any]:
        """Stop a running turn; what was said so far is kept. A finished one stays as it is. Raises UnknownTurn."""
        async with self._parts.transactions.quick_write() as quick:
            await turn_store.turn_of(quick, scope, turn_id)
            await turn_store.request_cancel(quick, turn_id)
        task = self._tasks.get(turn_id)
        if task is not None:
            _stop(task)
            await asyncio.wait([task])
        return await self.answer(scope, turn_id)

    @property
    def still_reading(self) -> frozenset["asyncio.Task[None]"]:
        """Readings of a model that have outlived their turns' replies."""
        return frozenset(self._parts.still_reading)

    async def recover(self, *, only_process: bool) -> int:
        """At start: turns of a process that died become failed, so that they can be sent again."""
        async with self._parts.transactions.quick_write() as quick:
            if only_process:
                return await turn_store.interrupt_all(quick)
            return await turn_store.interrupt_expired(quick, self._parts.real_now())

    async def close(self) -> None:
        """Let running turns finish; what is still read beside them is read again from the outbox."""
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=TURN_LEASE.total_seconds())
        for task in self.still_reading:
            task.cancel()
        if self.still_reading:
            await asyncio.wait(self.still_reading)
        if self._watcher is not None:
            self._watcher.cancel()

    def _begin(self, run: Run) -> None:
        """Run the turn as a task of its own. A run of the same turn that outlived its lease is stopped."""
        outlived = self._tasks.get(run.turn_id)
        if outlived is not None:
            _stop(outlived)
        self._feeds.open(run.turn_id, run.feed)
        run.publish()
        task = asyncio.create_task(run_turn(run, self._parts), name=f"turn {run.turn_id}")
        self._tasks[run.turn_id] = task
        task.add_done_callback(lambda ended: self._close(run, ended))
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.create_task(self._watch(), name="stopped turns")

    async def _watch(self) -> None:
        """While turns run here, stop those that another replica was asked to stop."""
        while self._tasks:
            await asyncio.sleep(WATCH_SECONDS)
            if self._tasks:
                async with self._parts.transactions.quick_read() as quick:
                    unwanted = await turn_store.cancel_requested(quick)
                for turn_id in unwanted:
                    if turn_id in self._tasks:
                        _stop(self._tasks[turn_id])

    def _new_turn(self, request: TurnRequest) -> NewTurn:
        body = f"{request.text}\x00{request.pet_id}\x00{request.temporary}".encode()
        return NewTurn(
            client_msg_id=request.client_msg_id,
            body_hash=hmac.new(self._parts.turn_key, body, hashlib.sha256).hexdigest(),
            temporary=request.temporary,
            now=request.now,
            real_now=self._parts.real_now(),
        )

    async def _follow_table(self, scope: Scope, turn_id: str, after: int) -> AsyncIterator[Event]:
        """The stored events, looked for again until the turn has ended."""
        seq, ended = after, False
        while True:
            async with self._parts.transactions.quick_read() as quick:
                stored = await turn_store.events_after(quick, turn_id, seq)
                turn = await turn_store.turn_of(quick, scope, turn_id)  # after its events: `done` finds the answer
            kept, answer = self._temporary.get(turn_id), self._answer_of(turn)
            if kept is not None:
                stored = [event for event in kept.events if event[0] > seq]
            for number, name, data in stored:
                seq = number
                yield number, name, answer if name == "done" else data
                if name in TERMINAL:
                    return
            if ended:  # and its last events were looked for once more
                yield _end_of(seq, answer)
                return
            ended = answer["status"] != "running"
            if not ended:
                await asyncio.sleep(POLL_SECONDS)

    def _answer_of(self, turn: TurnRow) -> dict[str, Any]:
        """The answer of a turn as of now: what outlived its lease, or was kept nowhere, is a failed one."""
        answer = answer_data(turn, self._parts.ai_producer)
        kept = self._temporary.get(turn.id)
        if kept is not None:
            return {**answer, **kept.answer}
        if answer["status"] == "running" and turn.lease_until < self._parts.real_now():
            return {**answer, "status": "failed", **turn_store.INTERRUPTED}
        if answer["status"] == "done" and turn.temporary:
            return {**answer, "status": "failed", **TEMPORARY_GONE}
        return answer

    def _close(self, run: Run, task: "asyncio.Task[None]") -> None:
        if self._tasks.get(run.turn_id) is not task:  # the turn is run again meanwhile
            run.feed.end()
            return
        del self._tasks[run.turn_id]
        if run.request.temporary and run.stored is not None:
            self._temporary[run.turn_id] = _Kept(list(run.feed.events), run.stored)
            if len(self._temporary) > MAX_TEMPORARY:
                self._temporary.popitem(last=False)
        self._feeds.close(run.turn_id)


def _stop(task: "asyncio.Task[None]") -> None:
    """Cancel once: a second one would cut off the storing of what was said so far."""
    if not task.cancelling():
        task.cancel()


def _end_of(seq: int, answer: dict[str, Any]) -> Event:
    """The last event for somebody who has heard all the others."""
    if answer["status"] == "done":
        return seq, "done", answer
    return seq + 1, "error", {name: answer.get(name, value) for name, value in turn_store.INTERRUPTED.items()}


async def _open(quick: Quick, run: Run, *, again: bool) -> None:
    """Store the owner's message and what must be said before anything else."""
    if not run.request.temporary:
        await _append_message(quick, run, again=again)
    request = run.request
    told = retold(request.text, run.history, run.view.profiles) or request.text
    run.answer.alerts = alerts_of(told, run.view, run.scope, request.now, request.pet_id)
    run.tell("turn", {"turn_id": run.turn_id, "ai_generated": True})
    for alert in run.answer.alerts:
        run.tell("alert", alert_data(alert))
    if not run.request.temporary:
        await turn_store.add_events(quick, [(run.turn_id, event) for event in run.waiting])


async def _append_message(quick: Quick, run: Run, *, again: bool) -> None:
    """Put the owner's message into the log; a turn that is run again finds it there."""
    run.conversation_id, run.since_last = await open_conversation(quick, run.scope, run.request.now)
    earlier = await recent_messages(quick, run.scope, run.conversation_id)
    run.history = [
        SaidBefore(_role(one.role), one.text, one.said_at, one.place) for one in earlier if one.id != run.message_id
    ]
    if not again:
        await add_message(quick, message_of(run, run.message_id, "user", run.request.text))


def _role(word: str) -> Literal["user", "assistant"]:
    return "assistant" if word == "assistant" else "user"
