"""Signs that need a vet, how owners say them, and what does not count (`data/redflags.yaml`)."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from domain.knowledge.sheets import Row, open_sheet, read_origin

Urgency = Literal["emergency", "within_24h", "observe"]
_URGENCIES: dict[str, Urgency] = {"emergency": "emergency", "within_24h": "within_24h", "observe": "observe"}


@dataclass(frozen=True, slots=True)
class Guard:
    """What takes the alarm away: regexes before, after, at the end of, around a hit, and in the whole message.

    overridable: "现在", "又犯了" and the like in the clause bring the alarm back.
    """

    id: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    inside: tuple[str, ...]
    clause: tuple[str, ...]
    message: tuple[str, ...]
    overridable: bool


@dataclass(frozen=True, slots=True)
class RedFlag:
    """One group of signs. phrases: substrings of a clause; patterns: regexes; co_occur: pairs, both said."""

    id: str
    title: str
    species: tuple[str, ...]
    urgency: Urgency
    sex: str | None
    phrases: tuple[str, ...]
    patterns: tuple[str, ...]
    co_occur: tuple[tuple[str, str], ...]
    not_phrases: tuple[str, ...]
    veto: tuple[str, ...]
    owner_do: tuple[str, ...]
    owner_dont: tuple[str, ...]
    escalate_if: tuple[str, ...]
    must_fire: tuple[str, ...]
    must_not_fire: tuple[str, ...]
    source: str
    confidence: str


@dataclass(frozen=True, slots=True)
class RedFlagSheet:
    flags: tuple[RedFlag, ...]
    guards: tuple[Guard, ...]
    now_words: tuple[str, ...]


@cache
def load_red_flags() -> RedFlagSheet:
    """All red flags, read once. Raises KnowledgeError with file and line."""
    return open_sheet("redflags.yaml").read(read_red_flag_sheet)


def read_red_flag_sheet(top: Row) -> RedFlagSheet:
    top.only("meta", "now_override", "guards", "groups")
    return RedFlagSheet(
        flags=tuple(_read_flag(row) for row in top.rows("groups")),
        guards=tuple(_read_guard(row) for row in top.rows("guards")),
        now_words=top.texts("now_override"),
    )


def _read_guard(row: Row) -> Guard:
    row.only("id", "desc", "before", "after", "inside", "clause", "message", "overridable")
    return Guard(
        id=row.text("id"),
        before=row.texts("before"),
        after=row.texts("after"),
        inside=row.texts("inside"),
        clause=row.texts("clause"),
        message=row.texts("message"),
        overridable=bool(row.raw("overridable")),
    )


def _read_flag(row: Row) -> RedFlag:
    row.only(
        *("id", "title", "species", "urgency", "sex_priority", "phrases", "patterns", "co_occur", "not_phrases"),
        *("veto", "suspected", "owner_do", "owner_dont", "escalate_if", "must_fire", "must_not_fire", "note"),
        *("source", "confidence"),
    )
    source, confidence = read_origin(row)
    return RedFlag(
        id=row.text("id"),
        title=row.text("title"),
        species=row.texts("species"),
        urgency=row.choice("urgency", _URGENCIES),
        sex=row.text("sex_priority") if row.has("sex_priority") else None,
        phrases=row.texts("phrases"),
        patterns=row.texts("patterns"),
        co_occur=tuple(_read_pair(row, position, pair) for position, pair in enumerate(row.raw("co_occur") or ())),
        not_phrases=row.texts("not_phrases"),
        veto=row.texts("veto"),
        owner_do=row.texts("owner_do"),
        owner_dont=row.texts("owner_dont"),
        escalate_if=row.texts("escalate_if"),
        must_fire=row.texts("must_fire"),
        must_not_fire=row.texts("must_not_fire"),
        source=source,
        confidence=confidence,
    )


def _read_pair(row: Row, position: int, pair: object) -> tuple[str, str]:
    match pair:
        case [str(first), str(second)]:
            return first, second
        case _:
            raise row.error("expected a pair of regexes", "co_occur", position)
