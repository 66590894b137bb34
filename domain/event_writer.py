"""Stores what running turns have told so far, those that tell something at the same moment in one transaction.

Two hundred streams tell a sentence five times a second each; on SQLite a commit costs more than the rows in it. So a
write begins `WRITE_EVERY_S` after the one before: a turn alone never waits for that, because a turn's own sentences are
farther apart (`sentence_batches`), and of two hundred turns ten share a commit.
"""

import asyncio
from dataclasses import dataclass

from domain.errors import UnknownTurn
from domain.running_turn import Run
from domain.turn_store import add_events, is_held
from domain.whole_writes import whole
from memory.transactions import Transactions

WRITE_EVERY_S = 0.01  # nobody sees a sentence come later by that


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """A run that has told something. stored: done once its followers may hear it."""

    run: Run
    stored: "asyncio.Future[None]"


class EventWriter:
    """All turns of a process share one; nobody waits for more than the turns that are ready with theirs."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._told: list[_Told] = []
        self._writing: set[asyncio.Task[None]] = set()
        self._earliest = 0.0  # the event loop's time of the next write

    async def store(self, run: Run) -> None:
        """Store the run's waiting events, then publish them. Raises UnknownTurn when the run has lost its turn."""
        if not self._told:
            task = asyncio.create_task(self._write())
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)
        told = _Told(run, asyncio.get_running_loop().create_future())
        self._told.append(told)
        await whole(told.stored)

    async def _write(self) -> None:
        taken: list[_Told] = []
        held: list[_Told] = []
        try:
            await self._gather()
            async with self._transactions.quick_write() as quick:
                taken, self._told = self._told, []
                held = [told for told in taken if await is_held(quick, told.run.turn_id, told.run.lease_until)]
                kept = [told.run for told in held if not told.run.request.temporary]
                await add_events(quick, [(run.turn_id, event) for run in kept for event in run.waiting])
        except BaseException as error:
            if not taken:
                taken, self._told = self._told, []
            for told in taken:
                told.stored.set_exception(error if isinstance(error, Exception) else UnknownTurn())
            if not isinstance(error, Exception):
                raise
            return
        for told in taken:
            if told not in held:
                told.stored.set_exception(UnknownTurn())
                continue
            told.run.publish()
            told.stored.set_result(None)

    async def _gather(self) -> None:
        """Wait for others, where something was written a moment ago."""
        clock = asyncio.get_running_loop().time
        if (wait := self._earliest - clock()) > 0:
            await asyncio.sleep(wait)
        self._earliest = clock() + WRITE_EVERY_S
