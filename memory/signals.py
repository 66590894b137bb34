"""Uses of a memory by its owner: cited by a reply, opened, returned by a search. Being injected is no signal."""

from collections.abc import Collection
from datetime import date, datetime

from sqlalchemy import ForeignKey, UniqueConstraint, bindparam, update
from sqlmodel import Field, SQLModel, col

from memory.items import MemoryItem
from memory.prepared import Quick, Statement, by_dialect, insert_of
from memory.scope import Scope
from memory.sqltypes import UtcDateTime, new_id
from memory.vocabulary import SignalKind


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


_COUNT = insert_of(Signal, ignore_conflicts=True)
_RAISE = {
    kind: Statement(
        update(MemoryItem)
        .where(col(MemoryItem.id) == bindparam("item"), col(MemoryItem.household_id) == bindparam("household"))
        .values(
            {
                kind.value: getattr(MemoryItem, kind.value) + 1,
                "last_used_at": bindparam("at"),
                "review_at": bindparam("at"),  # the next nightly upgrade looks at it
            }
        )
    )
    for kind in SignalKind
}


async def count_cited(quick: Quick, scope: Scope, item_ids: Collection[str], turn_id: str, now: datetime) -> None:
    """Count that a reply really used these memories: once a turn each."""
    for item_id in sorted(item_ids):
        await count_signal(quick, scope, item_id, SignalKind.CITED, turn_id, now)


async def count_signal(
    quick: Quick, scope: Scope, item_id: str, kind: SignalKind, once_key: str, now: datetime
) -> bool:
    """Count one use unless `once_key` (a turn, or a local day) has counted it already. Whether it counted."""
    signal = {
        "id": new_id(),
        "household_id": scope.household_id,
        "item_id": item_id,
        "kind": kind.value,
        "once_key": once_key,
        "local_on": scope.local(now).date(),
        "at": now,
    }
    if not await quick.run(by_dialect(_COUNT, quick), signal):
        return False
    await quick.run(_RAISE[kind], {"item": item_id, "household": scope.household_id, "at": now})
    return True
