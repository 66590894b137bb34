"""What the slots of one message hold, read in a handful of statements whatever the number of claims.

Rows become the values that `conflict_policy` decides on; what is written while the message is worked through is put
into the book as well, so a second statement about the same slot meets the first.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, String, and_, bindparam, exists, func, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from memory.confirmations import Confirmation, is_open, lapse_questions, questions_about
from memory.conflict_policy import REJECTION_HOLDS
from memory.items import EvidenceRow, MemoryItem
from memory.prepared import Statement, quick_of
from memory.scope import Scope
from memory.slot_relations import LiveFact, Said
from memory.slot_state import Candidate, OpenQuestion, Rejection, Sighting, SlotState
from memory.sqltypes import UtcDateTime
from memory.tombstones import Tombstone, tombstones_of
from memory.visibility import SERVED
from memory.vocabulary import ConfirmationKind, ConfirmationStatus, MemoryStatus, Source

SlotName = tuple[str | None, str]
"""Subject and attribute."""

ROWS_A_SLOT = 12  # newest first; a weight series grows for years, and a correction names one of the last few

_READ = (*SERVED, MemoryStatus.CANDIDATE.value, MemoryStatus.REJECTED.value)
_ENDED_WITHOUT_CHANGE = (ConfirmationStatus.WATCHING.value, ConfirmationStatus.LAPSED.value)


@dataclass(frozen=True, slots=True)
class Near:
    """Rows beside the slots themselves: all of some attribute classes, and the narrower slots `below` some.

    `behavior:fear:thunder` lies below `behavior:fear`.
    """

    families: frozenset[str] = frozenset()
    below: frozenset[str] = frozenset()


NOTHING_NEAR = Near()


@dataclass(slots=True)
class SlotBook:
    """The rows behind the slots in question. `read` says what a row states, in the terms claims are compared in."""

    scope: Scope
    now: datetime
    read: Callable[[MemoryItem], Said]
    items: dict[str, MemoryItem] = field(default_factory=dict)
    evidence: dict[str, list[EvidenceRow]] = field(default_factory=lambda: defaultdict(list))
    confirmations: list[Confirmation] = field(default_factory=list)
    tombstones: Sequence[Tombstone] = ()
    told: list[tuple[EvidenceRow, MemoryItem]] = field(default_factory=list)  # written from this message before

    @property
    def pending(self) -> list[Confirmation]:
        """Open questions of the household, oldest first."""
        return [one for one in self.confirmations if is_open(one)]

    def state_of(self, slot: SlotName) -> SlotState:
        """All that is known of one slot now."""
        rows = [item for item in self.items.values() if (item.subject, item.attribute) == slot]
        return SlotState(
            facts=tuple(self._fact(item) for item in rows if item.status in SERVED and not self._is_over(item)),
            candidates=tuple(self._candidate(item) for item in rows if item.status == MemoryStatus.CANDIDATE.value),
            question=next((self._question(one) for one in self.pending if _slot_of(one) == slot), None),
            rejections=tuple(
                Rejection(self.read(item), item.retired_at)
                for item in rows
                if item.status == MemoryStatus.REJECTED.value and item.retired_at is not None
            ),
        )

    def question(self, confirmation_id: str) -> Confirmation:
        """An open or ended question of the book by its id."""
        return next(one for one in self.confirmations if one.id == confirmation_id)

    def _is_over(self, item: MemoryItem) -> bool:
        return item.expires_at is not None and item.expires_at <= self.now

    def _fact(self, item: MemoryItem) -> LiveFact:
        return LiveFact(
            id=item.id,
            said=self.read(item),
            affirmed_at=item.last_evidence_at,
            status=MemoryStatus(item.status),
            protected=item.locked or item.protected,
        )

    def _candidate(self, item: MemoryItem) -> Candidate:
        settled = [
            one.answered_at
            for one in self.confirmations
            if one.candidate_id == item.id and one.status in _ENDED_WITHOUT_CHANGE and one.answered_at is not None
        ]
        sightings = [self._sighting(row) for row in self.evidence[item.id] if row.counts]
        return Candidate(
            id=item.id,
            said=self.read(item),
            sightings=tuple(sorted(sightings, key=lambda one: one.said_at)),
            settled_at=max(settled, default=None),
        )

    def _sighting(self, row: EvidenceRow) -> Sighting:
        return Sighting(
            said_at=row.said_at,
            day=self.scope.local(row.said_at).date(),
            conversation_id=row.conversation_id,
            source=Source(row.source),
            verified=row.verified,
        )

    def _question(self, confirmation: Confirmation) -> OpenQuestion:
        return OpenQuestion(confirmation.id, ConfirmationKind(confirmation.kind), confirmation.candidate_id)


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
    statement = _items_statement(near.below) if near.below else _ITEMS
    rows = await session.exec(
        statement,
        params={
            "household_id": scope.household_id,
            "attributes": [attribute for _, attribute in slots],
            "families": list(near.families),
            "subjects": [subject for subject, _ in slots if subject is not None],
            "rejected_after": now - REJECTION_HOLDS,
        },
    )
    return rows.all()


def _items_statement(below: Collection[str] = ()) -> SelectOfScalar[MemoryItem]:
    """Rows by slot or by class, at most `ROWS_A_SLOT` of each slot; `below` adds the narrower slots of these."""
    narrower = [
        and_(col(MemoryItem.attribute) > f"{attribute}:", col(MemoryItem.attribute) < f"{attribute};")
        for attribute in below
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
            col(MemoryItem.status).in_(_READ),
            or_(
                col(MemoryItem.status) != MemoryStatus.REJECTED.value,
                col(MemoryItem.retired_at) > bindparam("rejected_after", type_=UtcDateTime()),
            ),
        )
        .subquery()
    )
    return select(MemoryItem).join(numbered, numbered.c.id == col(MemoryItem.id)).where(numbered.c.age <= ROWS_A_SLOT)


_ITEMS = _items_statement()


_EVIDENCE = (
    select(EvidenceRow)
    .where(
        col(EvidenceRow.household_id) == bindparam("household_id"),
        or_(
            col(EvidenceRow.message_id) == bindparam("message_id", type_=String()),
            and_(
                col(EvidenceRow.target_kind) == "memory",
                col(EvidenceRow.target_id).in_(bindparam("candidates", expanding=True)),
            ),
        ),
    )
    .order_by(col(EvidenceRow.id))
)


async def _add_evidence(session: AsyncSession, book: SlotBook, message_id: str | None) -> None:
    """Evidence of the candidates, and what this message left behind when it was read before."""
    candidates = [item.id for item in book.items.values() if item.status == MemoryStatus.CANDIDATE.value]
    if message_id is None and not candidates:
        return
    rows = await session.exec(
        _EVIDENCE,
        params={"household_id": book.scope.household_id, "message_id": message_id, "candidates": candidates},
    )
    told = []
    for row in rows.all():
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


def _slot_of(confirmation: Confirmation) -> SlotName:
    return confirmation.subject, confirmation.attribute
