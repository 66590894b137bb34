"""Stored memories: the item as it is now, every version it had, and the evidence it stands on.

An item is one line about one subject. Lines that mirror a record carry `record_kind` and `record_id` and are never
edited here. Two clocks: `valid_from/valid_to` in the world, `learned_at/retired_at` in the system.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, text
from sqlmodel import Field, SQLModel

from memory.sqltypes import Json, UtcDateTime, new_id
from memory.table_rows import TableRow
from memory.vocabulary import Certainty, Kind, MemoryStatus, MemoryType, Precision, Source, Tier, Upgrade

RECURRING = """memory_items.value LIKE '%"recurrence"%'"""
"""SQL for lines that repeat ("每周三不吃碳水"); the partial index of the same words makes it cheap."""

REVIEWED = "review_at IS NOT NULL"


class MemoryItem(TableRow, table=True):
    """One remembered line. Enum fields hold the values of `memory.vocabulary` as plain text."""

    __tablename__ = "memory_items"
    __table_args__ = (
        Index("ix_memory_items_slot", "household_id", "subject", "attribute"),
        Index("ix_memory_items_status", "household_id", "status", "tier"),
        Index("ix_memory_items_class", "household_id", "attribute_class"),
        Index("ix_memory_items_dated", "household_id", "valid_from"),
        *(
            Index(name, *columns, sqlite_where=text(REVIEWED), postgresql_where=text(REVIEWED))
            for name, columns in (
                ("ix_memory_items_due", ("review_at", "owner_id")),  # whose night it is
                ("ix_memory_items_review", ("owner_id", "review_at")),  # what that night looks at
            )
        ),
        Index(
            "ix_memory_items_recurring",
            "household_id",
            sqlite_where=text(RECURRING.removeprefix("memory_items.")),
            postgresql_where=text(RECURRING.removeprefix("memory_items.")),
        ),
        Index(
            "ix_memory_items_temporary",
            "household_id",
            sqlite_where=text("expires_at IS NOT NULL"),
            postgresql_where=text("expires_at IS NOT NULL"),
        ),
        Index(
            "ix_memory_items_fading",
            "expires_at",
            sqlite_where=text("status = 'fading'"),
            postgresql_where=text("status = 'fading'"),
        ),
        Index(
            "ux_memory_items_record",
            "record_kind",
            "record_id",
            unique=True,
            sqlite_where=text("record_id IS NOT NULL"),
            postgresql_where=text("record_id IS NOT NULL"),
        ),
    )

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    owner_id: str  # who said or wrote it; the owner's card is per owner
    subject: str | None = None  # "owner", a pet id, or None while unassigned
    attribute: str
    attribute_class: str
    value: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    negated: bool = False
    certainty: str = Certainty.PLAIN.value
    content: str
    topic: str
    kind: str = Kind.FACT.value
    memory_type: str = MemoryType.SEMANTIC.value
    risk: str
    weight_level: int = 2
    confidence: float = 0.95
    tier: str = Tier.SHORT.value
    status: str = MemoryStatus.ACTIVE.value
    upgrade: str = Upgrade.NONE.value
    source: str = Source.CHAT.value
    locked: bool = False
    protected: bool = False  # written by the owner or kept at the owner's wish: never moves or fades on its own
    record_kind: str | None = None
    record_id: str | None = None
    supersedes: str | None = None  # the item this one replaced
    premises: list[str] | None = Field(default=None, sa_type=Json)  # item ids a belief rests on
    reason: str | None = None  # why the row is a candidate, was refused, or faded
    valid_from: datetime | None = Field(default=None, sa_type=UtcDateTime)
    valid_from_precision: str = Precision.UNKNOWN.value
    valid_to: datetime | None = Field(default=None, sa_type=UtcDateTime)
    learned_at: datetime = Field(sa_type=UtcDateTime)
    retired_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    expires_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    snoozed_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    last_evidence_at: datetime = Field(sa_type=UtcDateTime)
    last_used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    cited: int = 0
    viewed: int = 0
    hit: int = 0
    score: float | None = None  # of the last nightly upgrade
    score_parts: dict[str, float] | None = Field(default=None, sa_type=Json)  # its four parts, before their shares
    review_at: datetime | None = Field(default=None, sa_type=UtcDateTime)  # when the nightly upgrade looks at it again
    deleted_at: datetime | None = Field(default=None, sa_type=UtcDateTime)  # real time: the ten minutes of restore
    status_before: str | None = None  # what a restore goes back to
    version: int = 1


class MemoryVersion(SQLModel, table=True):
    """What an item looked like, who changed it, when and why. Version n is the state after the n-th change."""

    __tablename__ = "memory_versions"

    item_id: str = Field(primary_key=True, sa_column_args=[ForeignKey("memory_items.id", ondelete="CASCADE")])
    version: int = Field(primary_key=True)
    household_id: str
    snapshot: dict[str, Any] = Field(sa_type=Json)  # content, value, status, tier, subject, topic, locked
    changed_by: str  # owner id, "system" or "vet"
    reason: str
    at: datetime = Field(sa_type=UtcDateTime)


class EvidenceRow(TableRow, table=True):
    """The owner's or vet's own words behind an item or a record; `said_at` is domain time."""

    __tablename__ = "evidence"
    __table_args__ = (
        Index("ix_evidence_target", "target_kind", "target_id"),
        Index("ix_evidence_message", "message_id"),
    )

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    target_kind: str  # "memory" or a record kind
    target_id: str
    message_id: str | None = None
    conversation_id: str | None = None
    quote: str
    said_at: datetime = Field(sa_type=UtcDateTime)
    source: str = Source.CHAT.value
    verified: bool = False
    by: str  # owner id or the name a vet gave
    outcome: str | None = None  # what became of the statement, so that the same message read again answers the same
    reason: str | None = None
    counts: bool = True  # False: a trace only (a question, the machine's words), never a source for a change
