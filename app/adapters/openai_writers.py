"""The small model's chores: one owner's words in one call, with their leave.

Implements `domain.model_chores.Writers`, and with it the ports of conversations, archives, cards and nights. What comes
back is a proposal: the floors below keep it only when it is grounded.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel

from app.adapters.model_client import ModelClient
from app.adapters.model_requests import ModelRequest
from app.adapters.structured_answers import ask_structured
from app.adapters.writer_prompts import (
    Judged,
    Messages,
    Shorter,
    Written,
    WrittenArchive,
    archive_messages,
    condense_messages,
    judge_messages,
    sentence_messages,
)
from domain.model_chores import Leave, NotAsked
from domain.model_faults import ModelFault
from domain.talk_summaries import Talk
from domain.token_use import DailyTokens, Purpose
from memory.archives import Entry
from memory.consolidation.answers_of_models import Pair, UnusableAnswer, Verdicts
from memory.scope import Scope
from memory.transactions import Transactions

CALL_SECONDS = 20.0  # of one call with its repair round; nobody waits, but leases run
MOST_ANSWER_TOKENS = 500  # a sentence of 110 characters, in JSON, with room to spare
MOST_ARCHIVE_TOKENS = 900  # 300 characters
MOST_CARD_TOKENS = 2500  # twenty lines of a card of 1,500 characters
MOST_VERDICT_TOKENS = 1000  # forty pairs, a number and a word each

Wanted = TypeVar("Wanted", bound=BaseModel)


class OpenAIWriters:
    """The writers of every owner."""

    def __init__(self, client: ModelClient, transactions: Transactions, daily_tokens: DailyTokens) -> None:
        self._client, self._transactions, self._daily_tokens = client, transactions, daily_tokens

    def of(self, scope: Scope, now: datetime) -> "OwnerWriter":
        """The writer of one owner at this time of the domain's clock."""
        return OwnerWriter(self._client, Leave(self._transactions, scope, now, self._daily_tokens))

    async def hand_for(self, scope: Scope, now: datetime) -> "OwnerWriter | None":
        """The same with leave; None without."""
        hand = self.of(scope, now)
        return hand if await hand.may_be_asked() else None

    async def sentence(self, talk: Talk) -> str:
        """A sentence for a conversation. Raises NotAsked, ModelAway, BadAnswer."""
        if talk.scope is None:
            raise NotAsked("nobody's talk")
        return await self.of(talk.scope, talk.ended_at).sentence(talk)


class OwnerWriter:
    """One owner's writer. Every call raises NotAsked without leave, else ModelAway or BadAnswer."""

    def __init__(self, client: ModelClient, leave: Leave) -> None:
        self._client, self._leave = client, leave

    async def sentence(self, talk: Talk) -> str:
        """What was said in a conversation."""
        return (await self._ask("summarise", sentence_messages(talk), Written, MOST_ANSWER_TOKENS)).text

    async def write(self, name: str, label: str, entries: Sequence[Entry]) -> str:
        """The summary of an archive."""
        asked = archive_messages(name, label, entries)
        return (await self._ask("summarise", asked, WrittenArchive, MOST_ARCHIVE_TOKENS)).text

    async def condense(self, lines: Mapping[str, str]) -> Mapping[str, str]:
        """Shorter wordings by id; a number that was not shown is passed over."""
        ids = list(lines)
        answer = await self._ask("condense", condense_messages(lines.values()), Shorter, MOST_CARD_TOKENS)
        return {ids[one.line]: one.text for one in answer.lines if 0 <= one.line < len(ids)}

    async def judge(self, pairs: Sequence[Pair]) -> Verdicts:
        """Which pairs are one thing. Raises UnusableAnswer for a number that was not shown, and for two opinions."""
        answer = await self._ask("judge", judge_messages(pairs), Judged, MOST_VERDICT_TOKENS)
        said = {one.pair: one.same for one in answer.pairs}
        if len(said) != len(answer.pairs) or not set(said) <= set(range(len(pairs))):
            raise UnusableAnswer("unknown pair")
        return {(pairs[place][0].id, pairs[place][1].id): same for place, same in said.items()}

    async def may_be_asked(self) -> bool:
        """Whether the owner agreed and the day's budget is not used up."""
        try:
            await self._leave.check()
        except NotAsked:
            return False
        return True

    async def _ask(self, purpose: Purpose, messages: Messages, wanted: type[Wanted], most_tokens: int) -> Wanted:
        await self._leave.check()
        request = ModelRequest(purpose, messages, most_tokens, temperature=0.0)
        until = asyncio.get_running_loop().time() + CALL_SECONDS
        try:
            answer = await ask_structured(self._client, request, wanted, until)
        except ModelFault as fault:
            await self._leave.note(purpose, fault.spent)
            raise
        await self._leave.note(purpose, {answer.model: answer.tokens})
        return answer.value
