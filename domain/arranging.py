"""Plans made, moved and cancelled in chat: one request carried out in the caller's transaction, or asked back.

What is told is told after the commit. A message that is read again does nothing a second time, and everything that was
done can be taken back for as long as the talk goes on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain import schedule_replies as replies
from domain.errors import DomainFault, Implausible
from domain.health_records import CURRENT
from domain.pets import Pet
from domain.record_kinds import KINDS
from domain.repetition import BadRepetition
from domain.schedule_choice import Choice, choose
from domain.schedule_moves import moved_fields
from domain.schedule_requests import Act, ScheduleRequest
from domain.schedule_times import Planned, planned
from domain.schedule_trail import ScheduleAct, acts_of_message, last_acts
from domain.schedules import (
    ACTIVE,
    CANCELLED,
    Schedule,
    ScheduleFields,
    add_schedule,
    change_schedule,
    next_of,
    note_next_reminder,
    schedules_of,
)
from memory.scope import Scope
from memory.vocabulary import Source

_RECORD_OF_KIND = {"vaccine": "vaccinations", "deworming": "dewormings"}


@dataclass(frozen=True, slots=True)
class Arranged:
    """What became of a request. told: sentences for the owner. events: the plans as clients see them.

    nothing: the message was not about plans after all.
    """

    told: tuple[str, ...] = ()
    events: tuple[dict[str, Any], ...] = ()
    nothing: bool = False


NOTHING = Arranged(nothing=True)


@dataclass(frozen=True, slots=True)
class _Work:
    session: AsyncSession
    scope: Scope
    names: Mapping[str, str]
    living: Sequence[str]
    message_id: str
    now: datetime

    @property
    def local_now(self) -> datetime:
        return self.scope.local(self.now)

    def text(self, schedule: Schedule) -> str:
        at = next_of(schedule, self.now) or schedule.starts_at
        return replies.plan_text(schedule, self.scope.local(at), self.local_now, self.names)

    def keep(self, schedule: Schedule, outcome: str, before: dict[str, Any]) -> dict[str, Any]:
        """Leave a trail of the act; returns the event."""
        self.session.add(
            ScheduleAct(
                household_id=self.scope.household_id,
                owner_id=self.scope.owner_id,
                schedule_id=schedule.id,
                message_id=self.message_id,
                outcome=outcome,
                before=before,
                at=self.now,
            )
        )
        return event_of(schedule, outcome)


async def arrange(
    session: AsyncSession,
    scope: Scope,
    pets: Sequence[Pet],
    requests: Sequence[ScheduleRequest],
    message_id: str,
    now: datetime,
) -> Arranged:
    """Carry the requests of a message out. `now` is aware UTC. Never raises for what the owner can put right."""
    living = [pet.id for pet in pets if pet.status == "active"]
    work = _Work(session, scope, {pet.id: pet.name for pet in pets}, living, message_id, now)
    if done := await acts_of_message(session, scope, message_id):
        return await _told_again(work, done)
    return _together([await _carry_out(work, request) for request in requests])


async def _carry_out(work: _Work, request: ScheduleRequest) -> Arranged:
    try:
        return await _ACTS[request.act](work, request)
    except (Implausible, BadRepetition):
        return Arranged((replies.TOO_FAR,))
    except DomainFault as fault:
        return Arranged((f"{fault.detail}。",))


def _together(done: Sequence[Arranged]) -> Arranged:
    """What became of several requests; how to take them back is said once, after the last."""
    if len(done) == 1:
        return done[0]
    told = [sentence for one in done for sentence in one.told]
    told = [replies.without_hint(sentence) for sentence in told[:-1]] + told[-1:]
    events = tuple(event for one in done for event in one.events)
    return Arranged(tuple(told), events, nothing=all(one.nothing for one in done))


def event_of(schedule: Schedule, outcome: str) -> dict[str, Any]:
    """A plan as it stands in a turn; the whole of it is at `GET /schedules/{id}`."""
    return {
        "id": schedule.id,
        "outcome": outcome,
        "pet_id": schedule.pet_id,
        "title": schedule.title,
        "starts_at": schedule.starts_at.isoformat().replace("+00:00", "Z"),
        "timezone": schedule.timezone,
        "all_day": schedule.all_day,
        "rrule": schedule.rrule,
        "remind_before_minutes": schedule.remind_before_minutes,
    }


async def _make(work: _Work, request: ScheduleRequest) -> Arranged:
    if not request.title:
        return Arranged((replies.ask_what(),))
    if request.when.missing:
        return Arranged((replies.ask_when(request.title, request.when),))
    if not request.pets and request.needs_pet and len(work.living) > 1:
        return Arranged((replies.ask_pet(request.title, [work.names[pet_id] for pet_id in work.living]),))
    made: list[Schedule] = []
    known: list[Schedule] = []
    for pet_id in request.pets or (None,):
        last_done = await _last_done(work, request, pet_id)
        for plan in planned(request.when, work.local_now, last_done):
            fields = _fields(request, plan, pet_id, work.local_now)
            same = await _same(work, fields)
            known += [same] if same else []
            made += [] if same else [await _add(work, fields)]
    if not made:
        return Arranged((replies.known_already([work.text(one) for one in known]),))
    leads = [replies.lead_text(lead, all_day=made[0].all_day) for lead in made[0].remind_before_minutes]
    events = tuple(work.keep(one, "created", {}) for one in made)
    return Arranged((replies.made([work.text(one) for one in made], leads),), events)


async def _add(work: _Work, fields: ScheduleFields) -> Schedule:
    schedule = await add_schedule(work.session, work.scope, fields, work.now, Source.CHAT.value)
    await work.session.flush()
    return schedule


def _fields(request: ScheduleRequest, plan: Planned, pet_id: str | None, now: datetime) -> ScheduleFields:
    usual = replies.usual_leads(plan.starts_at, now, repeats=plan.rrule is not None, all_day=plan.all_day)
    return ScheduleFields(
        pet_id=pet_id,
        title=request.title,
        starts_at=plan.starts_at,
        all_day=plan.all_day,
        rrule=plan.rrule,
        remind_before_minutes=[request.lead] if request.lead is not None else usual,
    )


async def _same(work: _Work, fields: ScheduleFields) -> Schedule | None:
    """A plan of the same thing at the same time that stands already."""
    for one in await schedules_of(work.session, work.scope):
        if (one.pet_id, one.title, one.starts_at, one.rrule) == (
            fields.pet_id,
            fields.title,
            fields.starts_at,
            fields.rrule,
        ):
            return one
    return None


async def _last_done(work: _Work, request: ScheduleRequest, pet_id: str | None) -> date | None:
    """The last vaccination or deworming on record, from which its repetition is counted."""
    kind = next((KINDS[_RECORD_OF_KIND[word]] for word in request.kinds if word in _RECORD_OF_KIND), None)
    if kind is None or pet_id is None or request.when.recurrence is None:
        return None
    table: Any = kind.table
    query = select(func.max(col(table.given_on))).where(
        col(table.household_id) == work.scope.household_id,
        col(table.pet_id) == pet_id,
        col(table.status).in_(CURRENT),
        col(table.deleted_at).is_(None),
    )
    last: date | None = (await work.session.exec(query)).one()
    return last


async def _move(work: _Work, request: ScheduleRequest) -> Arranged:
    choice = await _choice(work, request, "改")
    if choice.answer is not None:
        return choice.answer
    schedule = choice.chosen[0]
    given = moved_fields(schedule, request, next_of(schedule, work.now) or schedule.starts_at, work.local_now)
    if given is None:
        return Arranged((replies.ask_new_time(work.text(schedule)),))
    before = _state(schedule)
    await change_schedule(work.session, work.scope, schedule.id, given, None, work.now)
    return Arranged((replies.moved(work.text(schedule)),), (work.keep(schedule, "moved", before),))


async def _lead(work: _Work, request: ScheduleRequest) -> Arranged:
    choice = await _choice(work, request, "改")
    if choice.answer is not None or request.lead is None:
        return choice.answer or NOTHING
    schedule = choice.chosen[0]
    before = _state(schedule)
    await change_schedule(
        work.session, work.scope, schedule.id, {"remind_before_minutes": [request.lead]}, None, work.now
    )
    told = replies.lead_changed(work.text(schedule), replies.lead_text(request.lead, all_day=schedule.all_day))
    return Arranged((told,), (work.keep(schedule, "moved", before),))


async def _cancel(work: _Work, request: ScheduleRequest) -> Arranged:
    choice = await _choice(work, request, "取消")
    if choice.answer is not None:
        return choice.answer
    texts, events = [work.text(one) for one in choice.chosen], []
    for schedule in choice.chosen:
        before = _state(schedule)
        schedule.status = CANCELLED
        schedule.version += 1
        note_next_reminder(schedule, work.now)
        work.session.add(schedule)
        events.append(work.keep(schedule, "cancelled", before))
    return Arranged((replies.cancelled(texts),), tuple(events))


@dataclass(frozen=True, slots=True)
class _Chosen:
    chosen: Sequence[Schedule] = ()
    answer: Arranged | None = None


async def _choice(work: _Work, request: ScheduleRequest, verb: str) -> _Chosen:
    """The plans meant, or what is answered when none or several are."""
    rows = [(one, at) for one in await schedules_of(work.session, work.scope) if (at := next_of(one, work.now))]
    rows.sort(key=lambda pair: (pair[1], pair[0].id))
    lately = {act.schedule_id for act in await last_acts(work.session, work.scope, work.now)}
    choice, found = choose(request, [one for one, _ in rows], lately)
    if choice is Choice.FOUND:
        return _Chosen(found)
    if choice is Choice.SEVERAL:
        return _Chosen(answer=Arranged((replies.ask_which(verb, [work.text(one) for one in found]),)))
    return _Chosen(answer=Arranged((replies.NONE_FOUND,)) if request.explicit else NOTHING)


async def _undo(work: _Work, _request: ScheduleRequest) -> Arranged:
    acts = [act for act in await last_acts(work.session, work.scope, work.now) if act.outcome != "undone"]
    if not acts:
        return NOTHING
    told, events = [], []
    for act in acts:
        schedule = await work.session.get(Schedule, act.schedule_id)
        if schedule is None or schedule.household_id != work.scope.household_id:
            continue
        text = work.text(schedule)
        for name, value in (act.before or {"status": CANCELLED}).items():
            setattr(schedule, name, datetime.fromisoformat(value) if name == "starts_at" else value)
        schedule.version += 1
        note_next_reminder(schedule, work.now)
        work.session.add(schedule)
        is_back = schedule.status == ACTIVE
        told.append(replies.restored(work.text(schedule)) if is_back else replies.taken_back(text))
        events.append(work.keep(schedule, "undone", {}) | {"outcome": "restored" if is_back else "cancelled"})
    return Arranged(tuple(told) or (replies.NOTHING_TO_UNDO,), tuple(events))


async def _told_again(work: _Work, acts: Sequence[ScheduleAct]) -> Arranged:
    """The receipt of what this message did in an earlier run of its turn."""
    told, events = [], []
    for act in acts:
        schedule = await work.session.get(Schedule, act.schedule_id)
        if schedule is not None:
            text = work.text(schedule)
            words = {
                "created": replies.made([text], ()),
                "cancelled": replies.cancelled([text]),
                "undone": replies.restored(text) if schedule.status == ACTIVE else replies.taken_back(text),
            }
            told.append(words.get(act.outcome) or replies.moved(text))
            events.append(event_of(schedule, act.outcome))
    return Arranged(tuple(told), tuple(events))


def _state(schedule: Schedule) -> dict[str, Any]:
    """What an undo puts back."""
    return {
        "starts_at": schedule.starts_at.isoformat(),
        "all_day": schedule.all_day,
        "rrule": schedule.rrule,
        "remind_before_minutes": schedule.remind_before_minutes,
        "status": schedule.status,
    }


_ACTS = {Act.MAKE: _make, Act.MOVE: _move, Act.CANCEL: _cancel, Act.UNDO: _undo, Act.LEAD: _lead}

__all__ = ["NOTHING", "Arranged", "arrange", "event_of"]
