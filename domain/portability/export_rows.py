"""Bringing an `export.json` back: talk in batches, new pets with all that hangs on them at once, the rest by policy.

What a pet or an owner is known by comes in one transaction, because a half of it would later be taken for all there
is. Its rows are made, and their words cut, before that transaction is opened.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.pets import MAX_NAME, MAX_PETS, Pet, names_of, pets_of
from domain.portability.id_mapping import derived_id, is_id
from domain.portability.import_batches import LINES_A_BATCH, Importing, ImportParts, in_batches, require_leave
from domain.portability.import_limits import within_limits
from domain.portability.merging import Desk, Line, Told, is_living, merge_line, merge_record
from domain.portability.restoring import CHUNK, MadeRows, insert_rows, make_rows, readable_rows, section_named
from domain.portability.schema import RECORD_SECTIONS, SECTIONS
from domain.record_kinds import KINDS, SAFETY_KINDS, RecordKind, kind_named
from memory.appends import append
from memory.core_budget import plan_card
from memory.core_card import MADE_ROOM, card_items
from memory.item_writes import VECTOR_TOPIC, revise_item
from memory.items import MemoryItem
from memory.memory_page import core_items
from memory.outbox import OutboxRow
from memory.revision import touch
from memory.scope import Scope
from memory.text_folding import fold_word
from memory.topics import Topic
from memory.vocabulary import OWNER_SUBJECT, Outcome, Tier

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


@dataclass(frozen=True, slots=True)
class _Plan:
    """What an export is to this household.

    ids: for every id of the file the id it has here. pets: those that are new. whole: subjects (ids of the file) that
    come back as they were.
    """

    export: Mapping[str, Any]
    ids: Mapping[str, str]
    pets: Rows
    whole: frozenset[Any]


async def bring_back_export(importing: Importing, brought: Mapping[str, Any]) -> None:
    """Take in an export."""
    report = importing.report
    export, refused = await asyncio.to_thread(readable_rows, brought)
    report.lines += [Told(Outcome.REFUSED.value, content, reason) for _, content, reason in refused]
    plan = await _planned(importing, export)
    for name in HISTORY:
        for rows in in_batches(export[name], CHUNK):
            await _add_history(importing, plan, name, rows)
    await _bring_back_subjects(importing, plan)
    await _merge_the_known(importing, plan)
    report.notes += [note for name, note in NOT_BROUGHT_BACK.items() if export[name]]


async def _planned(importing: Importing, export: Mapping[str, Any]) -> _Plan:
    scope = importing.scope
    async with importing.transactions.read() as session:
        ids = await _ids(session, scope, export)
        pets = await pets_of(session, scope)
        nobody_yet = await _knows_nothing_of_the_owner(session, scope)
    known = {pet.id for pet in pets}
    export, renamed = _with_own_names(export, ids, pets)
    importing.report.notes += renamed
    new = [row for row in export["pets"] if ids.get(row.get("id", "")) not in known]
    room = max(0, MAX_PETS - len(known))
    importing.report.lines += [
        Told(Outcome.REFUSED.value, str(row.get("name"))[:60], "宠物太多了") for row in new[room:]
    ]
    fresh = {row.get("id") for row in new[:room]}
    return _Plan(export, ids, new[:room], frozenset(fresh | ({OWNER_SUBJECT, None} if nobody_yet else set())))


def _with_own_names(
    export: Mapping[str, Any], ids: Mapping[str, str], pets: Sequence[Pet]
) -> tuple[Mapping[str, Any], list[str]]:
    """The export with new pets that are called like another one told apart by a number, and what is said of that."""
    here, notes, rows = {pet.id for pet in pets}, [], []
    taken = {name for pet in pets for name in names_of(pet)}
    for given in export["pets"]:
        row = dict(given)
        if ids.get(row.get("id", "")) not in here and isinstance(row.get("name"), str):
            name = row["name"]
            row["name"] = next(one for one in _numbered(name) if fold_word(one) not in taken)
            row["nicknames"] = [one for one in row.get("nicknames") or [] if fold_word(str(one)) not in taken]
            taken |= {fold_word(str(one)) for one in (row["name"], *row["nicknames"])}
            if row["name"] != name:
                notes.append(
                    f"家里已经有一只叫“{name}”的，文件里的那只带回来时改叫“{row['name']}”，可以在“我的宠物”里再改"
                )
        rows.append(row)
    return {**export, "pets": rows}, notes


def _numbered(name: str) -> Iterator[str]:
    """豆豆, 豆豆2, 豆豆3 …, none longer than a name may be."""
    yield name
    for number in count(2):
        yield f"{name[: MAX_NAME - len(str(number))]}{number}"


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


async def _made(importing: Importing, plan: _Plan, name: str, rows: Rows) -> MadeRows:
    """Rows of a section, made beside the event loop and before any transaction."""
    section = section_named(name)
    return await asyncio.to_thread(make_rows, importing.scope, section, rows, plan.ids, importing.parts.now)


async def _add_history(importing: Importing, plan: _Plan, name: str, rows: Rows) -> None:
    made = await _made(importing, plan, name, rows)
    async with importing.transactions.write() as session:
        await require_leave(session, importing.scope)
        counted, told, _ = await _insert(session, importing.scope, made)
        touch(session, importing.scope.household_id)
    _count(importing, name, counted, told)


async def _bring_back_subjects(importing: Importing, plan: _Plan) -> None:
    """New pets, and the owner where nothing is known of them, with everything that hangs on them: all or nothing."""
    scope, parts = importing.scope, importing.parts
    made = {name: await _made(importing, plan, name, _rows_of(plan, name)) for name in WHOLE}
    done: list[tuple[str, int, list[Told]]] = []
    async with importing.transactions.write() as session:
        await require_leave(session, scope)
        taken: set[str] = set()
        for name in ("pets", *OF_A_PET, *OF_A_SUBJECT):
            kept, refused = await within_limits(session, scope, name, _rows_of(plan, name), plan.ids)
            wanted = made[name]
            if refused:
                wanted = wanted.only({plan.ids[row["id"]] for row in kept})
            taken |= {row["id"] for row in kept if is_id(row.get("id"))}
            count, told, rows = await _insert(session, scope, wanted)
            done.append((name, count, [Told(Outcome.REFUSED.value, *line) for line in refused] + told))
            if name == "memories":
                _make_vectors(session, scope, rows, parts.real_now)
        for name, key in HANGING.items():
            hangs = {plan.ids.get(one, one) for one in (_turns_of(plan) if name == "turn_feedback" else taken)}
            count, told, _ = await _insert(session, scope, made[name].only(hangs, key))
            done.append((name, count, told))
        for subject in plan.whole:
            if subject is not None:
                await _fit_card(session, scope, plan.ids.get(subject, subject), parts)
        touch(session, scope.household_id)
    for line in done:
        _count(importing, *line)


WHOLE = ("pets", *OF_A_PET, *OF_A_SUBJECT, *HANGING)


def _rows_of(plan: _Plan, name: str) -> Rows:
    """Rows of a section that belong to what comes back whole."""
    if name == "pets":
        return plan.pets
    rows: Rows = plan.export[name]
    if name in HANGING:
        of_them = _turns_of(plan) if name == "turn_feedback" else _ids_of_subjects(plan)
        return [row for row in rows if row.get(HANGING[name]) in of_them]
    key = (OF_A_PET | OF_A_SUBJECT)[name]
    return [row for row in rows if row.get(key) in plan.whole]


def _turns_of(plan: _Plan) -> set[str]:
    return {row["id"] for row in plan.export["turns"] if is_id(row.get("id"))}


def _ids_of_subjects(plan: _Plan) -> set[str]:
    """Rows on which others hang, by their ids in the file."""
    return {row["id"] for name in OF_A_PET | OF_A_SUBJECT for row in _rows_of(plan, name) if is_id(row.get("id"))}


async def _insert(session: AsyncSession, scope: Scope, made: MadeRows) -> tuple[int, list[Told], list[dict[str, Any]]]:
    done, rows = await insert_rows(session, scope, made)
    refused = [Told(Outcome.REFUSED.value, content, reason) for _, content, reason in done.refused]
    return len(rows), refused, rows


def _count(importing: Importing, name: str, added: int, told: Sequence[Told]) -> None:
    counts = importing.report.counts
    counts[name] = counts.get(name, 0) + added
    importing.report.lines += told


async def _fit_card(session: AsyncSession, scope: Scope, subject: str, parts: ImportParts) -> None:
    """A file may hold more than a card does: what does not fit moves down, as always."""
    limits = parts.cards.owner if subject == OWNER_SUBJECT else parts.cards.pet
    card = await core_items(session, scope, subject)
    plan = plan_card(card_items(card, [kind.name for kind in SAFETY_KINDS]), (), limits)
    rows = {item.id: item for item in card}
    for leaving in plan.moves_down:
        rows[leaving.id].tier = Tier.LONG.value
        await revise_item(session, rows[leaving.id], "system", MADE_ROOM, parts.now, parts.real_now)


def _make_vectors(session: AsyncSession, scope: Scope, made: Rows, real_now: datetime) -> None:
    for row in made:
        append(
            session,
            OutboxRow,
            household_id=scope.household_id,
            topic=VECTOR_TOPIC,
            key=row["id"],
            created_at=real_now,
            available_at=real_now,
        )


async def _knows_nothing_of_the_owner(session: AsyncSession, scope: Scope) -> bool:
    query = select(MemoryItem.id).where(
        col(MemoryItem.household_id) == scope.household_id,
        col(MemoryItem.subject).is_(None) | (col(MemoryItem.subject) == OWNER_SUBJECT),
    )
    return (await session.exec(query.limit(1))).first() is None


async def _merge_the_known(importing: Importing, plan: _Plan) -> None:
    """Records and memories of whom we know already, a few a transaction."""
    for records in in_batches(await _records_to_merge(importing, plan), LINES_A_BATCH):
        async with importing.batch() as desk:
            for pet, kind, row in records:
                await merge_record(desk, pet, kind, row)
    for lines in in_batches(_lines_to_merge(plan), LINES_A_BATCH):
        async with importing.batch() as desk:
            here = await _items_here(desk, [plan.ids.get(row.get("id", ""), "") for row in lines])
            for row in lines:
                if plan.ids.get(row.get("id", "")) in here:
                    desk.told.append(Told(Outcome.MERGED.value, str(row.get("content", ""))[:60]))
                else:
                    await _merge_memory(desk, row, plan.ids)


async def _records_to_merge(importing: Importing, plan: _Plan) -> list[tuple[Pet, RecordKind, Mapping[str, Any]]]:
    async with importing.transactions.read() as session:
        pets = {pet.id: pet for pet in await pets_of(session, importing.scope)}
    found = []
    for section in RECORD_SECTIONS:
        kind = kind_named(section.name)
        for row in plan.export[section.name]:
            pet = pets.get(plan.ids.get(row.get("pet_id", ""), ""))
            if pet is None and row.get("pet_id") not in plan.whole:
                importing.report.lines.append(Told(Outcome.REFUSED.value, kind.label, "它的宠物不在文件里"))
            if row.get("pet_id") in plan.whole or pet is None or kind.safety or not is_living(row):
                continue
            found.append((pet, kind, row))
    return found


def _lines_to_merge(plan: _Plan) -> Rows:
    """Living lines of subjects that are known; lines of records come with them, but for those that guard."""
    return [
        row
        for row in plan.export["memories"]
        if row.get("subject") not in plan.whole
        and is_living(row)
        and not (row.get("record_kind") in KINDS and not kind_named(row["record_kind"]).safety)
    ]


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


async def _items_here(desk: Desk, ids: Sequence[str]) -> set[str]:
    rows = await desk.session.exec(
        select(MemoryItem.id).where(
            col(MemoryItem.household_id) == desk.scope.household_id, col(MemoryItem.id).in_(ids)
        )
    )
    return set(rows.all())
