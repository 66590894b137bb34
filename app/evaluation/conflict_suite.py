"""Conflict cases through the very code of a chat turn: each case is a household of its own in a throw-away database.

Known lines enter as the owner's own, one row a line that keeps the line's words; statements are extracted, remembered
and, where they answer a question, answered. What is served is what would be injected for a neutral question.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.database import open_database
from app.evaluation.cases import ConflictCase, EvaluatedPet, Statement, StoredMemory
from domain.asking import ask_about
from domain.attributes import CLASSES
from domain.cards import dated
from domain.confirming import open_confirmations
from domain.offline.extractor import extract
from domain.owners import scope_of, sign_in_owner
from domain.pet_profiles import KnownFact, SaidBefore, Utterance
from domain.pets import Pet, profile_of
from domain.profile_facts import PROFILE_SLOTS
from domain.remembering import Limits, Remembered, SaidMessage, remember
from domain.slot_keys import slot_key
from domain.statement_rows import Desk
from memory.claims import Claim, Evidence
from memory.confirmation_texts import PENDING_MARK
from memory.items import MemoryItem
from memory.messages import open_conversation
from memory.prepared import quick_of
from memory.scope import Scope
from memory.settlement import Answer
from memory.sqltypes import new_id
from memory.topics import Topic
from memory.transactions import Transactions
from memory.visibility import SERVED, live
from memory.vocabulary import (
    OWNER_SUBJECT,
    AttributeClass,
    Certainty,
    MemoryStatus,
    Outcome,
    Precision,
    Source,
    SpeechAct,
)

WATCHED_MARK = "观察中"
NOON = time(12)  # a dated line without a clock time was said at some point of its day
_UNDATED = date(2000, 1, 1)  # before any case begins
SEED_LIMIT = Limits(new_memories=50)  # what is known already is no message of today
_WORDS = (
    (Outcome.SUPERSEDED, "supersede"),
    (Outcome.CANDIDATE, "candidate"),
    (Outcome.ADDED, "coexist"),
    (Outcome.PROVISIONAL, "coexist"),
    (Outcome.MERGED, "duplicate"),
)
_ANSWERED = {Answer.ACCEPT: "supersede", Answer.KEEP: "duplicate", Answer.WATCH: "candidate"}
_CLASS_NAMES = frozenset(cls.value for cls in AttributeClass)
_SEX = {"male": "male", "female": "female"}


async def predict_conflicts(cases: Sequence[ConflictCase]) -> list[dict[str, Any]]:
    """One prediction a case, in order: `{id, statements: [{outcome, served}]}`."""
    with TemporaryDirectory(prefix="pawsignal-conflict-") as folder:
        database = open_database(f"sqlite+aiosqlite:///{Path(folder) / 'cases.db'}")
        await database.migrate()
        try:
            return [await _predict(database, case) for case in cases]
        finally:
            await database.close()


@dataclass(slots=True)
class _Household:
    """One case while it is lived through."""

    database: Transactions
    scope: Scope
    pets: list[Pet]

    def subject(self, name: str) -> str | None:
        if name == OWNER_SUBJECT:
            return OWNER_SUBJECT
        return next((pet.id for pet in self.pets if pet.name == name), None)

    def name_of(self, subject: str | None) -> str:
        return next((pet.name for pet in self.pets if pet.id == subject), subject or "")


async def _predict(database: Transactions, case: ConflictCase) -> dict[str, Any]:
    home = await _move_in(database, case)
    for memory in case.memory:
        await _know(home, memory)
    return {"id": case.id, "statements": [await _hear(home, statement) for statement in case.statements]}


async def _move_in(database: Transactions, case: ConflictCase) -> _Household:
    began = case.statements[0].at.astimezone(UTC)
    async with database.write() as session:
        owner = await sign_in_owner(session, "evaluation", new_id(), None, began)
        pets = [_pet(owner.household_id, pet, began) for pet in case.pets]
        session.add_all(pets)
    return _Household(database, scope_of(owner), pets)


def _pet(household_id: str, pet: EvaluatedPet, began: datetime) -> Pet:
    sex, _, state = (pet.sex or "").partition("_")
    return Pet(
        household_id=household_id,
        name=pet.name,
        species=pet.species if pet.species in ("dog", "cat") else "other",
        breed=pet.breed,
        sex=_SEX.get(sex, "unknown"),
        neutered=True if state else None,
        created_at=began,
    )


async def _know(home: _Household, memory: StoredMemory) -> None:
    """Let the household know one line, as its owner wrote it."""
    said_at = datetime.combine(_day_of(memory), NOON, ZoneInfo(home.scope.timezone))
    claims = _claims_of_line(home, memory, said_at)
    message = SaidMessage(new_id(), None, memory.text, said_at.astimezone(UTC), home.scope)
    async with home.database.write() as session:
        told = await remember(
            session, home.pets, message, claims, message.said_at, message.said_at, Source.OWNER, limits=SEED_LIMIT
        )
        if told.refusals:
            bare = [replace(claim, value={}) for claim in claims]
            await remember(session, home.pets, message, bare, message.said_at, message.said_at, Source.OWNER)


def _claims_of_line(home: _Household, memory: StoredMemory, said_at: datetime) -> list[Claim]:
    """The line as one claim of its own class that keeps its words; a line nobody can read keeps a slot to itself."""
    subject = home.subject(memory.subject)
    read = extract(Utterance(text=memory.text, now=said_at, pets=[profile_of(pet) for pet in home.pets])).claims
    own = [claim for claim in read if claim.subject == subject] or list(read)
    cls = _class_of(memory.kind)
    main = next((claim for claim in own if claim.attribute_class is cls), None) or next(iter(own), None)
    if main is None:
        main = _unread(memory, cls)
    elif main.attribute_class is not cls and (CLASSES[cls].guards or cls is AttributeClass.WEIGHT):
        main = replace(main, attribute=_slot_of_class(cls, main), attribute_class=cls, negated=False)
    told = [main, *(claim for claim in own if claim.attribute in PROFILE_SLOTS and claim is not main)]
    return [_as_written(claim, memory, subject) for claim in told]


def _as_written(claim: Claim, memory: StoredMemory, subject: str | None) -> Claim:
    """A claim of the line in the line's own words: 是公猫，已绝育 tells two things of the pet's page."""
    return replace(
        claim,
        subject=subject,
        content=memory.text,
        evidence=Evidence(memory.text, 0, len(memory.text)),
        certainty=Certainty.PLAIN,
        act=SpeechAct.STATEMENT,
        first_hand=True,
        topic=_topic_of(memory),
        occurred_on=claim.occurred_on or _day_of(memory),
        occurred_on_precision=claim.occurred_on_precision if claim.occurred_on else Precision.DAY,
    )


def _slot_of_class(cls: AttributeClass, claim: Claim) -> str:
    """A line told to be an allergy is one, about whatever thing the reading found in it."""
    if cls is AttributeClass.WEIGHT:
        return cls.value
    prefix = "condition" if cls is AttributeClass.CHRONIC_CONDITION else cls.value
    return f"{prefix}:{claim.attribute.partition(':')[2] or claim.attribute}"


def _unread(memory: StoredMemory, cls: AttributeClass) -> Claim:
    return Claim(
        subject=None,
        attribute=slot_key(cls.value, memory.text),
        attribute_class=cls,
        topic=_topic_of(memory),
        content=memory.text,
        evidence=Evidence(memory.text, 0, len(memory.text)),
        kind=CLASSES[cls].kind,
        weight_level=CLASSES[cls].weight_level,
    )


def _day_of(memory: StoredMemory) -> date:
    return date.fromisoformat(str(memory.date)) if memory.date else _UNDATED


def _topic_of(memory: StoredMemory) -> Topic:
    return Topic(memory.topic or Topic.LIFESTYLE)


def _class_of(kind: str) -> AttributeClass:
    return AttributeClass(kind) if kind in _CLASS_NAMES else AttributeClass.OTHER


async def _hear(home: _Household, statement: Statement) -> dict[str, Any]:
    """One statement of the owner, as a turn takes it."""
    now = statement.at.astimezone(UTC)
    prompt = statement.confirmation_prompt
    history = [SaidBefore("assistant", prompt, statement.at)] if prompt else []
    known = await _items(home, now)
    utterance = Utterance(
        text=statement.text,
        now=statement.at,
        pets=[profile_of(pet) for pet in home.pets],
        history=history,
        known=[KnownFact(item.subject, item.attribute, _dated(home, item)) for item in known if item.status in SERVED],
    )
    said = extract(utterance)
    async with home.database.write() as session:
        asked = await _question_put(session, home, now) if prompt else None
        conversation_id, _ = await open_conversation(await quick_of(session), home.scope, now)
        message = SaidMessage(new_id(), conversation_id, statement.text, now, home.scope, asked=prompt or "")
        remembered = await remember(session, home.pets, message, said.claims, now, now, just_asked=asked, put=said.put)
    return {"outcome": _outcome(remembered), "served": await _served(home, now)}


async def _question_put(session: AsyncSession, home: _Household, now: datetime) -> str | None:
    """The question that the case says was put: the open one, else one about what was watched last."""
    pending = await open_confirmations(session, home.scope, now)
    if pending:
        return pending[0].id
    watched = await session.exec(
        select(MemoryItem)
        .where(
            col(MemoryItem.household_id) == home.scope.household_id,
            col(MemoryItem.status) == MemoryStatus.CANDIDATE.value,
        )
        .order_by(col(MemoryItem.id).desc())
    )
    candidate = watched.first()
    if candidate is None:
        return None
    desk = Desk(session, home.scope, {pet.id: pet for pet in home.pets}, now, now, by=home.scope.owner_id)
    return (await ask_about(desk, candidate)).id


def _outcome(remembered: Remembered) -> str:
    """One word for the whole statement: what asks or changes outweighs what is merely added."""
    if remembered.answered is not None:
        return _ANSWERED[remembered.answered.answer]
    outcomes = {written.outcome for written in remembered.written}
    if any(written.confirmation is not None for written in remembered.written):
        return "ask_owner"
    for outcome, word in _WORDS:
        if outcome in outcomes:
            return word
    return "ignore"


async def _items(home: _Household, now: datetime) -> list[MemoryItem]:
    async with home.database.read() as session:
        rows = await session.exec(
            select(MemoryItem)
            .where(
                col(MemoryItem.household_id) == home.scope.household_id,
                or_(live(home.scope.household_id, now), col(MemoryItem.status) == MemoryStatus.CANDIDATE.value),
            )
            .order_by(col(MemoryItem.id))
        )
    return list(rows.all())


async def _served(home: _Household, now: datetime) -> list[str]:
    """What would be injected about every pet, each line under its subject's name; what is only watched is marked."""
    return [f"{home.name_of(item.subject)} {_line(home, item)}" for item in await _items(home, now)]


def _dated(home: _Household, item: MemoryItem) -> str:
    return dated(item.content, item.valid_from, item.valid_from_precision, home.scope)


def _line(home: _Household, item: MemoryItem) -> str:
    marks = {MemoryStatus.PROVISIONAL.value: f"（{PENDING_MARK}）", MemoryStatus.CANDIDATE.value: f"（{WATCHED_MARK}）"}
    return _dated(home, item) + marks.get(item.status, "")
