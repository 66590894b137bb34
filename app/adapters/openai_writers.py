"""Writes summaries with the small model: one owner's words in one call, with their leave.

Implements `domain.talk_summaries.SummaryWriter`. What comes back is a
proposal: the floors below keep it only when it is grounded.
"""

import asyncio
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel

from app.adapters.model_client import ModelClient
from app.adapters.model_requests import ModelRequest
from app.adapters.structured_answers import ask_structured
from app.adapters.writer_prompts import Messages, Written, sentence_messages
from domain.model_chores import Leave, NotAsked
from domain.talk_summaries import Talk
from domain.token_use import DailyTokens, Purpose
from memory.scope import Scope
from memory.transactions import Transactions

CALL_SECONDS = 20.0  # of one call with its repair round; nobody waits, but leases run
MOST_ANSWER_TOKENS = 500  # a sentence of 110 characters, in JSON, with room to spare

Wanted = TypeVar("Wanted", bound=BaseModel)


class OpenAIWriters:
    """The writers of every owner."""

    def __init__(self, client: ModelClient, transactions: Transactions, daily_tokens: DailyTokens) -> None:
        self._client, self._transactions, self._daily_tokens = client, transactions, daily_tokens

    def of(self, scope: Scope, now: datetime) -> "OwnerWriter":
        """The writer of one owner at this time of the domain's clock."""
        return OwnerWriter(self._client, Leave(self._transactions, scope, now, self._daily_tokens))

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
        return (await self._ask("summarise", sentence_messages(talk), Written)).text

    async def _ask(self, purpose: Purpose, messages: Messages, wanted: type[Wanted]) -> Wanted:
        await self._leave.check()
        request = ModelRequest(purpose, messages, MOST_ANSWER_TOKENS, temperature=0.0)
        until = asyncio.get_running_loop().time() + CALL_SECONDS
        answer = await ask_structured(self._client, request, wanted, until)
        await self._leave.note(purpose, answer.model, answer.tokens)
        return answer.value
