"""The closed words, the ranges and the shapes of JSON that a row of a file may hold, by table and column. Pure.

A database takes any word; whoever reads the row later does not, and one forged row would hide a whole page.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NotRequired, get_args

from pydantic import StrictBool, StrictFloat, StrictInt, StrictStr, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from domain.pets import PetStatus
from domain.portability.column_values import BadRow
from domain.record_kinds import KINDS
from memory.evidence import MEMORY
from memory.topics import Topic
from memory.vocabulary import (
    AttributeClass,
    Certainty,
    ConfirmationKind,
    ConfirmationStatus,
    Kind,
    MemoryStatus,
    MemoryType,
    Precision,
    SignalKind,
    Source,
    Tier,
    Upgrade,
)

MAX_LINE = 2000  # characters of one memory; the longest line of a record has not half of it
RECORD_STATUS = ("active", "provisional", "ended", "refuted", "superseded")


class _DreamLine(TypedDict):
    what: StrictStr
    text: StrictStr
    memory_ids: list[StrictStr]
    subject: NotRequired[StrictStr | None]


class _Part(TypedDict):
    subjects: list[StrictStr]
    text: StrictStr


class _Side(TypedDict):
    """One side of a question."""

    content: StrictStr
    memory_id: NotRequired[StrictStr | None]
    record_kind: NotRequired[StrictStr | None]
    record_id: NotRequired[StrictStr | None]
    value: NotRequired[dict[str, Any]]
    negated: NotRequired[StrictBool]


class _Recurrence(TypedDict, total=False):
    """When something repeats, as `memory.recurrence` reads it."""

    every: StrictInt | StrictFloat
    unit: StrictStr
    weekdays: list[StrictInt]
    days: list[StrictInt]
    month: StrictInt | None


class _Value(TypedDict, total=False):
    """What is reckoned with in the value of a statement; the rest of it is words."""

    number: StrictInt | StrictFloat | None
    unit: StrictStr | None
    corrects: StrictInt | StrictFloat | StrictStr | None
    recurrence: _Recurrence | None


class _Snapshot(TypedDict):
    """What every version of a memory holds, whatever else its release kept."""

    content: StrictStr
    subject: StrictStr | None
    topic: Topic
    tier: Tier
    status: MemoryStatus
    locked: StrictBool
    confidence: StrictFloat | StrictInt


class _Before(TypedDict, total=False):
    """What a change of a plan put aside."""

    starts_at: StrictStr
    all_day: StrictBool
    rrule: StrictStr | None
    remind_before_minutes: list[StrictInt]
    status: StrictStr


def _any(*words: Iterable[str]) -> frozenset[str]:
    return frozenset(str(word) for some in words for word in some)


_RECORD: dict[str, frozenset[str]] = {"status": _any(RECORD_STATUS), "source": _any(Source)}
WORDS: dict[str, dict[str, frozenset[str]]] = {
    "memory_items": {
        "tier": _any(Tier),
        "kind": _any(Kind),
        "memory_type": _any(MemoryType),
        "status": _any(MemoryStatus),
        "upgrade": _any(Upgrade),
        "certainty": _any(Certainty),
        "source": _any(Source),
        "attribute_class": _any(AttributeClass),
        "topic": _any(Topic),
        "valid_from_precision": _any(Precision),
        "record_kind": _any(KINDS),
    },
    "evidence": {"source": _any(Source), "target_kind": _any([MEMORY], KINDS)},
    "signals": {"kind": _any(SignalKind)},
    "confirmations": {
        "kind": _any(ConfirmationKind),
        "status": _any(ConfirmationStatus),
        "answer": _any(["accept", "keep", "watch"]),
    },
    "pets": {"status": _any(get_args(PetStatus)), "born_on_precision": _any(Precision)},
    "messages": {"role": _any(["user", "assistant"])},
    "archives": {"topic": _any(Topic), "made_by": _any(["basic", "model"])},
    "conversation_summaries": {"made_by": _any(["rules", "model"])},
    "dreams": {"status": _any(["running", "done", "cancelled", "stopped", "undone"])},
    "hunches": {
        "kind": _any(["follows", "repeats"]),
        "topic": _any(Topic),
        "status": _any(["waiting", "taken_up", "kept", "dismissed", "stale"]),
    },
    "follow_ups": {"status": _any(["open", "answered", "dismissed", "lapsed"])},
    "turn_feedback": {"kind": _any(["helpful", "wrong"])},
    "record_versions": {"record_kind": _any(KINDS)},
    **{str(kind.table.__tablename__): _RECORD for kind in KINDS.values()},
}
"""The words of a column that has a closed list; an empty column is looked at elsewhere."""

_SHAPES: dict[tuple[str, str], TypeAdapter[Any]] = {
    ("dreams", "lines"): TypeAdapter(list[_DreamLine]),
    ("conversation_summaries", "parts"): TypeAdapter(list[_Part]),
    ("confirmations", "old"): TypeAdapter(_Side),
    ("confirmations", "new"): TypeAdapter(_Side),
    ("memory_items", "value"): TypeAdapter(_Value),
    ("memory_versions", "snapshot"): TypeAdapter(_Snapshot),
    ("schedule_acts", "before"): TypeAdapter(_Before),
}
_RANGES: dict[tuple[str, str], tuple[float, float]] = {
    ("memory_items", "confidence"): (0, 1),
    ("memory_items", "weight_level"): (1, 3),
    **{("memory_items", signal): (0, 1_000_000) for signal in ("cited", "viewed", "hit")},
    ("hunches", "count"): (0, 1_000_000),
    ("archives", "entries"): (0, 1_000_000),
    ("follow_ups", "put_off"): (0, 1000),
}
_SAID: dict[str, str] = {
    "memory_items": "content",
    "messages": "text",
    "confirmations": "question",
    "follow_ups": "question",
    "hunches": "text",
    "inbox_messages": "title",
}
"""The one column of a table that must say something."""


def require_words(table: str, row: Mapping[str, Any]) -> None:
    """Refuse words, numbers and JSON that no reader of ours knows. Raises BadRow."""
    for column, words in WORDS.get(table, {}).items():
        if row.get(column) is not None and row[column] not in words:
            raise BadRow(f"{column} 的取值不认识")
    for (name, column), (least, most) in _RANGES.items():
        if name == table and row.get(column) is not None and not least <= row[column] <= most:
            raise BadRow(f"{column} 超出了范围")
    for (name, column), shape in _SHAPES.items():
        if name == table and row.get(column) is not None:
            _require_shape(column, shape, row[column])
    if row.get("version") is not None and row["version"] < 1:
        raise BadRow("version 超出了范围")
    said = _SAID.get(table)
    if said is not None and not str(row.get(said) or "").strip():
        raise BadRow(f"{said} 是空的")
    if table == "memory_items" and len(row["content"]) > MAX_LINE:
        raise BadRow("content 太长了")


def _require_shape(column: str, shape: TypeAdapter[Any], value: Any) -> None:
    try:
        shape.validate_python(value)
    except ValidationError as invalid:
        raise BadRow(f"{column} 的内容不对") from invalid
