"""Bringing back what was taken along, in one transaction: all of it is taken in, or nothing.

A pet that the household does not have comes back as it was, with everything that hangs on it. What is said of a pet
that it has, or of the owner, goes through the policy of the talk (`merging`). Talk and other history is added where it
is missing. Importing the same file again changes nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import DomainFault
from domain.owner_memories import LONG_TERM_MEMORY, CardLimits, ConsentNeeded, edit_memory
from domain.owners import has_consent
from domain.pets import MAX_PETS, pets_of
from domain.portability.folder import UNASSIGNED
from domain.portability.hand_edits import HandLine, count_unread, hand_lines
from domain.portability.id_mapping import derived_id, is_id
from domain.portability.import_limits import within_limits
from domain.portability.merging import Desk, Line, Told, is_living, merge_line, merge_record
from domain.portability.restoring import Restored, readable_rows, restore_rows, section_named
from domain.portability.schema import RECORD_SECTIONS, SECTIONS, Section
from domain.portability.unpacking import Brought
from domain.record_kinds import KINDS, SAFETY_KINDS, kind_named
from memory.core_budget import plan_card
from memory.core_card import MADE_ROOM, card_items
from memory.errors import MemoryFault
from memory.item_writes import FINDABLE, VECTOR_TOPIC, revise_item
from memory.items import MemoryItem
from memory.memory_page import core_items
from memory.outbox import OutboxRow
from memory.prepared import quick_of
from memory.revision import touch
from memory.scope import Scope
from memory.search_documents import MEMORY, MESSAGE, add_documents, document_of
from memory.sqltypes import new_id
from memory.topics import Topic
from memory.vocabulary import OWNER_SUBJECT, MemoryStatus, Outcome, Tier

Rows = Sequence[Mapping[str, Any]]

NOT_BROUGHT_BACK = {
    "owners": "账号资料以现在的为准",
    "consents": "授权需要你重新同意",
    "photos": "照片不会自动放回来，请从压缩包的 photos 文件夹重新上传",
    "vet_shares": "分享链接不能恢复，请重新分享",
    "vet_share_openings": "分享链接不能恢复，请重新分享",
    "vet_notes": "医生的留言要由医生重新留下；由它而来的档案已经带回",
}
"""Sections that a file holds for the owner to read, and that only live where they were made."""
KEY_CHARS = 32  # of the hash that makes the same hand-written line the same statement
HISTORY = ("conversations", "turns", "messages", "conversation_summaries", "dreams", "inbox")
OF_A_SUBJECT = {"memories": "subject", "confirmations": "subject", "archives": "subject", "hunches": "subject"}
OF_A_PET = {"follow_ups": "pet_id", "schedules": "pet_id"} | {one.name: "pet_id" for one in RECORD_SECTIONS}
HANGING = {
    "record_versions": "record_id",
    "memory_versions": "item_id",
    "evidence": "target_id",
    "signals": "item_id",
    "schedule_acts": "schedule_id",
    "turn_feedback": "turn_id",
}


@dataclass(slots=True)
class ImportReport:
    """What became of the file. `lines`: each line that was put to the policy; `counts`: rows put back, by section."""

    lines: list[Told] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ImportParts:
    """Limits of the cards, the key of tombstones, and the two clocks."""

    cards: CardLimits
    secret: bytes
    now: datetime
    real_now: datetime


async def bring_back(session: AsyncSession, scope: Scope, brought: Brought, parts: ImportParts) -> ImportReport:
    """Take in a file, in the caller's transaction. Raises ConsentNeeded."""
    if not await has_consent(session, scope.owner_id, LONG_TERM_MEMORY):
        raise ConsentNeeded(purpose=LONG_TERM_MEMORY)
    report = ImportReport(notes=list(brought.notes))
    if brought.export is not None:
        await _bring_back_export(session, scope, brought.export, parts, report)
    else:
        await _bring_back_pages(session, scope, brought.pages, parts, report)
    touch(session, scope.household_id)
    return report


async def _bring_back_export(
    session: AsyncSession, scope: Scope, brought: Mapping[str, Any], parts: ImportParts, report: ImportReport
) -> None:
    export, refused = readable_rows(brought)
    report.lines += [Told(Outcome.REFUSED.value, content, reason) for _, content, reason in refused]
    ids = await _ids(session, scope, export)
    known = {pet.id for pet in await pets_of(session, scope)}
    new = [row for row in export["pets"] if ids.get(row.get("id", "")) not in known]
    room = max(0, MAX_PETS - len(known))
    report.lines += [Told(Outcome.REFUSED.value, str(row.get("name"))[:60], "宠物太多了") for row in new[room:]]
    fresh: set[Any] = {row.get("id") for row in new[:room]}
    await _restore(session, scope, "pets", new[:room], ids, parts, report)
    for name in HISTORY:
        await _restore(session, scope, name, export[name], ids, parts, report)
    whole: set[Any] = fresh | ({OWNER_SUBJECT, None} if await _knows_nothing_of_the_owner(session, scope) else set())
    taken = await _restore_subjects(session, scope, export, whole, ids, parts, report)
    await _restore_what_hangs(session, scope, export, taken, ids, parts, report)
    for subject in whole:
        if subject is not None:
            await _fit_card(session, scope, ids.get(subject, subject), parts)
    desk = await _desk(session, scope, parts)
    await _merge_the_known(desk, export, whole, ids)
    report.lines += desk.told
    report.notes += [note for name, note in NOT_BROUGHT_BACK.items() if export[name]]


async def _ids(session: AsyncSession, scope: Scope, export: Mapping[str, Any]) -> dict[str, str]:
    """For every id of the file the id it has here: its own where the household has it, else a derived one."""
    given = {
        row["id"]
        for section in SECTIONS
        for row in export[section.name]
        if is_id(row.get("id")) and section.name != "owners"
    }
    ours: set[str] = set()
    for section in SECTIONS:
        table = SQLModel.metadata.tables[section.table]
        if "id" in table.columns and "household_id" in table.columns:
            connection = await session.connection()
            mine = select(table.columns["id"]).where(table.columns["household_id"] == scope.household_id)
            ours |= {row[0] for row in await connection.execute(mine)}
    ids = {old: old if old in ours else derived_id(scope.household_id, old) for old in given}
    ids |= {row["id"]: scope.owner_id for row in export["owners"] if is_id(row.get("id"))}
    pets = {(pet.name, pet.species): pet.id for pet in await pets_of(session, scope)}
    for row in export["pets"]:
        same = pets.get((row.get("name", ""), row.get("species", "")))
        if same is not None and ids.get(row.get("id", "")) not in ours and is_id(row.get("id")):
            ids[row["id"]] = same
    return ids


async def _restore_subjects(
    session: AsyncSession,
    scope: Scope,
    export: Mapping[str, Any],
    whole: set[Any],
    ids: Mapping[str, str],
    parts: ImportParts,
    report: ImportReport,
) -> set[str]:
    """Rows of the subjects that come back whole. Returns their ids in the file."""
    taken: set[str] = set()
    for name, key in (OF_A_PET | OF_A_SUBJECT).items():
        rows = [row for row in export[name] if row.get(key) in whole]
        rows, refused = await within_limits(session, scope, name, rows, ids)
        report.lines += [Told(Outcome.REFUSED.value, content, reason) for content, reason in refused]
        taken |= {row["id"] for row in rows if is_id(row.get("id"))}
        made = await _restore(session, scope, name, rows, ids, parts, report)
        if name == "memories":
            await _make_vectors(session, scope, made, parts.real_now)
    return taken


async def _fit_card(session: AsyncSession, scope: Scope, subject: str, parts: ImportParts) -> None:
    """A file may hold more than a card does: what does not fit moves down, as always."""
    limits = parts.cards.owner if subject == OWNER_SUBJECT else parts.cards.pet
    card = await core_items(session, scope, subject)
    plan = plan_card(card_items(card, [kind.name for kind in SAFETY_KINDS]), (), limits)
    rows = {item.id: item for item in card}
    for leaving in plan.moves_down:
        rows[leaving.id].tier = Tier.LONG.value
        await revise_item(session, rows[leaving.id], "system", MADE_ROOM, parts.now, parts.real_now)


async def _restore_what_hangs(
    session: AsyncSession,
    scope: Scope,
    export: Mapping[str, Any],
    taken: set[str],
    ids: Mapping[str, str],
    parts: ImportParts,
    report: ImportReport,
) -> None:
    turns = {row["id"] for row in export["turns"] if is_id(row.get("id"))}
    for name, key in HANGING.items():
        rows = [
            row for row in export[name] if row.get(key) in taken or (name == "turn_feedback" and row.get(key) in turns)
        ]
        await _restore(session, scope, name, rows, ids, parts, report)


async def _restore(
    session: AsyncSession,
    scope: Scope,
    name: str,
    rows: Rows,
    ids: Mapping[str, str],
    parts: ImportParts,
    report: ImportReport,
) -> list[dict[str, Any]]:
    section: Section = section_named(name)
    done, made = await restore_rows(session, scope, section, rows, ids, parts.now)
    _count(report, name, done)
    if section.table in ("messages", "memory_items"):
        column, kind = ("text", MESSAGE) if section.table == "messages" else ("content", MEMORY)
        documents = [
            document_of(kind, row["id"], scope.household_id, row[column])
            for row in made
            if kind == MESSAGE or row["status"] in FINDABLE
        ]
        if documents:
            await add_documents(await quick_of(session), documents)
    return made


def _count(report: ImportReport, name: str, done: Restored) -> None:
    report.counts[name] = report.counts.get(name, 0) + done.added.get(name, 0)
    report.lines += [Told(Outcome.REFUSED.value, content, reason) for _, content, reason in done.refused]


async def _make_vectors(session: AsyncSession, scope: Scope, made: Rows, real_now: datetime) -> None:
    for row in made:
        session.add(
            OutboxRow(
                id=new_id(),
                household_id=scope.household_id,
                topic=VECTOR_TOPIC,
                key=row["id"],
                created_at=real_now,
                available_at=real_now,
            )
        )
    await session.flush()


async def _knows_nothing_of_the_owner(session: AsyncSession, scope: Scope) -> bool:
    query = select(MemoryItem.id).where(
        col(MemoryItem.household_id) == scope.household_id,
        col(MemoryItem.subject).is_(None) | (col(MemoryItem.subject) == OWNER_SUBJECT),
    )
    return (await session.exec(query.limit(1))).first() is None


async def _merge_the_known(desk: Desk, export: Mapping[str, Any], whole: set[Any], ids: Mapping[str, str]) -> None:
    """Records and memories of whom we know already."""
    pets = {pet.id: pet for pet in desk.pets}
    here = await _items_here(desk)
    for section in RECORD_SECTIONS:
        kind = kind_named(section.name)
        for row in export[section.name]:
            pet = pets.get(ids.get(row.get("pet_id", ""), ""))
            if pet is None and row.get("pet_id") not in whole:
                desk.told.append(Told(Outcome.REFUSED.value, kind.label, "它的宠物不在文件里"))
            if row.get("pet_id") in whole or pet is None or kind.safety or not is_living(row):
                continue
            await merge_record(desk, pet, kind, row)
    for row in export["memories"]:
        mirrored = row.get("record_kind") in KINDS and not kind_named(row["record_kind"]).safety
        if row.get("subject") in whole or not is_living(row) or mirrored:
            continue
        if ids.get(row.get("id", "")) in here:
            desk.told.append(Told(Outcome.MERGED.value, str(row.get("content", ""))[:60]))
            continue
        await _merge_memory(desk, row, ids)


async def _merge_memory(desk: Desk, row: Mapping[str, Any], ids: Mapping[str, str]) -> None:
    content, subject = row.get("content"), row.get("subject")
    try:
        said_at = datetime.fromisoformat(str(row.get("learned_at")))
        topic = Topic(str(row.get("topic")))
        if not isinstance(content, str) or said_at.tzinfo is None:
            raise ValueError("no memory of ours")
    except ValueError:
        desk.told.append(Told(Outcome.REFUSED.value, str(content)[:60], "这一条的内容不对"))
        return
    whose = ids.get(subject, subject) if isinstance(subject, str) else None
    await merge_line(desk, Line(str(row["id"]), content, whose, topic, min(said_at, desk.now)))


async def _items_here(desk: Desk) -> set[str]:
    rows = await desk.session.exec(select(MemoryItem.id).where(col(MemoryItem.household_id) == desk.scope.household_id))
    return set(rows.all())


async def _bring_back_pages(
    session: AsyncSession, scope: Scope, pages: Mapping[str, str], parts: ImportParts, report: ImportReport
) -> None:
    desk = await _desk(session, scope, parts)
    known = await _items_here(desk)
    names = {pet.name: pet.id for pet in desk.pets}
    for line in hand_lines(pages):
        await _take_hand_line(desk, line, names, known)
    if unread := count_unread(pages):
        report.notes.append(f"文件太长，还有 {unread} 行没有读，请分几次导入")
    report.lines += desk.told


async def _take_hand_line(desk: Desk, line: HandLine, names: Mapping[str, str], known: set[str]) -> None:
    if line.memory_id in known:
        await _edit(desk, line)
        return
    nobody = line.subject is None or line.subject == UNASSIGNED
    subject = None if nobody else names.get(line.subject or "", line.subject)
    if subject not in (None, OWNER_SUBJECT, *names.values()):
        desk.told.append(Told(Outcome.REFUSED.value, line.content, f"没有叫“{line.subject}”的宠物", line.file))
        return
    key = sha256(f"{line.subject}/{line.content}".encode()).hexdigest()[:KEY_CHARS]
    topic = line.topic or (Topic.OWNER if subject == OWNER_SUBJECT else None)
    await merge_line(desk, Line(key, line.content, subject, topic, desk.now, line.tier, line.file))


async def _edit(desk: Desk, line: HandLine) -> None:
    """The owner's own change of a line that we wrote: as on the memory page, records are changed in their place."""
    item = await desk.session.get(MemoryItem, line.memory_id)
    if item is None or item.status == MemoryStatus.DELETED.value:
        desk.told.append(Told(Outcome.REFUSED.value, line.content, "这条已经删除了；想再记住，请直接告诉我", line.file))
        return
    if " ".join(item.content.split()) == line.content:
        desk.told.append(Told(Outcome.MERGED.value, line.content, file=line.file))
        return
    try:
        fields = {"content": line.content}
        await edit_memory(desk.session, desk.scope, item.id, fields, None, desk.now, desk.real_now)
    except MemoryFault:
        told = Told(Outcome.REFUSED.value, line.content, "这条来自健康档案或已经删除，请在对应的档案里修改", line.file)
    except DomainFault as fault:
        told = Told(Outcome.REFUSED.value, line.content, fault.detail, line.file)
    else:
        told = Told(Outcome.SUPERSEDED.value, line.content, file=line.file)
    desk.told.append(told)


async def _desk(session: AsyncSession, scope: Scope, parts: ImportParts) -> Desk:
    pets = await pets_of(session, scope)
    return Desk(session, scope, pets, parts.cards, parts.secret, parts.now, parts.real_now)
