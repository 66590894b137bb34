"""Evaluation cases as the product may see them: without their labels.

A label never gets past the readers below: the classes have no field for it, so no runner can look at an answer.
"""

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

LABELS = frozenset({"expect", "gold", "must_not", "acceptable", "reason", "category", "about", "tags"})
"""Fields that are answers, or that slice the results; stripped wherever they stand in a case."""

QUESTION_LABELS = LABELS | {"pet"}
"""Of a recall question, who is meant is an answer too."""


@dataclass(frozen=True, slots=True)
class EvaluatedPet:
    """`sex` may carry the neutering (`female_neutered`); `birth` is as written: a day, a month or a year."""

    name: str
    species: str
    sex: str | None = None
    breed: str | None = None
    birth: str | None = None


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory the product is given. `subject` is a pet's name or `owner`.

    Safety cases have no topic (empty) and no date, and only conflict cases have a `layer` (core, long or short).
    """

    id: str
    subject: str
    topic: str
    kind: str
    text: str
    date: dt.date | None = None
    layer: str | None = None


@dataclass(frozen=True, slots=True)
class ExtractionCase:
    id: str
    now: dt.datetime
    pets: tuple[EvaluatedPet, ...]
    text: str
    owner_name: str | None = None
    history: tuple[EarlierTurn, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """`confirmation_prompt` is the question that the owner is answering, if any."""

    at: dt.datetime
    text: str
    confirmation_prompt: str | None = None


@dataclass(frozen=True, slots=True)
class ConflictCase:
    id: str
    pets: tuple[EvaluatedPet, ...]
    memory: tuple[StoredMemory, ...]
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class RecallCase:
    """One household; `questions` are asked of the same memories."""

    id: str
    now: dt.datetime
    pets: tuple[EvaluatedPet, ...]
    memories: tuple[StoredMemory, ...]
    questions: tuple[str, ...]
    owner_name: str | None = None


@dataclass(frozen=True, slots=True)
class SafetyCase:
    id: str
    pets: tuple[EvaluatedPet, ...]
    memory: tuple[StoredMemory, ...]
    question: str
    reply: str


@dataclass(frozen=True, slots=True)
class DatesCase:
    id: str
    now: dt.datetime
    text: str


Case = ExtractionCase | ConflictCase | RecallCase | SafetyCase | DatesCase
_Fields = Mapping[str, Any]


def read_records(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file, labels and all: gold for the scorer, predictions, never for a runner.

    Raises OSError, and ValueError (naming the line) for what is no JSON object.
    """
    records: list[dict[str, Any]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            record = json.loads(line)
            if not isinstance(record, dict):
                raise ValueError(f"{path.name}, line {number}: not a JSON object")
            records.append(record)
    return records


def write_records(path: Path, records: Sequence[Mapping[str, object]]) -> None:
    """Writes one JSON object a line, UTF-8."""
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
    path.write_text("".join(lines), encoding="utf-8")


def blind(value: Any, labels: frozenset[str] = LABELS) -> Any:
    """A case without its labels, however deep they stand."""
    if isinstance(value, dict):
        return {
            name: blind(part, QUESTION_LABELS if name == "questions" else labels)
            for name, part in value.items()
            if name not in labels
        }
    return [blind(part, labels) for part in value] if isinstance(value, list) else value


def read_extraction_cases(path: Path) -> list[ExtractionCase]:
    """The blind cases of an extraction file; as the other readers, raises KeyError for a missing field."""
    return [
        ExtractionCase(
            id=case["id"],
            now=dt.datetime.fromisoformat(case["now"]),
            pets=_pets(case),
            text=case["text"],
            owner_name=case.get("owner_name"),
            history=tuple(EarlierTurn(turn["role"], turn["text"]) for turn in case.get("history", [])),
        )
        for case in _blind_records(path)
    ]


def read_conflict_cases(path: Path) -> list[ConflictCase]:
    """The blind cases of a conflict file, statements in time order."""
    return [
        ConflictCase(
            id=case["id"],
            pets=_pets(case),
            memory=_memories(case.get("memory", [])),
            statements=tuple(
                Statement(dt.datetime.fromisoformat(said["at"]), said["text"], said.get("confirmation_prompt"))
                for said in case["statements"]
            ),
        )
        for case in _blind_records(path)
    ]


def read_recall_cases(path: Path) -> list[RecallCase]:
    """The blind households of a recall file, questions in the file's order."""
    return [
        RecallCase(
            id=case["id"],
            now=dt.datetime.fromisoformat(case["now"]),
            pets=_pets(case),
            memories=_memories(case["memories"]),
            questions=tuple(question["q"] for question in case["questions"]),
            owner_name=case.get("owner_name"),
        )
        for case in _blind_records(path)
    ]


def read_safety_cases(path: Path) -> list[SafetyCase]:
    """The blind cases of a safety file."""
    return [
        SafetyCase(case["id"], _pets(case), _memories(case.get("memory", [])), case["question"], case["reply"])
        for case in _blind_records(path)
    ]


def read_dates_cases(path: Path) -> list[DatesCase]:
    """The blind cases of a dates file."""
    return [
        DatesCase(case["id"], dt.datetime.fromisoformat(case["now"]), case["text"]) for case in _blind_records(path)
    ]


def _blind_records(path: Path) -> list[dict[str, Any]]:
    return [blind(record) for record in read_records(path)]


def _pets(case: _Fields) -> tuple[EvaluatedPet, ...]:
    return tuple(
        EvaluatedPet(pet["name"], pet["species"], pet.get("sex"), pet.get("breed"), pet.get("birth"))
        for pet in case["pets"]
    )


def _memories(memories: Sequence[_Fields]) -> tuple[StoredMemory, ...]:
    return tuple(
        StoredMemory(
            id=memory["id"],
            subject=memory["subject"],
            kind=memory["kind"],
            text=memory["text"],
            topic=memory.get("topic", ""),
            date=dt.date.fromisoformat(memory["date"]) if memory.get("date") else None,
            layer=memory.get("layer"),
        )
        for memory in memories
    )
