"""The pets of a household."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

from pydantic import field_validator
from sqlalchemy import ForeignKey
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.errors import UnknownPet
from domain.pet_names import pet_name
from domain.pet_profiles import PetProfile
from domain.record_columns import EARLIEST_YEAR, LATEST_YEAR
from memory.scope import Scope
from memory.sqltypes import Json, UtcDateTime, new_id
from memory.text_folding import fold_word
from memory.vocabulary import Precision

MAX_PETS = 30  # a household with more is a shelter, and a card per pet would no longer fit a turn
MAX_NAME = 20  # characters

PetStatus = Literal["active", "memorial", "lost", "rehomed"]


class Pet(SQLModel, table=True):
    """One pet. A pet that died is `memorial`: kept, and never brought up by the machine."""

    __tablename__ = "pets"

    id: str = Field(default_factory=new_id, primary_key=True)
    household_id: str = Field(index=True, sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    name: str
    nicknames: list[str] = Field(default_factory=list, sa_type=Json)
    species: str
    species_name: str | None = None
    breed: str | None = None
    sex: str = "unknown"
    neutered: bool | None = None
    born_on: date | None = None
    born_on_precision: str = Precision.UNKNOWN.value
    microchip: str | None = None
    photo: str | None = None
    no_known_allergies: bool = False
    status: str = "active"
    created_at: datetime = Field(sa_type=UtcDateTime)
    version: int = 1


class PetFields(SQLModel):
    """What an owner may say of a pet; the door for input, so it validates."""

    model_config = {"extra": "forbid"}

    name: str = Field(min_length=1, max_length=MAX_NAME)
    nicknames: list[str] = Field(default_factory=list, max_length=10)
    species: Literal["dog", "cat", "other"]
    species_name: str | None = Field(default=None, max_length=MAX_NAME)
    breed: str | None = Field(default=None, max_length=30)
    sex: Literal["male", "female", "unknown"] = "unknown"
    neutered: bool | None = None
    born_on: date | None = None
    born_on_precision: Precision = Precision.UNKNOWN
    microchip: str | None = Field(default=None, max_length=32, regex=r"^[0-9A-Za-z]*$")
    photo: str | None = Field(default=None, max_length=64)
    no_known_allergies: bool = False
    status: PetStatus = "active"

    @field_validator("born_on")
    @classmethod
    def _is_a_possible_year(cls, value: date | None) -> date | None:
        if value is not None and not EARLIEST_YEAR <= value.year <= LATEST_YEAR:
            raise ValueError("年份看起来不对")
        return value

    @field_validator("name")
    @classmethod
    def _can_be_called_by(cls, value: str) -> str:
        return pet_name(value)

    @field_validator("nicknames")
    @classmethod
    def _can_be_called_by_each(cls, value: list[str]) -> list[str]:
        return [pet_name(one) for one in value]


def names_of(pet: Pet | PetFields) -> set[str]:
    """All that it is called by, folded: two names that fold alike cannot be told apart in what an owner writes."""
    return {fold_word(name) for name in (pet.name, *pet.nicknames)}


def profile_of(pet: Pet) -> PetProfile:
    """The pet as pure code sees it."""
    return PetProfile(
        id=pet.id,
        name=pet.name,
        species=pet.species,  # type: ignore[arg-type]  # PetFields lets only the three values in
        nicknames=tuple(pet.nicknames),
        breed=pet.breed,
        sex=pet.sex,  # type: ignore[arg-type]  # the same
        neutered=pet.neutered,
        born_on=pet.born_on,
        species_name=pet.species_name,
        status=pet.status,  # type: ignore[arg-type]  # the same
    )


async def pets_of(session: AsyncSession, scope: Scope) -> Sequence[Pet]:
    """All pets of the household, in the order they were added."""
    rows = await session.exec(select(Pet).where(col(Pet.household_id) == scope.household_id).order_by(col(Pet.id)))
    return rows.all()


async def pet_of(session: AsyncSession, scope: Scope, pet_id: str) -> Pet:
    """One pet of this household. Raises UnknownPet, also for another household's id."""
    pet = (
        await session.exec(select(Pet).where(col(Pet.household_id) == scope.household_id, col(Pet.id) == pet_id))
    ).one_or_none()
    if pet is None:
        raise UnknownPet()
    return pet
