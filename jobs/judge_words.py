"""Lets WeChat judge what a push may carry later, while its owner is there."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import structlog

from domain.moderation import Moderator
from domain.owners import Owner
from domain.pushable_words import words_of
from domain.word_verdicts import WORDS_TOPIC, WordKeeper
from memory.outbox import OutboxRow, claim_due, postpone, settle
from memory.transactions import Transactions

log = structlog.get_logger(__name__)

BATCH = 20  # owners a round
MOST_ATTEMPTS = 12  # over two and a half hours; then WeChat judges nothing for an owner who has not come back


@dataclass(frozen=True, slots=True)
class WordParts:
    """What the job works with. moderator None: nobody can be asked, and nobody has to be."""

    transactions: Transactions
    moderator: Moderator | None
    keeper: WordKeeper
    real_now: Callable[[], datetime]


async def judge_words(parts: WordParts) -> int:
    """Ask about words that nobody has judged. Returns how many verdicts came. Safe to run anywhere, any time."""
    judged = 0
    async with parts.transactions.write() as session:
        rows = await claim_due(session, WORDS_TOPIC, BATCH, parts.real_now())
    for owner_id in dict.fromkeys(row.key for row in rows):
        judged += await _judge_words_of(parts, owner_id, [row for row in rows if row.key == owner_id])
    return judged


async def _judge_words_of(parts: WordParts, owner_id: str, rows: list[OutboxRow]) -> int:
    owner, unjudged = await _to_ask(parts, owner_id)
    judged = [word for word in unjudged if owner is not None and await _judge(parts, owner, word)]
    async with parts.transactions.write() as session:
        if len(judged) == len(unjudged):
            await settle(session, rows)
        elif max(row.attempts for row in rows) >= MOST_ATTEMPTS:
            log.warning("words_not_judged", words=len(unjudged) - len(judged))
            await settle(session, rows)  # signing in brings them back
        else:
            await postpone(session, rows, "not judged", parts.real_now())
    return len(judged)


async def _to_ask(parts: WordParts, owner_id: str) -> tuple[Owner | None, list[str]]:
    """The owner and the words without a verdict; verdicts on words that are gone go too."""
    async with parts.transactions.write() as session:
        owner = await session.get(Owner, owner_id)
        if owner is None or parts.moderator is None or not parts.moderator.knows(owner):
            return owner, []
        words = await words_of(session, owner)
        await parts.keeper.forget_others(session, owner_id, words)
        return owner, await parts.keeper.unjudged(session, owner, words)


async def _judge(parts: WordParts, owner: Owner, word: str) -> bool:
    verdict = await parts.moderator.judge(owner, word) if parts.moderator is not None else None
    if verdict is None:
        return False
    async with parts.transactions.write() as session:
        if await session.get(Owner, owner.id) is None:  # the account may have been erased meanwhile
            return True
        await parts.keeper.keep(session, owner.id, word, verdict, parts.real_now())
    return True
