"""Which dated lines may be a cause, an effect or a choice, and how they are called in a sentence. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from memory.hunches import Found, Happening, what_follows, what_repeats
from memory.items import MemoryItem
from memory.scope import Scope
from memory.vocabulary import AttributeClass

A = AttributeClass

_CHANGE_OF_FOOD = ("diet.staple_food", "diet.prescription")
_CAUSES = {A.DEWORMING: "驱虫", A.VACCINE: "打疫苗"}
_ENDING = re.compile(r"[了过着]+$")
_LONGEST_LABEL = 12  # characters; a longer one is a sentence, not a name


def hunches_in(
    name: str, rows: Sequence[MemoryItem], told_on: Mapping[str, Iterable[date]], scope: Scope
) -> Iterator[Found]:
    """All that these rows of one pet let suspect. told_on: the days on which each row was spoken of."""
    causes = [one for row in rows for one in _happenings(row, _cause(row), _days(row, {}, scope))]
    effects = [one for row in rows for one in _happenings(row, _effect(row), _days(row, {}, scope))]
    choices = [one for row in rows for one in _happenings(row, _choice(row), _days(row, told_on, scope))]
    yield from what_follows(name, causes, effects)
    yield from what_repeats(name, choices)


def _happenings(row: MemoryItem, label: str, days: Iterable[date]) -> Iterator[Happening]:
    if not label or row.negated:
        return
    key = label if row.attribute in _CHANGE_OF_FOOD else row.attribute
    for day in days:
        yield Happening(row.id, key, label, row.topic, row.attribute, day)


def _days(row: MemoryItem, told_on: Mapping[str, Iterable[date]], scope: Scope) -> set[date]:
    happened = {scope.local(row.valid_from).date()} if row.valid_from and row.valid_from_precision == "day" else set()
    return happened | set(told_on.get(row.id, ()))


def _cause(row: MemoryItem) -> str:
    kind = A(row.attribute_class)
    if row.attribute in _CHANGE_OF_FOOD:
        return "换粮"
    if kind is A.DIET_PREFERENCE:
        return _named("吃", row, "food")
    if kind is A.MEDICATION:
        return _named("用", row, "product", "ingredient")
    return _CAUSES.get(kind, "")


def _effect(row: MemoryItem) -> str:
    return _named("", row, "name") if row.attribute_class == A.SYMPTOM.value else ""


def _choice(row: MemoryItem) -> str:
    if row.attribute_class == A.DIET_PREFERENCE.value and row.attribute.startswith("diet:"):
        return _named("吃", row, "food")
    if row.attribute_class in (A.ACTIVITY.value, A.GROOMING.value) and ":" in row.attribute:
        return _named("", row, "name")
    return ""


def _named(verb: str, row: MemoryItem, *keys: str) -> str:
    word = next((str(row.value[key]) for key in keys if row.value.get(key)), "")
    word = _ENDING.sub("", word.strip())
    return f"{verb}{word}" if 0 < len(word) <= _LONGEST_LABEL else ""
