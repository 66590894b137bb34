"""Which plan a message means: by what it is for, whose it is, its own words, or because it was just talked of. Pure."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Protocol, TypeVar

from domain.schedule_requests import ScheduleRequest
from domain.schedule_words import kinds_of, shares_words


class Candidate(Protocol):
    """What is looked at of a plan."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def pet_id(self) -> str | None: ...


C = TypeVar("C", bound=Candidate)


class Choice(StrEnum):
    """What came of the search."""

    FOUND = "found"
    SEVERAL = "several"
    NONE = "none"


def choose(request: ScheduleRequest, plans: Sequence[C], lately: Collection[str]) -> tuple[Choice, Sequence[C]]:
    """The plans meant. plans: those ahead, soonest first. lately: ids of those that the talk was about a moment ago.

    One plan is meant unless the message says all of them; several that fit are to be asked about.
    """
    fitting = _fitting(request, plans, lately)
    if not fitting:
        return Choice.NONE, ()
    if request.pick is not None:
        picked = fitting[request.pick - 1 : request.pick]
        return (Choice.FOUND, picked) if picked else (Choice.SEVERAL, fitting)
    if len(fitting) == 1 or request.everything:
        return Choice.FOUND, fitting
    return Choice.SEVERAL, fitting


def _fitting(request: ScheduleRequest, plans: Sequence[C], lately: Collection[str]) -> Sequence[C]:
    of_pets = [one for one in plans if not request.pets or one.pet_id in request.pets]
    if request.kinds:
        return [one for one in of_pets if kinds_of(one.title) & request.kinds]
    worded = [one for one in of_pets if shares_words(_without_pets(one.title), request.words)]
    if worded:
        return worded
    if request.everything and request.explicit:
        return of_pets
    recent = [one for one in of_pets if one.id in lately]
    if recent:
        return recent
    return of_pets if request.explicit or request.pets else ()


def _without_pets(title: str) -> str:
    """给豆豆买新窝 is told apart by 买新窝; 提醒 and 取消 stand in every request."""
    for word in ("提醒", "取消", "安排", "日程"):
        title = title.replace(word, " ")
    return title
