"""Questions only the owner can settle: old fact, new statement, and three answers."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ForeignKey, Index, text
from sqlmodel import Field, SQLModel

from memory.sqltypes import Json, UtcDateTime, new_id
from memory.vocabulary import ConfirmationStatus

LAPSE_AFTER = timedelta(days=14)  # unanswered that long, a question ends and the old fact stays


class Confirmation(SQLModel, table=True):
    """One question. At most one is open for a slot of a subject (`ux_confirmations_open`)."""

    __tablename__ = "confirmations"
    __table_args__ = (
        Index("ix_confirmations_household", "household_id", "status"),
        Index(
            "ux_confirmations_open",
            "household_id",
            "subject",
            "attribute",
            unique=True,
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
    )

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str  # whose words raised it
    subject: str
    attribute: str
    kind: str
    status: str = ConfirmationStatus.PENDING.value
    old: dict[str, Any] | None = Field(
        default=None, sa_type=Json
    )  # {memory_id, content, value, record_kind, record_id}
    new: dict[str, Any] = Field(sa_type=Json)  # {memory_id, content, value, negated}
    question: str
    candidate_id: str  # the memory item that holds the new statement
    established_id: str | None = None  # the memory item that holds what is served now
    created_at: datetime = Field(sa_type=UtcDateTime)
    lapses_at: datetime = Field(sa_type=UtcDateTime)
    asked_again_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    answered_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    answered_by: str | None = None
    answer: str | None = None
    version: int = 1
