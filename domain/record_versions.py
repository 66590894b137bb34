"""What a clinical record looked like before and after each change, who changed it and why."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey
from sqlmodel import Field, SQLModel

from memory.sqltypes import Json, UtcDateTime


class RecordVersion(SQLModel, table=True):
    """Version n is the state after the n-th change; `snapshot` holds the kind's own fields and the status."""

    __tablename__ = "record_versions"

    record_id: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    pet_id: str = Field(sa_column_args=[ForeignKey("pets.id", ondelete="CASCADE")])
    record_kind: str
    snapshot: dict[str, Any] = Field(sa_type=Json)
    changed_by: str
    reason: str
    at: datetime = Field(sa_type=UtcDateTime)
