"""Input of `PUT`: the fields of a form, each of them optional. Absent means unchanged, null means cleared."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, create_model

VERSION: Any = (int | None, Field(default=None, ge=1, description="改之前看到的版本；已过期会得到 409 stale_version"))


def all_optional(form: type[BaseModel], name: str, example: dict[str, Any]) -> type[BaseModel]:
    """The form with every field optional, and `version`. What is given is validated with the whole form later."""
    fields: dict[str, Any] = {
        field_name: (field.annotation | None, Field(default=None))  # type: ignore[operator]  # a type, as the form has it
        for field_name, field in form.model_fields.items()
    }
    return create_model(
        name,
        __config__=ConfigDict(extra="forbid", json_schema_extra={"examples": [example]}),
        **fields,
        version=VERSION,
    )


def given_fields(given: BaseModel) -> tuple[dict[str, Any], int | None]:
    """The fields that were really sent, and the version they were based on."""
    fields = {name: getattr(given, name) for name in given.model_fields_set}
    return fields, fields.pop("version", None)
