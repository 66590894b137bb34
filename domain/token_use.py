"""What a call to a model was for, what it cost, and what an owner's day has cost so far."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from sqlalchemy import ForeignKey, Index, bindparam, func, select
from sqlmodel import Field, SQLModel, col

from memory.prepared import Quick, Statement, by_dialect, insert_of, row_of
from memory.scope import Scope
from memory.sqltypes import UtcDateTime, new_id

Purpose = Literal["reply", "extract", "summarise", "judge", "condense"]
"""reply: answering the owner. The others are chores off the reply path."""

Counted = Purpose | Literal["embed"]


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of one or more calls. cached_tokens: the part of the prompt that the endpoint had in its cache."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
        )

    @property
    def total(self) -> int:
        return self.prompt_tokens + self.completion_tokens


class TokenUse(SQLModel, table=True):
    """Tokens of one model for one purpose, of one turn or of work that followed it. Numbers only, never a word.

    used_on: the owner's local day, by domain time.
    """

    __tablename__ = "token_uses"
    __table_args__ = (Index("ix_token_uses_owner_day", "owner_id", "used_on"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str
    turn_id: str | None = None
    purpose: str
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    used_on: date
    at: datetime = Field(sa_type=UtcDateTime)


@dataclass(frozen=True, slots=True)
class DailyTokens:
    """Steps of one owner's day: from soft on the small model answers, from hard on none does."""

    soft: int = 200_000
    hard: int = 400_000


DAILY_TOKENS = DailyTokens()

_ADD = insert_of(TokenUse)
_OF_DAY = Statement(
    select(func.sum(col(TokenUse.prompt_tokens)), func.sum(col(TokenUse.completion_tokens))).where(
        col(TokenUse.household_id) == bindparam("household"),
        col(TokenUse.owner_id) == bindparam("owner"),
        col(TokenUse.used_on) == bindparam("day"),
    )
)


async def note_tokens(
    quick: Quick, scope: Scope, purpose: Counted, used: Mapping[str, Tokens], now: datetime, turn_id: str | None = None
) -> None:
    """Store what was used, by model, in the caller's transaction. `now` is domain time."""
    fixed = {"household_id": scope.household_id, "owner_id": scope.owner_id, "turn_id": turn_id, "purpose": purpose}
    rows = [
        {
            **row_of(TokenUse, **fixed, used_on=scope.local(now).date(), at=now),
            "model": model,
            "prompt_tokens": tokens.prompt_tokens,
            "completion_tokens": tokens.completion_tokens,
            "cached_tokens": tokens.cached_tokens,
        }
        for model, tokens in used.items()
        if tokens.total
    ]
    if rows:
        await quick.run_many(by_dialect(_ADD, quick), rows)


async def tokens_of_day(quick: Quick, scope: Scope, now: datetime) -> Tokens:
    """What the owner has used on the local day of `now`, for every purpose."""
    day = scope.local(now).date()
    rows = await quick.rows(_OF_DAY, {"household": scope.household_id, "owner": scope.owner_id, "day": day})
    return Tokens(int(rows[0][0] or 0), int(rows[0][1] or 0))
