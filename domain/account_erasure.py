"""Erasing an account: everything of a household that is one owner's is gone in one transaction; engines follow it.

The bare household row stays until the work that follows (vectors, files) is done, then it goes too. What remains is
that something was erased and when, under a receipt. The next sign-in of the same person makes a new owner.
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import delete, insert
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import NotFound
from domain.files import let_files_go
from domain.mini_links import codes_of
from domain.owners import Household, Owner
from domain.photos import folder_of
from memory.item_writes import VECTOR_TOPIC
from memory.items import MemoryItem
from memory.outbox import OutboxRow
from memory.revision import touch
from memory.sqltypes import UtcDateTime, new_id
from memory.traces import leave_no_trace
from memory.vector_moves import VECTOR_TOPICS

RECEIPT_BYTES = 24  # nobody guesses one
RECEIPTS_KEPT = timedelta(days=180)  # how long a person can ask whether it was done

KEPT_TABLES = frozenset({"households", "outbox", "owners"})  # the shell, the work that follows, and what goes last
BATCH = 200  # households a transaction


ErasureState = Literal["running", "done"]


class Erasure(SQLModel, table=True):
    """One erased account. Real time throughout. `done_at`: rows, vectors and files are gone, also from the disk."""

    __tablename__ = "erasures"

    id: str = Field(default_factory=new_id, primary_key=True)
    household: str  # the id alone, without a key: the household is gone
    receipt_hash: str = Field(unique=True)
    asked_at: datetime = Field(sa_type=UtcDateTime)
    done_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class UnknownReceipt(NotFound):
    code = "unknown_receipt"
    detail = "没有找到这张注销回执"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the person gets: `receipt` is told once and stored as a hash only."""

    job_id: str
    receipt: str


async def erase_account(session: AsyncSession, owner: Owner, real_now: datetime) -> Receipt:
    """Erase all rows of the owner's household, then the owner with sessions, consents, grants and pushes.

    A receipt is all that remains. Tables are found by their `household_id`, so that a new one is never forgotten;
    what hangs on them goes by key.
    """
    home = owner.household_id
    await _forget_vectors(session, home, real_now)
    await let_files_go(session, home, [folder_of(home), codes_of(home)], real_now)
    for table in reversed(SQLModel.metadata.sorted_tables):
        if "household_id" in table.columns and table.name not in KEPT_TABLES:
            await session.exec(delete(table).where(table.columns["household_id"] == home))
    await session.exec(delete(Owner).where(col(Owner.household_id) == home))
    touch(session, home)
    leave_no_trace(session)
    receipt = secrets.token_urlsafe(RECEIPT_BYTES)
    erasure = Erasure(household=home, receipt_hash=_hash(receipt), asked_at=real_now)
    session.add(erasure)
    return Receipt(erasure.id, receipt)


async def forget_empty_households(session: AsyncSession, _real_now: datetime) -> int:
    """Delete the shells of erased accounts once nothing has to follow any more."""
    followed = select(OutboxRow.id).where(col(OutboxRow.household_id) == col(Household.id)).exists()
    lived_in = select(Owner.id).where(col(Owner.household_id) == col(Household.id)).exists()
    ids = (await session.exec(select(Household.id).where(~followed, ~lived_in).limit(BATCH))).all()
    if ids:
        await session.exec(delete(Household).where(col(Household.id).in_(ids)))
    return len(ids)


async def _forget_vectors(session: AsyncSession, household_id: str, real_now: datetime) -> None:
    """Work that waits for this household is moot; instead every vector has to go.

    What waits or is in hand for vectors stays: a memory that is purged already may still have one, and the account is
    not gone before all of it is settled.
    """
    moot = delete(OutboxRow).where(col(OutboxRow.household_id) == household_id)
    await session.exec(moot.where(col(OutboxRow.topic).not_in(VECTOR_TOPICS)))
    ids = (await session.exec(select(MemoryItem.id).where(col(MemoryItem.household_id) == household_id))).all()
    rows: list[dict[str, Any]] = [
        {
            "id": new_id(),
            "household_id": household_id,
            "topic": VECTOR_TOPIC,
            "key": item_id,
            "payload": {},
            "created_at": real_now,
            "available_at": real_now,
            "attempts": 0,
        }
        for item_id in ids
    ]
    if rows:
        await session.exec(insert(OutboxRow), params=rows)


async def erasure_state(session: AsyncSession, receipt: str) -> tuple[ErasureState, datetime, datetime | None]:
    """How far it is, when it was asked for, and when it was done. Raises UnknownReceipt."""
    found = (await session.exec(select(Erasure).where(col(Erasure.receipt_hash) == _hash(receipt)))).one_or_none()
    if found is None:
        raise UnknownReceipt()
    return ("done" if found.done_at else "running"), found.asked_at, found.done_at


async def erasures_to_finish(session: AsyncSession) -> Sequence[Erasure]:
    """Those whose rows and vectors are gone, and whose engine has not cleared its disk yet."""
    shell = select(Household.id).where(col(Household.id) == col(Erasure.household)).exists()
    return (await session.exec(select(Erasure).where(col(Erasure.done_at).is_(None), ~shell))).all()


async def forget_old_receipts(session: AsyncSession, real_now: datetime) -> int:
    """Delete receipts that nobody may ask for any more. Returns 0: all of them go at once."""
    await session.exec(delete(Erasure).where(col(Erasure.done_at) < real_now - RECEIPTS_KEPT))
    return 0


def _hash(receipt: str) -> str:
    return hashlib.sha256(receipt.encode()).hexdigest()
