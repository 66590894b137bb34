"""A vet's note as a browser's form sends it and as a program does: both become the same fields."""

import re
from typing import Any
from urllib.parse import parse_qsl

from fastapi import Request
from pydantic import Field

from domain.vet_note_fields import VetNoteFields
from miniprogram_api.faults import BodyUnreadable

MAX_FIELDS = 30
_SEPARATORS = re.compile(r"[、,，;；\n]+")
_LISTS = ("allergies", "not_allergic_to", "conditions", "medications_started", "medications_stopped")
_NAMED = {"allergies": "substance", "medications_started": "product"}


class NewVetNote(VetNoteFields):
    """A note with the code that allows it: the passcode of the share, or the six digits on the owner's phone."""

    model_config = {
        "extra": "forbid",
        "json_schema_extra": {
            "examples": [
                {
                    "author": "王医生",
                    "clinic": "阳光动物医院",
                    "visited_on": "2026-03-01",
                    "diagnosis": "急性肠胃炎",
                    "treatment": "补液，止吐",
                    "next_on": "2026-03-04",
                    "allergies": [{"substance": "头孢", "reaction": "面部肿胀"}],
                    "code": "482913",
                }
            ]
        },
    }

    code: str = Field(default="", max_length=32)

    def told(self) -> VetNoteFields:
        """The note without its code."""
        return VetNoteFields.model_validate(self.model_dump(exclude={"code"}))


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form; empty ones are left out. Raises BodyUnreadable."""
    try:
        text = (await request.body()).decode("ascii")
        pairs = parse_qsl(text, max_num_fields=MAX_FIELDS, encoding="utf-8", errors="replace")
    except ValueError:
        raise BodyUnreadable("表单无法读取") from None
    return {name: value for name, value in pairs if value.strip()}


def note_of_form(form: dict[str, str]) -> NewVetNote:
    """The note of a form. Raises pydantic's ValidationError."""
    return NewVetNote.model_validate(_from_form(form))


def _from_form(form: dict[str, str]) -> dict[str, Any]:
    """Lists are typed into one field each, separated by 、 or commas."""
    fields: dict[str, Any] = dict(form)
    for name in _LISTS:
        if name in form:
            words = [word.strip() for word in _SEPARATORS.split(form[name]) if word.strip()]
            fields[name] = [{_NAMED[name]: word} for word in words] if name in _NAMED else words
    return fields
