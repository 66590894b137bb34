"""Reading the slots of a message: which tables have anything to say, then one statement a table."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, String, and_, bindparam, exists, func, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.confirmations import Confirmation, lapse_questions, questions_about
from memory.conflict_policy import REJECTION_HOLDS
from memory.items import EvidenceRow, MemoryItem
from memory.prepared import Statement, quick_of, whole_rows
from memory.scope import Scope
from memory.slot_book import SlotBook, SlotName
from memory.slot_relations import Said
from memory.sqltypes import UtcDateTime
from memory.table_rows import Read, read
from memory.tombstones import Tombstone, tombstones_of
from memory.visibility import SERVED
from memory.vocabulary import ConfirmationStatus, MemoryStatus

ROWS_A_SLOT = 12  # newest first; a weight series grows for years, and a correction names one of the last few

_READ = (*SERVED, MemoryStatus.CANDIDATE.value, MemoryStatus.REJECTED.value)


@dataclass(frozen=True, slots=True)
class Near:
    """Rows beside the slots themselves: all of some attribute classes, and the narrower slots `below` some.

    `behavior:fear:thunder` lies below `behavior:fear`.
    """

    families: frozenset[str] = frozenset()
    below: frozenset[str] = frozenset()


NOTHING_NEAR = Near()


async def open_book(
    session: AsyncSession,
    scope: Scope,
    slots: Collection[SlotName],
    now: datetime,
    read: Callable[[MemoryItem], Said],
    message_id: str | None = None,
    near: Near = NOTHING_NEAR,
) -> SlotBook:
    """Read these slots, the household's open questions, and what this message taught before.

    near: what else is read, so that a loosely named claim finds its slot.
    Questions whose time is over at `now` are ended here, so that a new one may be asked.
    """
    book = SlotBook(scope, now, read)
    there = await _what_is_there(session, scope, slots, near, message_id)
    if there.items or near.below:
        book.items = {item.id: item for item in await _items(session, scope, slots, now, near)}
    if there.questions:
        book.confirmations = list(await questions_about(session, scope, slots))
        await lapse_questions(session, book.confirmations, now)
    if there.tombstones:
        book.tombstones = await tombstones_of(session, scope, {attribute for _, attribute in slots})
    await _add_evidence(session, book, message_id if there.told else None)
    return book


async def _what_is_there(
    session: AsyncSession, scope: Scope, slots: Collection[SlotName], near: Near, message_id: str | None
) -> Any:
    """Which of the tables have anything to read: most messages speak of something new, and one look tells."""
    (there,) = await (await quick_of(session)).rows(
        _WHAT_IS_THERE,
        {
            "household_id": scope.household_id,
            "attributes": [attribute for _, attribute in slots],
            "families": list(near.families),
            "message_id": message_id,
        },
    )
    return there


_household: BindParameter[str] = bindparam("household_id")
_attributes: BindParameter[str] = bindparam("attributes", expanding=True)
_WHAT_IS_THERE = Statement(
    select(
        exists()
        .where(
            col(MemoryItem.household_id) == _household,
            or_(
                col(MemoryItem.attribute).in_(_attributes),
                col(MemoryItem.attribute_class).in_(bindparam("families", expanding=True)),
            ),
        )
        .label("items"),
        exists()
        .where(
            col(Confirmation.household_id) == _household,
            or_(
                col(Confirmation.status) == ConfirmationStatus.PENDING.value,
                col(Confirmation.attribute).in_(_attributes),
            ),
        )
        .label("questions"),
        exists()
        .where(col(Tombstone.household_id) == _household, col(Tombstone.attribute).in_(_attributes))
        .label("tombstones"),
        exists().where(col(EvidenceRow.message_id) == bindparam("message_id", type_=String())).label("told"),
    )
)


async def _items(
    session: AsyncSession, scope: Scope, slots: Collection[SlotName], now: datetime, near: Near
) -> Sequence[MemoryItem]:
    """Rows of the slots and of what is near them, in one statement, the newest of each."""
    below = sorted(near.below)
    params: dict[str, Any] = {
        "household_id": scope.household_id,
        "attributes": [attribute for _, attribute in slots],
        "families": list(near.families),
        "subjects": [subject for subject, _ in slots if subject is not None],
        "rejected_after": now - REJECTION_HOLDS,
    }
    for place, attribute in enumerate(below):
        params |= {f"above_{place}": f"{attribute}:", f"end_{place}": f"{attribute};"}
    return await read(session, _items_read(len(below)), params)


@cache
def _items_read(below: int) -> Read[MemoryItem]:
    """Rows by slot or by class, at most `ROWS_A_SLOT` of each slot, and the narrower slots of so many attributes."""
    narrower = [
        and_(
            col(MemoryItem.attribute) > bindparam(f"above_{place}"),
            col(MemoryItem.attribute) < bindparam(f"end_{place}"),
        )
        for place in range(below)
    ]
    age = func.row_number().over(
        partition_by=(col(MemoryItem.subject), col(MemoryItem.attribute)),
        order_by=func.coalesce(col(MemoryItem.valid_from), col(MemoryItem.learned_at)).desc(),
    )
    numbered = (
        select(col(MemoryItem.id).label("id"), age.label("age"))
        .where(
            col(MemoryItem.household_id) == bindparam("household_id"),
            or_(
                col(MemoryItem.attribute).in_(bindparam("attributes", expanding=True)),
                col(MemoryItem.attribute_class).in_(bindparam("families", expanding=True)),
                *narrower,
            ),
            col(MemoryItem.subject).in_(bindparam("subjects", expanding=True)),
            or_(*(col(MemoryItem.status) == word for word in _READ)),
            or_(
                col(MemoryItem.status) != MemoryStatus.REJECTED.value,
                col(MemoryItem.retired_at) > bindparam("rejected_after", type_=UtcDateTime()),
            ),
        )
        .subquery()
    )
    table = MemoryItem.__table__  # type: ignore[attr-defined]  # SQLModel's stub hides it
    joined = table.join(numbered, numbered.c.id == table.c.id)
    return Read(MemoryItem, Statement(select(*table.columns).select_from(joined).where(numbered.c.age <= ROWS_A_SLOT)))


_EVIDENCE = Read(
    EvidenceRow,
    whole_rows(
        EvidenceRow,
        col(EvidenceRow.household_id) == bindparam("household_id"),
        or_(
            col(EvidenceRow.message_id) == bindparam("message_id", type_=String()),
            and_(
                col(EvidenceRow.target_kind) == "memory",
                col(EvidenceRow.target_id).in_(bindparam("candidates", expanding=True)),
            ),
        ),
        order=col(EvidenceRow.id),
    ),
)


async def _add_evidence(session: AsyncSession, book: SlotBook, message_id: str | None) -> None:
    """Evidence of the candidates, and what this message left behind when it was read before."""
    candidates = [item.id for item in book.items.values() if item.status == MemoryStatus.CANDIDATE.value]
    if message_id is None and not candidates:
        return
    told = []
    params = {"household_id": book.scope.household_id, "message_id": message_id, "candidates": candidates}
    for row in await read(session, _EVIDENCE, params):
        if row.target_kind == "memory":
            book.evidence[row.target_id].append(row)
        if message_id is not None and row.message_id == message_id:
            told.append(row)
    if told:
        book.told = await _with_targets(session, book, told)


async def _with_targets(
    session: AsyncSession, book: SlotBook, told: Sequence[EvidenceRow]
) -> list[tuple[EvidenceRow, MemoryItem]]:
    """The items this message's evidence belongs to; a record's evidence belongs to its mirror."""
    ids = [row.target_id for row in told]
    rows = await session.exec(
        select(MemoryItem).where(
            col(MemoryItem.household_id) == book.scope.household_id,
            or_(col(MemoryItem.id).in_(ids), col(MemoryItem.record_id).in_(ids)),
        )
    )
    by_id: dict[str, MemoryItem] = {}
    for item in rows.all():
        by_id[item.record_id or item.id] = item
        by_id[item.id] = item
    return [(row, by_id[row.target_id]) for row in told if row.target_id in by_id]
