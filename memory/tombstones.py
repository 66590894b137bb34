"""What the owner deleted, so that it is not learned again from what was said before.

A tombstone names a slot and a keyed hash of the value, never the value. Only a message said after it can teach the
thing again.
"""

import hashlib
import hmac
import json
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ForeignKey, Index, bindparam
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.scope import Scope
from memory.slot_relations import DESCRIPTIVE_KEYS, Said
from memory.sqltypes import UtcDateTime, new_id
from memory.text_folding import fold_text


class Tombstone(SQLModel, table=True):
    __tablename__ = "tombstones"
    __table_args__ = (Index("ix_tombstones_slot", "household_id", "subject", "attribute"),)

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    subject: str | None = None
    attribute: str
    value_hash: str  # HMAC-SHA256 under the service's secret
    deleted_at: datetime = Field(sa_type=UtcDateTime)  # domain time, comparable with `said_at`


def bury(
    session: AsyncSession, scope: Scope, subject: str | None, attribute: str, said: Said, secret: bytes, at: datetime
) -> Tombstone:
    """Remember that the owner deleted this at `at` (domain time). The value itself is not kept."""
    stone = Tombstone(
        household_id=scope.household_id,
        subject=subject,
        attribute=attribute,
        value_hash=value_hash(attribute, said, secret),
        deleted_at=at,
    )
    session.add(stone)
    return stone


_OF_ATTRIBUTES = select(Tombstone).where(
    col(Tombstone.household_id) == bindparam("household_id"),
    col(Tombstone.attribute).in_(bindparam("attributes", expanding=True)),
)


async def tombstones_of(session: AsyncSession, scope: Scope, attributes: Collection[str]) -> Sequence[Tombstone]:
    """The tombstones of these attributes, of every subject."""
    rows = await session.exec(
        _OF_ATTRIBUTES, params={"household_id": scope.household_id, "attributes": list(attributes)}
    )
    return rows.all()


def is_buried(
    stones: Sequence[Tombstone], subject: str | None, attribute: str, said: Said, secret: bytes, said_at: datetime
) -> bool:
    """Whether this was deleted at or after the moment it was said."""
    standing = [
        stone
        for stone in stones
        if stone.attribute == attribute and stone.subject == subject and said_at <= stone.deleted_at
    ]
    if not standing:
        return False
    found = value_hash(attribute, said, secret)
    return any(hmac.compare_digest(stone.value_hash, found) for stone in standing)


def value_hash(attribute: str, said: Said, secret: bytes) -> str:
    """A keyed hash of what was said: the value's own keys, else, where the slot's name does not say it, the line."""
    value = {key: held for key, held in said.value.items() if key not in DESCRIPTIVE_KEYS and held is not None}
    words = "" if value or ":" in attribute else "".join(fold_text(said.content).split())
    day = said.occurred_on.isoformat() if said.occurred_on else None
    told = json.dumps([value, said.negated, words, day], ensure_ascii=False, sort_keys=True, default=str)
    return hmac.new(secret, told.encode(), hashlib.sha256).hexdigest()
