"""What WeChat thought of owners' own words that a push may carry later: names of pets, titles of plans, medicines.

WeChat judges nothing for somebody who has been away for two hours, and pushes go out to people who are away. So such
words are judged once, soon after they are written, while their owner is there; the verdict is kept for as long as the
words are. Kept are keyed hashes, never the words. All times are real time.
"""

import hmac
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from sqlalchemy import ForeignKey, UniqueConstraint, delete
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.moderation import Suggest, Verdict
from domain.owners import Owner
from memory.outbox import OutboxRow
from memory.prepared import columns_of
from memory.sqltypes import UtcDateTime, new_id

WORDS_TOPIC = "words_written"  # outbox: an owner (the key) has words that nobody may have judged yet
AT_ONCE = datetime(2000, 1, 1, tzinfo=UTC)  # before any clock, so that domain time cannot hold the work up


class WordVerdict(SQLModel, table=True):
    """The verdict on one text of one owner."""

    __tablename__ = "word_verdicts"
    __table_args__ = (UniqueConstraint("owner_id", "word_hash"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    owner_id: str = Field(sa_column_args=[ForeignKey("owners.id", ondelete="CASCADE")])
    word_hash: str
    suggest: str
    label: int
    trace_id: str
    judged_at: datetime = Field(sa_type=UtcDateTime)


@dataclass(frozen=True, slots=True)
class WordKeeper:
    """Knows whose words need a verdict: people of WeChat (`appid`). key: of the hashes, for this purpose alone."""

    key: bytes
    appid: str

    def hash_of(self, owner_id: str, word: str) -> str:
        """The same words of two owners have two hashes."""
        return hmac.new(self.key, f"{owner_id}\n{word}".encode(), sha256).hexdigest()

    async def unjudged(self, session: AsyncSession, owner: Owner, words: Collection[str]) -> list[str]:
        """Those of these words on which there is no verdict, in a fixed order."""
        known = await self._suggests(session, owner, words)
        return sorted(word for word in words if word not in known)

    async def cleared(self, session: AsyncSession, owner: Owner, words: Collection[str]) -> frozenset[str]:
        """Those of these words that may be pushed: judged, and not harmful. A doubt is no refusal."""
        if owner.appid != self.appid:
            return frozenset(words)
        known = await self._suggests(session, owner, words)
        return frozenset(word for word in words if known.get(word, Suggest.RISKY.value) != Suggest.RISKY.value)

    async def keep(self, session: AsyncSession, owner_id: str, word: str, verdict: Verdict, real_now: datetime) -> None:
        """Note a verdict; the first one stays."""
        row = WordVerdict(
            owner_id=owner_id,
            word_hash=self.hash_of(owner_id, word),
            suggest=verdict.suggest.value,
            label=verdict.label,
            trace_id=verdict.trace_id,
            judged_at=real_now,
        )
        insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
        values = {name: getattr(row, name) for name in columns_of(WordVerdict)}
        await session.exec(insert(WordVerdict).values(**values).on_conflict_do_nothing())

    async def forget_others(self, session: AsyncSession, owner_id: str, words: Collection[str]) -> None:
        """Drop verdicts on words that are not there any more."""
        kept = [self.hash_of(owner_id, word) for word in words]
        mine = col(WordVerdict.owner_id) == owner_id
        await session.exec(delete(WordVerdict).where(mine, col(WordVerdict.word_hash).not_in(kept)))

    async def _suggests(self, session: AsyncSession, owner: Owner, words: Collection[str]) -> dict[str, str]:
        by_hash = {self.hash_of(owner.id, word): word for word in words}
        query = select(col(WordVerdict.word_hash), col(WordVerdict.suggest)).where(
            col(WordVerdict.owner_id) == owner.id, col(WordVerdict.word_hash).in_(list(by_hash))
        )
        return {by_hash[word_hash]: suggest for word_hash, suggest in (await session.exec(query)).all()}


def words_written(session: AsyncSession, household_id: str, owner_id: str) -> None:
    """This owner has words that a push may carry, or has come back: let them be judged after this commit."""
    row = OutboxRow(
        household_id=household_id, topic=WORDS_TOPIC, key=owner_id, created_at=AT_ONCE, available_at=AT_ONCE
    )
    session.add(row)
