"""What every kind of clinical record has in common: columns, and the parts of its input."""

from datetime import UTC, date, datetime
from typing import Annotated, Self

from pydantic import AfterValidator, model_validator
from sqlmodel import Field, SQLModel

from memory.sqltypes import UtcDateTime, new_id
from memory.table_rows import TableRow
from memory.vocabulary import Source

MAX_WORDS = 200  # characters of a short field
MAX_NOTE = 1000  # characters of a note
EARLIEST_YEAR, LATEST_YEAR = 1970, 2100  # the oldest parrots and tortoises, and no typing error


def _utc(name: str, value: datetime) -> datetime:
    if value.tzinfo is None:
        raise ValueError(f"{name}：时间要带时区，例如 2026-03-01T08:00:00+08:00")
    return value.astimezone(UTC)


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("不能是空的")
    return value.strip()


Words = Annotated[str, Field(min_length=1, max_length=MAX_WORDS), AfterValidator(_not_blank)]
"""A required short text."""

OptionalWords = Annotated[str | None, Field(max_length=MAX_WORDS)]
"""An optional short text; None when not known."""


class RecordColumns(TableRow):
    """Columns of all nine record tables. `status` is active, provisional, ended, refuted or superseded."""

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, foreign_key="households.id", ondelete="CASCADE")
    pet_id: str = Field(index=True, foreign_key="pets.id", ondelete="CASCADE")
    attribute: str = Field(index=True)  # the slot it fills; see `domain.attributes`
    status: str = "active"
    source: str = Source.CHAT.value
    verified: bool = False
    recorded_at: datetime = Field(sa_type=UtcDateTime)
    recorded_by: str  # owner id, or the name a vet gave
    valid_from: datetime | None = Field(default=None, sa_type=UtcDateTime)
    valid_to: datetime | None = Field(default=None, sa_type=UtcDateTime)
    supersedes: str | None = None
    deleted_at: datetime | None = Field(default=None, sa_type=UtcDateTime)  # real time; restorable for ten minutes
    version: int = 1


class RecordFields(SQLModel):
    """Root of the input models; the note is the one field all share."""

    model_config = {"extra": "forbid", "allow_inf_nan": False}

    note: str | None = Field(default=None, max_length=MAX_NOTE)

    @model_validator(mode="after")
    def _times_are_possible(self) -> Self:
        """Instants carry an offset and are kept in UTC; every date lies in the lifetime of an animal of today."""
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, date) and not EARLIEST_YEAR <= value.year <= LATEST_YEAR:
                raise ValueError(f"{name}：年份看起来不对")
            if isinstance(value, datetime):
                object.__setattr__(self, name, _utc(name, value))
        return self
