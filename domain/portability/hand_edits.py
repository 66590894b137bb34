"""A folder edited by hand: which lines are new, which were changed, and what they stand under. Pure.

A list item may end with the invisible id that the export wrote; the words before it may have been changed. Lines
without an id are new. Lines that are missing are kept: an import never deletes.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from domain.portability.folder import CARD, STATUS_MARKS
from memory.topics import LABELS, Topic
from memory.vocabulary import OWNER_SUBJECT, Tier

MAX_LINES = 5000
USER_PAGE = "USER.md"

_ITEM = re.compile(r"\s*[-*+]\s+(?P<words>.*?)\s*(?:<!--\s*id:(?P<id>[0-9a-f-]{36})\s*-->)?\s*$")
_HEADING = re.compile(r"(?P<level>#{1,3})\s+(?P<title>.+?)\s*$")
_MARK = re.compile(f"（(?:{'|'.join(STATUS_MARKS.values())})）$")
_PROFILE = re.compile(r"(?:昵称|时区)：")
_TOPICS = {label: topic for topic, label in LABELS.items()}


@dataclass(frozen=True, slots=True)
class HandLine:
    """One list item. subject: "owner", a pet's name, or None under a heading that names nobody."""

    file: str
    content: str
    memory_id: str | None
    subject: str | None
    topic: Topic | None
    tier: Tier


def hand_lines(pages: Mapping[str, str]) -> list[HandLine]:
    """The list items of `MEMORY.md` and `USER.md`, in order, at most `MAX_LINES` of each."""
    return [line for name, text in pages.items() for line in list(_lines(name, text))[:MAX_LINES]]


def count_unread(pages: Mapping[str, str]) -> int:
    """How many list items stand beyond those that `hand_lines` gives."""
    return sum(max(0, sum(1 for _ in _lines(name, text)) - MAX_LINES) for name, text in pages.items())


def _lines(name: str, text: str) -> Iterator[HandLine]:
    subject = OWNER_SUBJECT if name == USER_PAGE else None
    section = ""
    for raw in text.splitlines():
        heading = _HEADING.match(raw)
        if heading:
            section = heading["title"] if len(heading["level"]) == 3 else ""
            if len(heading["level"]) == 2 and name != USER_PAGE:
                subject = heading["title"]
            continue
        item = _ITEM.match(raw)
        words = _MARK.sub("", item["words"]).strip() if item else ""
        if item is None or not words or (name == USER_PAGE and not section and _PROFILE.match(words)):
            continue
        tier = Tier.CORE if section == CARD else Tier.LONG
        yield HandLine(name, words, item["id"], subject, _TOPICS.get(section), tier)
