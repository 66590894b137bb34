"""Input of `PUT`: the fields of a form, each of them optional. Absent means unchanged, null means cleared."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.fields import FieldInfo

VERSION: Any = (int | None, Field(default=None, ge=1, description="改之前看到的版本；已过期会得到 409 stale_version"))


def all_optional(form: type[BaseModel], name: str, example: dict[str, Any]) -> type[BaseModel]:
    """The form with every field optional, and `version`. What is given is validated with the whole form later."""
    fields: dict[str, Any] = {
        field_name: (_or_none(field), Field(default=None)) for field_name, field in form.model_fields.items()
    }
    return create_model(
        name,
        __config__=ConfigDict(extra="forbid", json_schema_extra={"examples": [example]}),
        **fields,
        version=VERSION,
    )


def _or_none(field: FieldInfo) -> Any:
    """The form's own type with its limits, or null."""
    limits = [
        one for one in field.metadata if one.__hash__ is not None
    ]  # SQLModel's column notes cannot stand in a type
    limited: Any = Annotated[field.annotation, *limits] if limits else field.annotation
    return limited | None


def given_fields(given: BaseModel) -> tuple[dict[str, Any], int | None]:
    """The fields that were really sent, and the version they were based on."""
    fields = {name: getattr(given, name) for name in given.model_fields_set}
    return fields, fields.pop("version", None)
