"""Recall before every reply: which pets are meant and which memories may be told, found in code and in bounded time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from domain.household_view import HouseholdView
from domain.pet_profiles import SaidBefore
from domain.token_use import Tokens
from domain.turn_context import RecalledLine, TalkLine
from memory.recall import Embedding
from memory.scope import Scope


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, by whom, when, and after what. may_leave: an embedder of somebody else's may see the text.

    embedded: what `ActiveRecall.begin` gave; not used for a question that has become another since (咪咪呢).
    """

    text: str
    scope: Scope
    now: datetime
    view: HouseholdView
    history: Sequence[SaidBefore] = ()
    focus_pet_id: str | None = None
    may_leave: bool = False
    embedded: Embedding | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """pet_ids: the pets meant, none while unclear. likely_pet_ids: the best guess even then, never for medical facts.

    lines: best first. talks: earlier conversations, the recent ones first. partial: the deadline cut an arm short.
    embedded: what an endpoint's embedder was asked for it, by model.
    """

    pet_ids: frozenset[str]
    likely_pet_ids: frozenset[str] = frozenset()
    lines: tuple[RecalledLine, ...] = ()
    talks: tuple[TalkLine, ...] = ()
    about_owner: bool = False
    unclear: bool = False
    partial: bool = False
    trace: tuple[dict[str, Any], ...] = ()
    embedded: Mapping[str, Tokens] = field(default_factory=dict)


class ActiveRecall(Protocol):
    """Finds what to remember for one question. Never raises for a slow or broken engine: it answers with less."""

    async def begin(self, text: str) -> Embedding | None:
        """Begin what takes longest, for a question that is to come; None where nothing can be begun yet."""
        ...

    async def __call__(self, question: Question) -> Recalled: ...
