"""The pets of a household."""

from datetime import date
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from domain.pet_changes import add_pet, change_pet
from domain.pet_erasure import erase_pet
from domain.pets import Pet, PetFields, PetStatus, pet_of, pets_of
from domain.record_dates import require_possible_dates
from memory.vocabulary import Precision
from miniprogram_api.deps import Acting, Looking
from miniprogram_api.examples import PET_ID
from miniprogram_api.idempotent import OnlyOnce, forget_answers
from miniprogram_api.pagination import Page, Paging, page_of
from miniprogram_api.partial_input import all_optional, given_fields

router = APIRouter(prefix="/pets", tags=["宠物"])

CHANGED = "page_changed"

EXAMPLE: dict[str, Any] = {
    "name": "豆豆",
    "nicknames": ["豆子"],
    "species": "dog",
    "breed": "柯基",
    "sex": "male",
    "neutered": True,
    "born_on": "2021-05-01",
    "born_on_precision": "month",
}


class PetOut(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": PET_ID,
                    **EXAMPLE,
                    "species_name": None,
                    "microchip": None,
                    "photo": None,
                    "no_known_allergies": False,
                    "status": "active",
                    "version": 1,
                }
            ]
        }
    )

    id: str
    name: str
    nicknames: list[str]
    species: Literal["dog", "cat", "other"]
    species_name: str | None
    breed: str | None
    sex: Literal["male", "female", "unknown"]
    neutered: bool | None
    born_on: date | None
    born_on_precision: Precision
    microchip: str | None
    photo: str | None
    no_known_allergies: bool
    status: PetStatus
    version: int


class NewPet(PetFields):
    model_config = {"extra": "forbid", "json_schema_extra": {"examples": [EXAMPLE]}}


PetChange = all_optional(PetFields, "PetChange", {"neutered": True, "version": 1})


def shape(pet: Pet) -> PetOut:
    """The pet as clients see it."""
    return PetOut.model_validate(pet, from_attributes=True)


@router.get("", summary="我的宠物")
async def list_pets(call: Looking, paging: Paging) -> Page[PetOut]:
    """In the order they were added."""
    pets = [pet for pet in await pets_of(call.session, call.scope) if pet.id > (paging.after or "")]
    return page_of(pets[: paging.one_more], paging, shape)


@router.post("", status_code=201, summary="添加宠物", response_model=PetOut)
async def create_pet(fields: NewPet, call: Acting, once: OnlyOnce) -> Any:
    """At most 30 in a household, and no two that are called alike: 409 `pet_name_taken` names the other one."""

    async def create() -> PetOut:
        require_possible_dates(fields, call.scope, call.now)
        return shape(await add_pet(call.session, call.scope, fields, call.now))

    return await once(create)


@router.get("/{pet_id}", summary="宠物资料")
async def read_pet(pet_id: str, call: Looking) -> PetOut:
    """One pet."""
    return shape(await pet_of(call.session, call.scope, pet_id))


@router.put("/{pet_id}", summary="修改宠物资料")
async def update_pet(pet_id: str, given: PetChange, call: Acting) -> PetOut:  # type: ignore[valid-type]  # made at import
    """Replaces the given fields only; a stale `version`, and the name of another pet, are refused."""
    fields, version = given_fields(given)
    pet = await change_pet(call.session, call.change(CHANGED), pet_id, fields, version)
    require_possible_dates(pet, call.scope, call.now)
    return shape(pet)


@router.delete("/{pet_id}", status_code=204, summary="删除宠物")
async def delete_pet(pet_id: str, call: Acting) -> None:
    """Erases the pet with its records, memories, questions and talk."""
    gone = await erase_pet(call.session, call.scope, pet_id, call.real_now)
    await forget_answers(call, gone)
