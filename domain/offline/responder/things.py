"""The table of things an owner asks about: the words that ask, and what tells that a line is about the thing.

A `named` thing is missed when no line is about it: the answer is then 没有记录, never a line about something else.
`part_of` names the wider thing whose lines may be told, as such, when the narrow one is not recorded.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from domain.offline.responder.tables import any_of, read_table

NEVER = any_of(())


@dataclass(frozen=True, slots=True)
class Thing:
    """asks: in the question; says: in a line; slots: classes or attributes of lines that are about it.

    head: wording that makes it the very thing asked for (吃的什么药), so that lines of its slots go first.
    """

    label: str
    asks: re.Pattern[str]
    says: re.Pattern[str]
    slots: tuple[str, ...] = ()
    named: bool = True
    part_of: str = ""
    head: re.Pattern[str] = NEVER


@cache
def load_things() -> tuple[Thing, ...]:
    """The table of `things.yaml`, read once."""
    return tuple(_read(entry) for entry in read_table("things")["things"])


def _read(entry: Mapping[str, Any]) -> Thing:
    asks = any_of(entry["asks"])
    return Thing(
        label=entry["label"],
        asks=asks,
        says=any_of(entry["says"]) if "says" in entry else asks,
        slots=tuple(entry.get("slots", ())),
        named=entry.get("named", True),
        part_of=entry.get("part_of", ""),
        head=any_of(entry.get("head", ())),
    )


@cache
def things_named() -> dict[str, Thing]:
    """The table by label."""
    return {thing.label: thing for thing in load_things()}


def things_asked(folded: str) -> tuple[Thing, ...]:
    """What a folded question asks about: narrow things in place of the wider ones they are part of."""
    asked = [thing for thing in load_things() if thing.asks.search(folded)]
    wider = {thing.part_of for thing in asked if thing.part_of}
    return tuple(thing for thing in asked if thing.label not in wider)
