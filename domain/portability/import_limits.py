"""What a file may add beside what is there: as many plans as a household may have, lines only of records that exist,
and open questions only about lines that do."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.record_kinds import KINDS
from domain.schedules import ACTIVE, MAX_SCHEDULES, Schedule
from memory.items import MemoryItem
from memory.scope import Scope
from memory.vocabulary import ConfirmationStatus

Row = Mapping[str, Any]
Refused = list[tuple[str, str]]
"""What a refused row says, and why."""


async def within_limits(
    session: AsyncSession, scope: Scope, section: str, rows: Sequence[Row], ids: Mapping[str, str]
) -> tuple[list[Row], Refused]:
    """The rows of a section that may come in, in their order, and those that may not."""
    if section == "schedules":
        return await _plans_with_room(session, scope, rows, ids)
    if section == "memories":
        return await _lines_with_records(session, scope, rows, ids)
    if section == "confirmations":
        return await _questions_with_lines(session, scope, rows, ids)
    return list(rows), []


async def _plans_with_room(
    session: AsyncSession, scope: Scope, rows: Sequence[Row], ids: Mapping[str, str]
) -> tuple[list[Row], Refused]:
    here = select(Schedule.id).where(col(Schedule.household_id) == scope.household_id)
    known = set((await session.exec(here)).all())
    active = here.where(col(Schedule.status) == ACTIVE).subquery()
    room = MAX_SCHEDULES - (await session.exec(select(func.count()).select_from(active))).one()
    kept: list[Row] = []
    refused: Refused = []
    for row in rows:
        takes_room = row.get("status", ACTIVE) == ACTIVE and ids.get(row.get("id", "")) not in known
        if takes_room and room <= 0:
            refused.append((str(row.get("title"))[:60], f"最多可以有 {MAX_SCHEDULES} 个日程"))
            continue
        room -= takes_room
        kept.append(row)
    return kept, refused


async def _lines_with_records(
    session: AsyncSession, scope: Scope, rows: Sequence[Row], ids: Mapping[str, str]
) -> tuple[list[Row], Refused]:
    """Lines that are told from a record need it; the records of the file are here already."""
    there: dict[str, set[str]] = {}
    for name, kind in KINDS.items():
        mine = col(kind.table.household_id) == scope.household_id
        there[name] = set((await session.exec(select(col(kind.table.id)).where(mine))).all())
    kept: list[Row] = []
    refused: Refused = []
    for row in rows:
        kind_name, record = row.get("record_kind"), row.get("record_id")
        loose = kind_name is None and record is None
        if loose or ids.get(str(record), str(record)) in there.get(str(kind_name), ()):
            kept.append(row)
        else:
            refused.append((str(row.get("content"))[:60], "它的档案不在文件里"))
    return kept, refused


async def _questions_with_lines(
    session: AsyncSession, scope: Scope, rows: Sequence[Row], ids: Mapping[str, str]
) -> tuple[list[Row], Refused]:
    """An open question is about a line, which is here already; no answer could be carried out without it."""
    mine = col(MemoryItem.household_id) == scope.household_id
    there = set((await session.exec(select(MemoryItem.id).where(mine))).all())
    kept: list[Row] = []
    refused: Refused = []
    for row in rows:
        about = str(row.get("candidate_id"))
        if row.get("status") != ConfirmationStatus.PENDING.value or ids.get(about, about) in there:
            kept.append(row)
        else:
            refused.append((str(row.get("question"))[:60], "它问的那条记忆不在文件里"))
    return kept, refused
