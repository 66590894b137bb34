"""What a vet may write into a note: short fields, few of each, nothing that could be markup or a flood. Validates."""

import re
from datetime import date
from typing import Annotated

from pydantic import BeforeValidator, field_validator, model_validator
from sqlmodel import Field, SQLModel

from domain.pet_names import INVISIBLE

MAX_AUTHOR = 40  # characters
MAX_TEXT = 200  # of a short field, as the visit record takes it
MAX_NOTE = 1000
MAX_NAME, MAX_DETAIL = 60, 100  # of a substance or a drug, and of what is said of it
MAX_ITEMS = 5  # allergies, illnesses or drugs of one visit
EARLIEST_YEAR, LATEST_YEAR = 1990, 2100

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def _clean(value: object) -> object:
    """Without control characters, turned and invisible text; a field of spaces is an empty one."""
    if not isinstance(value, str):
        return value
    return INVISIBLE.sub("", _CONTROLS.sub("", _SURROGATES.sub("", value))).strip() or None


Line = Annotated[Annotated[str, Field(max_length=MAX_TEXT)] | None, BeforeValidator(_clean)]
Detail = Annotated[Annotated[str, Field(max_length=MAX_DETAIL)] | None, BeforeValidator(_clean)]
Text = Annotated[Annotated[str, Field(max_length=MAX_NOTE)] | None, BeforeValidator(_clean)]
Name = Annotated[str, BeforeValidator(_clean), Field(min_length=1, max_length=MAX_NAME)]


class NoteAllergy(SQLModel):
    model_config = {"extra": "forbid"}

    substance: Name
    reaction: Detail = None


class NoteMedication(SQLModel):
    model_config = {"extra": "forbid"}

    product: Name
    dose_text: Detail = None
    frequency_text: Detail = None


class VetNoteFields(SQLModel):
    """One visit note. What stands in lists is put to the conflict policy; the rest is the visit as it was."""

    model_config = {"extra": "forbid"}

    author: Annotated[str, BeforeValidator(_clean), Field(min_length=1, max_length=MAX_AUTHOR)]
    clinic: Line = None
    visited_on: date | None = None
    reason: Line = None
    diagnosis: Line = None
    treatment: Line = None
    next_on: date | None = None
    note: Text = None
    allergies: list[NoteAllergy] = Field(default_factory=list, max_length=MAX_ITEMS)
    not_allergic_to: list[Name] = Field(default_factory=list, max_length=MAX_ITEMS)
    conditions: list[Name] = Field(default_factory=list, max_length=MAX_ITEMS)
    medications_started: list[NoteMedication] = Field(default_factory=list, max_length=MAX_ITEMS)
    medications_stopped: list[Name] = Field(default_factory=list, max_length=MAX_ITEMS)

    @field_validator("visited_on", "next_on")
    @classmethod
    def _is_a_possible_year(cls, value: date | None) -> date | None:
        if value is not None and not EARLIEST_YEAR <= value.year <= LATEST_YEAR:
            raise ValueError("年份看起来不对")
        return value

    @model_validator(mode="after")
    def _says_something(self) -> "VetNoteFields":
        told = (self.reason, self.diagnosis, self.treatment, self.note, self.next_on)
        lists = (
            self.allergies,
            self.not_allergic_to,
            self.conditions,
            self.medications_started,
            self.medications_stopped,
        )
        if not any(told) and not any(lists):
            raise ValueError("至少要写一项内容")
        return self
