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
from domain.portability.known import Known
from domain.record_kinds import RecordKind
from domain.remembering import Remembered, remember
from memory.claims import Claim
from memory.intake import SaidMessage
from memory.items import EvidenceRow
from memory.scope import Scope
from memory.topics import Topic
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
    known: Known = field(default_factory=Known)

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


def read_line(line: Line, scope: Scope, profiles: Sequence[PetProfile]) -> tuple[Claim, ...]:
    """What a line states of its subject. Pure, and what costs most of a line: done before a transaction is opened."""
    focus = line.subject if line.subject in {profile.id for profile in profiles} else None
    read = extract(Utterance(line.content, scope.local(line.said_at), profiles, focus_pet_id=focus))
    return tuple(claim for claim in read.claims if claim.subject == line.subject)


async def merge_line(desk: Desk, line: Line, claims: Sequence[Claim] | None = None) -> None:
    """Take in one line by the policy, or as a plain memory where it is no statement that we know.

    claims: what `read_line` made of it, None where that is still to be done.
    """
    known = await desk.known.has_line(desk.session, desk.scope, line.subject, line.content)
    if known or await _was_brought(desk, line):
        desk.told.append(Told(Outcome.MERGED.value, line.content, file=line.file))
        return
    done = await _as_said(desk, line, read_line(line, desk.scope, desk.profiles) if claims is None else claims)
    if done is not None and (done.written or done.refusals):
        desk.told += [Told(one.outcome.value, one.content, one.reason, line.file) for one in done.written]
        for one in done.written:
            if one.memory_id is not None:
                desk.known.add_line(one.memory_id, one.subject, one.content)
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
    said = fields.model_dump(mode="json")
    if await desk.known.has_record(desk.session, pet, kind, said):
        desk.told.append(Told(Outcome.MERGED.value, content))
        return
    try:
        await create_record(desk.session, desk.change, pet, kind, fields, card=desk.cards.pet)
    except DomainFault as fault:
        desk.told.append(Told(Outcome.REFUSED.value, content, fault.detail))
        return
    desk.known.add_record(pet, kind, said)
    desk.told.append(Told(Outcome.ADDED.value, content))


def is_living(row: Mapping[str, Any]) -> bool:
    """Whether a row of the file holds now, rather than telling what once did."""
    return row.get("status") not in NOT_LIVING and row.get("valid_to") is None


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


async def _as_said(desk: Desk, line: Line, claims: Sequence[Claim]) -> Remembered | None:
    """What the line states, put to the policy; None when it states nothing about its subject."""
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
        item, _ = await write_memory(desk.session, desk.scope, own, desk.cards, desk.now, desk.real_now)
    except ValidationError as invalid:
        desk.told.append(Told(Outcome.REFUSED.value, line.content[:60], invalid.errors()[0]["msg"], line.file))
    except DomainFault as fault:
        desk.told.append(Told(Outcome.REFUSED.value, line.content, fault.detail, line.file))
    else:
        desk.known.add_line(item.id, item.subject, item.content)
        desk.told.append(Told(Outcome.ADDED.value, line.content, file=line.file))
