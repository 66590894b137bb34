"""Uses of a memory by its owner: cited by a reply, opened, returned by a search. Being injected is no signal."""

from datetime import date, datetime

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlmodel import Field, SQLModel

from memory.sqltypes import UtcDateTime, new_id


class Signal(SQLModel, table=True):
    """One counted use. `once_key` makes it count once: the turn for `cited`, the local day for the others."""

    __tablename__ = "signals"
    __table_args__ = (UniqueConstraint("item_id", "kind", "once_key"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    item_id: str = Field(sa_column_args=[ForeignKey("memory_items.id", ondelete="CASCADE")])
    kind: str
    once_key: str
    local_on: date
    at: datetime = Field(sa_type=UtcDateTime)
