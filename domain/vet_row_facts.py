"""What a row of each kind shows: a title, and facts named after their fields. Pure; words are the page's business."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

FactValue = str | bool | date

CODES = frozenset({"category", "criticality", "verification_status", "clinical_status", "target", "code"})
"""Facts whose value is a word of a closed list, which the page translates."""

_TITLES: dict[str, tuple[str, ...]] = {
    "allergies": ("substance",),
    "conditions": ("name", "stage"),
    "medications": ("product",),
    "vaccinations": ("product",),
    "dewormings": ("product",),
    "observations": ("name",),
    "diets": ("brand", "food"),
}
_FACTS: dict[str, tuple[str, ...]] = {
    "allergies": ("reaction", "criticality", "category", "verification_status"),
    "conditions": ("clinical_status", "ended_on"),
    "medications": ("dose_text", "frequency_text", "ingredient", "reason", "ended_on"),
    "vaccinations": ("dose_number", "antigens", "lot_number", "clinic", "reaction"),
    "dewormings": ("target",),
    "weights": (),
    "visits": ("clinic", "reason", "diagnosis", "treatment", "next_on"),
    "observations": ("code", "measured", "result", "severity", "negated"),
    "diets": ("prescription", "amount", "frequency", "ended_on"),
}
_READINGS = ("lab", "temperature")
_SAYS_NOTHING: tuple[Any, ...] = (None, "", False, "unknown", [])
_NOT_FREE = ("lot_number",)  # printed on packs, never owners' prose
UNIT_WORDS = {"kg": "kg", "g": "g", "jin": "斤"}


@dataclass(frozen=True, slots=True)
class Fact:
    """One field of a row that says something."""

    name: str
    value: FactValue

    @property
    def is_code(self) -> bool:
        """Whether the value is to be translated."""
        return self.name in CODES

    def said_as(self, reword: Callable[[str], str]) -> "Fact":
        """The same with free text put through `reword`."""
        free = isinstance(self.value, str) and not self.is_code and self.name not in _NOT_FREE
        return replace(self, value=reword(str(self.value))) if free else self


def title_of(kind: str, fields: Any) -> str:
    """What the row is about, in the words it was entered in."""
    if kind == "weights":
        return f"{fields.value:g} {UNIT_WORDS[fields.unit]}"
    if kind == "visits":
        return fields.diagnosis or fields.reason or fields.treatment or fields.clinic or fields.note or "—"
    words = [value for name in _TITLES[kind] if (value := getattr(fields, name))]
    if kind == "diets" and len(words) == 2 and words[0] in words[1]:
        words = words[1:]
    return " ".join(words)


def facts_of(kind: str, fields: Any, title: str) -> tuple[Fact, ...]:
    """The row's other fields that say something more than its title, in the order in which a vet reads them."""
    found = ((name, _value(fields, name)) for name in _FACTS[kind])
    return tuple(Fact(name, value) for name, value in found if value not in _SAYS_NOTHING and value != title)


def _value(fields: Any, name: str) -> Any:
    if name == "measured":
        return None if fields.value is None else f"{fields.value:g}{fields.unit or ''}"
    if name in ("result", "severity"):  # 偏高 is how a reading came out, 轻微 how bad a sign is
        return fields.severity if (name == "result") == (getattr(fields, "code", "") in _READINGS) else None
    value = getattr(fields, name)
    return "、".join(value) if isinstance(value, list) else value
