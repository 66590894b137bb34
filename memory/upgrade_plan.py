"""The plan of one subject's night: what its memories' verdicts come to once its card has to hold them. Pure.

Records' lines enter first; of what rises the most used keeps its place. A line that climbs back from the archive only
displaces one that was used less, so that two lines never change places night after night. Every memory is placed
exactly once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from memory.core_budget import PET_CARD, CardItem, Condense, Limits, fits, plan_card
from memory.upgrade import DEFAULT_RULES, Move, Standing, UpgradeRules, Verdict, judge, next_review
from memory.visibility import SERVED
from memory.vocabulary import Tier


class PlanLosesMemories(Exception):
    """A plan that does not place every memory exactly once is never carried out; a fault of ours."""


@dataclass(frozen=True, slots=True)
class CardState:
    """A card before the night, and the lines that want to enter it.

    waiting: lines of records in force that found no room when they were made. due: the due memories, as card items.
    """

    card: Sequence[CardItem] = ()
    waiting: Sequence[CardItem] = ()
    due: Mapping[str, CardItem] = field(default_factory=lambda: MappingProxyType({}))
    limits: Limits = PET_CARD


@dataclass(frozen=True, slots=True)
class SubjectPlan:
    """What is to be done about one subject. verdicts: one a due memory, final.

    entered: waiting records' lines that have room now. made_room: old lines of the card, not due themselves, that go
    down. condensed: new wordings by id. turned_away: newcomers for which nothing may move; the owner is told.
    """

    verdicts: tuple[Verdict, ...] = ()
    entered: tuple[str, ...] = ()
    made_room: tuple[str, ...] = ()
    condensed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    turned_away: tuple[str, ...] = ()

    @property
    def is_quiet(self) -> bool:
        """Whether nothing moves at all."""
        moved = any(verdict.move for verdict in self.verdicts)
        return not (moved or self.entered or self.made_room or self.condensed)

    @property
    def is_too_full(self) -> bool:
        """Whether something had to leave, or stay away from, a card that is full."""
        crowded = (Move.MADE_ROOM, Move.TURNED_AWAY)
        return bool(self.made_room) or any(verdict.move in crowded for verdict in self.verdicts)

    @property
    def risen(self) -> tuple[str, ...]:
        """The due ones that wanted to enter the card, whether or not they found room."""
        rising = (Move.PROMOTED, Move.CLIMBED, Move.MADE_ROOM, Move.TURNED_AWAY)
        return tuple(verdict.id for verdict in self.verdicts if verdict.move in rising)


def plan_subject(
    due: Sequence[Standing],
    state: CardState,
    now: datetime,
    rules: UpgradeRules = DEFAULT_RULES,
    condense: Condense | None = None,
) -> SubjectPlan:
    """Judge the due memories of one subject and fit what rises into its card. The same input gives the same plan.

    Raises PlanLosesMemories.
    """
    verdicts = {one.id: judge(one, now, rules) for one in due}
    below = {one.id: _below_card(one, verdicts[one.id], now, rules) for one in due}
    leaving = {one.id for one in due if one.tier is Tier.CORE and verdicts[one.id].tier is not Tier.CORE}
    book = _CardBook(tuple(item for item in state.card if item.id not in leaving), state.limits, condense)
    book.settle()
    entered = tuple(item.id for item in state.waiting if book.admit(item))
    turned_away: list[str] = []
    for verdict in _newcomers(due, verdicts, state.due):
        item = state.due[verdict.id]
        if verdict.move is Move.CLIMBED and not book.is_worth_it(item):
            verdicts[verdict.id] = below[verdict.id]
        elif not book.admit(item):
            verdicts[verdict.id] = below[verdict.id]
            turned_away.append(verdict.id)
    made_room = tuple(item.id for item in book.down if item.id not in verdicts)
    verdicts |= {item.id: _made_room(below[item.id]) for item in book.down if item.id in verdicts}
    plan = SubjectPlan(tuple(verdicts.values()), entered, made_room, book.wordings(), tuple(turned_away))
    _require_all_placed(state, plan, book)
    return plan


class _CardBook:
    """The card while its lines come and go."""

    def __init__(self, stays: tuple[CardItem, ...], limits: Limits, condense: Condense | None) -> None:
        self.stays, self.before = stays, {item.id: item.content for item in stays}
        self._limits, self._condense = limits, condense
        self.down: list[CardItem] = []

    def settle(self) -> None:
        """Bring a card that is over its limits back, with no newcomer."""
        plan = plan_card(self.stays, (), self._limits, self._condense)
        self.stays = plan.stays
        self.down += plan.moves_down

    def admit(self, newcomer: CardItem) -> bool:
        """Let one line enter if room can be made for it."""
        plan = plan_card(self.stays, [newcomer], self._limits, self._condense)
        if plan.turned_away:
            return False
        self.before[newcomer.id] = newcomer.content
        self.stays = plan.stays
        self.down += plan.moves_down
        return True

    def is_worth_it(self, climber: CardItem) -> bool:
        """Whether a line from the archive has room, or was used more than the line it would displace."""
        if fits([*self.stays, climber], self._limits):
            return True
        least = min((item.recall_count for item in self.stays if item.may_move), default=climber.recall_count)
        return climber.recall_count > least

    def wordings(self) -> dict[str, str]:
        """The lines that stay with a shorter wording."""
        return {item.id: item.content for item in self.stays if item.content != self.before[item.id]}


def _newcomers(
    due: Sequence[Standing], verdicts: Mapping[str, Verdict], items: Mapping[str, CardItem]
) -> list[Verdict]:
    """Those that rise, the least used first: the most used come last and displace those, never the other way."""
    rising = [verdicts[one.id] for one in due if verdicts[one.id].move in (Move.PROMOTED, Move.CLIMBED)]
    return sorted(rising, key=lambda verdict: (items[verdict.id].recall_count, verdict.id))


def _below_card(one: Standing, verdict: Verdict, now: datetime, rules: UpgradeRules) -> Verdict:
    """The same memory when the card has no place for it: in its archive, where it already may be."""
    review_at = next_review(replace(one, tier=Tier.LONG, status=verdict.status), now, rules)
    move = None if one.tier is Tier.LONG else Move.TURNED_AWAY
    return replace(verdict, tier=Tier.LONG, move=move, review_at=review_at)


def _made_room(below: Verdict) -> Verdict:
    return below if below.move is None else replace(below, move=Move.MADE_ROOM)


def _require_all_placed(state: CardState, plan: SubjectPlan, book: _CardBook) -> None:
    """Whoever was on the card is on it, went down, or has a verdict of its own that says where it is."""
    known = {item.id for item in book.stays} | set(plan.made_room) | {verdict.id for verdict in plan.verdicts}
    on_card = [verdict.id for verdict in plan.verdicts if verdict.tier is Tier.CORE and verdict.status in SERVED]
    lost = {item.id for item in state.card} - known
    if lost or set(on_card) - {item.id for item in book.stays}:
        raise PlanLosesMemories(f"{len(lost)} memories would have no place")
