"""What a question asks for, by its wording (`data/question_cues.yaml`)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from domain.knowledge.sheets import Row, open_sheet
from memory.text_folding import fold_text
from memory.topics import Topic
from memory.vocabulary import AttributeClass


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing that can be asked for: the class of the answer and the archives that hold it."""

    attribute_class: AttributeClass
    topics: tuple[Topic, ...]
    asks: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class QuestionCues:
    """Patterns work on folded text."""

    intents: tuple[Intent, ...]
    trend: re.Pattern[str]
    which_one: re.Pattern[str]
    points: re.Pattern[str]
    past: re.Pattern[str]
    asks: re.Pattern[str]
    many: re.Pattern[str]


@cache
def load_question_cues() -> QuestionCues:
    """All cues, read once. Raises KnowledgeError with file and line."""
    return open_sheet("question_cues.yaml").read(read_question_cues)


def read_question_cues(top: Row) -> QuestionCues:
    """The cues of a sheet."""
    top.only("meta", "intents", "trend", "which_one", "points", "past", "asks", "many")
    return QuestionCues(
        intents=tuple(_read_intent(row) for row in top.rows("intents")),
        trend=_either(top.row("trend")),
        which_one=_any_of(top, top.texts("which_one"), "which_one"),
        points=_any_of(top, top.texts("points"), "points"),
        past=_any_of(top, top.texts("past"), "past"),
        asks=_any_of(top, top.texts("asks"), "asks"),
        many=_any_of(top, top.texts("many"), "many"),
    )


def _read_intent(row: Row) -> Intent:
    row.only("class", "topics", "words", "patterns")
    return Intent(
        attribute_class=row.choice("class", {kind.value: kind for kind in AttributeClass}),
        topics=tuple(Topic(topic) for topic in row.texts("topics")),
        asks=_either(row),
    )


def _either(row: Row) -> re.Pattern[str]:
    words = [re.escape(fold_text(word)) for word in row.texts("words")]
    return _any_of(row, [*words, *row.texts("patterns")], "patterns")


def _any_of(row: Row, patterns: Sequence[str], key: str) -> re.Pattern[str]:
    try:
        return re.compile("|".join(patterns))
    except re.error as error:
        raise row.error(f"not a regular expression: {error}", key) from error
