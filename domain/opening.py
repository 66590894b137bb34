"""What is worth saying first today: follow-ups, what is due, open confirmations; at most three, most pressing first.

Pure: the pieces in, the words out. A pet that is no longer there is never brought up.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from domain.pet_profiles import PetProfile
from domain.turn_context import AskedQuestion

MOST_ITEMS = 3  # what an owner reads before writing
MOST_CONFIRMATIONS = 1  # asked at an opening; more would be an interrogation
LOOKS_AHEAD_DAYS = 14  # due items further away wait; time enough to make an appointment
PLANS_AHEAD_DAYS = 1  # today and tomorrow; the calendar shows the rest
STILL_FRESH_DAYS = 3  # a follow-up older than this is no news any more

OpeningKind = Literal["follow_up", "due", "confirmation"]


@dataclass(frozen=True, slots=True)
class DuePiece:
    """Something due on a local date; `what` without the pet's name (体内驱虫). subject: a pet id, None for the home."""

    what: str
    due_on: date
    subject: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class PlanPiece:
    """A plan of the calendar on a local date; `text` says what and when (今天15:00 带豆豆打疫苗)."""

    text: str
    on: date
    subject: str | None
    id: str


@dataclass(frozen=True, slots=True)
class FollowUpPiece:
    """An open follow-up: the question to ask (旺仔好点了吗？) and the local date it is meant for."""

    id: str
    subject: str
    question: str
    due_on: date


@dataclass(frozen=True, slots=True)
class OpeningItem:
    """One thing to say. `id` is that of the follow-up, the schedule or the confirmation."""

    kind: OpeningKind
    text: str
    subject: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class _Ranked:
    rank: tuple[int, int]
    item: OpeningItem


def opening(
    today: date,
    pets: Sequence[PetProfile],
    due: Iterable[DuePiece] = (),
    follow_ups: Iterable[FollowUpPiece] = (),
    questions: Iterable[AskedQuestion] = (),
    plans: Iterable[PlanPiece] = (),
) -> tuple[OpeningItem, ...]:
    """At most `MOST_ITEMS`: how a sick pet is, what is planned, overdue or due today, a question, what comes soon."""
    silent = {pet.id for pet in pets if pet.status != "active"}
    names = {pet.id: pet.name for pet in pets}
    ranked = [
        *_follow_ups(today, follow_ups),
        *_planned(today, plans),
        *_due(today, due, names),
        *_questions(questions),
    ]
    spoken = sorted((one for one in ranked if one.item.subject not in silent), key=lambda one: one.rank)
    return tuple(_capped(one.item for one in spoken))[:MOST_ITEMS]


def _follow_ups(today: date, follow_ups: Iterable[FollowUpPiece]) -> Iterator[_Ranked]:
    for piece in follow_ups:
        age = (today - piece.due_on).days
        if 0 <= age <= STILL_FRESH_DAYS:
            yield _Ranked((0, age), OpeningItem("follow_up", piece.question, piece.subject, piece.id))


def _planned(today: date, plans: Iterable[PlanPiece]) -> Iterator[_Ranked]:
    for piece in plans:
        days = (piece.on - today).days
        if 0 <= days <= PLANS_AHEAD_DAYS:
            yield _Ranked((1 if days == 0 else 3, days), OpeningItem("due", piece.text, piece.subject, piece.id))


def _due(today: date, due: Iterable[DuePiece], names: dict[str, str]) -> Iterator[_Ranked]:
    for piece in due:
        days = (piece.due_on - today).days
        if days <= LOOKS_AHEAD_DAYS:
            whose = f"{names[piece.subject]}的" if piece.subject in names else ""
            text = f"{whose}{piece.what}{_when(days)}"
            yield _Ranked((1 if days <= 0 else 3, days), OpeningItem("due", text, piece.subject, piece.id))


def _when(days: int) -> str:
    if days < 0:
        return f"已经过了{-days}天，别忘了安排。"
    return ("今天到日子了。", "明天到日子。")[days] if days < 2 else f"还有{days}天到期。"


def _questions(questions: Iterable[AskedQuestion]) -> Iterator[_Ranked]:
    for place, asked in enumerate(questions):
        yield _Ranked((2, place), OpeningItem("confirmation", asked.question, asked.subject, asked.confirmation_id))


def _capped(items: Iterable[OpeningItem]) -> Iterator[OpeningItem]:
    confirmations = 0
    for item in items:
        confirmations += item.kind == "confirmation"
        if item.kind != "confirmation" or confirmations <= MOST_CONFIRMATIONS:
            yield item
