"""The morning's look at one owner's pets: courses of medicine that end, and what is due by the rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.due_dates import DueDate, due_of_pets
from domain.due_lines import due_line
from domain.health_records import CURRENT, Change, set_record_status, start_of_day
from domain.inbox import notify
from domain.owners import Owner, scope_of
from domain.pets import Pet, pets_of
from domain.record_kinds import KINDS
from domain.schedule_words import kinds_of
from domain.schedules import occurrences_between
from memory.prepared import quick_of
from memory.scope import Scope
from memory.vocabulary import Source

DUE, COURSE = "due", "reminder"  # kinds in the inbox
SOON_DAYS, NOW_DAYS, LATE_DAYS = 14, 1, -7  # before the day: time to make an appointment; the day; a week after it
PLANNED_WITHIN = timedelta(days=30)  # a plan of the same kind this near the day needs no more reminding
ENDED = "疗程结束"


@dataclass(frozen=True, slots=True)
class Morning:
    """Whose morning it is. now: domain time; real_now: the machine's."""

    owner: Owner
    scope: Scope
    now: datetime
    real_now: datetime

    @property
    def today(self) -> date:
        return self.scope.local(self.now).date()


async def remind_of_care(session: AsyncSession, owner: Owner, now: datetime, real_now: datetime) -> None:
    """End what is over and tell what is due, in the caller's transaction. The inbox takes each word only once."""
    morning = Morning(owner, scope_of(owner), now, real_now)
    pets = [pet for pet in await pets_of(session, morning.scope) if pet.status == "active"]
    await _courses(session, morning, pets)
    due = await due_of_pets(await quick_of(session), morning.scope, pets, now)
    for pet in pets:
        for one in due.get(pet.id, ()):
            await _due(session, morning, pet, one)


async def end_courses(session: AsyncSession, morning: Morning, pets: Sequence[Pet]) -> int:
    """Courses whose last day is over are current no more. Returns how many ended."""
    over = [one for one in await _with_an_end(session, morning, pets) if one[2].ended_on < morning.today]
    change = Change(morning.scope, morning.owner.id, ENDED, Source.SYSTEM, morning.now, morning.real_now)
    for pet, kind, row in over:
        ended_at = start_of_day(row.ended_on, morning.scope.timezone)
        await set_record_status(session, change, pet, KINDS[kind], row, "ended", ended_at)
    return len(over)


async def _courses(session: AsyncSession, morning: Morning, pets: Sequence[Pet]) -> None:
    await end_courses(session, morning, pets)
    for pet, kind, row in await _with_an_end(session, morning, pets):
        if row.ended_on == morning.today:
            title = f"{pet.name}的{row.product if kind == 'medications' else row.food}今天最后一天"
            body = f"{title}。{_ASK_THE_VET[kind]}"
            link: dict[str, object] = {"pet_id": pet.id, "record_kind": kind, "record_id": row.id}
            key = f"course:{row.id}:{row.ended_on}"
            await notify(session, morning.owner, COURSE, key, title, body, morning.now, link=link)


_ASK_THE_VET = {
    "medications": "要不要停、要不要复查，听开药的兽医的。",
    "diets": "要不要换回来、怎么换，听兽医的。",
}


async def _with_an_end(session: AsyncSession, morning: Morning, pets: Sequence[Pet]) -> list[tuple[Pet, str, Any]]:
    """Courses of drugs and of food whose last day is here or over, with the name of their kind."""
    found = []
    for kind in _ASK_THE_VET:
        table: Any = KINDS[kind].table
        rows = await session.exec(
            select(table).where(
                col(table.household_id) == morning.scope.household_id,
                col(table.status).in_(CURRENT),
                col(table.deleted_at).is_(None),
                col(table.ended_on) <= morning.today,
            )
        )
        found += [(pet, kind, row) for row in rows.all() for pet in pets if pet.id == row.pet_id]
    return found


async def _due(session: AsyncSession, morning: Morning, pet: Pet, due: DueDate) -> None:
    """Once when it comes near, once on its day, once when it is a week over; not while a plan for it stands."""
    stage = _stage((due.due_on - morning.today).days)
    if stage is None or not due.has_a_day or await _is_planned(session, morning, pet, due):
        return
    title = f"{pet.name}的{due.what}{_TITLES[stage]}"
    link: dict[str, object] = {"pet_id": pet.id, "rule": due.rule}
    key = f"due:{pet.id}:{due.rule}:{due.what}:{due.due_on}:{stage}"
    await notify(
        session, morning.owner, DUE, key, title, f"{due_line(due, pet.name, morning.today)}。", morning.now, link=link
    )


_TITLES = {"soon": "快到期了", "now": "到日子了", "late": "已经过期"}


def _stage(days: int) -> str | None:
    if days <= LATE_DAYS:
        return "late"
    if days <= NOW_DAYS:
        return "now"
    return "soon" if days <= SOON_DAYS else None


async def _is_planned(session: AsyncSession, morning: Morning, pet: Pet, due: DueDate) -> bool:
    until = max(start_of_day(due.due_on, morning.scope.timezone), morning.now) + PLANNED_WITHIN
    found = await occurrences_between(session, morning.scope, morning.now, until)
    wanted = kinds_of(due.what)
    return any(one.schedule.pet_id == pet.id and kinds_of(one.schedule.title) & wanted for one in found)
