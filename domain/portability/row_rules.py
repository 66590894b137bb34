"""What must hold of a whole row of a file: what the form of its kind would have let in. Pure."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError
from sqlmodel import SQLModel

from domain.errors import DomainFault
from domain.owner_profiles import OwnerChange
from domain.pets import PetFields
from domain.portability.column_values import BadRow
from domain.portability.row_words import require_words
from domain.record_kinds import KINDS
from domain.repetition import require_usable
from domain.schedules import ACTIVE, CANCELLED, ScheduleFields

Row = Mapping[str, Any]

_FORMS: dict[str, type[SQLModel]] = {
    "pets": PetFields,
    "schedules": ScheduleFields,
    **{str(kind.table.__tablename__): kind.fields for kind in KINDS.values()},
}


def require_possible(table: str, row: Row) -> None:
    """Refuse what no form of ours lets in. Raises BadRow."""
    require_words(table, row)
    if table in _FORMS:
        _require_form(_FORMS[table], row)
    if table in _RULES:
        _RULES[table](row)


def _require_form(form: type[SQLModel], row: Row) -> None:
    try:
        form.model_validate({name: row[name] for name in form.model_fields if name in row})
    except ValidationError as invalid:
        raise BadRow(invalid.errors()[0]["msg"].removeprefix("Value error, ")) from None


def _require_schedule(row: Row) -> None:
    zone = row["timezone"]
    try:
        OwnerChange(timezone=zone)
    except ValidationError:
        raise BadRow("时区不认识") from None
    if row.get("status", ACTIVE) not in (ACTIVE, CANCELLED):
        raise BadRow("status 的取值不认识")
    try:
        if row.get("rrule") is not None and require_usable(row["rrule"], row["starts_at"], zone) != row["rrule"]:
            raise BadRow("重复规则无法识别")
    except DomainFault as fault:
        raise BadRow(fault.detail) from None


_RULES: dict[str, Callable[[Row], None]] = {"schedules": _require_schedule}
