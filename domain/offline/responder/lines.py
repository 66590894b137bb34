"""All lines of a turn's context in one shape: whose, since when, how sure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from domain.offline.responder.wording import Dated, cut_stamp, plain
from domain.turn_context import CardLine, RecalledLine, TurnContext
from memory.vocabulary import OWNER_SUBJECT, Kind

SURE = 0.85  # product.md §3: a belief above it has become a fact

_PENDING = re.compile(r"[（(]?(待确认|观察中|候选)[)）]?$")


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that is known. `text` is without its date and marks; `guess` lines are voiced as guesses.

    told_on: the owner's day on which we learned it.
    """

    memory_id: str
    text: str
    subject: str | None
    topic: str
    attribute: str
    on: Dated | None = None
    guess: bool = False
    pending: str = ""
    safety: bool = False
    recalled: bool = False
    told_on: date | None = None
    until: date | None = None  # it holds for a time only

    @property
    def slot(self) -> str:
        """The class part of the attribute: allergy of allergy:chicken, diet of diet.staple_food."""
        return self.attribute.partition(":")[0].partition(".")[0]

    @property
    def doubtful(self) -> bool:
        return self.guess or bool(self.pending)


def lines_of(context: TurnContext) -> tuple[Line, ...]:
    """What the context holds about the pets meant and the owner; the pets' cards first, each memory once."""
    return _each_once((*card_lines(context), *recalled_lines(context), *owner_lines(context)))


def card_lines(context: TurnContext) -> tuple[Line, ...]:
    """The lines of the cards of the pets meant."""
    return tuple(_from_card(line, card.pet.id, context) for card in context.cards for line in card.lines)


def owner_lines(context: TurnContext) -> tuple[Line, ...]:
    """The lines of the owner's own card."""
    return tuple(_from_card(line, OWNER_SUBJECT, context) for line in context.owner_lines)


def recalled_lines(context: TurnContext) -> tuple[Line, ...]:
    """What was recalled, best first, without lines about pets that are not meant."""
    meant = {card.pet.id for card in context.cards} | {OWNER_SUBJECT, None}
    return tuple(_from_recall(line, context) for line in context.recalled if not context.cards or line.subject in meant)


def _from_card(line: CardLine, subject: str, context: TurnContext) -> Line:
    text, pending, on = _taken_apart(line.text)
    return Line(
        memory_id=line.memory_id,
        text=text,
        subject=subject,
        topic=line.topic,
        attribute=line.attribute,
        on=on,
        pending=pending or ("待确认" if line.provisional else ""),
        safety=line.safety,
        told_on=_owners_day(line.told_at, context),
    )


def _from_recall(line: RecalledLine, context: TurnContext) -> Line:
    text, pending, on = _taken_apart(line.text)
    if on is None and line.happened_at is not None:
        on = Dated(line.happened_at.astimezone(context.now.tzinfo).date())
    return Line(
        memory_id=line.memory_id,
        text=text,
        subject=line.subject,
        topic=line.topic,
        attribute=line.attribute,
        on=on,
        guess=line.kind is Kind.BELIEF or line.confidence < SURE,
        pending=line.pending or pending,
        recalled=True,
        told_on=_owners_day(line.learned_at, context),
        until=line.until,
    )


def _owners_day(at: datetime | None, context: TurnContext) -> date | None:
    return None if at is None else at.astimezone(context.now.tzinfo).date()


def _taken_apart(text: str) -> tuple[str, str, Dated | None]:
    """The words, the pending mark and the date of a line as it is served."""
    text = plain(text)
    mark = _PENDING.search(text)
    bare, on = cut_stamp(text[: mark.start()] if mark else text)
    return plain(bare), mark[1] if mark else "", on


def _each_once(lines: Iterable[Line]) -> tuple[Line, ...]:
    first: dict[str, Line] = {}
    for line in lines:
        first.setdefault(line.memory_id, line)
    return tuple(first.values())
