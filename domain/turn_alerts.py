"""The alerts of what an owner writes, with what the household knows: how old its pets are and which are on insulin."""

from datetime import date, datetime

from domain.household_view import HouseholdView
from domain.triage import Alert, triage
from memory.scope import Scope

INSULIN = "medication:insulin"


def alerts_of(
    text: str, view: HouseholdView, scope: Scope, now: datetime, focus_pet_id: str | None = None
) -> tuple[Alert, ...]:
    """The alerts a message calls for, gravest first. focus_pet_id: the pet of the page it is written from."""
    today = scope.local(now).date()
    return triage(text, view.profiles, focus_pet_id, today, on_insulin=_on_insulin(view, today))


def _on_insulin(view: HouseholdView, today: date) -> frozenset[str]:
    given = (row for _, row in view.safety if row.attribute == INSULIN)
    return frozenset(row.pet_id for row in given if not _is_over(getattr(row, "ended_on", None), today))


def _is_over(ended_on: date | None, today: date) -> bool:
    return ended_on is not None and ended_on < today
