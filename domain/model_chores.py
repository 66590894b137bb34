"""A model's chores for one owner: whether it may be asked, and what it cost.

Nothing leaves without the owner's consents or over the day's budget; then the rules do the work.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.owners import has_consent
from domain.talk_summaries import Talk
from domain.token_use import DAILY_TOKENS, DailyTokens, Purpose, Tokens, note_tokens, tokens_of_day
from memory.archives import Entry
from memory.consolidation.answers_of_models import Pair, Verdicts
from memory.scope import Scope
from memory.transactions import Transactions

NEEDED = ("long_term_memory", "model_provider")


class Hand(Protocol):
    """A model's hand for one owner. What it gives is a proposal. Every call raises NotAsked without leave, else
    ModelFault."""

    async def write(self, name: str, label: str, entries: Sequence[Entry]) -> str:
        """The summary of an archive: `label` is the topic's, `name` the pet's."""
        ...

    async def condense(self, lines: Mapping[str, str]) -> Mapping[str, str]:
        """Shorter wordings by id, for some or all of these lines."""
        ...

    async def judge(self, pairs: Sequence[Pair]) -> Verdicts:
        """Of each pair whether both lines state the same."""
        ...


class Writers(Protocol):
    """A model's hands for any owner."""

    async def sentence(self, talk: Talk) -> str:
        """A sentence for a conversation. Raises NotAsked, ModelFault."""
        ...

    async def hand_for(self, scope: Scope, now: datetime) -> Hand | None:
        """The hand for one owner at this domain time; None while it may not be asked, then the rules do it all."""
        ...


class NotAsked(Exception):
    """This owner's words may not be shown to a model now; the rules do it. The message is the reason."""


@dataclass(frozen=True, slots=True)
class Leave:
    """One owner's leave to ask a model. now: domain time, to whose local day the cost is counted."""

    transactions: Transactions
    scope: Scope
    now: datetime
    daily_tokens: DailyTokens = DAILY_TOKENS

    async def check(self) -> None:
        """Raises NotAsked without consent, and when the owner's day has cost what it may."""
        async with self.transactions.read() as session:
            if not all([await has_consent(session, self.scope.owner_id, one) for one in NEEDED]):
                raise NotAsked("consent")
        async with self.transactions.quick_read() as quick:
            used = await tokens_of_day(quick, self.scope, self.now)
        if used.total >= self.daily_tokens.hard:
            raise NotAsked("budget")

    async def note(self, purpose: Purpose, used: Mapping[str, Tokens]) -> None:
        """Store what answers cost, by model."""
        if not used:
            return
        async with self.transactions.quick_write() as quick:
            await note_tokens(quick, self.scope, purpose, used, self.now)
