"""What a file says of a pet, or of the owner, that we know already: read again, and put to the policy of the talk.

A line that means a statement is stored as that statement would be had the owner said it then: a contradiction of a
medical fact becomes a candidate and a question, a danger counts at once, what was deleted is not learned again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import DomainFault
from domain.health_records import Change, create_record
from domain.offline.extractor import extract
from domain.owner_memories import CardLimits, OwnMemory, write_memory
from domain.pet_profiles import PetProfile, Utterance
from domain.pets import Pet, profile_of
from domain.record_kinds import RecordKind
from domain.remembering import Remembered, remember
from memory.intake import SaidMessage
from memory.items import EvidenceRow, MemoryItem
from memory.scope import Scope
from memory.text_folding import fold_text
from memory.topics import Topic
from memory.visibility import VISIBLE
from memory.vocabulary import Outcome, Source, Tier

NOT_LIVING = frozenset({"superseded", "rejected", "archived", "deleted"})


@dataclass(frozen=True, slots=True)
class Told:
    """What became of one line, in the words of every write. `file` is where it stood."""

    outcome: str
    content: str
    reason: str | None = None
    file: str = "export.json"


@dataclass(slots=True)
class Desk:
    """What merging works with. `pets` are those of the household, those just restored included."""

    session: AsyncSession
    scope: Scope
    pets: Sequence[Pet]
    cards: CardLimits
    secret: bytes
    now: datetime
    real_now: datetime
    told: list[Told] = field(default_factory=list)

    @property
    def profiles(self) -> list[PetProfile]:
        return [profile_of(pet) for pet in self.pets]

    @property
    def change(self) -> Change:
        """Who brings records back, when and why."""
        scope = self.scope
        return Change(scope, scope.owner_id, "import", Source.IMPORT, self.now, self.real_now)


@dataclass(frozen=True, slots=True)
class Line:
    """One line to take in. key: what makes a repeated import the same line. said_at: when it was learned."""

    key: str
    content: str
    subject: str | None
    topic: Topic | None
    said_at: datetime
    tier: Tier = Tier.LONG
    file: str = "export.json"


async def merge_line(desk: Desk, line: Line) -> None:
    """Take in one line by the policy, or as a plain memory where it is no statement that we know."""
    if await _is_known(desk, line) or await _was_brought(desk, line):
        desk.told.append(Told(Outcome.MERGED.value, line.content, file=line.file))
        return
    done = await _as_said(desk, line)
    if done is not None and (done.written or done.refusals):
        desk.told += [Told(one.outcome.value, one.content, one.reason, line.file) for one in done.written]
        desk.told += [Told(Outcome.REFUSED.value, line.content, one.reason, line.file) for one in done.refusals]
        return
    await _as_written(desk, line)


async def merge_record(desk: Desk, pet: Pet, kind: RecordKind, row: Mapping[str, Any]) -> None:
    """Take in one record of a pet that we know; the same one is not stored twice."""
    try:
        fields = kind.fields.model_validate({name: row[name] for name in kind.fields.model_fields if name in row})
    except ValidationError as invalid:
        desk.told.append(Told(Outcome.REFUSED.value, kind.label, invalid.errors()[0]["msg"]))
        return
    content = kind.line(pet.name, fields)
    if await _has_record(desk, pet, kind, fields.model_dump(exclude={"note"})):
        desk.told.append(Told(Outcome.MERGED.value, content))
        return
    try:
        await create_record(desk.session, desk.change, pet, kind, fields, card=desk.cards.pet)
    except DomainFault as fault:
        desk.told.append(Told(Outcome.REFUSED.value, content, fault.detail))
        return
    desk.told.append(Told(Outcome.ADDED.value, content))


def is_living(row: Mapping[str, Any]) -> bool:
    """Whether a row of the file holds now, rather than telling what once did."""
    return row.get("status") not in NOT_LIVING and row.get("valid_to") is None


async def _is_known(desk: Desk, line: Line) -> bool:
    rows = await desk.session.exec(
        select(MemoryItem.content).where(
            col(MemoryItem.household_id) == desk.scope.household_id,
            col(MemoryItem.status).in_(VISIBLE),
            col(MemoryItem.subject).is_(None) if line.subject is None else col(MemoryItem.subject) == line.subject,
        )
    )
    return _same(line.content) in {_same(content) for content in rows.all()}


async def _was_brought(desk: Desk, line: Line) -> bool:
    """Whether an earlier import has put this line to the policy."""
    rows = await desk.session.exec(
        select(EvidenceRow.id).where(
            col(EvidenceRow.household_id) == desk.scope.household_id, col(EvidenceRow.message_id) == _message_id(line)
        )
    )
    return rows.first() is not None


def _message_id(line: Line) -> str:
    return f"import {line.key}"


async def _as_said(desk: Desk, line: Line) -> Remembered | None:
    """What the line states, put to the policy; None when it states nothing about its subject."""
    at = desk.scope.local(line.said_at)
    focus = line.subject if line.subject in {pet.id for pet in desk.pets} else None
    read = extract(Utterance(line.content, at, desk.profiles, focus_pet_id=focus))
    claims = [claim for claim in read.claims if claim.subject == line.subject]
    if not claims:
        return None
    message = SaidMessage(_message_id(line), None, line.content, line.said_at, desk.scope)
    return await remember(
        desk.session,
        desk.pets,
        message,
        claims,
        desk.now,
        desk.real_now,
        source=Source.IMPORT,
        secret_key=desk.secret,
    )


async def _as_written(desk: Desk, line: Line) -> None:
    try:
        own = OwnMemory(subject=line.subject, content=line.content, topic=line.topic, tier=line.tier)
        await write_memory(desk.session, desk.scope, own, desk.cards, desk.now, desk.real_now)
    except ValidationError as invalid:
        desk.told.append(Told(Outcome.REFUSED.value, line.content[:60], invalid.errors()[0]["msg"], line.file))
    except DomainFault as fault:
        desk.told.append(Told(Outcome.REFUSED.value, line.content, fault.detail, line.file))
    else:
        desk.told.append(Told(Outcome.ADDED.value, line.content, file=line.file))


async def _has_record(desk: Desk, pet: Pet, kind: RecordKind, fields: Mapping[str, Any]) -> bool:
    table = kind.table
    rows = await desk.session.exec(
        select(table).where(
            col(table.household_id) == desk.scope.household_id,
            col(table.pet_id) == pet.id,
            col(table.deleted_at).is_(None),
        )
    )
    return any(kind.read(row).model_dump(exclude={"note"}) == fields for row in rows.all())


def _same(content: str) -> str:
    return "".join(fold_text(content).split())
