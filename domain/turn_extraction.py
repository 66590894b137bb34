"""A model reads the turn's message beside the reply: what is done before the reply ends joins it, the rest comes later.

At most one call a turn. A message with words of health is read at once; others wait in the outbox for company. A call
that outlives its reply goes on by itself, and its row in the outbox takes its place should it fail.
"""

import asyncio
from datetime import timedelta

import structlog

from domain.late_extraction import (
    BATCH_WAIT,
    CALL_SECONDS,
    ExtractionParts,
    count_refused,
    keep_late,
    note_failed,
    queue_message,
)
from domain.model_claims import FactReader, FactsRead, ToRead, added_by_model, may_be_read, speaks_of_health
from domain.model_faults import ModelFault
from domain.owners import MODEL_PROVIDER
from domain.pet_profiles import Utterance
from domain.running_turn import Run, TurnParts
from domain.token_use import note_tokens, tokens_of_day
from domain.turn_writing import tell_written, write_claims
from memory.claims import Claim
from memory.prepared import Quick
from memory.vocabulary import Outcome

GRACE = timedelta(seconds=5)  # after the longest call, until its row is taken up by somebody else
HEAD_START_S = (
    0.02  # of the reply's own request, which the owner waits for: preparing this one holds it up by 2 to 5 ms
)

log = structlog.get_logger(__name__)


class TurnExtraction:
    """The model's reading of one turn's message."""

    def __init__(self, run: Run, parts: TurnParts) -> None:
        self._run, self._parts = run, parts
        self._late = parts.extraction
        self._call: asyncio.Task[FactsRead] | None = None
        self._utterance: Utterance | None = None
        self._by_rules: tuple[Claim, ...] = ()
        self._wanted = False
        self._row_id: str | None = None

    async def begin(self, utterance: Utterance, by_rules: tuple[Claim, ...]) -> None:
        """Begin the call, if the message is to be read by a model and must not wait."""
        run, late = self._run, self._late
        emergency = any(alert.level == "emergency" for alert in run.answer.alerts)
        if late is None or late.reader is None or emergency or not run.remembers:
            return
        if MODEL_PROVIDER not in run.view.consents or not may_be_read(utterance):
            return
        self._wanted, self._utterance, self._by_rules = True, utterance, by_rules
        if speaks_of_health(utterance) and not await self._is_spent_out(late):
            until = asyncio.get_running_loop().time() + CALL_SECONDS
            reading = _read_behind(late.reader, ToRead(utterance.text, utterance.pets), until)
            self._call = asyncio.create_task(reading, name=f"reading {run.turn_id}")

    async def join(self) -> None:
        """Take up what the model has read by now, through the same policy as every statement."""
        call, late = self._call, self._late
        if call is None or late is None or self._utterance is None or not call.done() or call.exception() is not None:
            return
        self._wanted = False
        read = call.result()
        added = added_by_model(read.facts[0], self._utterance, self._by_rules)
        count_refused(late.observe, added.refusals)
        self._run.read_tokens = {read.model: read.tokens}
        if added.claims:
            written = await write_claims(self._run, self._parts, added.claims)
            tell_written(self._run, [one for one in written if one.outcome is not Outcome.REFUSED])

    async def leave(self, quick: Quick) -> None:
        """With the reply's end: what is not read yet is put into the outbox, in the same transaction."""
        if not self._wanted:
            return
        call = self._call
        fault = call.exception() if call is not None and call.done() and not call.cancelled() else None
        if isinstance(fault, ModelFault):
            await note_tokens(quick, self._run.scope, "extract", fault.spent, self._run.request.now, self._run.turn_id)
        real_now = self._parts.real_now()
        running = call is not None and not call.done()
        wait = timedelta(seconds=CALL_SECONDS) + GRACE if running else BATCH_WAIT
        self._row_id = await queue_message(quick, self._run.scope, self._run.message_id, real_now + wait, real_now)

    def go_on(self) -> None:
        """After the reply was stored: a call that still runs finishes by itself."""
        call, late = self._call, self._late
        if call is None:
            return
        if self._row_id is None or late is None or call.done():
            call.cancel()  # nobody waits for it: it is over, or the turn has failed
            return
        going_on = asyncio.create_task(_finish(late, self._row_id, call), name=f"late {self._run.turn_id}")
        self._parts.still_reading.add(going_on)
        going_on.add_done_callback(self._parts.still_reading.discard)

    async def _is_spent_out(self, late: ExtractionParts) -> bool:
        async with self._parts.transactions.quick_read() as quick:
            used = await tokens_of_day(quick, self._run.scope, self._run.request.now)
        return used.total >= late.daily_tokens.hard


async def _read_behind(reader: FactReader, message: ToRead, until: float) -> FactsRead:
    """Have the message read once the reply's own request is on its way."""
    await asyncio.sleep(HEAD_START_S)
    return await reader.read([message], until)


async def _finish(late: ExtractionParts, row_id: str, call: "asyncio.Task[FactsRead]") -> None:
    """Keep what the call brings; after a fault its row comes due."""
    try:
        read = await call
    except ModelFault as fault:
        log.info("late_reading_failed", reason=fault.reason)
        await note_failed(late, row_id, fault.spent)
        return
    await keep_late(late, row_id, read.facts[0], {read.model: read.tokens})
