"""The catalogue of slots: what memory must know about an attribute before it can keep or compare statements.

An attribute is `class`, `class:value` or `class.sub` (`weight`, `allergy:chicken`, `diet.staple_food`). `spec_of`
answers for every one of them: archive, risk, how many values may hold at once, which record it writes, how the line of
memory reads. Slots that differ from their class stand in `SLOTS`; everything else follows the class.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from memory.topics import Topic
from memory.vocabulary import AttributeClass, Cardinality, Kind, MemoryType, Risk

Render = Callable[[str, Mapping[str, Any], bool], str]

SAFETY, CARE, SMALL_TALK = 3, 2, 1  # weight levels of product.md §1


@dataclass(frozen=True, slots=True)
class AttributeSpec:
    """What holds of a slot. `record_kind` is a record table's path name, None when only memory keeps it.

    `cardinality` is that of one slot: `allergy:chicken` holds one value, a second allergy is another slot.
    `guards`: asserted, the slot makes every later answer more careful (an allergy, a condition, a current drug).
    `render(name, value, negated)` writes one Chinese line from structured fields, for lines made from a record.
    """

    attribute_class: AttributeClass
    topic: Topic
    risk: Risk
    cardinality: Cardinality
    weight_level: int
    kind: Kind
    memory_type: MemoryType
    record_kind: str | None
    render: Render
    guards: bool = False


def _first(value: Mapping[str, Any], *keys: str) -> str:
    return next((str(value[key]) for key in keys if value.get(key)), "")


def _quantity(value: Mapping[str, Any]) -> str:
    number = value.get("number")
    return "" if number is None else f"{number:g}{value.get('unit') or ''}"


def _allergy(name: str, value: Mapping[str, Any], negated: bool) -> str:
    substance = _first(value, "substance_name", "substance", "name")
    substance = (
        substance.removeprefix("对") if substance == "对虾" else substance
    )  # 豆豆对虾过敏 names no kind of shrimp
    if negated:
        return f"{name}对{substance}不过敏"
    reaction = _first(value, "reaction")
    return f"{name}对{substance}过敏" + (f"（{reaction}）" if reaction else "")


def _condition(name: str, value: Mapping[str, Any], negated: bool) -> str:
    stage = _first(value, "stage")
    return f"{name}{'没有' if negated else '有'}{_first(value, 'name')}{f' {stage}' if stage else ''}"


def _medication(name: str, value: Mapping[str, Any], negated: bool) -> str:
    product = _first(value, "product", "ingredient", "name")
    if negated:
        return f"{name}停用{product}"
    how = " ".join(text for text in (_first(value, "dose_text"), _first(value, "frequency_text")) if text)
    return f"{name}在用{product}" + (f"，{how}" if how else "")


def _prevention(verb: str) -> Render:
    def render(name: str, value: Mapping[str, Any], negated: bool) -> str:
        return f"{name}{'没' if negated else ''}{verb}{_first(value, 'product', 'name')}"

    return render


def _weight(name: str, value: Mapping[str, Any], negated: bool) -> str:
    return f"{name}体重{'不是' if negated else ''}{_quantity(value)}"


def _plain(name: str, value: Mapping[str, Any], negated: bool) -> str:
    text = _first(value, "text", "name", "food", "product")
    return f"{name}{'没有' if negated else ''}{text}{_quantity(value)}"


def _diet(name: str, value: Mapping[str, Any], negated: bool) -> str:
    food = _first(value, "food", "product", "name")
    return f"{name}{'不吃' if negated else '吃'}{food}{_quantity(value)}"


_A, _T, _K, _M, _C = AttributeClass, Topic, Kind, MemoryType, Cardinality

CLASSES: dict[AttributeClass, AttributeSpec] = {
    _A.ALLERGY: AttributeSpec(
        _A.ALLERGY, _T.MEDICAL, Risk.HIGH, _C.ONE, SAFETY, _K.FACT, _M.SEMANTIC, "allergies", _allergy, True
    ),
    _A.CHRONIC_CONDITION: AttributeSpec(
        _A.CHRONIC_CONDITION,
        _T.MEDICAL,
        Risk.HIGH,
        _C.ONE,
        SAFETY,
        _K.FACT,
        _M.SEMANTIC,
        "conditions",
        _condition,
        True,
    ),
    _A.MEDICATION: AttributeSpec(
        _A.MEDICATION, _T.MEDICAL, Risk.HIGH, _C.ONE, SAFETY, _K.FACT, _M.SEMANTIC, "medications", _medication, True
    ),
    _A.VACCINE: AttributeSpec(
        _A.VACCINE,
        _T.PREVENTION,
        Risk.HIGH,
        _C.SERIES,
        SAFETY,
        _K.EVENT,
        _M.EPISODIC,
        "vaccinations",
        _prevention("打了"),
    ),
    _A.DEWORMING: AttributeSpec(
        _A.DEWORMING,
        _T.PREVENTION,
        Risk.HIGH,
        _C.SERIES,
        SAFETY,
        _K.EVENT,
        _M.EPISODIC,
        "dewormings",
        _prevention("用了驱虫药"),
    ),
    _A.WEIGHT: AttributeSpec(
        _A.WEIGHT, _T.GROWTH, Risk.LOW, _C.SERIES, SAFETY, _K.FACT, _M.EPISODIC, "weights", _weight
    ),
    _A.SYMPTOM: AttributeSpec(
        _A.SYMPTOM, _T.HEALTH, Risk.LOW, _C.SERIES, SAFETY, _K.EVENT, _M.EPISODIC, "observations", _plain
    ),
    _A.VISIT: AttributeSpec(_A.VISIT, _T.MEDICAL, Risk.LOW, _C.SERIES, SAFETY, _K.EVENT, _M.EPISODIC, "visits", _plain),
    _A.DIET_PREFERENCE: AttributeSpec(
        _A.DIET_PREFERENCE, _T.DIET, Risk.LOW, _C.ONE, CARE, _K.FACT, _M.SEMANTIC, "diets", _diet
    ),
    _A.BEHAVIOR: AttributeSpec(_A.BEHAVIOR, _T.BEHAVIOR, Risk.LOW, _C.MANY, CARE, _K.FACT, _M.SEMANTIC, None, _plain),
    _A.ACTIVITY: AttributeSpec(_A.ACTIVITY, _T.LIFESTYLE, Risk.LOW, _C.MANY, CARE, _K.FACT, _M.SEMANTIC, None, _plain),
    _A.GROOMING: AttributeSpec(
        _A.GROOMING, _T.LIFESTYLE, Risk.LOW, _C.SERIES, CARE, _K.EVENT, _M.EPISODIC, None, _plain
    ),
    _A.CONTACT: AttributeSpec(_A.CONTACT, _T.OWNER, Risk.LOW, _C.ONE, CARE, _K.FACT, _M.SEMANTIC, None, _plain),
    _A.PREFERENCE: AttributeSpec(
        _A.PREFERENCE, _T.OWNER, Risk.LOW, _C.MANY, CARE, _K.FACT, _M.PROCEDURAL, None, _plain
    ),
    _A.SCHEDULE: AttributeSpec(_A.SCHEDULE, _T.LIFESTYLE, Risk.LOW, _C.MANY, CARE, _K.EVENT, _M.EPISODIC, None, _plain),
    _A.OTHER: AttributeSpec(_A.OTHER, _T.LIFESTYLE, Risk.LOW, _C.MANY, SMALL_TALK, _K.FACT, _M.SEMANTIC, None, _plain),
}

# The first part of a slot name when it is not the class's own value.
PREFIXES: dict[str, AttributeClass] = {
    "condition": _A.CHRONIC_CONDITION,
    "diet": _A.DIET_PREFERENCE,
    "lab": _A.VISIT,
    "owner": _A.OTHER,
} | {str(item): item for item in AttributeClass}

# Slots that differ from their class.
SLOTS: dict[str, AttributeSpec] = {
    "neutered": replace(CLASSES[_A.OTHER], topic=_T.MEDICAL, risk=Risk.HIGH, cardinality=_C.ONE, weight_level=SAFETY),
    "species": replace(CLASSES[_A.OTHER], topic=_T.GROWTH, risk=Risk.HIGH, cardinality=_C.ONE, weight_level=SAFETY),
    "sex": replace(CLASSES[_A.OTHER], topic=_T.GROWTH, risk=Risk.HIGH, cardinality=_C.ONE, weight_level=SAFETY),
    "birth_date": replace(CLASSES[_A.OTHER], topic=_T.GROWTH, cardinality=_C.ONE, weight_level=CARE),
    "age": replace(CLASSES[_A.OTHER], topic=_T.GROWTH, cardinality=_C.ONE),
    "breed": replace(CLASSES[_A.OTHER], topic=_T.GROWTH, cardinality=_C.ONE, weight_level=CARE),
    "microchip": replace(CLASSES[_A.OTHER], cardinality=_C.ONE, weight_level=CARE),
    "weight_goal": replace(
        CLASSES[_A.PREFERENCE], topic=_T.GROWTH, cardinality=_C.ONE, memory_type=_M.SEMANTIC, record_kind=None
    ),
    "diet.staple_food": replace(CLASSES[_A.DIET_PREFERENCE], cardinality=_C.ONE),
    "diet.amount": replace(CLASSES[_A.DIET_PREFERENCE], cardinality=_C.ONE),
    "diet.prescription": replace(CLASSES[_A.DIET_PREFERENCE], risk=Risk.HIGH, cardinality=_C.ONE, weight_level=SAFETY),
    "other:litter": replace(CLASSES[_A.OTHER], topic=_T.ELIMINATION, cardinality=_C.ONE, weight_level=CARE),
    "lab": replace(CLASSES[_A.VISIT], record_kind="observations"),
    "owner": replace(CLASSES[_A.OTHER], topic=_T.OWNER),
    "owner.residence": replace(CLASSES[_A.OTHER], topic=_T.OWNER, cardinality=_C.ONE),
    "owner.allergy": replace(CLASSES[_A.ALLERGY], topic=_T.OWNER, risk=Risk.LOW, record_kind=None, weight_level=CARE),
    "preference.reply_style": replace(CLASSES[_A.PREFERENCE], cardinality=_C.MANY),
}


@lru_cache(maxsize=1024)
def spec_of(attribute: str) -> AttributeSpec:
    """What holds of this slot: its own entry, else its prefix's, else its class's. Unknown names are `other`."""
    if attribute in SLOTS:
        return SLOTS[attribute]
    prefix = attribute.partition(":")[0]
    if prefix in SLOTS:
        return SLOTS[prefix]
    head = prefix.partition(".")[0]
    return SLOTS.get(head) or CLASSES[PREFIXES.get(head, AttributeClass.OTHER)]
