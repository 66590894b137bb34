"""A household of an evaluation case, behind the ports that recall reads: the same rows, kept in memory."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import NAMESPACE_OID, uuid5

from app.evaluation.cases import EvaluatedPet, RecallCase, StoredMemory
from domain.pet_profiles import SPECIES_LABELS, PetProfile, Sex, Species
from memory.embedder import text_to_embed
from memory.fulltext import doc_tokens, tokenize
from memory.ranking import RecallItem
from memory.recall import KeywordCandidates
from memory.vocabulary import OWNER_SUBJECT, AttributeClass, Kind

EVENTS = frozenset({"symptom", "visit", "vaccine", "deworming", "weight", "medication"})

_ENDED = re.compile("已停|停药|停了|吃过|用过|打过|已不|已好|好了|结束|停用")
_COURSE = re.compile(r"([一二两三四五六七八九十]|\d+)\s*(天|周|个?星期|个月)")
_NUMERALS = {numeral: number for number, numeral in enumerate("一二三四五六七八九十", start=1)} | {"两": 2}
_DAYS = {"天": 1, "周": 7, "星期": 7, "个星期": 7, "个月": 30}
_REPEATS = re.compile("每|一[天周日]|隔")


@dataclass(frozen=True, slots=True)
class RecallHousehold:
    """KeywordSource and LiveItems of one case. Point ids are UUIDs made from the case's own ids."""

    household_id: str
    pets: tuple[PetProfile, ...]
    items: Mapping[str, RecallItem]
    own_ids: Mapping[str, str]

    async def candidates(self, household_id: str, tokens: Collection[str], limit: int) -> KeywordCandidates:
        """Lines with at least one of the tokens."""
        docs = [doc_tokens(item.id, tokenize(item.content)) for item in self.items.values()]
        hits = [doc for doc in docs if any(token in doc.counts for token in tokens)]
        return KeywordCandidates(hits[:limit], len(docs))

    async def load(self, household_id: str, ids: Collection[str], now: datetime) -> list[RecallItem]:
        """The rows of these ids."""
        return [self.items[point_id] for point_id in ids if point_id in self.items]

    async def newest_ids(
        self, household_id: str, attribute_classes: Collection[str], now: datetime, limit: int
    ) -> list[str]:
        """Newest rows of these classes."""
        rows = [item for item in self.items.values() if item.attribute_class in attribute_classes]
        return [item.id for item in sorted(rows, key=_happened, reverse=True)][:limit]

    async def dated_ids(self, household_id: str, first: date, last: date, now: datetime, limit: int) -> list[str]:
        """Rows of these days."""
        return [item.id for item in self.items.values() if first <= _happened(item) <= last][:limit]

    async def ids_falling_on(self, household_id: str, now: datetime) -> list[str]:
        """Case files carry no recurrence."""
        return []

    def passages(self) -> dict[str, str]:
        """What is embedded, by point id."""
        described = {pet.id: describe(pet) for pet in self.pets}
        return {
            key: text_to_embed(item.content, described.get(item.subject or "", "")) for key, item in self.items.items()
        }

    def safety_card(self, pet_ids: Collection[str], today: date) -> list[str]:
        """Allergies, conditions and current drugs of these pets: what their cards tell whatever is asked."""
        return [
            item.id
            for item in self.items.values()
            if item.subject in pet_ids
            and (
                item.attribute_class in (AttributeClass.ALLERGY.value, AttributeClass.CHRONIC_CONDITION.value)
                or (item.attribute_class == AttributeClass.MEDICATION.value and is_current(item, today))
            )
        ]


def household_of(case: RecallCase) -> RecallHousehold:
    """The case's household, ready to be searched. A pet's id is its name."""
    own_ids = {str(uuid5(NAMESPACE_OID, f"{case.id}/{memory.id}")): memory.id for memory in case.memories}
    items = {point_id: _item(point_id, memory) for point_id, memory in zip(own_ids, case.memories, strict=True)}
    return RecallHousehold(case.id, tuple(profile_of(pet) for pet in case.pets), items, own_ids)


def profile_of(pet: EvaluatedPet) -> PetProfile:
    """The pet as the product's pure code sees it."""
    species: Species = pet.species if pet.species in ("dog", "cat") else "other"  # type: ignore[assignment] # narrowed
    sex = (pet.sex or "unknown").split("_")[0]
    known_sex: Sex = sex if sex in ("male", "female") else "unknown"  # type: ignore[assignment] # narrowed
    return PetProfile(
        id=pet.name,
        name=pet.name,
        species=species,
        breed=pet.breed,
        sex=known_sex,
        neutered="neutered" in (pet.sex or "") or None,
        born_on=_born_on(pet.birth),
        species_name=None if species != "other" else pet.species,
    )


def describe(pet: PetProfile) -> str:
    """Whom a memory is about, for the embedder: species, breed, name."""
    species = SPECIES_LABELS[pet.species] if pet.species != "other" else (pet.species_name or SPECIES_LABELS["other"])
    return " ".join(word for word in (species, pet.breed, pet.name) if word)


def is_current(item: RecallItem, today: date) -> bool:
    """Whether a drug is still given: not said to be over, and no course that has run out ("连吃七天")."""
    if _ENDED.search(item.content):
        return False
    course = [
        m for m in _COURSE.finditer(item.content) if not _REPEATS.search(item.content[max(0, m.start() - 1) : m.end()])
    ]
    if not course or item.happened_on is None:
        return True
    number, unit = course[-1].groups()
    days = (_NUMERALS.get(number) or int(number)) * _DAYS[unit]
    return item.happened_on + timedelta(days=days) >= today


def _item(point_id: str, memory: StoredMemory) -> RecallItem:
    return RecallItem(
        id=point_id,
        subject=OWNER_SUBJECT if memory.subject == "owner" else memory.subject,
        topic=memory.topic or "",
        attribute=memory.kind,
        attribute_class=memory.kind,
        kind=(Kind.EVENT if memory.kind in EVENTS else Kind.FACT).value,
        content=memory.text,
        happened_on=date.fromisoformat(str(memory.date)) if memory.date else None,
    )


def _happened(item: RecallItem) -> date:
    return item.happened_on or date.min


def _born_on(birth: str | None) -> date | None:
    if not birth:
        return None
    parts = [int(part) for part in birth.split("-")]
    year, month, day = (*parts, *(7, 1)[len(parts) - 1 :])[:3]
    return date(year, month, day)
