"""A household of a recall case in a throw-away database: its pets, its memories as rows, its vectors, an empty core."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from app.database import Database
from app.evaluation.cases import EvaluatedPet, RecallCase, StoredMemory
from domain.owners import scope_of, sign_in_owner
from domain.pet_profiles import PetProfile, described
from domain.pets import Pet, profile_of
from memory.embedder import Embedder, text_to_embed
from memory.item_writes import add_item
from memory.items import MemoryItem
from memory.scope import Scope
from memory.sqltypes import new_id
from memory.vector_index import VectorIndex, VectorPoint
from memory.vocabulary import OWNER_SUBJECT, AttributeClass, Kind, Precision, Risk

NOON = time(12)  # a dated line without a clock time happened at some point of its day
EVENTS = frozenset({"symptom", "visit", "vaccine", "deworming", "weight", "medication"})
ON_THE_CARD = frozenset({AttributeClass.ALLERGY.value, AttributeClass.CHRONIC_CONDITION.value})

SPECIES_NAMES = {
    "rabbit": "兔子",
    "hamster": "仓鼠",
    "guinea_pig": "豚鼠",
    "chinchilla": "龙猫",
    "hedgehog": "刺猬",
    "turtle": "乌龟",
    "lizard": "蜥蜴",
    "snake": "蛇",
    "parrot": "鹦鹉",
    "bird": "鸟",
    "ferret": "雪貂",
    "fish": "鱼",
}
"""How an owner writes the species that the files name in English."""

_ENDED = re.compile("已停|停药|停了|吃过|用过|打过|已不|已好|好了|结束|停用")
_COURSE = re.compile(r"([一二两三四五六七八九十]|\d+)\s*(天|周|个?星期|个月)")
_NUMERALS = {numeral: number for number, numeral in enumerate("一二三四五六七八九十", start=1)} | {"两": 2}
_DAYS = {"天": 1, "周": 7, "星期": 7, "个星期": 7, "个月": 30}
_REPEATS = re.compile("每|一[天周日]|隔")


@dataclass(frozen=True, slots=True)
class RecallHousehold:
    """own_ids: the case's memory ids by the ids of the rows."""

    scope: Scope
    pets: tuple[PetProfile, ...]
    items: Sequence[MemoryItem]
    own_ids: Mapping[str, str]

    def names(self, pet_ids: Collection[str]) -> list[str]:
        """Names of these pets, in the case's order."""
        return [pet.name for pet in self.pets if pet.id in pet_ids]

    def safety_card(self, pet_ids: Collection[str], today: date) -> list[str]:
        """Allergies, conditions and current drugs of these pets: what their cards tell whatever is asked."""
        return [item.id for item in self.items if item.subject in pet_ids and _on_the_card(item, today)]


async def move_in(database: Database, case: RecallCase) -> RecallHousehold:
    """The case's household, its memories stored and findable by words."""
    now = case.now.astimezone(UTC)
    async with database.write() as session:
        owner = await sign_in_owner(session, "evaluation", new_id(), case.owner_name, now)
        pets = [_pet(owner.household_id, pet, now) for pet in case.pets]
        session.add_all(pets)
        scope = scope_of(owner)
        ids = {pet.name: pet.id for pet in pets} | {OWNER_SUBJECT: OWNER_SUBJECT}
        items = [_item(scope, memory, ids.get(memory.subject), now) for memory in case.memories]
        for item in items:
            add_item(session, item, owner.id, "evaluation", now)
    own_ids = {item.id: memory.id for item, memory in zip(items, case.memories, strict=True)}
    return RecallHousehold(scope, tuple(profile_of(pet) for pet in pets), items, own_ids)


async def add_vectors(household: RecallHousehold, embedder: Embedder, vectors: VectorIndex) -> None:
    """Make the household's memories findable by meaning."""
    texts = passages_of(household.items, household.pets)
    embedded = await embedder.embed_passages(texts)
    await vectors.upsert(
        [
            VectorPoint(item.id, vector.tolist(), item.household_id, item.subject, item.topic, item.kind)
            for item, vector in zip(household.items, embedded, strict=True)
        ]
    )


def passages_of(items: Sequence[MemoryItem], pets: Sequence[PetProfile]) -> list[str]:
    """What is embedded of each line: whom it is about in front."""
    subjects = {pet.id: described(pet) for pet in pets}
    return [text_to_embed(item.content, subjects.get(item.subject or "", "")) for item in items]


def _pet(household_id: str, pet: EvaluatedPet, now: datetime) -> Pet:
    sex, _, state = (pet.sex or "unknown").partition("_")
    species = pet.species if pet.species in ("dog", "cat") else "other"
    return Pet(
        household_id=household_id,
        name=pet.name,
        species=species,
        species_name=None if species != "other" else SPECIES_NAMES.get(pet.species, pet.species),
        breed=pet.breed,
        sex=sex if sex in ("male", "female") else "unknown",
        neutered=True if state else None,
        born_on=born_on(pet.birth),
        created_at=now,
    )


def born_on(birth: str | None) -> date | None:
    """The day of "2021-05-02"; the middle of "2021-05" and of "2021"."""
    if not birth:
        return None
    parts = [int(part) for part in birth.split("-")]
    year, month, day = (*parts, *(7, 15)[len(parts) - 1 :])[:3]
    return date(year, month, day)


def _item(scope: Scope, memory: StoredMemory, subject: str | None, now: datetime) -> MemoryItem:
    happened = _at_noon(memory.date, scope)
    return MemoryItem(
        household_id=scope.household_id,
        owner_id=scope.owner_id,
        subject=subject,
        attribute=memory.kind,
        attribute_class=memory.kind,
        content=memory.text,
        topic=memory.topic or "",
        kind=(Kind.EVENT if memory.kind in EVENTS else Kind.FACT).value,
        risk=Risk.LOW.value,
        valid_from=happened,
        valid_from_precision=(Precision.DAY if happened else Precision.UNKNOWN).value,
        learned_at=happened or now,
        last_evidence_at=happened or now,
    )


def _at_noon(day: object, scope: Scope) -> datetime | None:
    if not day:
        return None
    return datetime.combine(date.fromisoformat(str(day)), NOON, ZoneInfo(scope.timezone)).astimezone(UTC)


def _on_the_card(item: MemoryItem, today: date) -> bool:
    if item.attribute_class == AttributeClass.MEDICATION.value:
        return is_current(item.content, item.valid_from.date() if item.valid_from else None, today)
    return item.attribute_class in ON_THE_CARD


def is_current(content: str, since: date | None, today: date) -> bool:
    """Whether a drug is still given: not said to be over, and no course that has run out ("连吃七天")."""
    if _ENDED.search(content):
        return False
    courses = [match for match in _COURSE.finditer(content) if not _is_rhythm(content, match)]
    if not courses or since is None:
        return True
    number, unit = courses[-1].groups()
    return since + timedelta(days=(_NUMERALS.get(number) or int(number)) * _DAYS[unit]) >= today


def _is_rhythm(content: str, match: re.Match[str]) -> bool:
    """每周, 一天两次, 隔天 say how often, not how long."""
    return _REPEATS.search(content[max(0, match.start() - 1) : match.end()]) is not None
