"""What a vet leaves through a share link: a visit, and what it means for allergies, illnesses and drugs.

A note enters as `source: vet, verified: false` and goes through the very policy that the owner's talk goes through: a
danger is in force at once, a change that lowers one stays a candidate, and the owner is asked. Once the owner says who
wrote it, it is read again as the word of a verified vet; an owner who knows nothing of it takes it all back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ForeignKey, func, update
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import NotFound, TooMany
from domain.health_records import Change, create_record, record_of, update_record
from domain.inbox import notify
from domain.owner_deletes import delete_record_by_owner
from domain.owners import Owner
from domain.pets import Pet, pet_of, profile_of
from domain.record_kinds import KINDS, kind_named
from domain.remembering import SaidMessage, remember
from domain.shares import VetShare
from domain.vet_note_claims import claims_of, text_of
from domain.vet_note_fields import VetNoteFields
from domain.visits import VisitFields
from memory.evidence import MEMORY
from memory.items import EvidenceRow
from memory.personal_numbers import mask_value
from memory.scope import Scope
from memory.sqltypes import Json, UtcDateTime, new_id
from memory.vocabulary import Precision, Source

MAX_A_DAY, MAX_A_SHARE = 5, 20  # notes: a clinic stay writes one a day, and nobody fills a record with thousands
JUST_LEFT = timedelta(minutes=10)  # as long as a one-time code lives
REASON = "vet_note"
UNVERIFIED, CONFIRMED, REJECTED = "unverified", "confirmed", "rejected"
INBOX_KIND = "vet_note"


class UnknownVetNote(NotFound):
    code = "unknown_vet_note"
    detail = "没有找到这条医生留言"


class VetNote(SQLModel, table=True):
    """One note as it was written. `records`: what it added, `{kind, id}` each, the visit first."""

    __tablename__ = "vet_notes"

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    pet_id: str = Field(index=True, sa_column_args=[ForeignKey("pets.id", ondelete="CASCADE")])
    share_id: str = Field(index=True)
    author: str
    clinic: str | None = None
    fields: dict[str, Any] = Field(sa_type=Json)
    status: str = UNVERIFIED
    records: list[dict[str, str]] = Field(default_factory=list, sa_type=Json)
    left_at: datetime = Field(sa_type=UtcDateTime)  # domain time
    created_at: datetime = Field(sa_type=UtcDateTime)  # the machine's
    answered_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


@dataclass(frozen=True, slots=True)
class Times:
    """Domain time and the machine's clock of one call."""

    now: datetime
    real_now: datetime


async def leave_note(
    session: AsyncSession, scope: Scope, share: VetShare, fields: VetNoteFields, times: Times, secret_key: bytes
) -> VetNote:
    """Keep a note, write what follows from it, and tell the owner. `scope` is that of the share's owner.

    Raises TooMany, UnknownPet.
    """
    await _require_room(session, share, times.real_now)
    pet = await pet_of(session, scope, share.pet_id)
    kept = _masked(fields)
    note = VetNote(
        household_id=scope.household_id,
        pet_id=pet.id,
        share_id=share.id,
        author=kept.author,
        clinic=kept.clinic,
        fields=_kept(kept),
        left_at=times.now,
        created_at=times.real_now,
    )
    visit = await _write_visit(session, scope, pet, note, kept, times)
    told = await _tell_memory(session, scope, pet, note, kept, times, secret_key)
    note.records = [{"kind": "visits", "id": visit}, *told]
    session.add(note)
    await _tell_owner(session, scope, pet, note, times.now)
    return note


async def same_note(
    session: AsyncSession, share: VetShare, fields: VetNoteFields, real_now: datetime
) -> VetNote | None:
    """The very note that was left through this share a moment ago: a button pressed twice, an answer that got lost."""
    lately = select(VetNote).where(col(VetNote.share_id) == share.id, col(VetNote.created_at) > real_now - JUST_LEFT)
    told = _kept(_masked(fields))
    return next((note for note in (await session.exec(lately)).all() if note.fields == told), None)


def _masked(fields: VetNoteFields) -> VetNoteFields:
    return VetNoteFields.model_validate(mask_value(fields.model_dump(mode="json")))


def _kept(fields: VetNoteFields) -> dict[str, Any]:
    return fields.model_dump(mode="json", exclude_none=True)


async def confirm_author(
    session: AsyncSession, scope: Scope, note_id: str, times: Times, secret_key: bytes, author: str | None = None
) -> VetNote:
    """The owner says who wrote it: from now on it is the word of a verified vet. Confirming twice changes nothing.

    Raises UnknownVetNote, also for a note that was rejected.
    """
    note = await note_of(session, scope, note_id)
    if note.status == CONFIRMED:
        return note
    if note.status == REJECTED:
        raise UnknownVetNote()
    pet = await pet_of(session, scope, note.pet_id)
    note.author = author or note.author
    note.status, note.answered_at = CONFIRMED, times.now
    for written in note.records:
        await _verify(session, scope, pet, note, written, times)
    await _count_once(session, scope, note)
    fields = VetNoteFields.model_validate({**note.fields, "author": note.author})
    added = await _tell_memory(session, scope, pet, note, fields, times, secret_key, verified=True)
    note.records = [*note.records, *(one for one in added if one not in note.records)]
    session.add(note)
    return note


async def reject_note(session: AsyncSession, scope: Scope, note_id: str, times: Times, secret_key: bytes) -> VetNote:
    """The owner knows nothing of it: what it added is deleted. Raises UnknownVetNote."""
    note = await note_of(session, scope, note_id)
    if note.status == REJECTED:
        return note
    pet = await pet_of(session, scope, note.pet_id)
    change = Change(scope, scope.owner_id, "vet_note_rejected", Source.OWNER, times.now, times.real_now)
    for written in note.records:
        try:
            await delete_record_by_owner(session, change, pet, kind_named(written["kind"]), written["id"], secret_key)
        except NotFound:
            continue  # the owner has deleted it already
    note.status, note.answered_at, note.records = REJECTED, times.now, []
    session.add(note)
    return note


async def note_of(session: AsyncSession, scope: Scope, note_id: str) -> VetNote:
    """One note of this household. Raises UnknownVetNote."""
    note = (
        await session.exec(
            select(VetNote).where(col(VetNote.household_id) == scope.household_id, col(VetNote.id) == note_id)
        )
    ).one_or_none()
    if note is None:
        raise UnknownVetNote()
    return note


async def notes_of(
    session: AsyncSession, scope: Scope, pet_id: str, limit: int, before: str | None = None
) -> Sequence[VetNote]:
    """Notes about one pet, newest first; `before` is the id to go on from. Raises UnknownPet."""
    await pet_of(session, scope, pet_id)
    query = select(VetNote).where(col(VetNote.household_id) == scope.household_id, col(VetNote.pet_id) == pet_id)
    if before is not None:
        query = query.where(col(VetNote.id) < before)
    return (await session.exec(query.order_by(col(VetNote.id).desc()).limit(limit))).all()


async def _require_room(session: AsyncSession, share: VetShare, real_now: datetime) -> None:
    for most, since in ((MAX_A_DAY, real_now - timedelta(days=1)), (MAX_A_SHARE, None)):
        count = select(func.count()).select_from(VetNote).where(col(VetNote.share_id) == share.id)
        if since is not None:
            count = count.where(col(VetNote.created_at) > since)
        if (await session.exec(count)).one() >= most:
            raise TooMany("这个分享的留言已经够多了，请明天再写或请主人重新分享")


async def _write_visit(
    session: AsyncSession, scope: Scope, pet: Pet, note: VetNote, fields: VetNoteFields, times: Times
) -> str:
    visited_on = fields.visited_on or scope.local(times.now).date()
    visit = VisitFields(
        clinic=fields.clinic,
        reason=fields.reason,
        diagnosis=fields.diagnosis,
        treatment=fields.treatment,
        note=fields.note,
        visited_on=visited_on,
        visited_on_precision=Precision.DAY,
        next_on=fields.next_on,
        next_on_precision=Precision.DAY if fields.next_on else Precision.UNKNOWN,
    )
    change = Change(scope, note.author, REASON, Source.VET, times.now, times.real_now)
    said = EvidenceRow(
        household_id=scope.household_id,
        target_kind="visits",
        target_id="",
        message_id=note.id,
        quote=text_of(fields),
        said_at=times.now,
        source=Source.VET.value,
        by=note.author,
    )
    record, _ = await create_record(session, change, pet, KINDS["visits"], visit, evidence=[said])
    return record.id


async def _tell_memory(
    session: AsyncSession,
    scope: Scope,
    pet: Pet,
    note: VetNote,
    fields: VetNoteFields,
    times: Times,
    secret_key: bytes,
    *,
    verified: bool = False,
) -> list[dict[str, str]]:
    """Put the note's statements to the policy. Returns the records that are its own."""
    text = text_of(fields)
    message = SaidMessage(
        id=f"{note.id}:verified" if verified else note.id,
        conversation_id=None,
        text=text,
        said_at=times.now,
        scope=scope,
        verified=verified,
        by=note.author,
    )
    claims = claims_of(fields, profile_of(pet), scope.local(times.now))
    done = await remember(
        session, [pet], message, claims, times.now, times.real_now, source=Source.VET, secret_key=secret_key
    )
    return [
        {"kind": one.record_kind, "id": one.record_id}
        for one in done.written
        if one.record_kind and one.record_id and one.outcome in ("added", "provisional", "superseded")
    ]


async def _verify(
    session: AsyncSession, scope: Scope, pet: Pet, note: VetNote, written: Mapping[str, str], times: Times
) -> None:
    """Mark a record of the note, and the words behind it, as a vet's whom the owner knows."""
    kind = kind_named(written["kind"])
    try:
        record = await record_of(session, scope, pet.id, kind, written["id"])
    except NotFound:
        return  # deleted meanwhile
    record.verified = True
    record.recorded_by = note.author
    change = Change(scope, scope.owner_id, "vet_confirmed", Source.OWNER, times.now, times.real_now, verified=True)
    await update_record(session, change, pet, kind, record.id, {})
    await session.exec(
        update(EvidenceRow)
        .where(
            col(EvidenceRow.household_id) == scope.household_id,
            col(EvidenceRow.target_kind) == kind.name,
            col(EvidenceRow.target_id) == record.id,
            col(EvidenceRow.source) == Source.VET.value,
        )
        .values(verified=True, by=note.author)
    )


async def _count_once(session: AsyncSession, scope: Scope, note: VetNote) -> None:
    """The note is one source, not two: what it said before it was known who wrote it stays as a trace only."""
    await session.exec(
        update(EvidenceRow)
        .where(
            col(EvidenceRow.household_id) == scope.household_id,
            col(EvidenceRow.message_id) == note.id,
            col(EvidenceRow.target_kind) == MEMORY,
        )
        .values(counts=False)
    )


async def _tell_owner(session: AsyncSession, scope: Scope, pet: Pet, note: VetNote, now: datetime) -> None:
    owner = await session.get(Owner, scope.owner_id)
    if owner is None:
        return
    where = f"（{note.clinic}）" if note.clinic else ""
    body = f"{note.author}{where}给{pet.name}留了一条就诊记录，身份还没有核实。请看看内容，并确认是不是这位医生写的。"
    link = {"vet_note_id": note.id, "pet_id": pet.id}
    await notify(session, owner, INBOX_KIND, f"vet_note:{note.id}", f"{pet.name}有一条医生留言", body, now, link=link)
